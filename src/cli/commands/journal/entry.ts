/**
 * The file of one command that writes in several steps: a line of JSON for what it is about to do, then a line for each step that began or
 * ended. Each line is on the disk before the next request is sent. A file ends its life when the command has reported its result.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stateFolder } from '../../config/platform-folders.ts';
import { makeFolder } from '../../input/make-folder.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Io } from '../../terminal/io.ts';
import { syncFolder } from '../bulk/state-file.ts';
import { parseSummedLine, summedLine } from '../bulk/summed-line.ts';
import { writeTogether } from '../bulk/together.ts';
import type { Origin } from '../connection/origin.ts';
import type { ParkedIn } from '../counter/parked-in.ts';
import type { PlaceFlags } from '../counter/place.ts';
import { type Lock, lockBeside } from '../files/lock.ts';

/** The commands that keep a journal. */
export type CommandName = 'dropoff' | 'pickup' | 'move' | 'photos';

/** A file to send, as it was when the command began. */
export interface FileFacts {
  /** Absolute. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** What a command is about to do. Holds no key. */
export interface Entry {
  readonly version: 4;
  /** Eight hexadecimal digits, for people. */
  readonly id: string;
  readonly command: CommandName;
  /** In a sentence: `drop-off of HH-RS 73`. */
  readonly what: string;
  /** By this machine's clock, ISO 8601. */
  readonly startedAt: string;
  /** By the server's clock, ISO 8601: `startedAt` where no answer told it. */
  readonly serverTime: string;
  /** The arguments, as JSON: the same command has the same. */
  readonly words: string;
  readonly server: string;
  /** The prefix of the key, or where it comes from. */
  readonly key: string;
  /** The team of the key. Null where it wasn't known. */
  readonly team?: Origin['team'];
  /** The Idempotency-Key of a step is this and the step's name. */
  readonly keyBase: string;
  readonly files: readonly FileFacts[];
  /** What it was queued with, for an entry that was queued without a server. */
  readonly queued?: QueuedFlags | undefined;
  /** What was known of its car then, for an entry that was queued. */
  readonly known?: KnownCar | undefined;
  /** Everything that the command looked up and asked, as the command itself reads it. Null while nothing is looked up. */
  readonly plan: object | null;
}

/** The flags and arguments of a command line that is queued, by attribute name. */
export type QueuedFlags = Readonly<Record<string, unknown>>;

/** What was known of the car of a queued entry. */
export interface KnownCar {
  /** Undefined where nothing told it. */
  readonly id?: string | undefined;
  /** Such as `HH-RS 73 · 1973 Porsche 911`. */
  readonly title?: string | undefined;
  /** Undefined where nothing told it. `any`: a person stores it wherever the car is. */
  readonly parkedIn?: ParkedIn | undefined;
  /** Where the work before it in the queue parks the car, as it was typed. */
  readonly place?: PlaceFlags | undefined;
}

/** The bytes that a step sends: not those of the file if it was shrunk or its location was removed. */
export interface SentContent {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** When the server may have carried out a request, by its own clock, ISO 8601. */
export interface TimeSpan {
  readonly from: string;
  readonly until: string;
}

/** How far a step came. `refused`: certainly not stored. A later line about a step replaces an earlier one. */
export type StepLine = { readonly step: string; readonly content?: SentContent | undefined } & (
  | {
      readonly state: 'sent';
      readonly during: TimeSpan /** Whether its end wasn't waited for. Undefined where the process ended first. */;
      readonly mayStillRun?: boolean;
      /** Its answer was about something else, so a record that looks like it proves nothing. */
      readonly contradicted?: boolean;
    }
  | { readonly state: 'refused' }
  | { readonly state: 'done'; readonly answer: unknown }
);

/** What replaces a part of the entry, such as a plan with another place. */
export type Change = Partial<Pick<Entry, 'plan' | 'queued' | 'known' | 'files'>>;

export interface StoredEntry {
  readonly path: string;
  readonly entry: Entry;
  readonly lines: ReadonlyMap<string, StepLine>;
  /** A line couldn't be written, such as on a full disk: a step without one may have been sent. */
  readonly isIncomplete: boolean;
}

/** Whether something is stored, or may be. */
export const isBegun = (lines: StoredEntry['lines']): boolean =>
  [...lines.values()].some(({ state }) => state !== 'refused');

/** A file that isn't an entry, or not any more. */
export interface DamagedEntry {
  readonly path: string;
  /** What the command was about to do, where that line is left. */
  readonly entry: Entry | undefined;
  /** Where it is left. */
  readonly command: CommandName | undefined;
}

export const journalFolder = (io: Io): string => join(stateFolder(io), 'journal');

const extension = '.jsonl';

export const newEntry = (given: Omit<Entry, 'version' | 'id' | 'keyBase'>): Entry => {
  const keyBase = randomUUID();
  return { version: 4, id: keyBase.slice(0, 8), keyBase, ...given };
};

/** An open entry. Every call returns when its line is on the disk. */
export interface EntryWriter {
  write(line: StepLine | Change): Promise<void>;
  close(): Promise<void>;
}

/** Names sort by time. */
const pathOf = (folder: string, { startedAt, id }: Entry): string =>
  join(folder, `${startedAt.replace(/[-:.]/g, '')}-${id}${extension}`);

/** A new entry, held by this run of `cs`. */
export interface NewEntry {
  readonly path: string;
  readonly lock: Lock;
  readonly writer: EntryWriter;
}

/** Writes the file of a new entry. Leaves nothing behind when it throws. */
export async function createEntry(folder: string, entry: Entry): Promise<NewEntry> {
  makeFolder(folder, 0o700);
  const path = pathOf(folder, entry);
  const temporary = `${path}.part`;
  const file = await open(temporary, 'ax', 0o600);
  let lock: Lock | undefined;
  try {
    const line = Buffer.from(summedLine(entry));
    await file.appendFile(line);
    await file.sync();
    lock = await lockBeside(path);
    if (!lock) throw new Error(`another process holds the new entry ${path}`);
    await rename(temporary, path);
    await syncFolder(folder);
    return { path, lock, writer: writerOf(file, line.length) };
  } catch (error) {
    await file.close();
    for (const left of [temporary, path]) await rm(left, { force: true });
    lock?.release();
    throw error;
  }
}

export async function openEntry(path: string): Promise<EntryWriter> {
  const text = await readFile(path);
  // A line that a crash cut is none: the next one takes its place.
  return writerOf(await open(path, 'a'), text.lastIndexOf('\n') + 1);
}

/** `end`: of the last whole line. */
function writerOf(file: FileHandle, end: number): EntryWriter {
  let at = end;
  const write = writeTogether(async (lines) => {
    const bytes = Buffer.from(lines.join(''));
    // A full disk may have left a part of an earlier line.
    await file.truncate(at);
    await file.appendFile(bytes);
    await file.datasync();
    at += bytes.length;
  });
  return { write: (line) => write(summedLine(line)), close: () => file.close() };
}

/** The paths of all entries, the oldest first, and of those that were damaged and set aside. */
export async function entryPaths(
  folder: string,
): Promise<{ readonly entries: string[]; readonly aside: string[] }> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const those = (isOne: (name: string) => boolean) =>
    names
      .filter(isOne)
      .sort()
      .map((name) => join(folder, name));
  return {
    entries: those((name) => name.endsWith(extension)),
    aside: those((name) => asideEnding.test(name)),
  };
}

const asideEnding = /\.damaged(-\d+)?$/;

/** What the name of an entry's file tells, also where the file is damaged. */
export function namedIn(path: string): {
  readonly id: string;
  readonly path: string;
  readonly startedAt: string | null;
} {
  const original = path.replace(asideEnding, '');
  const name = basename(original, extension);
  const parts = /^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d+Z)-(\w+)$/.exec(name);
  if (!parts) return { id: name, path: original, startedAt: null };
  const [, year, month, hour, minute, second, rest, id = name] = parts;
  return { id, path: original, startedAt: `${year}-${month}-${hour}:${minute}:${second}.${rest}` };
}

/** Undefined for an entry that another process has finished meanwhile. */
export async function readEntry(
  path: string,
): Promise<StoredEntry | { readonly damaged: DamagedEntry } | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [first, ...rest] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map(parseSummedLine);
  const begun = isReadable(first) ? first : undefined;
  const command =
    begun?.command ??
    commandNames.find((name) => text.split('\n', 1)[0]?.includes(`"command":"${name}"`));
  if (!isEntry(first)) return { damaged: { path, entry: begun, command } };
  const lines = new Map<string, StepLine>();
  let entry = first;
  for (const line of rest) {
    if (isStepLine(line)) lines.set(line.step, line);
    else if (isChange(line)) entry = { ...entry, ...line };
    else return { damaged: { path, entry, command } };
  }
  return { path, entry, lines, isIncomplete: existsSync(markOf(path)) };
}

/** Removes an entry whose lock the caller holds. */
export async function removeEntry(path: string): Promise<void> {
  for (const one of [path, markOf(path)]) await rm(one, { force: true });
}

/** An empty file beside the entry: a full disk has room for it. */
const markOf = (path: string): string => `${path}.incomplete`;

export async function markIncomplete(path: string): Promise<void> {
  const file = await open(markOf(path), 'a', 0o600);
  await file.close();
}

const commandNames: readonly CommandName[] = ['dropoff', 'pickup', 'move', 'photos'];
const texts = [
  'id',
  'what',
  'startedAt',
  'serverTime',
  'words',
  'server',
  'key',
  'keyBase',
] as const;

/** Tells what the command was about to do, in this version or another one. */
const isReadable = (value: unknown): value is Entry =>
  isObject(value) &&
  commandNames.some((name) => name === value.command) &&
  texts.every((name) => typeof value[name] === 'string');

const isEntry = (value: unknown): value is Entry =>
  isReadable(value) &&
  value.version === 4 &&
  Array.isArray(value.files) &&
  (isObject(value.plan) || isObject(value.queued));

const isChange = (value: unknown): value is Change =>
  isObject(value) &&
  (isObject(value.plan) ||
    isObject(value.queued) ||
    isObject(value.known) ||
    Array.isArray(value.files));

const isStepLine = (value: unknown): value is StepLine =>
  isObject(value) &&
  typeof value.step === 'string' &&
  (value.state === 'refused' ||
    (value.state === 'sent' && isObject(value.during)) ||
    (value.state === 'done' && 'answer' in value));
