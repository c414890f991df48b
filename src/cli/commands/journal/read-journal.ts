/** The entries that runs before this one left, and whose they are. */

import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { moveAside } from '../bulk/state-file.ts';
import {
  differenceOf,
  maybeSameServer,
  type Origin,
  readOrigin,
  rememberedOrigin,
} from '../connection/origin.ts';
import {
  type CommandName,
  type DamagedEntry,
  type Entry,
  entryPaths,
  journalFolder,
  namedIn,
  readEntry,
  type StoredEntry,
} from './entry.ts';

export interface DamagedFile extends Pick<DamagedEntry, 'entry' | 'command'> {
  /** Of its command, for people. */
  readonly id: string;
  readonly path: string;
  readonly startedAt: string | null;
  /** Where it is kept until a person forgets it. */
  readonly aside: string;
  /** Whether this run found it. */
  readonly isNew: boolean;
}

export interface WholeJournal {
  readonly entries: readonly StoredEntry[];
  readonly damaged: readonly DamagedFile[];
}

/** The oldest entry first. Damaged files are set aside, and told as long as they are there. Exit 7 where a file or the folder can't be read: it may hold an unfinished command. */
export async function readWholeJournal(context: Context): Promise<WholeJournal> {
  const [entries, damaged]: [StoredEntry[], DamagedFile[]] = [[], []];
  const folder = journalFolder(context.io);
  const paths = await entryPaths(folder).catch((error: unknown) =>
    Promise.reject(unreadable(folder, error)),
  );
  const read = (path: string) =>
    readEntry(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
  for (const aside of paths.aside) {
    const found = await read(aside);
    const { entry, command = entry?.command } =
      found && 'damaged' in found ? found.damaged : { ...found, command: undefined };
    if (found) damaged.push({ ...namedIn(aside), aside, entry, command, isNew: false });
  }
  for (const path of paths.entries) {
    const found = await read(path);
    if (found && 'damaged' in found) {
      const { entry, command } = found.damaged;
      damaged.push({
        ...namedIn(path),
        aside: await moveAside(path).catch(() => path),
        entry,
        command,
        isNew: true,
      });
    } else if (found) entries.push(found);
  }
  return { entries, damaged };
}

const unreadable = (path: string, error: unknown): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `Couldn't read the journal ${path}: ${describeFsError(error)}. It may hold an unfinished command. Nothing was sent.`,
    hint: 'make it readable, or move it away once you know what is stored; then run this command again',
    details: { path },
    cause: error,
  });

/** With a warning for each damaged file that this run found. */
export async function allEntries(context: Context): Promise<readonly StoredEntry[]> {
  const { entries, damaged } = await readWholeJournal(context);
  for (const one of damaged) if (one.isNew) context.warn(damagedText(one));
  return entries;
}

export function damagedText({ path, aside, entry, command }: DamagedFile): string {
  const what = entry
    ? `the ${entry.what}, begun ${entry.startedAt}`
    : command
      ? kinds[command]
      : 'a drop-off, pick-up, move or photos';
  return `The journal ${path} is damaged and was set aside as ${aside}. It belongs to ${what}: check whether that is stored before you repeat it.`;
}

const kinds: Readonly<Record<CommandName, string>> = {
  dropoff: 'a drop-off',
  pickup: 'a pick-up',
  move: 'a move',
  photos: 'an upload of photos',
};

export interface EntriesHere {
  /** Of this server and team. */
  readonly own: readonly StoredEntry[];
  /** Of this server and another key; nothing tells whether that key belongs to the same team. */
  readonly ofOtherKey: readonly StoredEntry[];
  /** Of another address, which may be another name of this server. */
  readonly ofOtherName: readonly StoredEntry[];
}

interface Choosing {
  /** The server may be asked for the team of the key. */
  readonly mayAsk: boolean;
}

/** Which of the entries belong to the server and the team of this command. */
export async function entriesHere(
  context: Context,
  entries: readonly StoredEntry[],
  { mayAsk }: Choosing,
): Promise<EntriesHere> {
  if (entries.length === 0) return { own: [], ofOtherKey: [], ofOtherName: [] };
  const origin = await originFor(context, entries, mayAsk);
  const differences = new Map(
    entries.map((stored) => [stored, differenceOf(originOf(stored.entry), origin)]),
  );
  const those = (difference: 'key' | undefined) =>
    entries.filter((stored) => differences.get(stored) === difference);
  const ofOtherName = entries.filter(({ entry }) => maybeSameServer(originOf(entry), origin));
  return { own: those(undefined), ofOtherKey: those('key'), ofOtherName };
}

export const originOf = ({ server, team = null, key }: Entry): Origin => ({ server, team, key });

/** The server is asked only where its answer decides. */
async function originFor(
  context: Context,
  entries: readonly StoredEntry[],
  mayAsk: boolean,
): Promise<Origin> {
  const origin = await rememberedOrigin(context);
  const isOpen = ({ entry }: StoredEntry) =>
    entry.team && differenceOf(originOf(entry), origin) === 'key';
  if (!mayAsk || origin.team || !entries.some(isOpen)) return origin;
  // The command itself finds out what is wrong with the server.
  return readOrigin(context).catch(() => origin);
}

/** Those that were queued without the server on this machine. Asks the server nothing. */
export async function queuedHere(context: Context): Promise<StoredEntry[]> {
  const { own } = await entriesHere(context, await allEntries(context), { mayAsk: false });
  return own.filter(({ entry }) => entry.queued);
}
