import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { photoTypes } from '../../../contract/cars.ts';
import { splitPaths } from './paths.ts';

const photoName = new RegExp(`\\.(jpg|jpe|${photoTypes.map((type) => type.slice('image/'.length)).join('|')})$`, 'i');

export interface CompleteOptions {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** What Tab adds to a line of paths: as much of the last one as the folders and photos that begin so have in common. */
export async function completePath(line: string, { cwd, home, platform }: CompleteOptions): Promise<string> {
  const typed = lastWord(line, platform);
  const inFolder = typed === '' || typed.endsWith('/');
  const path = typed.replace(/^~(?=\/)/, home);
  const [folder, begun] = inFolder ? [resolve(cwd, path), ''] : [resolve(cwd, dirname(path)), basename(path)];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const fitting = entries
    .filter((entry) => entry.name.startsWith(begun) && (begun !== '' || !entry.name.startsWith('.')))
    .filter((entry) => entry.isDirectory() || photoName.test(entry.name))
    .map((entry) => (entry.isDirectory() ? join(entry.name, '/') : entry.name));
  const [only, second] = fitting;
  if (only === undefined) return '';
  const added = shared(fitting).slice(begun.length);
  const quote = openQuote(line);
  const text = quote === undefined && platform !== 'win32' ? added.replace(/[\s'"\\]/g, '\\$&') : added;
  // A file that is certain is closed, so that the next can be typed; a folder goes on.
  return second === undefined && !only.endsWith('/') ? `${text}${quote ?? ''} ` : text;
}

function lastWord(line: string, platform: NodeJS.Platform): string {
  // A sign at the end tells a word that is still open from the space behind one.
  const word = splitPaths(`${line}\u0000`, platform).at(-1) ?? '';
  return word.replace('\u0000', '');
}

function openQuote(line: string): string | undefined {
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '\\' && quote === undefined) at += 1;
    else if (quote === undefined ? character === '"' || character === "'" : character === quote)
      quote = quote === undefined ? character : undefined;
  }
  return quote;
}

function shared(names: readonly string[]): string {
  const [first = '', ...rest] = names;
  let length = first.length;
  for (const name of rest) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
