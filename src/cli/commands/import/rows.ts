/** Reads the rows of an import file: ndjson, JSON, csv or xlsx. */
import { access, constants, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseJson } from '../../../client/json.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { decodeText, encodePieces, type TextSource } from '../../input/decode.ts';
import { expectPiped, type Reading } from '../../input/input.ts';
import { isObject } from '../../input/plain-object.ts';
import { unguarded } from '../../output/formula.ts';
import { toJson } from '../../output/json.ts';
import { otherSeparators } from '../../output/separators.ts';
import type { Row } from '../../output/view.ts';
import type { Io } from '../../terminal/io.ts';
import { encodeChunks, readLines, readText } from '../bulk/lines.ts';
import type { CsvLine } from './csv-reader.ts';
import type { Book } from './xlsx-rows.ts';

export const rowFormats = ['ndjson', 'json', 'csv', 'xlsx'] as const;
export type RowFormat = (typeof rowFormats)[number];

export interface FileRow {
  /** The first line of the row, or the position in a JSON array, counted from 1. */
  readonly number: number;
  /** Values by field; of cells only the non-empty ones. */
  readonly value?: Row;
  readonly problem?: string;
  /** Cells that have the apostrophe which csv puts before a formula, and keep it: only csv is guarded. */
  readonly marked?: number;
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
  /** Writes rows in the same format, and text in the same encoding. */
  write(rows: AsyncIterable<FileRow>): AsyncGenerator<Uint8Array, void>;
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
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4);
    return buffer.subarray(0, bytesRead).equals(Buffer.from('PK\x03\x04'));
  } finally {
    await file.close();
  }
}

export function openRows(source: RowSource, format: RowFormat): RowFile {
  if (format === 'xlsx') return xlsxFile(source);
  if (format === 'csv') return csvFile(source);
  return format === 'json' ? jsonFile(source) : ndjsonFile(source);
}

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
    write: (rows) =>
      encode(source, async function* () {
        for await (const { source } of rows) yield `${source}\n`;
      }),
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
    write: (rows) =>
      encode(source, async function* () {
        const items = [];
        for await (const { source } of rows) items.push(source);
        yield toJson(items);
      }),
  };
}

function csvFile(source: RowSource): RowFile {
  let header: readonly string[] = [];
  return {
    format: 'csv',
    hasCells: true,
    async *rows() {
      const { readCsv } = await import('./csv-reader.ts');
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
        checkHeader(header);
        source.checkColumns?.(header);
        const read = source.csvRaw || separator === '\t' ? undefined : unguarded;
        for await (const line of lines) {
          // A spreadsheet writes an empty row as separators alone.
          if (line.cells.every((cell) => cell === '')) continue;
          const row = rowOf(line, header, read);
          yield separator === '\t' && !source.csvRaw ? withMarks(row) : row;
        }
      } finally {
        // Closes the file even if the first line is invalid.
        await lines.return();
      }
    },
    write: (rows) =>
      encode(source, async function* () {
        const { stringify } = await import('csv-stringify/sync');
        const options = {
          record_delimiter: '\r\n',
          quote_record_delimiter: true,
          quoted_match: otherSeparators,
        };
        yield stringify([[...header]], options);
        for await (const { source } of rows) yield stringify([source], options);
      }),
  };
}

/** In the encoding of the import, so that the same command can read it. */
function encode(
  { encoding = 'utf-8' }: RowSource,
  texts: () => AsyncGenerator<string, void>,
): AsyncGenerator<Uint8Array, void> {
  return encoding === 'utf-8' ? encodeChunks(texts()) : encodePieces(texts(), encoding);
}

function xlsxFile(source: RowSource): RowFile {
  let header: readonly string[] = [];
  let book: Promise<Book> | undefined;
  const read = () => {
    book ??= import('./xlsx-rows.ts').then(({ readSheet }) => readSheet(source));
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
      checkHeader(header);
      source.checkColumns?.(header);
      for (const { number, cells, wrong } of others)
        if (!wrong) yield withMarks(rowOf({ line: number, cells }, header));
        else
          yield {
            number,
            source: cells,
            problem: `${wrong.why} in the column ${header[wrong.column] ?? wrong.column + 1}`,
          };
    },
    async *write(rows) {
      const { writeXlsx } = await import('../../output/xlsx.ts');
      const columns = header.map((name) => ({ name, kind: 'text' as const }));
      const cells = async function* () {
        for await (const { source } of rows) yield source as readonly string[];
      };
      yield* writeXlsx('failures', columns, cells());
    },
  };
}

function checkHeader(header: readonly string[]): void {
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
}

function rowOf(
  { line, cells }: CsvLine,
  header: readonly string[],
  read = (cell: string) => cell,
): FileRow {
  const more = cells.slice(header.length).some((cell) => cell !== '');
  if (more)
    return {
      number: line,
      source: cells,
      problem: `has ${cells.length} cells, but the first line has ${header.length}`,
    };
  const value = Object.fromEntries(
    header.flatMap((name, index) => (cells[index] ? [[name, read(cells[index])]] : [])),
  );
  return { number: line, source: cells, value };
}

/** Of a format without marks: a spreadsheet keeps those of a csv file that it opened. */
function withMarks(row: FileRow): FileRow {
  const cells = Object.values(row.value ?? {}) as string[];
  return { ...row, marked: cells.filter((cell) => unguarded(cell) !== cell).length };
}

interface Source {
  readonly path: string;
  /** For messages. */
  readonly name: string;
  close(): Promise<void>;
}

export async function openSource(context: Reading, given: string): Promise<Source> {
  const { io } = context;
  if (given === '-') {
    expectPiped(context, 'FILE -');
    return spool(io);
  }
  const path = resolve(io.cwd, given);
  const refuse = (why: string) =>
    usage(`Couldn't read ${path}: ${why}.`, 'check the path, or use - for stdin');
  const stats = await stat(path).catch((error) => Promise.reject(refuse(describeFsError(error))));
  // The file is read more than once.
  if (!stats.isFile()) throw refuse("it isn't a file");
  await access(path, constants.R_OK).catch((error) =>
    Promise.reject(refuse(describeFsError(error))),
  );
  return { path, name: given, close: async () => {} };
}

async function spool(io: Io): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), 'cs-import-'));
  const path = join(folder, 'stdin');
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(path, io.stdin, { mode: 0o600, signal: io.signal });
  } catch (error) {
    await close();
    io.signal.throwIfAborted();
    throw error;
  }
  return { path, name: 'stdin', close };
}
