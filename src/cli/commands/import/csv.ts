/** Reads csv (RFC 4180), also with semicolons or tabs, which spreadsheets use in some countries. */
import { CsvError, type Parser, parse } from 'csv-parse';
import { CliError } from '../../errors/exit.ts';
import { maxRowLength, tooLong } from '../bulk/lines.ts';

type Separator = ',' | ';' | '\t';

export interface CsvLine {
  /** Its first line in the file, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface CsvOptions {
  /** Where the first line has no separator, or as many of several (default: a comma). */
  readonly usual?: Separator;
  /** Called before the first record. */
  readonly onSeparator?: (separator: string) => void;
}

/** The records of a text in chunks, without empty lines. Uses the most frequent separator of the first line. Exit 3 for an unclosed quote, and for a row that is too long for memory. */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  { usual = ',', onSeparator }: CsvOptions = {},
): AsyncGenerator<CsvLine, void> {
  const open = (text: string) => {
    const separator = separatorOf(text, usual);
    onSeparator?.(separator);
    return new CsvReader(separator);
  };
  let head = '';
  let reader: CsvReader | undefined;
  for await (const piece of pieces) {
    head += piece;
    // Wait for the first line, which determines the separator.
    if (!reader && head.length > maxRowLength) throw tooLong(1);
    if (!reader && !/[\r\n]/.test(head)) continue;
    reader ??= open(head);
    yield* await reader.read(head);
    head = '';
  }
  if (!reader) {
    reader = open(head);
    yield* await reader.read(head);
  }
  yield* reader.end();
}

function separatorOf(text: string, usual: Separator): string {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (sign: string) => line.split(sign).length;
  return [usual, ',', ';', '\t'].reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}

/** Collects the records of each chunk: read as a stream, the parser drops those before an error. */
class CsvReader {
  readonly #parser: Parser;
  #found: CsvLine[] = [];
  /** The line after the last record, without the empty lines so far. */
  #next = 1;

  constructor(separator: string) {
    this.#parser = parse({
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: maxRowLength,
      on_record: (cells) => this.#add(cells),
    });
    // `write` and `end` report errors to their callbacks.
    this.#parser.on('error', () => {});
  }

  /** The parser counts a CRLF inside a cell as two lines, so its own line number isn't used. */
  get #line(): number {
    return this.#next + this.#parser.info.empty_lines;
  }

  #add(cells: readonly string[]): null {
    this.#found.push({ line: this.#line, cells });
    this.#next += cells.reduce((lines, cell) => lines + lineBreaksIn(cell), 1);
    return null;
  }

  async read(text: string): Promise<CsvLine[]> {
    await new Promise<void>((resolve, reject) =>
      this.#parser.write(text, (error) => (error ? reject(this.#inWords(error)) : resolve())),
    );
    return this.#found.splice(0);
  }

  async *end(): AsyncGenerator<CsvLine, void> {
    const error = await new Promise<Error | null | undefined>((resolve) =>
      this.#parser.end(resolve),
    );
    yield* this.#found.splice(0);
    if (error) throw this.#inWords(error);
  }

  #inWords(error: Error): Error {
    const code = error instanceof CsvError ? error.code : undefined;
    if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(this.#line);
    if (code !== 'CSV_QUOTE_NOT_CLOSED') return error;
    return new CliError({
      code: 'invalid_file',
      message: `The record in line ${this.#line} has an unclosed quote.`,
      hint: 'write a quote inside a quoted cell twice',
    });
  }
}

const lineBreaksIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0;
