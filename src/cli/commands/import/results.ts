/**
 * What an import did with each row, so that the same import goes on: noted before the request of a row, on the disk, and with its answer.
 * In `state.db`, and with --results in a file of JSON lines too.
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

export interface Results {
  /** The last that was noted of a row with this content. */
  get(content: string): ImportedRow | undefined;
  /** Whether it could be written. `flush`: it is on the disk, and everything before it. */
  note(rows: readonly ImportedRow[], flush?: boolean): boolean;
  /** Of a row that is done: a run that was cut may have written one of the two, and the file may be a new one. */
  complete(row: ImportedRow): void;
  /** Why it can't be written: nothing more is sent. */
  trouble(): unknown;
  close(): void;
}

/** `what`: the resource, where one import at a time may create records. `path`: a file as well. Exit 7 while another import runs. */
export async function openResults(
  { io }: Context,
  {
    what,
    path,
  }: {
    what: readonly [facility: string, resource: string] | undefined;
    path: string | undefined;
  },
): Promise<Results> {
  /** `state.db`, and the file: both have every line. */
  const stores = [openImports(io)];
  const locks: Lock[] = [];
  let trouble: unknown;
  const close = () => {
    for (const store of stores) store.close();
    for (const lock of locks) lock.release();
  };
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
  const note = (rows: readonly ImportedRow[], flush = false) => {
    try {
      for (const store of stores) store.write(rows, flush);
      return true;
    } catch (error) {
      trouble ??= error;
      return false;
    }
  };
  try {
    if (path !== undefined) {
      await take(path).catch((error) => {
        throw error instanceof CliError ? error : unusable(path, error);
      });
      stores.push(openFile(path));
    }
    if (what) await take(`${stateFile(io)}-import-${ownerOf(...what)}`);
  } catch (error) {
    close();
    throw error;
  }
  return {
    get: (content) =>
      stores.map((store) => store.get(content)).find((found) => found !== undefined),
    note,
    complete(row) {
      if (!stores.every((store) => store.get(contentOf(row.key))?.did === row.did)) note([row]);
    },
    trouble: () => trouble,
    close,
  };
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
  const read = (line: string, index: number) => {
    const row = rowIn(line);
    if (row) return keep(row);
    closeSync(file);
    throw new CliError({
      code: 'invalid_file',
      message: `${path} isn't a file of results: line ${index + 1} isn't a line of cs import. Nothing was sent.`,
      hint: 'give another file with --results',
    });
  };
  // A run that was cut may have left a part of a line.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  (whole || text).split('\n').filter(Boolean).forEach(read);
  let size = Buffer.byteLength(whole);
  return {
    get: (content) => rows.get(content),
    write(some, flush) {
      const bytes = Buffer.from(some.map((row) => `${JSON.stringify(row)}\n`).join(''));
      try {
        ftruncateSync(file, size);
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
        if (flush) fdatasyncSync(file);
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

function rowIn(line: string): ImportedRow | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRow = (value: unknown): value is ImportedRow =>
  isObject(value) &&
  Number.isInteger(value.row) &&
  String(value.key).startsWith('cs-import-') &&
  rowStates.some((state) => state === value.did) &&
  !Number.isNaN(Date.parse(String(value.at)));
