/** Input besides flags: JSON and texts, inline, from a file, or on stdin. */

import { resolve } from 'node:path';
import { CliError, usage } from '../errors/exit.ts';
import { describeFsError } from '../errors/file-system.ts';
import { type Io, readStdin } from '../terminal/io.ts';
import { quote } from '../terminal/text.ts';
import { decodeText } from './decode.ts';
import { parseJson } from './json.ts';

/** Where input comes from; a part of every context. */
export interface Reading {
  readonly io: Io;
  readonly settings: { readonly noInput: boolean };
  note(text: string): void;
}

/** Everything on stdin, for a flag such as `--ids -`. */
export async function readPiped(context: Reading, flag: string): Promise<string> {
  expectPiped(context, flag);
  return decodeText(await readStdin(context.io), { name: 'stdin' });
}

/** On a terminal, says what `cs` waits for. Exit 2 with --no-input, which never waits. */
export function expectPiped({ io, settings, note }: Reading, flag: string): void {
  if (!io.stdinIsTerminal) return;
  if (settings.noInput)
    throw usage(
      `${flag} reads stdin, which is a terminal.`,
      'send it through a pipe or from a file, or leave --no-input out',
    );
  note(`Reading ${flag} from the terminal: type or paste it, then Ctrl-D on a line of its own.`);
}

/** Reads `--input` of a record: it must be one object. */
export async function readInput(context: Reading, given: string): Promise<Record<string, unknown>> {
  const { value, from } = await readJsonInput(context, given);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliError({
      code: 'invalid_json',
      message: `--input: ${from} isn't an object.`,
      hint: 'write {"field": "value"}',
    });
  return value as Record<string, unknown>;
}

/**
 * Reads `--input`: a file, `-` for stdin, or the JSON itself. `from` names the source in messages.
 */
export async function readJsonInput(
  context: Reading,
  given: string,
): Promise<{ value: unknown; from: string }> {
  const { text, from } = await source(context, given);
  try {
    return { value: parseJson(text), from };
  } catch (error) {
    const isInline = from === inlineText;
    throw new CliError({
      code: 'invalid_json',
      message: `--input: ${from} isn't valid JSON: ${(error as Error).message}.`,
      hint:
        isInline && (await isFile(context, given))
          ? `for the file of this name, write --input ./${quote(given)}`
          : isInline
            ? "mind the shell: put single quotes around it, '{…}'"
            : 'it must be JSON, such as {"field": "value"}',
    });
  }
}

/**
 * Reads a text from a file, or `-` from stdin, with line feeds and without trailing white space.
 */
export async function readText(context: Reading, given: string, flag: string): Promise<string> {
  const text =
    given === '-'
      ? await readPiped(context, `${flag} -`)
      : await readFrom(resolve(context.io.cwd, given), flag);
  return text.replaceAll('\r\n', '\n').trimEnd();
}

const inlineText = 'the text';

async function source(context: Reading, given: string): Promise<{ text: string; from: string }> {
  if (given === '-') return { text: await readPiped(context, '--input -'), from: 'stdin' };
  if (/^\s*[[{"]/.test(given)) return { text: given, from: inlineText };
  const path = resolve(context.io.cwd, given);
  const withoutSign =
    given.startsWith('@') && (await isFile(context, given.slice(1)))
      ? `write --input ${quote(given.slice(1))}`
      : undefined;
  return {
    text: await readFrom(
      path,
      '--input',
      withoutSign ?? 'give a file, - for stdin, or the JSON itself in single quotes',
    ),
    from: path,
  };
}

async function isFile({ io }: Reading, name: string): Promise<boolean> {
  const { stat } = await import('node:fs/promises');
  return stat(resolve(io.cwd, name)).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function readFrom(path: string, flag: string, hint = 'check the path'): Promise<string> {
  // Loaded on use: few commands read a file.
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(path).catch((error: unknown) => {
    throw usage(`${flag}: couldn't read ${path}: ${describeFsError(error)}.`, hint);
  });
  return decodeText(bytes, { name: path });
}
