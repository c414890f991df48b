/** Reads comma separated values as RFC 4180 has them, also with semicolons or tabs, as spreadsheets write them in some countries. */
import { CliError } from '../../errors/exit.ts';

export interface CsvLine {
  /** Where it begins in the file, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The lines of a text that comes in pieces; empty ones are left out. The separator is the one that the first line has most of. Exit 3 when a quote is not closed. */
export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvLine, void> {
  let separator: string | undefined;
  let head = '';
  const reader = new Reader();
  for await (const piece of pieces) {
    if (separator === undefined) {
      head += piece;
      // What separates is known when the first line is.
      if (!/[\r\n]/.test(head)) continue;
      separator = separatorOf(head);
      yield* reader.read(head, separator);
    } else yield* reader.read(piece, separator);
  }
  if (separator === undefined && head !== '') yield* reader.read(head, separatorOf(head));
  yield* reader.end();
}

function separatorOf(text: string): string {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (sign: string) => line.split(sign).length;
  return [',', ';', '\t'].reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}

class Reader {
  #cells: string[] = [];
  #cell = '';
  /** In quotes; `ended`: just after the quote that may end them, or be the first of two. */
  #quoted: false | true | 'ended' = false;
  #afterReturn = false;
  #line = 1;
  #begun = 1;

  *read(text: string, separator: string): Generator<CsvLine, void> {
    for (const sign of text) {
      // A line ends with LF, CR or both.
      const second = this.#afterReturn && sign === '\n';
      this.#afterReturn = sign === '\r';
      if (sign === '\r' || (sign === '\n' && !second)) this.#line += 1;
      if (this.#quoted === true) {
        if (sign === '"') this.#quoted = 'ended';
        else this.#cell += sign;
        continue;
      }
      if (second) continue;
      if (sign === '"' && this.#quoted === 'ended') {
        this.#cell += '"';
        this.#quoted = true;
      } else if (sign === '"' && this.#cell === '') this.#quoted = true;
      else if (sign === separator) this.#endCell();
      else if (sign === '\n' || sign === '\r') yield* this.#endLine();
      else this.#cell += sign;
    }
  }

  *end(): Generator<CsvLine, void> {
    if (this.#quoted === true)
      throw new CliError({
        code: 'invalid_csv',
        message: `A quote that is opened in the record of line ${this.#begun} is never closed.`,
        hint: 'a quote within a quoted cell is written twice',
      });
    yield* this.#endLine();
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#quoted = false;
  }

  *#endLine(): Generator<CsvLine, void> {
    const empty = this.#cells.length === 0 && this.#cell === '' && this.#quoted === false;
    this.#endCell();
    const found = { line: this.#begun, cells: this.#cells };
    this.#cells = [];
    this.#begun = this.#line;
    if (!empty) yield found;
  }
}
