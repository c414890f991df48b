/**
 * The text of a help topic: titles in capitals; paragraphs of one line each; table rows, which
 * start with two spaces and have at least two between term and description; and code, which starts
 * with four spaces and is never wrapped.
 */

export const section = (title: string, ...lines: string[]): string => [title, ...lines].join('\n');
export const page = (...sections: string[]): string => `${sections.join('\n\n')}\n`;

/** Table rows with aligned descriptions. */
export function rows(entries: readonly (readonly [term: string, words: string])[]): string {
  const widest = Math.max(...entries.map(([term]) => term.length));
  return entries.map(([term, words]) => `  ${term.padEnd(widest)}  ${words}`.trimEnd()).join('\n');
}

export const lines = (...commands: string[]): string =>
  commands.map((command) => `    ${command}`).join('\n');

export type Part =
  | { readonly kind: 'title' | 'words'; readonly text: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [term: string, words: string])[] }
  | { readonly kind: 'lines'; readonly lines: readonly string[] };

/** Splits the text of a topic into its parts, for other formats. */
export function parsePage(text: string): Part[] {
  const parts: Part[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const last = parts.at(-1);
    const [, term, words = ''] = rowForm.exec(line) ?? [];
    if (term !== undefined) {
      const row = [term.trim(), words] as const;
      if (last?.kind === 'rows')
        parts[parts.length - 1] = { kind: 'rows', rows: [...last.rows, row] };
      else parts.push({ kind: 'rows', rows: [row] });
    } else if (line.startsWith('    ')) {
      if (last?.kind === 'lines')
        parts[parts.length - 1] = { kind: 'lines', lines: [...last.lines, line.trim()] };
      else parts.push({ kind: 'lines', lines: [line.trim()] });
    } else
      parts.push({
        kind: /^[A-Z][A-Z ,()-]*[A-Z)]( \(-o\))?$/.test(line) ? 'title' : 'words',
        text: line,
      });
  }
  return parts;
}

const rowForm = /^( {2}\S.*?| +\d+) {2,}(?=\S)(.*)$/;

/** Wraps the text of a topic. Rows keep their columns; code isn't wrapped. */
export function wrapPage(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const row = rowForm.exec(line);
      const term = row ? line.slice(0, line.length - (row[2] as string).length) : '';
      if (line.length <= width || (line.startsWith('    ') && term === '')) return [line];
      const words = line.slice(term.length);
      // The description gets its own lines below a long term.
      if (term !== '' && width - term.length < 24)
        return [
          term.trimEnd(),
          ...wrapWords(words, Math.max(1, width - 6)).map((part) => `      ${part}`),
        ];
      return wrapWords(words, width - term.length).map((part, index) =>
        index === 0 ? term + part : ' '.repeat(term.length) + part,
      );
    })
    .join('\n');
}

function wrapWords(text: string, width: number): string[] {
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
