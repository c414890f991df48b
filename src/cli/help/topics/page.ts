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

/** A topic's text broken between words to fit; rows keep their columns, and what is to be copied stays whole. */
export function wrapPage(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const term = /^(?: {2}\S.*?| +\d+) {2,}(?=\S)/.exec(line)?.[0] ?? '';
      if (line.length <= width || (line.startsWith('    ') && term === '')) return [line];
      return broken(line.slice(term.length), Math.max(24, width - term.length)).map((part, index) =>
        index === 0 ? term + part : ' '.repeat(term.length) + part,
      );
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
