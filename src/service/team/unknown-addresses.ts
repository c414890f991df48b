/**
 * E-mail addresses without an account wait after wrong passwords as accounts do, or the wait would tell which addresses have one. Kept in
 * memory, or on PostgreSQL where all services see them (http/shared-waits.ts); a guess at a million addresses must not fill the disk.
 */
import { hashSecret } from './secrets.ts';
import { waitAfter } from './waits.ts';

export interface UnknownAddresses {
  /** Milliseconds until the next try. */
  waitMs(address: string, now: Date): number | Promise<number>;
  noteFailure(address: string, now: Date): void | Promise<void>;
}

/** Above it, the oldest are forgotten. */
const mostAddresses = 10_000;

export function createUnknownAddresses() {
  const known = new Map<string, { readonly failures: number; readonly waitUntil: number }>();
  return {
    waitMs: (address: string, now: Date) =>
      Math.max(0, (known.get(hashSecret(address))?.waitUntil ?? 0) - now.getTime()),
    noteFailure(address: string, now: Date): void {
      const name = hashSecret(address);
      const failures = (known.get(name)?.failures ?? 0) + 1;
      known.delete(name);
      known.set(name, { failures, waitUntil: now.getTime() + waitAfter(failures) });
      for (const oldest of known.keys()) {
        if (known.size <= mostAddresses) break;
        known.delete(oldest);
      }
    },
  } satisfies UnknownAddresses;
}
