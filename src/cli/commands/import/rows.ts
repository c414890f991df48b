/** Reads the rows of an import file: ndjson, JSON, csv or xlsx. */
import { type BigIntStats, constants } from 'node:fs';
import { access, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CliError, usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { decodeText, encodePieces, type TextSource } from '../../input/decode.ts';
import { expectPiped, type Reading } from '../../input/input.ts';
import { parseJson } from '../../input/json.ts';
import { isObject } from '../../input/plain-object.ts';
import { otherSeparators, unguarded } from '../../output/formula.ts';
import { toJson } from '../../output/json.ts';
import type { Row } from '../../output/view.ts';
import { readLines, readText } from '../bulk/lines.ts';
import type { Book } from './xlsx.ts';

export const rowFormats = ['ndjson', 'json', 'csv', 'xlsx'] as const;
export type RowFormat = (typeof rowFormats)[number];

export interface FileRow {
  /** The first line of the row, or the position in a JSON array, counted from 1. */
  readonly number: number;
  /** Values by the names in the file; of cells only the non-empty ones. */
  readonly value?: Row;
  readonly problem?: string;
  /** Unchanged from the file. */
  readonly source: string | readonly string[] | Row;
}

export interface RowFile {
  readonly format: RowFormat;
  /** Values are cells of text, by column. */
  readonly hasCells: boolean;
  /** Of a spreadsheet. */
  sheetNames?(): Promise<readonly string[]>;
  /** Each call begins with the first row. */
  rows(): AsyncGenerator<FileRow, void>;
  /** The text of rows in the same format, or the bytes of a spreadsheet. */
  write(rows: AsyncIterable<FileRow>): AsyncGenerator<string | Uint8Array, void>;
}

export interface RowSource extends TextSource {
  readonly path: string;
  /** Checks the columns of a csv file before the rows. */
  readonly checkColumns?: (names: readonly string[]) => void;
  /** Cells of csv are read as they are, without the mark of a formula taken off. */
  readonly csvRaw?: boolean;
  /** Of a spreadsheet (default: the first). */
  readonly sheet?: string | undefined;
}

/** It is in memory as a whole. */
const maxJsonBytes = 256_000_000;

/** From the name or the first character of the file. */
export async function formatOf(source: RowSource): Promise<RowFormat> {
  const ending = /\.(\w+)$/.exec(source.name)?.[1]?.toLowerCase();
  if (ending === 'xlsx') return 'xlsx';
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson';
  if (await isZip(source.path)) return 'xlsx';
  for await (const piece of readText(source.path, source)) {
    const [first] = piece.trimStart();
    if (first === '[') return 'json';
    if (first === '{') return ending === 'json' ? 'json' : 'ndjson';
    if (first !== undefined) return 'csv';
  }
  return 'ndjson';
}

/** A spreadsheet is a zip archive. */
async function isZip(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4);
  return buffer.equals(Buffer.from('PK\x03\x04'));
}

export const openRows = (source: RowSource, format: RowFormat): RowFile =>
  ({ ndjson: ndjsonFile, json: jsonFile, csv: csvFile, xlsx: xlsxFile })[format](source);

/** Writes rows to read again: in the same format and encoding. */
export const encodeRows = (
  { encoding = 'utf-8' }: RowSource,
  file: RowFile,
  rows: AsyncIterable<FileRow>,
): AsyncGenerator<Uint8Array, void> =>
  file.format === 'xlsx'
    ? (file.write(rows) as AsyncGenerator<Uint8Array, void>)
    : encodePieces(file.write(rows) as AsyncGenerator<string, void>, encoding);

function ndjsonFile(source: RowSource): RowFile {
  return {
    format: 'ndjson',
    hasCells: false,
    async *rows() {
      let number = 0;
      for await (const line of readLines(source.path, source)) {
        number += 1;
        if (line.trim() !== '') yield { number, source: line, ...parsed(line) };
      }
    },
    async *write(rows) {
      for await (const { source } of rows) yield `${source}\n`;
    },
  };
}

function parsed(text: string): Pick<FileRow, 'value' | 'problem'> {
  try {
    return asRow(parseJson(text));
  } catch (error) {
    return { problem: `isn't valid JSON: ${(error as Error).message}` };
  }
}

const asRow = (value: unknown): Pick<FileRow, 'value' | 'problem'> =>
  isObject(value) ? { value } : { problem: "isn't an object" };

function jsonFile(source: RowSource): RowFile {
  return {
    format: 'json',
    hasCells: false,
    async *rows() {
      if ((await stat(source.path)).size > maxJsonBytes)
        throw new CliError({
          code: 'invalid_file',
          message: `${source.name} is larger than ${maxJsonBytes / 1e6} MB, the most that cs reads from one JSON document.`,
          hint: 'write a record on each line (ndjson), which has no limit',
        });
      const text = await decodeText(await readFile(source.path), source);
      let items: unknown;
      try {
        items = parseJson(text);
      } catch (error) {
        throw new CliError({
          code: 'invalid_json',
          message: `The file isn't valid JSON: ${(error as Error).message}.`,
          hint: 'for one record per line, add --format ndjson',
        });
      }
      for (const [index, item] of [items].flat().entries())
        yield { number: index + 1, source: item as Row, ...asRow(item) };
    },
    async *write(rows) {
      const items = [];
      for await (const { source } of rows) items.push(source);
      yield toJson(items);
    },
  };
}

function csvFile(source: RowSource): RowFile {
  let header: readonly string[] = [];
  return {
    format: 'csv',
    hasCells: true,
    async *rows() {
      const { readCsv } = await import('./csv.ts');
      let separator = ',';
      const lines = readCsv(readText(source.path, source), {
        usual: /\.tsv$/i.test(source.name) ? '\t' : ',',
        onSeparator: (found) => {
          separator = found;
        },
      });
      try {
        const first = await lines.next();
        if (first.done) return;
        header = first.value.cells.map((name) => name.trim());
        checkHeader(header, source);
        const read = source.csvRaw || separator === '\t' ? undefined : unguarded;
        // A spreadsheet writes an empty row as separators alone.
        for await (const { line, cells } of lines)
          if (cells.some((cell) => cell !== '')) yield rowOf(line, cells, header, read);
      } finally {
        // Closes the file even if the first line is invalid.
        await lines.return();
      }
    },
    async *write(rows) {
      const { stringify } = await import('csv-stringify/sync');
      const options = {
        record_delimiter: '\r\n',
        quote_record_delimiter: true,
        quoted_match: otherSeparators,
      };
      yield stringify([[...header]], options);
      for await (const { source } of rows) yield stringify([source], options);
    },
  };
}

function xlsxFile(source: RowSource): RowFile {
  let header: readonly string[] = [];
  let book: Promise<Book> | undefined;
  const read = () => {
    book ??= import('./xlsx.ts').then(({ readSheet }) => readSheet(source));
    return book;
  };
  return {
    format: 'xlsx',
    hasCells: true,
    sheetNames: async () => (await read()).names,
    async *rows() {
      const [first, ...others] = (await read()).rows;
      if (!first) return;
      const names = first.cells.map((name) => name.trim());
      header = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
      checkHeader(header, source);
      for (const { number, cells, wrong } of others)
        yield wrong
          ? {
              number,
              source: cells,
              problem: `${wrong.why} in the column ${header[wrong.column] ?? wrong.column + 1}`,
            }
          : rowOf(number, cells, header);
    },
    async *write(rows) {
      const { writeXlsx } = await import('../../output/xlsx.ts');
      const columns = header.map((name) => ({ name, kind: 'text' as const }));
      const cells = async function* () {
        for await (const { source } of rows) yield source as readonly string[];
      };
      yield* writeXlsx('rejects', columns, cells());
    },
  };
}

function checkHeader(header: readonly string[], { checkColumns }: RowSource): void {
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (header.includes(''))
    throw usage(
      'A column in the first line has no name.',
      'name a field for each column in the first line',
    );
  if (twice !== undefined)
    throw usage(
      `Two columns have the name "${twice}".`,
      'name each field only once in the first line',
    );
  checkColumns?.(header);
}

function rowOf(
  number: number,
  cells: readonly string[],
  header: readonly string[],
  read = (cell: string) => cell,
): FileRow {
  if (cells.slice(header.length).some((cell) => cell !== ''))
    return {
      number,
      source: cells,
      problem: `has ${cells.length} cells, but the first line has ${header.length}`,
    };
  const value = Object.fromEntries(
    header.flatMap((name, index) => (cells[index] ? [[name, read(cells[index])]] : [])),
  );
  return { number, source: cells, value };
}

interface Source {
  readonly path: string;
  /** For messages. */
  readonly name: string;
  /** Whether it is another file than when it was opened: it is read several times. */
  isChanged(): Promise<boolean>;
  close(): Promise<void>;
}

export async function openSource(context: Reading, given: string): Promise<Source> {
  const { io } = context;
  if (given === '-') expectPiped(context, 'FILE -');
  const folder = given === '-' ? await mkdtemp(join(tmpdir(), 'cs-import-')) : undefined;
  const close = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  const path = folder === undefined ? resolve(io.cwd, given) : join(folder, 'stdin');
  try {
    if (folder !== undefined) await writeFile(path, io.stdin, { mode: 0o600, signal: io.signal });
    const before = await stat(path, { bigint: true });
    if (!before.isFile()) throw new Error("it isn't a file");
    await access(path, constants.R_OK);
    const isChanged = async () => {
      const now = await stat(path, { bigint: true }).catch(() => undefined);
      const fields = ['ino', 'size', 'mtimeNs'] as const satisfies (keyof BigIntStats)[];
      return fields.some((field) => now?.[field] !== before[field]);
    };
    return { path, name: folder === undefined ? given : 'stdin', isChanged, close };
  } catch (error) {
    await close();
    io.signal.throwIfAborted();
    throw usage(
      `Couldn't read ${path}: ${describeFsError(error)}.`,
      'check the path, or use - for stdin',
    );
  }
}
