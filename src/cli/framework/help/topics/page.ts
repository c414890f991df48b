/**
 * How a help topic is written: a title in capitals and paragraphs, each one line however long; rows of a table, which begin with two
 * spaces and have two more between term and words, numbers set to the right; and what is to be copied, which begins with four and is never broken.
 */

export const section = (title: string, ...lines: string[]): string => [title, ...lines].join('\n');
export const page = (...sections: string[]): string => `${sections.join('\n\n')}\n`;

/** Rows of a table: the words of all begin in the same column. */
export function rows(entries: readonly (readonly [term: string, words: string])[]): string {
  const widest = Math.max(...entries.map(([term]) => term.length));
  return entries.map(([term, words]) => `  ${term.padEnd(widest)}  ${words}`.trimEnd()).join('\n');
}

export const lines = (...commands: string[]): string => commands.map((command) => `    ${command}`).join('\n');

export type Part =
  | { readonly kind: 'title' | 'words'; readonly text: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [term: string, words: string])[] }
  | { readonly kind: 'lines'; readonly lines: readonly string[] };

/** A topic's text as the parts that it was written in, for pages that are laid out in another way. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const last = parts.at(-1);
    const [, term, words = ''] = rowForm.exec(line) ?? [];
    if (term !== undefined) {
      const row = [term.trim(), words] as const;
      if (last?.kind === 'rows') parts[parts.length - 1] = { kind: 'rows', rows: [...last.rows, row] };
      else parts.push({ kind: 'rows', rows: [row] });
    } else if (line.startsWith('    ')) {
      if (last?.kind === 'lines') parts[parts.length - 1] = { kind: 'lines', lines: [...last.lines, line.trim()] };
      else parts.push({ kind: 'lines', lines: [line.trim()] });
    } else parts.push({ kind: /^[A-Z][A-Z ,()-]*[A-Z)]( \(-o\))?$/.test(line) ? 'title' : 'words', text: line });
  }
  return parts;
}

const rowForm = /^( {2}\S.*?| +\d+) {2,}(?=\S)(.*)$/;

/** A topic's text broken between words to fit; rows keep their columns, and what is to be copied stays whole. */
export function wrapPage(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const row = rowForm.exec(line);
      const term = row ? line.slice(0, line.length - (row[2] as string).length) : '';
      if (line.length <= width || (line.startsWith('    ') && term === '')) return [line];
      const words = line.slice(term.length);
      // Beside a long term there would be a word a line.
      if (term !== '' && width - term.length < 24)
        return [term.trimEnd(), ...broken(words, Math.max(1, width - 6)).map((part) => `      ${part}`)];
      return broken(words, width - term.length).map((part, index) => (index === 0 ? term + part : ' '.repeat(term.length) + part));
    })
    .join('\n');
}

function broken(text: string, width: number): string[] {
  const done: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      done.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...done, line];
}
