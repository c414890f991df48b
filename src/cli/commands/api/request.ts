/** Headers that `cs api` is given, and those that it must not be given. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError, usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { decodeText } from '../../input/decode.ts';
import { type Reading, readPiped } from '../../input/input.ts';

const keys = new Set(['x-api-key', 'authorization', 'proxy-authorization', 'cookie']);
const framing = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Answers to these have no content, or a part of it. */
const partial = new Set(['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'range']);

/** `Name: value` as headers, names in lower case. Exit 2 for those that would carry a key, break the framing, or ask for less than the whole. */
export function readHeaders(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(given.map(readHeader));
}

function readHeader(text: string): [string, string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e]*?)[ \t]*$/.exec(text) ?? [];
  const lower = name.toLowerCase();
  // Not the text itself: it may hold a key.
  if (lower === '') throw usage('A --header is not a header.', 'write it like -H "Accept-Language: de"');
  if (keys.has(lower))
    throw usage(`--header ${name} is not taken: keys never stand on a command line.`, 'sign in with `cs auth login`, or set CS_API_KEY');
  if (lower === 'idempotency-key') throw usage(`--header ${name} is not taken.`, 'give it with --idempotency-key');
  if (framing.has(lower)) throw usage(`--header ${name} is not taken: cs sets it itself.`, 'leave it out');
  if (partial.has(lower)) throw usage(`--header ${name} is not taken: cs reads answers whole.`, 'leave it out');
  return [lower, value];
}

/** The body of a request of `cs api`: JSON from a file, stdin or the command line, with the fields given beside it. */

/** Reads `--input`: a file, `@file` as other commands write it, `-` for stdin, or the JSON itself. Any JSON will do. */
export async function readBody(context: Reading, given: string): Promise<unknown> {
  const { text, from } = await source(context, given);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError({
      code: 'invalid_json',
      message: `--input: ${from} is not JSON: ${(error as Error).message}.`,
      hint: 'the interface takes JSON and nothing else',
    });
  }
}

async function source(context: Reading, given: string): Promise<{ text: string; from: string }> {
  if (given === '-') return { text: await readPiped(context, '--input -'), from: 'stdin' };
  if (/^\s*[[{]/.test(given)) return { text: given, from: 'the text' };
  const path = resolve(context.io.cwd, given.replace(/^@/, ''));
  const bytes = await readFile(path).catch((error: unknown) => {
    throw usage(`--input: ${path} cannot be read: ${describeFsError(error)}.`, 'give a file, - for stdin, or the JSON itself');
  });
  return { text: await decodeText(bytes, { name: path }), from: path };
}

/** What both make together; the fields win. Nothing when neither was given. */
export function mergeBody(input: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  if (Object.keys(fields).length === 0) return input;
  if (input === undefined) return fields;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw usage('--input is no object, so fields cannot be added to it.', 'leave one of them out');
  return { ...input, ...fields };
}
