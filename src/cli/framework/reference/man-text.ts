/** A page of man.ts as text, for readers without `man`. It knows the requests that man.ts writes, and no others. */
import { breakWords } from '../../terminal/text.ts';

export function readableManPage(page: string, columns: number): string {
  const width = Math.min(columns, 100);
  let indent = 0;
  let isExample = false;
  let isTerm = false;
  const lines = page.split('\n').flatMap((line) => {
    const [, request = '', words = ''] = /^\.(\S+) ?(.*)$/.exec(line) ?? [undefined, 'text', line];
    const shown = unescaped(words);
    const at = (cells: number, text: string): string[] =>
      breakWords(text, width - cells)
        .split('\n')
        .map((one) => `${' '.repeat(cells)}${one}`.trimEnd());
    switch (request) {
      case 'SH':
      case 'SS':
        indent = 7;
        return ['', ...at(request === 'SH' ? 0 : 3, shown)];
      case 'PP':
        indent = 7;
        return [''];
      case 'TP':
        isTerm = true;
        indent = 7;
        return [''];
      case 'EX':
      case 'EE':
        isExample = request === 'EX';
        return [];
      case 'B':
      case 'I':
      case 'BR':
      case 'text': {
        if (shown === '') return [];
        const from = indent;
        // What follows the term of a list belongs to it.
        if (isTerm) indent = 14;
        isTerm = false;
        return isExample ? [`${' '.repeat(from)}${shown}`] : at(from, shown);
      }
      default:
        return [];
    }
  });
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

const signs: Readonly<Record<string, string>> = {
  dq: '"',
  aq: "'",
  ha: '^',
  ti: '~',
  ga: '`',
  e: '\\',
  '&': '',
};

/** The words of a line, without quotes and escapes. */
const unescaped = (words: string): string =>
  words
    .replace(/^"(.*)"/, '$1')
    .replace(/ (\(\d\))$/, '$1')
    .replace(/\\(?:\[u([\dA-F]+)\]|\((..)|(.))/g, (_, code, long, short) =>
      code ? String.fromCodePoint(Number.parseInt(code, 16)) : (signs[long ?? short] ?? short),
    );
