/**
 * A key as it is shown and remembered: enough to tell two keys apart, and nothing of the secret.
 */
import { createHash } from 'node:crypto';
import type { KeySource } from './connection.ts';
import { redactSecrets } from './secrets.ts';

/**
 * The public part of a key. Without a dot a key has none: then a fingerprint of it, such as
 * `#3f9a12c4`.
 */
export function keyPrefix(key: string): string {
  const dot = key.indexOf('.');
  return dot > 0 ? `${key.slice(0, dot)}.…` : `#${fingerprintOf(key)}`;
}

const fingerprintOf = (key: string): string =>
  createHash('sha256').update(`key of cs: ${key}`).digest('hex').slice(0, 8);

/** Shows the public part of a key, or where it will be read from. */
export function describeKey(source: KeySource): string {
  if ('key' in source) return keyPrefix(source.key);
  return 'file' in source ? `file ${source.file}` : `command ${redactSecrets(source.command)}`;
}
