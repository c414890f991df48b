/** How much one key, or one address, may ask for in a minute. Counted in this process: services that share a database count apart. */
import { performance } from 'node:perf_hooks';
import type { Operation } from '../../contract/operations.ts';
import type { Caller } from '../context.ts';
import { ApiProblem } from '../problem.ts';

/** 0 is no limit. */
export interface RateLimits {
  /** Requests of one key. */
  readonly requestsPerMinute: number;
  /** How many of them may come at once. */
  readonly burst: number;
  /** Requests of one key that carry or fetch a file, besides. */
  readonly uploadsPerMinute: number;
  /** Answers of 401 to one address; further ones are 429. A key that is right is never refused for it. */
  readonly failedKeysPerMinute: number;
}

export const defaultLimits: RateLimits = { requestsPerMinute: 600, burst: 100, uploadsPerMinute: 60, failedKeysPerMinute: 20 };

export const unlimited: RateLimits = { requestsPerMinute: 0, burst: 0, uploadsPerMinute: 0, failedKeysPerMinute: 0 };

export interface Limiter {
  /** Throws `rate_limited` when the key has asked too much. */
  request(caller: Caller, operation: Operation): void;
  /** To be told of each 401: throws `rate_limited` in its place when there were too many. */
  failedKey(address: string): void;
}

/** `now` is a clock in milliseconds that never goes back. */
export function createLimiter(limits: RateLimits, now: () => number = () => performance.now()): Limiter {
  const { requestsPerMinute, burst, uploadsPerMinute, failedKeysPerMinute } = limits;
  const requests = createBuckets(requestsPerMinute, burst, now);
  const uploads = createBuckets(uploadsPerMinute, uploadsPerMinute, now);
  const failures = createBuckets(failedKeysPerMinute, failedKeysPerMinute, now);
  return {
    request({ keyId }, { upload }) {
      refuse(requests(keyId), `${requestsPerMinute} requests a minute, ${burst} at once`);
      if (upload) refuse(uploads(keyId), `${uploadsPerMinute} uploads a minute`);
    },
    failedKey: (address) => refuse(failures(networkOf(address)), `${failedKeysPerMinute} refused keys a minute`),
  };
}

function refuse(waitMs: number, limit: string): void {
  if (waitMs === 0) return;
  const retryAfter = Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)));
  throw new ApiProblem('rate_limited', `Rate limit exceeded: ${limit}. Retry in ${retryAfter} s`, { retryAfter });
}

/** Names that are known at once; more than that are looked through for those that are at rest. */
const manyNames = 10_000;

/**
 * Takes one from the bucket of a name, and answers how long to wait, in milliseconds: 0 when there was one.
 * A bucket holds `size` and is filled evenly. All that is kept of it is when it will be full again (the generic cell rate algorithm),
 * so one that is full need not be kept.
 */
function createBuckets(perMinute: number, size: number, now: () => number): (name: string) => number {
  if (perMinute === 0) return () => 0;
  const interval = 60_000 / perMinute;
  const fullAt = new Map<string, number>();
  return (name) => {
    const time = now();
    const full = Math.max(fullAt.get(name) ?? time, time);
    const wait = full - time - (Math.max(1, size) - 1) * interval;
    // Less than that is what fractions of intervals leave over.
    if (wait > 0.001) return wait;
    if (fullAt.size >= manyNames) forget(fullAt, time);
    fullAt.set(name, full + interval);
    return 0;
  };
}

/** Those at rest, and when that is not enough the ones that were seen first: memory has an end. */
function forget(fullAt: Map<string, number>, time: number): void {
  for (const [name, full] of fullAt) if (full <= time) fullAt.delete(name);
  for (const name of fullAt.keys()) {
    if (fullAt.size < manyNames) break;
    fullAt.delete(name);
  }
}

/** One household has 2^64 addresses of IPv6: its first four groups stand for it. */
function networkOf(address: string): string {
  if (!address.includes(':') || /^::ffff:/i.test(address)) return address.replace(/^::ffff:/i, '');
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}
