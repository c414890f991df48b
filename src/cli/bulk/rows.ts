/** The rows of a file: what each holds, or why it holds nothing. */
import { readFile } from 'node:fs/promises';
import { CliError, usage } from '../exit.ts';
import { isObject } from '../plain-object.ts';
import { toJson } from '../render/json.ts';
import type { Row } from '../render/view.ts';
import { type CsvLine, readCsv } from './csv-reader.ts';
import { readLines, readText } from './lines.ts';

export const rowFormats = ['ndjson', 'json', 'csv'] as const;
export type RowFormat = (typeof rowFormats)[number];

export interface FileRow {
  /** The line on which it begins; in a JSON array its place, counted from 1. */
  readonly number: number;
  /** The values by field; of csv the cells that are not empty. */
  readonly value?: Row;
  readonly problem?: string;
  /** As it stands in the file. */
  readonly source: string | readonly string[] | Row;
}

export interface RowFile {
  readonly format: RowFormat;
  /** Reads the file from its beginning, each time anew. */
  rows(): AsyncGenerator<FileRow, void>;
  /** Rows as a file of the same format. */
  write(rows: AsyncIterable<FileRow>): AsyncGenerator<string, void>;
}

/** The format that a name or the first sign of a file tells. */
export async function formatOf(path: string, name: string): Promise<RowFormat> {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson';
  for await (const piece of readText(path)) {
    const [first] = piece.trimStart();
    if (first === '[') return 'json';
    if (first === '{') return ending === 'json' ? 'json' : 'ndjson';
    if (first !== undefined) return 'csv';
  }
  return 'ndjson';
}

export function openRows(path: string, format: RowFormat): RowFile {
  if (format === 'csv') return csvFile(path);
  return format === 'json' ? jsonFile(path) : ndjsonFile(path);
}

function ndjsonFile(path: string): RowFile {
  return {
    format: 'ndjson',
    async *rows() {
      let number = 0;
      for await (const source of readLines(path)) {
        number += 1;
        if (source.trim() !== '') yield { number, source, ...parsed(source) };
      }
    },
    async *write(rows) {
      for await (const { source } of rows) yield `${source}\n`;
    },
  };
}

function parsed(text: string): Pick<FileRow, 'value' | 'problem'> {
  try {
    return asRow(JSON.parse(text));
  } catch (error) {
    return { problem: `is not JSON: ${(error as Error).message}` };
  }
}

const asRow = (value: unknown): Pick<FileRow, 'value' | 'problem'> => (isObject(value) ? { value } : { problem: 'is not an object' });

function jsonFile(path: string): RowFile {
  return {
    format: 'json',
    async *rows() {
      let items: unknown;
      try {
        items = JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
      } catch (error) {
        throw new CliError({
          code: 'invalid_json',
          message: `The file is not JSON: ${(error as Error).message}.`,
          hint: 'for a record on each line, give --format ndjson',
          exitCode: 3,
        });
      }
      for (const [index, item] of [items].flat().entries()) yield { number: index + 1, source: item as Row, ...asRow(item) };
    },
    async *write(rows) {
      const items = [];
      for await (const { source } of rows) items.push(source);
      yield toJson(items);
    },
  };
}

function csvFile(path: string): RowFile {
  let header: readonly string[] = [];
  return {
    format: 'csv',
    async *rows() {
      const lines = readCsv(readText(path));
      try {
        const first = await lines.next();
        if (first.done) return;
        header = first.value.cells.map((name) => name.trim());
        refuseHeader(header);
        for await (const line of lines) yield csvRow(line, header);
      } finally {
        // Also where the first line is refused, the file is closed.
        await lines.return();
      }
    },
    async *write(rows) {
      yield csvLine(header);
      for await (const { source } of rows) yield csvLine(source as readonly string[]);
    },
  };
}

function refuseHeader(header: readonly string[]): void {
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (header.includes('')) throw usage('A column of the first line has no name.', 'the first line names the field of each column');
  if (twice !== undefined) throw usage(`Two columns are called "${twice}".`, 'the first line names the field of each column');
}

function csvRow({ line, cells }: CsvLine, header: readonly string[]): FileRow {
  const more = cells.slice(header.length).some((cell) => cell !== '');
  if (more) return { number: line, source: cells, problem: `has ${cells.length} cells, and the first line names ${header.length}` };
  const value = Object.fromEntries(header.flatMap((name, index) => (cells[index] ? [[name, unguarded(cells[index])]] : [])));
  return { number: line, source: cells, value };
}

/** Without the apostrophe that keeps a spreadsheet from taking a text for a formula. */
const unguarded = (cell: string): string => (/^'\s*[=+\-@＝＋－＠]/.test(cell) || /^'[\t\r\n]/.test(cell) ? cell.slice(1) : cell);

const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
