/** Reads the rows of an import file, whole: ndjson, JSON, csv or xlsx. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { CsvError } from 'csv-parse';
import { CliError, usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { decodeText, encodeText, type TextSource } from '../../input/decode.ts';
import { expectPiped, type Reading } from '../../input/input.ts';
import { parseJson } from '../../input/json.ts';
import { isObject } from '../../input/plain-object.ts';
import { otherSeparators, unguarded } from '../../output/formula.ts';
import { toJson } from '../../output/json.ts';
import type { Row } from '../../output/view.ts';
import { type FileFormat, formatOfName } from '../bulk/formats.ts';
import type { Line } from './xlsx.ts';

/** As it was read. A row takes a fraction of the memory of its values, so these are read when they are needed. */
export interface FileRow {
  /** The first line of the row, or the position in a JSON array, counted from 1. */
  readonly number: number;
}

export interface RowFile<R extends FileRow = FileRow> {
  readonly format: FileFormat;
  /** What `number` counts, for messages. */
  readonly place: 'line' | 'record' | 'row';
  /** The names of the columns. Values are cells of text. */
  readonly header?: readonly string[];
  /** Of a spreadsheet. */
  readonly sheets?: readonly string[];
  readonly rows: readonly R[];
  /** Values by the names in the file, of cells only those with more than spaces; or why they can't be read. */
  read(row: R): Row | string;
  /** A file with these rows, in the same format and encoding. */
  write(rows: readonly R[]): Uint8Array | Promise<Uint8Array>;
}

export interface RowSource extends TextSource {
  /** Cells of csv are read as they are, without the mark of a formula taken off. */
  readonly csvRaw?: boolean;
  /** Of a spreadsheet (default: the first). */
  readonly sheet?: string | undefined;
}

/** A file is in memory as a whole, and its rows take several times its size. */
const maxBytes = 50_000_000;

/** A file, or `-` for stdin. Exit 2 for one that can't be read, exit 3 above 50 MB. */
export async function readSource(context: Reading, given: string): Promise<Uint8Array> {
  const { io } = context;
  if (given === '-') expectPiped(context, 'FILE -');
  const path = resolve(io.cwd, given);
  const stream = addAbortSignal(io.signal, given === '-' ? io.stdin : createReadStream(path));
  /** Of a file that another program may be writing. */
  const version = async () => {
    const found = given === '-' ? undefined : await stat(path).catch(() => undefined);
    return found?.isFile() ? `${found.size} ${found.mtimeMs}` : '';
  };
  const before = await version();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    io.signal.throwIfAborted();
    throw usage(
      `Couldn't read ${path}: ${describeFsError(error)}.`,
      'check the path, or use - for stdin',
    );
  }
  if (before !== (await version()))
    throw new CliError({
      code: 'invalid_file',
      message: `${given} changed while it was read; nothing was sent.`,
      hint: 'run it again when the program that writes the file has finished',
    });
  if (size <= maxBytes) return Buffer.concat(chunks);
  throw new CliError({
    code: 'invalid_file',
    message: `${given === '-' ? 'stdin' : given} has more than ${maxBytes / 1e6} MB, the most that cs imports at once.`,
    hint: 'split it, with the first line of a csv file in each part, and import one part after the other',
  });
}

/** By its ending, or else by its content. */
export async function readRows(bytes: Uint8Array, source: RowSource): Promise<RowFile> {
  const byName = formatOfName(source.name);
  const named = byName === 'sqlite' ? undefined : byName;
  // A spreadsheet is a zip archive.
  const isZip = Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from('PK\x03\x04'));
  if (named === 'xlsx' || (isZip && !named)) return xlsxFile(bytes, source);
  const text = await decodeText(bytes, source);
  const begin = text.trimStart();
  // A record over several lines is JSON, as cs prints one.
  const byContent = /^(\[|\{\s*\n)/.test(begin) ? 'json' : begin[0] === '{' ? 'ndjson' : 'csv';
  const readers = { ndjson: ndjsonFile, json: jsonFile, csv: csvFile };
  return readers[named ?? byContent](text, source);
}

const valuesOf = (value: unknown): Row | string => (isObject(value) ? value : "isn't an object");

function ndjsonFile(text: string, { encoding }: RowSource): RowFile<FileRow & { text: string }> {
  return {
    format: 'ndjson',
    place: 'line',
    // Other separators of lines are legal in JSON.
    rows: text
      .split(/\r?\n/)
      .flatMap((line, index) => (line.trim() === '' ? [] : [{ number: index + 1, text: line }])),
    read({ text: line }) {
      try {
        return valuesOf(parseJson(line));
      } catch (error) {
        return `isn't valid JSON: ${(error as Error).message}`;
      }
    },
    write: (rows) => encodeText(rows.map((row) => `${row.text}\n`).join(''), encoding),
  };
}

function jsonFile(text: string, { encoding }: RowSource): RowFile<FileRow & { value: unknown }> {
  let items: unknown;
  try {
    items = parseJson(text);
  } catch (error) {
    throw new CliError({
      code: 'invalid_json',
      message: `The file isn't valid JSON: ${(error as Error).message}.`,
      hint: /^\s*\[/.test(text)
        ? 'fix it there, and run it again'
        : 'for one record per line, use a file whose name ends with .ndjson',
    });
  }
  return {
    format: 'json',
    place: 'record',
    rows: [items].flat().map((value, index) => ({ number: index + 1, value })),
    read: ({ value }) => valuesOf(value),
    write: (rows) => encodeText(toJson(rows.map(({ value }) => value)), encoding),
  };
}

/** A spreadsheet writes columns and rows without content as separators alone. */
const widthOf = (cells: readonly string[]) => cells.findLastIndex((cell) => cell.trim() !== '') + 1;

/** Lines of cells by the names in the first one. `textOf`: the text of a cell. */
function tableOf(lines: readonly Line[], textOf: (cell: string) => string = String) {
  const first = lines[0]?.cells ?? [];
  const header = first.slice(0, widthOf(first)).map((name) => name.trim());
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (header.includes('') || twice !== undefined)
    throw new CliError({
      code: 'invalid_file',
      message: header.includes('')
        ? 'A column in the first line has no name.'
        : `Two columns have the name "${twice}".`,
      hint: 'name a field for each column in the first line, each only once',
    });
  return {
    header,
    rows: lines.slice(1).filter(({ cells, wrong }) => wrong || widthOf(cells) > 0),
    read({ cells, wrong }: Line): Row | string {
      const width = widthOf(cells);
      if (wrong) {
        const [column = 0] = wrong.columns;
        return `${wrong.why} in the column ${header[column] ?? column + 1}`;
      }
      if (width > header.length)
        return `has ${width} cells, but the first line has ${header.length}`;
      return Object.fromEntries(
        header.flatMap((name, at) => (cells[at]?.trim() ? [[name, textOf(cells[at])]] : [])),
      );
    },
  };
}

async function csvFile(text: string, source: RowSource): Promise<RowFile<Line>> {
  const { stringify } = await import('csv-stringify/sync');
  const { separator, lines } = await readCsv(text, /\.tsv$/i.test(source.name) ? '\t' : ',');
  const isMarked = !source.csvRaw && separator !== '\t';
  const table = tableOf(lines, isMarked ? unguarded : undefined);
  const options = {
    record_delimiter: '\r\n',
    quote_record_delimiter: true,
    quoted_match: otherSeparators,
  };
  return {
    format: 'csv',
    place: 'line',
    ...table,
    write: (rows) =>
      encodeText(
        stringify([table.header, ...rows.map(({ cells }) => cells)], options),
        source.encoding,
      ),
  };
}

/**
 * Csv (RFC 4180), also with semicolons or tabs, which spreadsheets use in some countries: the most
 * frequent separator of the first line, `usual` where it has none. Without empty lines.
 */
export async function readCsv(
  text: string,
  usual = ',',
): Promise<{ separator: string; lines: Line[] }> {
  const { parse } = await import('csv-parse/sync');
  const [head = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (sign: string) => head.split(sign).length;
  const separator = [usual, ',', ';', '\t'].reduce((most, sign) =>
    count(sign) > count(most) ? sign : most,
  );
  const lines: Line[] = [];
  let next = 1;
  try {
    parse(text, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells: string[], { empty_lines }) {
        lines.push({ number: next + empty_lines, cells });
        // The parser counts a CRLF inside a cell as two lines.
        next += cells.join(' ').split(/\r\n|\r|\n/).length;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const wrong = error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'an unclosed quote' : 'a quote in a cell';
    throw new CliError({
      code: 'invalid_file',
      message: `The record in line ${next + Number(error.empty_lines)} has ${wrong}.`,
      hint: 'put quotes around a cell that contains quotes, and double the quotes in it',
    });
  }
  return { separator, lines };
}

async function xlsxFile(bytes: Uint8Array, source: RowSource): Promise<RowFile<Line>> {
  const { readSheet, writeSheet } = await import('./xlsx.ts');
  const { names, lines } = await readSheet(bytes, source);
  const table = tableOf(lines);
  return {
    format: 'xlsx',
    place: 'row',
    sheets: names,
    ...table,
    write: (rows) => writeSheet(table.header, rows),
  };
}
