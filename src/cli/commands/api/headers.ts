/** Headers that `cs api` is given, and those that it must not be given. */
import { usage } from '../../errors/exit.ts';

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
