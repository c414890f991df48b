/** The entries that may belong to this server and team, which nothing tells for sure: begun with another key, or with another address. */

import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTime } from '../../input/when.ts';
import { rememberedOrigin } from '../connection/origin.ts';
import type { CommandName, Entry, StoredEntry } from './entry.ts';
import type { EntriesHere } from './read-journal.ts';
import { discardCommand, resumeCommand } from './resume-command.ts';
import { resumeThere } from './there.ts';

type Elsewhere = Pick<EntriesHere, 'ofOtherKey' | 'ofOtherName'>;

/**
 * The unfinished run of the same line with another key, if a person says that it belongs to the same team. A script is refused: one of the
 * two would be stored twice.
 */
export async function findElsewhere(
  context: Context,
  { ofOtherKey, ofOtherName }: Elsewhere,
  { command, words }: { readonly command: CommandName; readonly words: string },
): Promise<StoredEntry | undefined> {
  const isSame = ({ entry }: StoredEntry) => entry.command === command && entry.words === words;
  const sameKey = ofOtherKey.find(isSame);
  if (!context.interactive || context.settings.yes) {
    const same = sameKey ?? ofOtherName.find(isSame);
    if (same) throw await otherOrigin(context, same.entry, sameKey ? 'key' : 'name');
  } else if (sameKey && (await askForTeam(context, sameKey.entry))) return sameKey;
  const others = (entries: readonly StoredEntry[]) =>
    entries.filter((stored) => stored !== sameKey);
  noteOtherKey(context, others(ofOtherKey));
  noteOtherName(context, ofOtherName);
  return undefined;
}

async function otherOrigin(
  context: Context,
  entry: Entry,
  other: 'key' | 'name',
): Promise<CliError> {
  const { key, server } = await rememberedOrigin(context);
  const [begun, now, same] =
    other === 'key'
      ? [`with ${keyWords(entry.key)}`, `with ${keyWords(key)}`, 'both keys belong to one team']
      : [`on ${entry.server}`, `on ${server}`, 'both are the same server'];
  return new CliError({
    code: 'other_origin',
    message: `The ${entry.what} that was begun ${localTime(entry.startedAt)} ${begun}, not ${now}, isn't finished. Nothing was sent.`,
    hint: `if ${same}: ${other === 'key' ? `\`${sameTeamCommand(context, entry)}\`` : resumeThere(context, entry)}; otherwise forget it with \`${discardCommand(entry)}\``,
    details: { id: entry.id },
  });
}

async function askForTeam(context: Context, { what, startedAt, key }: Entry): Promise<boolean> {
  const [{ askOption }, { labelled }] = await Promise.all([
    import('../../prompts/prompts.ts'),
    import('../../output/labelled.ts'),
  ]);
  const facts = labelled(context, [
    ['Unfinished', what],
    ['Begun', `${localTime(startedAt)} with ${keyWords(key)}`],
  ]);
  context.io.stderr.write(`\n${facts}\n`);
  return askOption<boolean>(context, {
    label: 'Does that belong to the same team?',
    options: [
      { name: 'Yes: finish it', value: true },
      { name: 'No: start another', value: false },
    ],
  });
}

/** A new key may have taken the place of theirs. */
export function noteOtherKey(context: Context, entries: readonly StoredEntry[]): void {
  const [first] = entries;
  if (!first) return;
  const command = sameTeamCommand(context, first.entry);
  tell(
    context,
    `Unfinished: ${namesOf(entries)}, begun with ${keyWords(first.entry.key)}. If that belongs to the same team, finish with \`${command}\`.`,
  );
}

export function noteOtherName(context: Context, entries: readonly StoredEntry[]): void {
  const [first] = entries;
  if (!first) return;
  const { server } = first.entry;
  tell(
    context,
    `Unfinished: ${namesOf(entries)}, begun on ${server}. If that is the same server, finish with ${resumeThere(context, first.entry)}.`,
  );
}

/** Of another server, or for another team: how to finish it is told where it is named. */
export function noteOtherServer(context: Context, entries: readonly StoredEntry[]): void {
  const [first] = entries;
  if (!first) return;
  tell(
    context,
    `Unfinished for another server or team: ${namesOf(entries)}. \`${resumeCommand(context, first.entry)}\` tells how to finish it.`,
  );
}

const keyWords = (key: string): string => (key ? `the key ${key}` : 'no key');

const sameTeamCommand = (context: Context, entry: Entry): string =>
  resumeCommand(context, entry, ['--same-team']);

/** `drop-off of HH-RS 73 and 2 more` */
const namesOf = ([first, ...more]: readonly StoredEntry[]): string =>
  `${first?.entry.what}${more.length > 0 ? ` and ${more.length} more` : ''}`;

/** What is unfinished on this server, in a line. */
export const tellUnfinished = (context: Context, entries: readonly StoredEntry[]): void =>
  tell(
    context,
    `Unfinished: ${namesOf(entries)}. Finish with \`${nextCommand(['pending', 'resume'], connectionFlags(context))}\`.`,
  );

/** A note for a person, a warning on the stderr of a script. */
const tell = (context: Context, text: string): void =>
  context.interactive ? context.note(text) : context.warn(text);
