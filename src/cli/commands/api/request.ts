/** The headers and the body of a request of `cs api`. */

import { usage } from '../../errors/exit.ts';

const keyHeaders = new Set(['x-api-key', 'authorization', 'proxy-authorization', 'cookie']);
const framingHeaders = new Set([
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
/** Conditional and range requests: their answers have no content, or only a part. */
const partialHeaders = new Set([
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
]);

/** `Name: value` as headers with lower-case names. Exit 2 for headers with a key, headers of the framing, and conditional or range requests. */
export function readHeaders(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(given.map(readHeader));
}

function readHeader(text: string): [string, string] {
  const [, name = '', value = ''] =
    /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e]*?)[ \t]*$/.exec(text) ?? [];
  const lower = name.toLowerCase();
  // Not the value: it may contain a key.
  if (lower === '') throw usage('Invalid --header.', 'write it like -H "Accept-Language: de"');
  if (keyHeaders.has(lower))
    throw usage(
      `--header ${name} isn't allowed: keys are never command-line arguments.`,
      'sign in with `cs auth login`, or set CS_API_KEY',
    );
  if (lower === 'idempotency-key')
    throw usage(`--header ${name} isn't allowed.`, 'give it with --idempotency-key');
  if (framingHeaders.has(lower))
    throw usage(`--header ${name} isn't allowed: cs sets it itself.`, 'leave it out');
  if (partialHeaders.has(lower))
    throw usage(`--header ${name} isn't allowed: cs always reads whole answers.`, 'leave it out');
  return [lower, value];
}

/** Fields override the input. Undefined without both. */
export function mergeBody(input: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  if (Object.keys(fields).length === 0) return input;
  if (input === undefined) return fields;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw usage(
      "--input isn't an object, so fields can't be added to it.",
      'leave one of them out',
    );
  return { ...input, ...fields };
}
