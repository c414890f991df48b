/** Refuses to send an unfinished command to another server or team than that it was begun for, and names the command that works. */
import { isSameId } from '../../../client/ids.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { differenceOf, type Origin, readOrigin, rememberedOrigin } from '../connection/origin.ts';
import type { Entry, StoredEntry } from '../journal/entry.ts';
import { entriesHere, originOf } from '../journal/read-journal.ts';
import { discardCommand, resumeCommand } from '../journal/resume-command.ts';
import { resumeThere } from '../journal/there.ts';

/**
 * Another key may belong to another team: where nothing tells, a person decides. With --same-team, an entry of another address is taken
 * too where that address has the same team: the server has moved.
 */
export async function requireHere(
  context: Context,
  found: readonly StoredEntry[],
  sameTeam: boolean,
): Promise<void> {
  const { own, ofOtherKey } = await entriesHere(context, found, { mayAsk: true });
  for (const stored of found) {
    if (own.includes(stored)) continue;
    if (ofOtherKey.includes(stored)) await requireSameTeam(context, stored.entry, sameTeam);
    else await requireMoved(context, stored.entry, sameTeam);
  }
}

async function requireSameTeam(context: Context, entry: Entry, sameTeam: boolean): Promise<void> {
  if (sameTeam) return;
  const { what, key } = entry;
  if (!context.interactive || context.settings.yes) {
    const command = resumeCommand(context, entry, ['--same-team']);
    throw refused(
      entry,
      await rememberedOrigin(context),
      `if both keys belong to one team: \`${command}\``,
    );
  }
  const { confirm } = await import('../../prompts/confirm.ts');
  await confirm(
    context,
    `The ${what} was begun with ${key || 'no key'}. Does that belong to the same team?`,
    { local: true },
  );
}

async function requireMoved(context: Context, entry: Entry, sameTeam: boolean): Promise<void> {
  const now = sameTeam ? await readOrigin(context) : await rememberedOrigin(context);
  const difference = differenceOf(originOf(entry), now);
  if (difference === 'team')
    throw refused(
      entry,
      now,
      `run \`${resumeCommand(context, entry)}\` with a key of ${teamWords(entry.team) ?? 'its team'}`,
    );
  if (sameTeam && entry.team && now.team && isSameId(entry.team.id, now.team.id)) return;
  const there = `if that server still runs: ${resumeThere(context, entry)}`;
  const here = `if its data is at this address now: \`${resumeCommand(context, entry, ['--same-team'])}\``;
  throw refused(entry, now, entry.team && !sameTeam ? `${there}; ${here}` : there);
}

function refused(entry: Entry, now: Origin, hint: string): CliError {
  const { what, server, key, team } = entry;
  const keyWords = (one: string) => (one ? `the key ${one}` : 'no key');
  const isOtherTeam = differenceOf(originOf(entry), now) === 'team';
  const begun = `on ${server} with ${keyWords(key)}${isOtherTeam ? ` for ${teamWords(team) ?? 'another team'}` : ''}`;
  const is = `to ${now.server} with ${keyWords(now.key)}${isOtherTeam ? ` for ${teamWords(now.team) ?? 'another team'}` : ''}`;
  return new CliError({
    code: 'other_origin',
    message: `The ${what} was begun ${begun}. This command goes ${is}. Nothing was sent.`,
    hint: `${hint}; otherwise forget it with \`${discardCommand(entry)}\``,
    details: { id: entry.id },
  });
}

/** Undefined where only its id is known. */
const teamWords = (team: Entry['team']): string | undefined =>
  !team || isSameId(team.id, team.name) ? undefined : `the team ${team.name}`;
