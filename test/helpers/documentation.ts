/** The lines that the documentation tells people to type. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A page, such as "docs/guide.md". */
export const pageText = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The lines of the shell blocks of a page, or of one of its sections, without comments. */
export const shellLines = (page: string, heading?: string): string[] =>
  [...section(pageText(page), heading).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(
    ([, block = '']) =>
      block
        .split('\n')
        .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
        .filter(Boolean),
  );

function section(text: string, heading?: string): string {
  if (heading === undefined) return text;
  const [, found] = text.split(`\n## ${heading}\n`);
  if (found === undefined) throw new Error(`No section has the heading "${heading}".`);
  return found.split('\n## ')[0] as string;
}

/** The only line of a page with these words. */
export function shellLine(page: string, words: string): string {
  const found = shellLines(page).filter((line) => line.includes(words));
  if (found.length !== 1) throw new Error(`${page} has ${found.length} lines with "${words}".`);
  return found[0] as string;
}
