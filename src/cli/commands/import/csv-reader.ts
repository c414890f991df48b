/** Reads csv (RFC 4180), also with semicolons or tabs, which spreadsheets use in some countries. */
import { CliError } from '../../errors/exit.ts';

export interface CsvLine {
  /** Its first line in the file, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of a text in chunks, without empty lines. Uses the most frequent separator of the first line. Exit 3 for an unclosed quote. */
export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvLine, void> {
  let separator: string | undefined;
  let head = '';
  const reader = new Reader();
  for await (const piece of pieces) {
    if (separator === undefined) {
      head += piece;
      // Wait for the first line, which determines the separator.
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
  /** `ended`: after a quote that closes the cell, unless another quote follows. */
  #quoted: false | true | 'ended' = false;
  #afterReturn = false;
  #line = 1;
  #begun = 1;

  *read(text: string, separator: string): Generator<CsvLine, void> {
    for (const sign of text) {
      // LF, CR and CRLF end a line.
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
        message: `The record in line ${this.#begun} has an unclosed quote.`,
        hint: 'write a quote inside a quoted cell twice',
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
