/** Reads the rows of an import file, whole: ndjson, JSON, csv or xlsx. */
import { createReadStream } from 'node:fs';
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
import type { Line } from './xlsx.ts';

export const rowFormats = ['ndjson', 'json', 'csv', 'xlsx'] as const;
export type RowFormat = (typeof rowFormats)[number];

export interface FileRow {
  /** The first line of the row, or the position in a JSON array, counted from 1. */
  readonly number: number;
  /** Values by the names in the file; of cells only those with more than spaces. */
  readonly value?: Row;
  readonly problem?: string;
  /** Unchanged from the file. */
  readonly source: unknown;
}

export interface RowFile {
  /** What `number` counts, for messages. */
  readonly place: 'line' | 'record' | 'row';
  /** The names of the columns. Values are cells of text. */
  readonly header?: readonly string[];
  /** Of a spreadsheet. */
  readonly sheets?: readonly string[];
  readonly rows: readonly FileRow[];
  /** A file with these rows, in the same format and encoding. */
  write(sources: readonly unknown[]): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface RowSource extends TextSource {
  readonly format?: RowFormat | undefined;
  /** Cells of csv are read as they are, without the mark of a formula taken off. */
  readonly csvRaw?: boolean;
  /** Of a spreadsheet (default: the first). */
  readonly sheet?: string | undefined;
}

/** A file is in memory as a whole. */
const maxBytes = 100_000_000;

/** A file, or `-` for stdin. Exit 2 for one that can't be read, exit 3 above 100 MB. */
export async function readSource(context: Reading, given: string): Promise<Uint8Array> {
  const { io } = context;
  if (given === '-') expectPiped(context, 'FILE -');
  const path = resolve(io.cwd, given);
  const stream = addAbortSignal(io.signal, given === '-' ? io.stdin : createReadStream(path));
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
  if (size <= maxBytes) return Buffer.concat(chunks);
  throw new CliError({
    code: 'invalid_file',
    message: `${given === '-' ? 'stdin' : given} has more than ${maxBytes / 1e6} MB, the most that cs imports at once.`,
    hint: 'split the file, and import one part after the other',
  });
}

/** By its ending or content, unless `format` is given. */
export async function readRows(bytes: Uint8Array, source: RowSource): Promise<RowFile> {
  const ending = /\.(\w+)$/.exec(source.name)?.[1]?.toLowerCase() ?? '';
  // A spreadsheet is a zip archive.
  const isZip = Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from('PK\x03\x04'));
  const byName = {
    xlsx: 'xlsx',
    csv: 'csv',
    tsv: 'csv',
    ndjson: 'ndjson',
    jsonl: 'ndjson',
  } as const;
  const format =
    source.format ?? byName[ending as keyof typeof byName] ?? (isZip ? 'xlsx' : undefined);
  if (format === 'xlsx') return xlsxFile(bytes, source);
  const text = await decodeText(bytes, source);
  const [first] = text.trimStart();
  const byContent = first === '[' || ending === 'json' ? 'json' : first === '{' ? 'ndjson' : 'csv';
  const readers = { ndjson: ndjsonFile, json: jsonFile, csv: csvFile };
  return readers[format ?? byContent](text, source);
}

const asRow = (value: unknown): Pick<FileRow, 'value' | 'problem'> =>
  isObject(value) ? { value } : { problem: "isn't an object" };

function ndjsonFile(text: string, { encoding }: RowSource): RowFile {
  const read = (line: string) => {
    try {
      return asRow(parseJson(line));
    } catch (error) {
      return { problem: `isn't valid JSON: ${(error as Error).message}` };
    }
  };
  return {
    place: 'line',
    // Other separators of lines are legal in JSON.
    rows: text
      .split(/\r?\n/)
      .flatMap((line, index) =>
        line.trim() === '' ? [] : [{ number: index + 1, source: line, ...read(line) }],
      ),
    write: (lines) => [encodeText(lines.map((line) => `${line}\n`).join(''), encoding)],
  };
}

function jsonFile(text: string, { encoding }: RowSource): RowFile {
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
  return {
    place: 'record',
    rows: [items]
      .flat()
      .map((item, index) => ({ number: index + 1, source: item, ...asRow(item) })),
    write: (sources) => [encodeText(toJson(sources), encoding)],
  };
}

/** Lines of cells by the names in the first one. `read`: the text of a cell. */
function named(
  lines: readonly Line[],
  read: (cell: string) => string = String,
): { header: string[]; rows: FileRow[] } {
  // A spreadsheet writes columns and rows without content as separators alone.
  const widthOf = (cells: readonly string[]) => cells.findLastIndex((cell) => cell.trim()) + 1;
  const first = lines[0]?.cells ?? [];
  const header = first.slice(0, widthOf(first)).map((name) => name.trim());
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (header.includes('') || twice !== undefined)
    throw usage(
      header.includes('')
        ? 'A column in the first line has no name.'
        : `Two columns have the name "${twice}".`,
      'name a field for each column in the first line, each only once',
    );
  const rows = lines.slice(1).flatMap(({ number, cells, wrong }): FileRow[] => {
    const [row, width] = [{ number, source: cells }, widthOf(cells)];
    if (wrong) {
      const column = header[wrong.column] ?? wrong.column + 1;
      return [{ ...row, problem: `${wrong.why} in the column ${column}` }];
    }
    if (width > header.length)
      return [{ ...row, problem: `has ${width} cells, but the first line has ${header.length}` }];
    const values = header.flatMap((name, at) =>
      cells[at]?.trim() ? [[name, read(cells[at])]] : [],
    );
    return width === 0 ? [] : [{ ...row, value: Object.fromEntries(values) }];
  });
  return { header, rows };
}

async function csvFile(text: string, source: RowSource): Promise<RowFile> {
  const { stringify } = await import('csv-stringify/sync');
  const { separator, lines } = await readCsv(text, /\.tsv$/i.test(source.name) ? '\t' : ',');
  const isMarked = !source.csvRaw && separator !== '\t';
  const table = named(lines, isMarked ? unguarded : undefined);
  const options = {
    record_delimiter: '\r\n',
    quote_record_delimiter: true,
    quoted_match: otherSeparators,
  };
  return {
    place: 'line',
    ...table,
    write(rows) {
      const csv = stringify([table.header, ...(rows as string[][])], options);
      return [encodeText(csv, source.encoding)];
    },
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
      hint: 'put a cell with quotes between quotes, and write each quote in it twice',
    });
  }
  return { separator, lines };
}

async function xlsxFile(bytes: Uint8Array, source: RowSource): Promise<RowFile> {
  const { readSheet } = await import('./xlsx.ts');
  const { names, lines } = await readSheet(bytes, source);
  const table = named(lines);
  return {
    place: 'row',
    sheets: names,
    ...table,
    async *write(rows) {
      const { writeXlsx } = await import('../../output/xlsx.ts');
      const columns = table.header.map((name) => ({ name, kind: 'text' as const }));
      const cells = async function* () {
        yield* rows as string[][];
      };
      yield* writeXlsx('rejects', columns, cells());
    },
  };
}
