/** Escapes and lays out text, also text from a server. */
import { relative } from 'node:path';
import editDistance from 'damerau-levenshtein';

/**
 * Control characters move cursors, rename windows and hide text; marks for the reading direction do
 * too. Each becomes a visible sign: C0 its picture (␛), the others U+FFFD.
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** One line, with signs for line breaks: for messages, notes, hints, cells and choices. */
export const sanitize = (text: string): string => text.replace(unsafe, picture);
/** Free text of a server. Several lines get a bar each, so that none looks like a line of `cs`. */
export function quoted(text: string, width = Number.POSITIVE_INFINITY): string {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n').map(sanitize);
  if (lines.length === 1) return breakWords(lines[0] as string, width);
  const broken = lines.flatMap((line) => breakWords(line, width - 2).split('\n'));
  return broken.map((line) => `| ${line}`.trimEnd()).join('\n');
}

function picture(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : '\ufffd';
}

/** `licensePlate` as `license-plate`. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** The flag of a field: `licensePlate` as `--license-plate`. */
export const flagOf = (field: string): string => `--${kebab(field)}`;

/** Flags in place of fields. Only of names with a capital inside: `status` could be plain English. */
export const inFlags = (text: string, flagFor: (field: string) => string | undefined): string =>
  text.replace(/\b[a-z]+[A-Z]\w*\b/g, (name) => flagFor(name) ?? name);
/** `licensePlate` as `License plate`. */
export const words = (name: string): string => {
  const spaced = kebab(name)
    .replaceAll('-', ' ')
    .replace(/\b(id|vin|url|sha256)\b/g, (word) => word.toUpperCase());
  return capitalized(spaced);
};
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** A value of an enumeration for people: `checked_in` as `checked in`. */
export const stateWords = (value: unknown): string => String(value ?? '').replaceAll('_', ' ');
/** `A`, `A and B`, `A, B and C`. */
export const joinList = (names: readonly string[], joined = 'and'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joined} ${names.at(-1)}`;
/** 1284 as `1,284`. Without Intl, whose first use takes as long as printing a list. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
/** `1 car`, `2 cars`. */
export const pluralize = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** A word for a shell, quoted if necessary. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** A relative path inside the current folder, an absolute one elsewhere. */
export function shortPath(cwd: string, path: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}

/**
 * The same with an indent after the first line, so that server text can't imitate a new line.
 */
export const breakIndented = (text: string, width: number | undefined, indent: number): string =>
  breakWords(text, width === undefined ? undefined : width - indent).replaceAll(
    '\n',
    `\n${' '.repeat(indent)}`,
  );

/** Wraps text at `width` between words. A longer word and an indented line stay whole. */
export function breakWords(text: string, width = Number.POSITIVE_INFINITY): string {
  const breakLine = (line: string) => {
    // Indented text is already laid out.
    if (line.startsWith(' ')) return line;
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines.at(-1) as string;
      if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return lines.join('\n');
  };
  return text.split('\n').map(breakLine).join('\n');
}

/**
 * `breakWords` for text with commands in backquotes, which stay on one line, so that they can be
 * copied.
 */
export const breakAround = (text: string, width: number | undefined, indent: number): string =>
  breakIndented(
    text.replace(/`[^`]*`/g, (command) => command.replaceAll(' ', '\u0000')),
    width,
    indent,
  ).replaceAll('\u0000', ' ');

/** With fewer cells, the terminal wraps the value. */
const minRoom = 16;

/**
 * A value beside its label: `layOut` wraps it to the room that the margin leaves, and further lines
 * start after the margin.
 */
export function alignValue(
  layOut: (room: number | undefined) => string,
  { width, margin }: { width: number | undefined; margin: number },
): string {
  const room = width === undefined ? undefined : Math.max(minRoom, width - margin);
  return layOut(room).replaceAll('\n', `\n${' '.repeat(margin)}`);
}

/** A term and its description, as lines of at most `room` cells. */
export type Entry = readonly [term: string, about: (room: number) => readonly string[]];

/** With less room beside the terms, descriptions go below them. */
const minDescriptionWidth = 24;
const below = 6;

/** Terms in one column and their descriptions in the next. */
export function twoColumns(
  entries: readonly Entry[],
  width: number,
  { atLeast = 0 } = {},
): string[] {
  const column = Math.max(atLeast, ...entries.map(([term]) => term.length));
  const room = width - column - 4;
  if (room < minDescriptionWidth)
    return entries.flatMap(([term, about]) => [
      `  ${term}`,
      ...about(width - below).map((line) => ' '.repeat(below) + line),
    ]);
  return entries.flatMap(([term, about]) => {
    const lines = about(room);
    return (lines.length > 0 ? lines : ['']).map((line, index) =>
      `  ${(index === 0 ? term : '').padEnd(column)}  ${line}`.trimEnd(),
    );
  });
}

/**
 * Words at most `distance` edits away, nearest first. Two letters in the wrong order are one edit,
 * as in `lits` for `list`. In a short word more than one edit makes another word.
 */
export function nearest(
  word: string,
  known: readonly string[],
  distance = Math.max(1, Math.floor(word.length / 3)),
): string[] {
  return known
    .map((candidate) => ({
      candidate,
      edits:
        candidate.startsWith(word) && word.length > 1 ? 0 : editDistance(word, candidate).steps,
    }))
    .filter(({ edits }) => edits <= distance)
    .sort((a, b) => a.edits - b.edits)
    .map(({ candidate }) => candidate);
}
