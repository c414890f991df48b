/** The lines of the file that remembers what earlier imports sent. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { isObject } from '../../input/plain-object.ts';
import { moveAside } from '../bulk/state-file.ts';
import { parseSummedLine } from '../bulk/summed-line.ts';

/** `sent`: no answer came. `refused`: certainly not stored. */
type RowLine = { readonly row: string; readonly at: string } & (
  | {
      readonly state: 'sent';
      readonly serverTime: string;
      readonly moment?: string;
      readonly mayStillRun?: boolean;
    }
  | { readonly state: 'done'; readonly serverTime: string; readonly id: string }
  | { readonly state: 'refused' }
);

/** An import with `--again`: `begun` with its salt, until every row has an answer. */
type AgainLine = { readonly again: string; readonly at: string } & (
  | { readonly state: 'begun'; readonly salt: string }
  | { readonly state: 'finished' }
);

export type Line = RowLine | AgainLine;

/** Undefined without a file. `isCut`: a crash cut the last line, which was never followed by its request. */
export async function readLines(
  path: string,
  check: string,
): Promise<{ lines: Line[]; isCut: boolean } | undefined> {
  if (!existsSync(path)) return undefined;
  const texts = (await readText(path)).split('\n');
  const tail = texts.pop() as string;
  const lines = texts.map(parse);
  if (
    lines.length === 0 ||
    !lines.every((line) => line !== undefined) ||
    !/^(\{[^\0]*)?$/.test(tail)
  )
    throw damaged(path, await moveAside(path), check);
  return { lines, isCut: tail !== '' };
}

const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error) => {
    throw new CliError({
      code: 'state_unusable',
      message: `Couldn't read ${path}: ${describeFsError(error)}. It tells which rows earlier imports sent, so nothing was sent.`,
      hint: 'make it readable, and run it again',
      cause: error,
    });
  });

/** The last line of a file; undefined where there is none. */
export async function readLastLine(path: string): Promise<Line | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return parse(text.trimEnd().split('\n').at(-1) ?? '');
}

export const damaged = (path: string, movedTo: string, check: string): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `${path} is damaged, which tells the rows that earlier imports sent. It was moved to ${movedTo}. Nothing was sent.`,
    hint: `compare what is stored (\`${check}\`) with the file, and import the missing rows with --again`,
    details: { movedTo },
  });

function parse(text: string): Line | undefined {
  const line = parseSummedLine(text);
  return isLine(line) ? line : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTime = (value: unknown): value is string =>
  isText(value) && !Number.isNaN(Date.parse(value));

function isLine(value: unknown): value is Line {
  if (!isObject(value) || !isTime(value.at)) return false;
  const { state } = value;
  if (isText(value.again)) return state === 'finished' || (state === 'begun' && isText(value.salt));
  if (!isText(value.row)) return false;
  if (state === 'refused') return true;
  if (!isTime(value.serverTime)) return false;
  return state === 'done'
    ? isText(value.id)
    : state === 'sent' && (value.moment === undefined || isTime(value.moment));
}
