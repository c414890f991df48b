/** Reads tsv as `cs` writes it: a record per line, with escapes in place of quotes. Spreadsheets write quotes and no escapes. */
import { unescaped } from '../../output/tsv-cell.ts';
import { type CsvLine, separatorOf } from './csv-reader.ts';

/**
 * Whether a text is of that form: lines end with LF, no cell begins with a quote, and each backslash begins an escape. `isNamedTsv`: then a
 * single column is tsv, too.
 */
export async function isOurTsv(
  pieces: AsyncIterable<string>,
  isNamedTsv: boolean,
): Promise<boolean> {
  let rest = '';
  let isFirst = true;
  const fits = (line: string): boolean => {
    const isTsv = !isFirst || hasTabs(line, isNamedTsv);
    isFirst = false;
    return isTsv && isEscaped(line);
  };
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() as string;
    if (!lines.every(fits)) return false;
  }
  return fits(rest);
}

const hasTabs = (head: string, isNamedTsv: boolean): boolean =>
  separatorOf(head) === '\t' || (isNamedTsv && !/[,;]/.test(head));

const isEscaped = (line: string): boolean =>
  !/\r|(^|\t)"|\\(?![tnr"])/.test(line.replaceAll('\\\\', '  '));

/** Without empty lines. */
export async function* readTsv(lines: AsyncIterable<string>): AsyncGenerator<CsvLine, void> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text !== '') yield { line, cells: text.split('\t').map(unescaped) };
  }
}
