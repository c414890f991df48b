/**
 * What earlier imports of a resource sent, where the server alone can't tell a repeat: a line of JSON when a row is about to be sent, and
 * when it was answered. The first is on the disk before its request is sent, so that no end of the process hides it. One file for each
 * server, key and resource, which one import at a time extends. Its times are those of this machine, except `serverTime`.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stateFolder } from '../../config/platform-folders.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { makeFolder } from '../../input/make-folder.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Io } from '../../terminal/io.ts';
import { syncFolder } from '../bulk/state-file.ts';
import { summedLine } from '../bulk/summed-line.ts';
import { writeTogether } from '../bulk/together.ts';
import { type Lock, lockBeside } from '../files/lock.ts';
import { endOf, serverTimeOf } from './late-request.ts';
import { damaged, type Line, readLastLine, readLines } from './sent-lines.ts';

const dayMs = 24 * 3_600_000;

/** How long a row is remembered, as servers with idempotency keys do it. */
const rememberedForMs = dayMs;

/** Much longer than a row is remembered: a clock that jumps ahead for a while deletes nothing. */
const keptForMs = 30 * dayMs;

export interface SentRow {
  /** When it was sent, by this machine's clock. */
  readonly at: string;
  /** When it was sent, by the server's clock. */
  readonly serverTime: string;
  /** What its relative times were counted from. */
  readonly moment?: string;
  /** Whether the end of its request wasn't waited for. Undefined where the process ended first. */
  readonly mayStillRun?: boolean;
  /** The record, once the server has answered. */
  readonly id?: string;
}

interface About {
  readonly baseUrl: string;
  /** The key's prefix, or where it comes from. */
  readonly key: string;
  readonly resource: string;
}

interface Opening {
  readonly about: About;
  /** The command that shows what is stored. */
  readonly check: string;
  /** The file of an import with `--again`. */
  readonly again: string | undefined;
}

export class SentRows {
  readonly #io: Io;
  readonly #path: string;
  readonly #lock: Lock;
  readonly #rows = new Map<string, SentRow>();
  readonly #salts = new Map<string, string>();
  #again: string | undefined;
  /** Of the whole lines. */
  #size: number;
  readonly #append = writeTogether((lines) => this.#flush(lines));
  #last: Promise<void> = Promise.resolve();

  private constructor(
    io: Io,
    { path, lock, lines, size }: { path: string; lock: Lock; lines: readonly Line[]; size: number },
  ) {
    this.#io = io;
    this.#path = path;
    this.#lock = lock;
    this.#size = size;
    const now = io.now().getTime();
    for (const line of lines) this.#take(line, now - Date.parse(line.at) > rememberedForMs);
  }

  /** Exit 7 while another import has the file, and for a damaged file, which is moved aside. */
  static async open(io: Io, { about, check, again }: Opening): Promise<SentRows> {
    const folder = join(stateFolder(io), 'imports');
    const path = join(folder, `${digest(about)}${ending}`);
    const lock = await lockIn(folder, path);
    if (!lock) throw alreadyRunning(about);
    try {
      if (again === undefined && !existsSync(path) && existsSync(`${path}${asideEnding}`))
        throw damaged(path, `${path}${asideEnding}`, check);
      const now = io.now().getTime();
      const { lines, isCut } = (await readLines(path, check)) ?? { lines: [], isCut: false };
      const kept = lines.filter(
        (line, index) => now - Date.parse(line.at) <= keptForMs || index === lines.length - 1,
      );
      const text = kept.map(summedLine).join('');
      if (isCut || kept.length < lines.length) await replace(path, text);
      await removeOlder(folder, { now, except: path });
      const sent = new SentRows(io, { path, lock, lines: kept, size: Buffer.byteLength(text) });
      if (again !== undefined) await sent.#beginAgain(digest(again));
      return sent;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  get(row: string): SentRow | undefined {
    return this.#rows.get(row);
  }

  /** Until when the server may still be at the request of a row, ISO 8601; undefined once that is over. */
  runsUntil(row: string): string | undefined {
    const sent = this.#rows.get(row);
    const end = sent?.mayStillRun ? endOf(sent.serverTime) : undefined;
    return end !== undefined && serverTimeOf(this.#io) < end ? end : undefined;
  }

  /** When the last of the requests was sent whose end an earlier run didn't live to see, by the server's clock; undefined without any. */
  cutOffAt(): string | undefined {
    const cutOff = [...this.#rows.values()].filter(
      ({ id, mayStillRun }) => id === undefined && mayStillRun === undefined,
    );
    return cutOff
      .map(({ serverTime }) => serverTime)
      .sort()
      .at(-1);
  }

  /** The ids of the records that rows became. */
  ids(): string[] {
    return Array.from(this.#rows.values(), ({ id }) => id).filter((id) => id !== undefined);
  }

  /** Of an import with `--again`: that of the unfinished one of the same file, or a new one. */
  get salt(): string | undefined {
    return this.#again && this.#salts.get(this.#again);
  }

  /** The next import of the file with `--again` sends every row. */
  finishAgain(): void {
    if (this.#again !== undefined)
      this.#later({ again: this.#again, at: this.#now(), state: 'finished' });
  }

  /** Returns when the row is on the disk. Exit 2 where it can't be written: without it a repeat could import the row twice. */
  begin(row: string, moment?: string): Promise<void> {
    return this.#write({
      row,
      at: this.#now(),
      serverTime: serverTimeOf(this.#io),
      state: 'sent',
      ...(moment !== undefined && { moment }),
    });
  }

  /** Of a row that was begun. */
  done(row: string, id: string): void {
    const { at, serverTime } = this.#rows.get(row) as SentRow;
    this.#later({ row, at, serverTime, state: 'done', id });
  }

  /** Of a row that was begun, and of which no answer tells. */
  left(row: string, mayStillRun: boolean): void {
    const { at, serverTime, moment } = this.#rows.get(row) as SentRow;
    this.#later({
      row,
      at,
      serverTime,
      state: 'sent',
      ...(moment !== undefined && { moment }),
      mayStillRun,
    });
  }

  refused(row: string): void {
    this.#later({ row, at: this.#now(), state: 'refused' });
  }

  /** Returns when every line is on the disk. */
  async close(): Promise<void> {
    await this.#last.catch(() => {});
    this.#lock.release();
  }

  async #beginAgain(again: string): Promise<void> {
    this.#again = again;
    if (!this.#salts.has(again))
      await this.#write({ again, at: this.#now(), state: 'begun', salt: randomUUID() });
  }

  #now(): string {
    return this.#io.now().toISOString();
  }

  #take(line: Line, isForgotten = false): void {
    if ('again' in line) {
      if (line.state === 'begun' && !isForgotten) this.#salts.set(line.again, line.salt);
      else this.#salts.delete(line.again);
    } else if (line.state === 'refused' || isForgotten) this.#rows.delete(line.row);
    else {
      const { row, state, ...sent } = line;
      this.#rows.set(row, sent);
    }
  }

  /** Without this line the server is asked what it stored. */
  #later(line: Line): void {
    this.#write(line).catch(() => {});
  }

  #write(line: Line): Promise<void> {
    this.#take(line);
    this.#last = this.#append(summedLine(line));
    return this.#last;
  }

  async #flush(lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(lines.join(''));
    try {
      // A file that was created has whole lines, so one without is damaged.
      if (this.#size === 0) await replace(this.#path, bytes);
      else {
        await using file = await open(this.#path, 'a');
        // A full disk may have left a part of an earlier line.
        await file.truncate(this.#size);
        await file.appendFile(bytes);
        await file.datasync();
      }
      this.#size += bytes.length;
    } catch (error) {
      throw unwritable(this.#path, error);
    }
  }
}

const ending = '.jsonl';
const asideEnding = '.damaged';

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

async function lockIn(folder: string, path: string): Promise<Lock | undefined> {
  try {
    makeFolder(folder, 0o700);
    return await lockBeside(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

async function replace(path: string, content: string | Uint8Array): Promise<void> {
  await saveFile(path, one(Buffer.from(content)), { overwrite: true, mode: 0o600 });
  await syncFolder(dirname(path));
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Files whose own last line is older than rows are kept. */
async function removeOlder(
  folder: string,
  { now, except }: { now: number; except: string },
): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((name) => name.endsWith(ending))) {
    const path = join(folder, name);
    if (path === except) continue;
    // Another import may be removing it, too.
    const changed = await stat(path).catch(() => undefined);
    if (!changed || now - changed.mtimeMs <= keptForMs) continue;
    const lock = await lockBeside(path);
    if (!lock) continue;
    const last = await readLastLine(path);
    if (!last || now - Date.parse(last.at) <= keptForMs) {
      lock.release();
      continue;
    }
    for (const other of names)
      if (other === name || other.startsWith(`${name}${asideEnding}`))
        await rm(join(folder, other), { force: true });
    lock.release();
  }
}

const alreadyRunning = ({ resource }: About): CliError =>
  new CliError({
    code: 'already_running',
    message: `Another import of ${resource} to this server is running. Nothing was sent.`,
    hint: 'wait for it, then run this one again',
  });

const unwritable = (path: string, error: unknown): CliError =>
  new CliError({
    code: 'file_unusable',
    message: `Couldn't write ${path}: ${describeFsError(error)}. It tells a later run which rows were sent, so no more were.`,
    hint: 'free some space or set CS_STATE_DIR to a writable folder, and run it again',
    cause: error,
  });
