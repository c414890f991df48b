/**
 * The stack of an error, in files and lines of the sources. Built files have one long line; the
 * maps beside them know its places.
 */
import { SourceMap } from 'node:module';
import { readPart } from '../../parts.ts';
import { sanitize } from '../terminal/text.ts';
import { version } from './version.ts';

/** Without the message: text of a server must not look like a part of the stack. */
export function stackText({ name, message, stack = '' }: Error, runtime: string): string {
  const head = stack.indexOf(message);
  const places = head < 0 ? '' : stack.slice(head + message.length);
  const lines = places.split('\n').filter((line) => line.trim() !== '');
  return [`${name} in cs ${version}, ${runtime}`, ...lines.map(inSources)]
    .map((line) => `${sanitize(line)}\n`)
    .join('');
}

/** A file of `dist`, or its name in the executable. */
const inSources = (line: string): string =>
  line.replace(
    /(?:file:\/\/[^\s()]+|cs)\/((?:cli|chunks)\/[^\s()/]+\.js):(\d+):(\d+)/,
    (built, name, row, column) => sourceOf(name, Number(row), Number(column)) ?? built,
  );

/** `src/cli/main.ts:17:4`; undefined for a file without a map. */
function sourceOf(name: string, row: number, column: number): string | undefined {
  try {
    const map = new SourceMap(JSON.parse(readPart(`${name}.map`).toString()));
    const found = map.findOrigin(row, column);
    if (!('fileName' in found)) return undefined;
    return `${found.fileName.replace(/^(\.\.\/)+/, '')}:${found.lineNumber}:${found.columnNumber}`;
  } catch {
    return undefined;
  }
}
