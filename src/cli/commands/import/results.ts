/**
 * What an import did with each row, so that the same import goes on: a line before the request of a row, and one with its answer, both on
 * the disk before the import goes on. In `state.db`, and with --results in a file of JSON lines too.
 */
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { isObject } from '../../input/plain-object.ts';
import {
  contentOf,
  type ImportedRow,
  type ImportedRows,
  openImports,
  rowStates,
} from '../../state/imports.ts';
import { ownerOf, stateFile } from '../../state/state.ts';
import { type Lock, lockBeside } from '../files/lock.ts';

export class Results {
  /** `state.db`, and the file: both have every line. */
  readonly #stores: readonly ImportedRows[];
  readonly #locks: readonly Lock[];
  #waiting: ImportedRow[] = [];
  #writing: Promise<boolean> | undefined;
  /** Why it can't be written: nothing more is sent. */
  trouble: unknown;

  private constructor(stores: readonly ImportedRows[], locks: readonly Lock[]) {
    this.#stores = stores;
    this.#locks = locks;
  }

  /** `what`: the resource, where one import at a time may create records. `path`: a file as well. Exit 7 while another import runs. */
  static async open(
    { io }: Context,
    {
      what,
      path,
    }: {
      what: readonly [facility: string, resource: string] | undefined;
      path: string | undefined;
    },
  ): Promise<Results> {
    const stores = [openImports(io)];
    const locks: Lock[] = [];
    const take = async (name: string) => {
      const lock = await lockBeside(name);
      if (lock) locks.push(lock);
      else
        throw new CliError({
          code: 'already_running',
          message: `Another import is running with ${name}. Nothing was sent.`,
          hint: 'wait until it ends, then run this one again',
        });
    };
    try {
      if (path !== undefined) {
        await take(path).catch((error) => {
          throw error instanceof CliError ? error : unusable(path, error);
        });
        stores.push(openFile(path));
      }
      if (what) await take(`${stateFile(io)}-import-${ownerOf(...what)}`);
      return new Results(stores, locks);
    } catch (error) {
      for (const store of stores) store.close();
      for (const lock of locks) lock.release();
      throw error;
    }
  }

  /** The last that was noted of a row with this content. */
  get(content: string): ImportedRow | undefined {
    for (const store of this.#stores) {
      const found = store.get(content);
      if (found) return found;
    }
    return undefined;
  }

  /** Whether it is on the disk. Lines of requests that run at the same time wait for the disk together. */
  note(...rows: readonly ImportedRow[]): Promise<boolean> {
    this.#waiting.push(...rows);
    this.#writing ??= new Promise((resolve) => {
      setImmediate(() => resolve(this.#write()));
    });
    return this.#writing;
  }

  /** Of a row that is done: a run that was cut may have written one of the two, and the file may be a new one. */
  async complete(row: ImportedRow): Promise<void> {
    const isThere = (store: ImportedRows) => store.get(contentOf(row.key))?.did === row.did;
    if (!this.#stores.every(isThere)) await this.note(row);
  }

  #write(): boolean {
    this.#writing = undefined;
    const rows = this.#waiting.splice(0);
    try {
      for (const store of this.#stores) store.write(rows);
      return true;
    } catch (error) {
      this.trouble ??= error;
      return false;
    }
  }

  close(): void {
    for (const store of this.#stores) store.close();
    for (const lock of this.#locks) lock.release();
  }
}

const unusable = (path: string, error: unknown): CliError =>
  usage(
    `Couldn't use ${path}: ${describeFsError(error)}.`,
    'give a file in a folder that you can write to with --results',
  );

function openFile(path: string): ImportedRows {
  const rows = new Map<string, ImportedRow>();
  const keep = (row: ImportedRow) => void rows.set(contentOf(row.key), row);
  let text: string;
  let file: number;
  try {
    file = openSync(path, 'a+', 0o600);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw unusable(path, error);
  }
  // A run that was cut may have left a part of a line.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  for (const [index, line] of whole.split('\n').slice(0, -1).entries()) keep(parse(line, index));
  if (whole === '' && text !== '') parse(text, 0);
  let size = Buffer.byteLength(whole);

  function parse(line: string, index: number): ImportedRow {
    try {
      const row: unknown = JSON.parse(line);
      if (isRow(row)) return row;
    } catch {
      // The message says what it is.
    }
    closeSync(file);
    throw new CliError({
      code: 'invalid_file',
      message: `${path} isn't a file of results: line ${index + 1} isn't a line of cs import. Nothing was sent.`,
      hint: 'give another file with --results',
    });
  }

  return {
    get: (content) => rows.get(content),
    write(some) {
      const bytes = Buffer.from(some.map((row) => `${JSON.stringify(row)}\n`).join(''));
      try {
        ftruncateSync(file, size);
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
        fdatasyncSync(file);
      } catch (error) {
        throw new CliError({
          code: 'file_unusable',
          message: `Couldn't write ${path}: ${describeFsError(error)}. Nothing more was sent.`,
          hint: 'free some space, and run the same command again',
          cause: error,
        });
      }
      size += bytes.length;
      some.forEach(keep);
    },
    close: () => closeSync(file),
  };
}

const isRow = (value: unknown): value is ImportedRow =>
  isObject(value) &&
  Number.isInteger(value.row) &&
  String(value.key).startsWith('cs-import-') &&
  rowStates.some((state) => state === value.did) &&
  !Number.isNaN(Date.parse(String(value.at)));
