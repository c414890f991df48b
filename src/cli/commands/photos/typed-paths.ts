/** The paths of photos in a line that was typed, pasted, or dropped on the terminal. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { photoExtension } from './find.ts';

interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/**
 * The whole line where it names a file or a folder, since people type spaces; otherwise its words as a shell reads them, with commas
 * between them and `file://` addresses as file managers drop them. Patterns stay as they are.
 */
export async function pathsIn(line: string, place: Place): Promise<string[]> {
  const whole = line.trim();
  if (whole === '' || (await exists(whole, place))) return whole === '' ? [] : [whole];
  const paths: string[] = [];
  for (const word of splitPaths(whole, place.platform)) {
    // Windows writes it before a file that is dropped.
    if (place.platform === 'win32' && word === '&') continue;
    // A comma separates where the word with it isn't a file; in braces it belongs to a pattern.
    const isOne = !word.includes(',') || word.includes('{') || (await exists(word, place));
    paths.push(...(isOne ? [word] : word.split(',').filter(Boolean)).map(fromAddress));
  }
  return paths;
}

function fromAddress(word: string): string {
  try {
    return word.startsWith('file://') ? fileURLToPath(word) : word;
  } catch {
    // Of another machine: the message about a file that isn't there names it.
    return word;
  }
}

const exists = (path: string, { cwd, home }: Place): Promise<boolean> =>
  stat(resolve(cwd, path.replace(/^~(?=\/|$)/, home))).then(
    () => true,
    () => false,
  );

/** A quoted part, an escaped character, space, or any other character. */
const part = /"([^"]*)"?|'([^']*)'|\\([\s\S])|(\s+)|([\s\S])/g;
/** With a backslash as it is. */
const partOnWindows = /"([^"]*)"?|'([^']*)'|([^\s\S])|(\s+)|([\s\S])/g;

/** Splits a line into paths as a shell does, with quotes and backslashes; terminals write dropped files so. */
export function splitPaths(line: string, platform: NodeJS.Platform): string[] {
  const paths: string[] = [];
  let isInWord = false;
  for (const [, double, single, escaped, space, other] of line.matchAll(
    platform === 'win32' ? partOnWindows : part,
  )) {
    if (space === undefined) {
      const text = double ?? single ?? escaped ?? other;
      if (isInWord) paths.push(`${paths.pop()}${text}`);
      else paths.push(text as string);
    }
    isInWord = space === undefined;
  }
  return paths;
}

/** The text that completes the last path of a line: the common beginning of the matching folders and photos. */
export async function completePath(line: string, { cwd, home, platform }: Place): Promise<string> {
  const quote = openQuote(line);
  // The marker tells an unfinished word from a space at the end.
  const typed = (splitPaths(`${line}${quote}\0`, platform).at(-1) ?? '').slice(0, -1);
  const path = resolve(cwd, typed.replace(/^~(?=\/)/, home));
  const [folder, prefix] =
    typed === '' || typed.endsWith('/') ? [path, ''] : [dirname(path), basename(path)];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter(({ name }) => name.startsWith(prefix) && (prefix !== '' || !name.startsWith('.')))
    .filter((entry) => entry.isDirectory() || photoExtension.test(entry.name))
    .map((entry) => (entry.isDirectory() ? join(entry.name, '/') : entry.name));
  const [only, second] = names;
  if (only === undefined) return '';
  const added = names.reduce(commonBeginning).slice(prefix.length);
  const text = quote === '' && platform !== 'win32' ? added.replace(/[\s'"\\]/g, '\\$&') : added;
  // A single file ends the path; a folder continues it.
  return second === undefined && !only.endsWith('/') ? `${text}${quote} ` : text;
}

/** The quote that is open at the end of a line; empty without one. */
const openQuote = (line: string): string =>
  /^(?:"[^"]*"|'[^']*'|\\[\s\S]|[^"'\\])*("(?=[^"]*$)|'(?=[^']*$))/.exec(line)?.[1] ?? '';

function commonBeginning(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
