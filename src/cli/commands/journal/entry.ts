/**
 * The file of one command that writes in several steps: a line of JSON for what it is about to do, then a line for each step that began or
 * ended. Each line is on the disk before the next request is sent. A file ends its life when the command has reported its result.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { platformFolder } from '../../config/platform-folders.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Io } from '../../terminal/io.ts';
import { syncFolder } from '../bulk/state-file.ts';

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
  readonly version: 2;
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
  /** The Idempotency-Key of a step is this and the step's name. */
  readonly keyBase: string;
  readonly files: readonly FileFacts[];
  /** Everything that the command looked up and asked, as the command itself reads it. */
  readonly plan: unknown;
}

/** Flags and arguments of a command, by attribute name. */
export type TypedFlags = Readonly<Record<string, unknown>>;

/** The plan of an entry that was queued without a server: nothing is looked up yet. */
export interface QueuedPlan {
  readonly typed: TypedFlags;
}

/** The flags of an entry that was queued without a server and not sent yet; undefined for any other. */
export const typedFlags = ({ plan }: Pick<Entry, 'plan'>): TypedFlags | undefined => (plan as Partial<QueuedPlan>).typed;

/** The bytes that a step sends: not those of the file if it was shrunk or its location was removed. */
export interface SentContent {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** `refused`: certainly not stored. A later line about a step replaces an earlier one. */
export type Line = { readonly step: string; readonly content?: SentContent | undefined } & (
  | { readonly state: 'sent' | 'refused' }
  | { readonly state: 'done'; readonly answer: unknown }
);

/** A change of the plan, such as another place. */
type Change = { readonly plan: unknown };

export interface StoredEntry {
  readonly path: string;
  readonly entry: Entry;
  readonly lines: ReadonlyMap<string, Line>;
}

/** A file that isn't an entry, or not any more. */
export interface DamagedEntry {
  readonly path: string;
  /** What the command was about to do, where that line is left. */
  readonly entry: Entry | undefined;
}

/** `CS_STATE_DIR`, or the platform's folder. */
export const stateFolder = (io: Io): string => io.env.CS_STATE_DIR || platformFolder(io, 'state').path;

export const journalFolder = (io: Io): string => join(stateFolder(io), 'journal');

const extension = '.jsonl';

export const newEntry = (given: Omit<Entry, 'version' | 'id' | 'keyBase'>): Entry => {
  const keyBase = randomUUID();
  return { version: 2, id: keyBase.slice(0, 8), keyBase, ...given };
};

/** An open entry. Every call returns when its line is on the disk. */
export interface EntryWriter {
  readonly path: string;
  write(line: Line | Change): Promise<void>;
  close(): Promise<void>;
}

/** Names sort by time. */
const pathOf = (folder: string, { startedAt, id }: Entry): string => join(folder, `${startedAt.replace(/[-:.]/g, '')}-${id}${extension}`);

export async function createEntry(folder: string, entry: Entry): Promise<EntryWriter> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = pathOf(folder, entry);
  const temporary = `${path}.part`;
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.writeFile(`${JSON.stringify(entry)}\n`);
    await file.sync();
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return openEntry(path);
}

export async function openEntry(path: string): Promise<EntryWriter> {
  const text = await readFile(path);
  const file = await open(path, 'r+');
  // A line that a crash cut is none: the next one takes its place.
  let end = text.lastIndexOf('\n') + 1;
  return {
    path,
    async write(line) {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      await file.truncate(end);
      await file.write(bytes, 0, bytes.length, end);
      await file.datasync();
      end += bytes.length;
    },
    close: () => file.close(),
  };
}

/** The paths of all entries, the oldest first. */
export async function entryPaths(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => join(folder, name));
}

/** Undefined for an entry that another process has finished meanwhile. */
export async function readEntry(path: string): Promise<StoredEntry | { readonly damaged: DamagedEntry } | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [first, ...rest] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map(parse);
  if (!isEntry(first)) return { damaged: { path, entry: undefined } };
  const lines = new Map<string, Line>();
  let entry = first;
  for (const line of rest) {
    if (isLine(line)) lines.set(line.step, line);
    else if (isObject(line) && 'plan' in line) entry = { ...entry, plan: line.plan };
    else return { damaged: { path, entry } };
  }
  return { path, entry, lines };
}

/** Keeps a damaged entry for a person to read, out of the way of the others. Returns its new path. */
export async function setAside(path: string): Promise<string> {
  const aside = `${path}.damaged`;
  await rename(path, aside);
  return aside;
}

/** Removes an entry whose lock the caller holds. */
export async function removeEntry(path: string): Promise<void> {
  await rm(path, { force: true });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const commandNames: readonly unknown[] = ['dropoff', 'pickup', 'move', 'photos'] satisfies CommandName[];
const texts = ['id', 'what', 'startedAt', 'serverTime', 'words', 'server', 'key', 'keyBase'] as const;

const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  value.version === 2 &&
  commandNames.includes(value.command) &&
  texts.every((name) => typeof value[name] === 'string') &&
  Array.isArray(value.files) &&
  isObject(value.plan);

const isLine = (value: unknown): value is Line =>
  isObject(value) &&
  typeof value.step === 'string' &&
  (value.state === 'sent' || value.state === 'refused' || (value.state === 'done' && 'answer' in value));
