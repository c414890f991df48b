/** The paths of photos in a line that was typed, pasted, or dropped on the terminal. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  if (whole === '') return [];
  if (await exists(whole, place)) return [whole];
  const words = splitPaths(whole, place.platform).filter(
    (word) => !(place.platform === 'win32' && word === '&'),
  );
  const paths: string[] = [];
  for (const word of words) paths.push(...(await separated(fromAddress(word), place)));
  return paths;
}

/** A comma separates where the word with it isn't a file; in braces it belongs to a pattern. */
async function separated(word: string, place: Place): Promise<string[]> {
  if (!word.includes(',') || word.includes('{') || (await exists(word, place))) return [word];
  return word
    .split(',')
    .filter((part) => part !== '')
    .map(fromAddress);
}

function fromAddress(word: string): string {
  if (!word.startsWith('file://')) return word;
  try {
    return fileURLToPath(word);
  } catch {
    // Of another machine: the message about a file that isn't there names it.
    return word;
  }
}

async function exists(path: string, { cwd, home }: Place): Promise<boolean> {
  const known =
    path === '~' || path.startsWith('~/') ? join(home, path.slice(2)) : resolve(cwd, path);
  return stat(known).then(
    () => true,
    () => false,
  );
}

/** Splits a line into paths as a shell does, with quotes and backslashes; terminals write dropped files so. On Windows a backslash is literal. */
export function splitPaths(line: string, platform: NodeJS.Platform): string[] {
  const escapes = platform !== 'win32';
  const paths: string[] = [];
  let path: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string;
    if (quote) {
      if (character === quote) quote = undefined;
      else path += character;
    } else if (/\s/.test(character)) {
      if (path !== undefined) paths.push(path);
      path = undefined;
    } else if (
      character === '"' ||
      (character === "'" && path === undefined) ||
      (character === "'" && line.indexOf("'", at + 1) > 0)
    ) {
      quote = character;
      path ??= '';
    } else if (character === '\\' && escapes && at + 1 < line.length) {
      at += 1;
      path = (path ?? '') + line[at];
    } else path = (path ?? '') + character;
  }
  if (path !== undefined) paths.push(path);
  return paths;
}
