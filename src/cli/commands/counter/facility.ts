/** The facility that work belongs to, and the line that stands for it. */
import { isAbsolute } from 'node:path';
import { describeKey } from '../../config/describe-key.ts';
import { settingList } from '../../config/setting-list.ts';
import type { Context } from '../../context.ts';
import { keptAbilities } from '../../framework/abilities.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { flagWords } from '../../resources/create-line.ts';
import { ownerOf } from '../../state/state.ts';
import { moveWorkToTeam, openWork } from '../../state/work.ts';
import { readOrigin, rememberedOrigin, rememberedTeam, sourceOf } from '../connection/origin.ts';

export interface FacilityHere {
  /** The id of the team; a hash of server and key where the server doesn't tell one. */
  readonly id: string;
  /** Whether that is a team. */
  readonly isTeam: boolean;
  readonly server: string;
  /** Its prefix, or where it comes from. */
  readonly key: string;
}

/** Asks the server for the team where nothing told it. */
export async function facilityOf(context: Context): Promise<FacilityHere> {
  const known = rememberedFacility(context);
  if (known.team !== undefined) return facilityFrom(context, known);
  const { team } = await readOrigin(context);
  return facilityFrom(context, { ...known, team: team?.id ?? null });
}

/** Without a request. */
export const facilityHere = async (context: Context): Promise<FacilityHere> =>
  facilityFrom(context, rememberedFacility(context));

interface Remembered extends Omit<FacilityHere, 'id' | 'isTeam'> {
  /** Null where the server has none, undefined where nobody asked. */
  readonly team: string | null | undefined;
}

function rememberedFacility(context: Context): Remembered {
  const { server, key } = rememberedOrigin(context);
  const team = rememberedTeam(context);
  if (team) return { server, key, team: team.id };
  const abilities = keptAbilities(context.io, context.settings.connection());
  return { server, key, team: abilities ? (abilities.team?.id ?? null) : team };
}

function facilityFrom(context: Context, { team, ...here }: Remembered): FacilityHere {
  const { server, key } = sourceOf(context);
  const owner = ownerOf(server, key ?? '');
  if (typeof team !== 'string') return { ...here, id: owner, isTeam: false };
  moveWorkToTeam(context.io, owner, team);
  return { ...here, id: team, isTeam: true };
}

/** Flags that choose how a command answers and whom it asks, not what it does. */
export const settingNames: ReadonlySet<string> = new Set(
  settingList.map(({ flag = '' }) =>
    flag.replace(/^--(no-)?/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ),
);

/** The same command line has the same text. Relative paths of files mean the same in the same folder alone. */
export function lineOf(
  context: Context,
  command: string,
  { dryRun: _, offline: __, ...flags }: Readonly<Record<string, unknown>>,
  files: readonly string[] = [],
): string {
  const isRelative = files.some((file) => !isAbsolute(file) && !file.startsWith('~'));
  const cwd = isRelative ? { cwd: context.io.cwd } : {};
  const words = Object.entries({ ...flags, ...cwd }).filter(
    ([name, value]) => value !== undefined && !settingNames.has(name),
  );
  return JSON.stringify([command, ...words.sort(([one], [other]) => (one < other ? -1 : 1))]);
}

/** A command line from flags by their attribute names. `argument` comes first. */
export function flagLine(
  context: Context,
  words: readonly string[],
  flags: object,
  argument?: string,
): string {
  const own = Object.entries(flags).flatMap(([name, value]) =>
    settingNames.has(name) ? [] : flagWords(name, value),
  );
  return nextCommand(
    [...words, ...(argument === undefined ? [] : [argument]), ...own],
    connectionFlags(context),
  );
}

/** What isn't finished, in one line. */
export function openWorkLine(context: Context, facility: string): string | undefined {
  const [first, ...more] = openWork(context.io, facility);
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  const list = nextCommand(['pending', 'list'], connectionFlags(context));
  return first && `Unfinished: ${first.what}${others}. See \`${list}\`.`;
}

/** What names the key of this run: its prefix, or where it comes from. */
export function keyHere(context: Context): string {
  const { key } = sourceOf(context);
  return key ? describeKey(key) : '';
}
