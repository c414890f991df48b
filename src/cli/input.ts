/** JSON that a person gives: inline, from a file, or on stdin. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError, usage } from './exit.ts';
import { type Io, readStdin } from './io.ts';

/** Reads `--input`: `@file`, `-` for stdin, or the JSON itself. It must be one object. */
export async function readInput(io: Io, given: string): Promise<Record<string, unknown>> {
  const { text, from } = await source(io, given);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new CliError({
      code: 'invalid_json',
      message: `--input: ${from} is not JSON: ${(error as Error).message}.`,
      hint: given.startsWith('{') ? "mind the shell: put single quotes around it, '{…}'" : 'it must be one object: {"field": "value"}',
      exitCode: 3,
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliError({
      code: 'invalid_json',
      message: `--input: ${from} is not an object.`,
      hint: 'write {"field": "value"}',
      exitCode: 3,
    });
  return value as Record<string, unknown>;
}

/** Reads a text from a file, or `-` from stdin; lines end with line feeds, and there are none behind the last. */
export async function readText(io: Io, given: string, flag: string): Promise<string> {
  const text = given === '-' ? await readStdin(io) : await readFrom(resolve(io.cwd, given), flag);
  return text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .trimEnd();
}

async function source(io: Io, given: string): Promise<{ text: string; from: string }> {
  if (given === '-') return { text: await readStdin(io), from: 'stdin' };
  if (!given.startsWith('@')) return { text: given, from: 'the text' };
  const path = resolve(io.cwd, given.slice(1));
  return { text: await readFrom(path, '--input'), from: path };
}

async function readFrom(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usage(`${flag}: ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`, 'check the path');
  }
}
