/** Rate limits per key and per address: counted in this process, or together with the other services on a PostgreSQL. */
import { performance } from 'node:perf_hooks';
import ipaddr from 'ipaddr.js';
import type { Operation } from '../../contract/operations.ts';
import type { Caller } from '../context.ts';
import { ApiProblem } from '../problem.ts';
import type { SharedWaits } from './shared-waits.ts';

/** 0 is unlimited. */
export interface RateLimits {
  /** Requests per key. */
  readonly requestsPerMinute: number;
  /** Size of the burst. */
  readonly burst: number;
  /** Requests per key that upload or download a file, in addition. */
  readonly uploadsPerMinute: number;
  /** 401 responses per address; further ones become 429. A valid key is never refused because of it. */
  readonly failedKeysPerMinute: number;
  /** Tries to sign in to the dashboard per network. */
  readonly signInsPerMinute: number;
  /** Requests to the dashboard without a session, pages and files included, per network. */
  readonly visitsPerMinute: number;
}

export const defaultLimits: RateLimits = {
  requestsPerMinute: 600,
  burst: 100,
  uploadsPerMinute: 60,
  failedKeysPerMinute: 20,
  signInsPerMinute: 10,
  visitsPerMinute: 600,
};

export const unlimited: RateLimits = {
  requestsPerMinute: 0,
  burst: 0,
  uploadsPerMinute: 0,
  failedKeysPerMinute: 0,
  signInsPerMinute: 0,
  visitsPerMinute: 0,
};

export interface Limiter {
  /** Throws `rate_limited` if the key exceeds its limit. */
  request(caller: Caller, operation: Operation): Promise<void>;
  /** What is left of the limits of such a request, as headers. None without limits. */
  headers(caller: Caller, operation: Operation): Readonly<Record<string, string>>;
  /** Call for each 401: throws `rate_limited` instead if there were too many. */
  failedKey(address: string): Promise<void>;
  /** Call for each try to sign in: throws `rate_limited` if there were too many from this network. */
  signIn(address: string): Promise<void>;
  /** Call for each request to the dashboard without a session. Throws `rate_limited`. */
  visit(address: string): Promise<void>;
  /** Call for each picture of a page: throws `rate_limited` for more than a minute's requests of a session. */
  picture(sessionId: string): Promise<void>;
  /** Call for each stream of changes that a page opens. Throws `rate_limited`. */
  stream(sessionId: string): Promise<void>;
}

/** `now` is a monotonic clock in milliseconds. */
export function createLimiter(
  limits: RateLimits,
  { now = () => performance.now(), shared }: { now?: () => number; shared?: SharedWaits } = {},
): Limiter {
  const { requestsPerMinute, burst, uploadsPerMinute, failedKeysPerMinute, signInsPerMinute } =
    limits;
  const { visitsPerMinute } = limits;
  const buckets = (kind: string, perMinute: number, size: number) =>
    perMinute > 0 && shared
      ? createSharedBuckets(kind, { perMinute, size, now, shared })
      : createBuckets(perMinute, size, now);
  const requests = buckets('requests', requestsPerMinute, burst);
  const uploads = buckets('uploads', uploadsPerMinute, uploadsPerMinute);
  const failures = buckets('failures', failedKeysPerMinute, failedKeysPerMinute);
  const signIns = buckets('signIns', signInsPerMinute, signInsPerMinute);
  const visits = buckets('visits', visitsPerMinute, visitsPerMinute);
  // A page shows many pictures at once, and they must not use up what its other requests need.
  const pictures = buckets('pictures', requestsPerMinute, requestsPerMinute);
  // A browser opens a lost stream again after 3 seconds; several pages may be open.
  const streams = buckets('streams', requestsPerMinute, burst);
  return {
    async request({ keyId }, { upload }) {
      const limit = `${requestsPerMinute} requests a minute, ${burst} at once`;
      await refuse(requests.take(keyId), limit);
      if (upload) await refuse(uploads.take(keyId), `${uploadsPerMinute} uploads a minute`);
    },
    headers({ keyId }, { upload }): Readonly<Record<string, string>> {
      const applied = [
        { name: 'requests', perMinute: requestsPerMinute, buckets: requests },
        ...(upload ? [{ name: 'uploads', perMinute: uploadsPerMinute, buckets: uploads }] : []),
      ].filter(({ perMinute }) => perMinute > 0);
      if (applied.length === 0) return {};
      return {
        'ratelimit-policy': applied
          .map(({ name, perMinute }) => `"${name}";q=${perMinute};w=60`)
          .join(', '),
        ratelimit: applied
          .map(({ name, buckets }) => `"${name}";r=${buckets.left(keyId)}`)
          .join(', '),
      };
    },
    failedKey: (address) =>
      refuse(failures.take(networkOf(address)), `${failedKeysPerMinute} refused keys a minute`),
    picture: (sessionId) =>
      refuse(pictures.take(sessionId), `${requestsPerMinute} pictures a minute`),
    stream: (sessionId) => refuse(streams.take(sessionId), `${requestsPerMinute} streams a minute`),
    signIn: (address) =>
      refuse(signIns.take(networkOf(address)), `${signInsPerMinute} sign-ins a minute`),
    visit: (address) =>
      refuse(visits.take(networkOf(address)), `${visitsPerMinute} requests a minute`),
  };
}

async function refuse(wait: number | Promise<number>, limit: string): Promise<void> {
  const waitMs = await wait;
  if (waitMs === 0) return;
  const retryAfter = Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)));
  throw new ApiProblem('rate_limited', `Rate limit exceeded: ${limit}. Retry in ${retryAfter} s`, {
    retryAfter,
  });
}

/** Bucket limit: above it, full buckets are dropped. */
const maxBuckets = 10_000;

interface Buckets {
  /** Takes a token and returns the wait in milliseconds, 0 if there was one. */
  take(name: string): number | Promise<number>;
  /** Whole tokens in the bucket. */
  left(name: string): number;
}

/**
 * A bucket holds `size` tokens and refills evenly. Only the time when it will be full again is stored (generic cell rate algorithm),
 * so full buckets need no entry.
 */
function createBuckets(perMinute: number, size: number, now: () => number): Buckets {
  if (perMinute === 0) return { take: () => 0, left: () => 0 };
  const interval = 60_000 / perMinute;
  const room = Math.max(1, size);
  const fullAt = new Map<string, number>();
  const fullOf = (name: string, time: number) => Math.max(fullAt.get(name) ?? time, time);
  return {
    take(name) {
      const time = now();
      const full = fullOf(name, time);
      const wait = full - time - (room - 1) * interval;
      // Smaller waits are rounding errors.
      if (wait > 0.001) return wait;
      if (fullAt.size >= maxBuckets) evict(fullAt, (full) => full <= time);
      fullAt.set(name, full + interval);
      return 0;
    },
    left(name) {
      const time = now();
      return Math.max(0, Math.floor(room - (fullOf(name, time) - time) / interval + 0.001));
    },
  };
}

/** Tokens that this process has taken from the database for its next requests. */
interface Block {
  tokens: number;
  /** Their number at first. */
  readonly size: number;
  /** By then the bucket in the database has refilled as much, so what is left of the block is dropped. */
  readonly endsAt: number;
  /** No token is there before. */
  readonly refusedUntil: number;
  /** In the database. */
  readonly left: number;
}

/** Most tokens that are taken at once. A key that asks seldom takes one: a block would hold back what it needs at another service. */
const largestBlock = 20;

interface Sharing {
  readonly perMinute: number;
  readonly size: number;
  readonly now: () => number;
  readonly shared: SharedWaits;
}

function createSharedBuckets(kind: string, { perMinute, size, now, shared }: Sharing): Buckets {
  const [interval, room] = [60_000 / perMinute, Math.max(1, size)];
  const most = Math.max(1, Math.min(largestBlock, Math.floor(room / 5)));
  const blocks = new Map<string, Block>();
  const asking = new Map<string, Promise<void>>();
  const reserve = async (name: string) => {
    const last = blocks.get(name);
    // A block that was used up in its time was too small.
    const wanted = last && now() < last.endsAt ? Math.min(most, last.size * 2) : 1;
    const bucket = { name: `${kind} ${name}`, interval, room };
    const { granted, left, waitMs } = await shared.reserve(bucket, wanted);
    const time = now();
    blocks.delete(name);
    if (blocks.size >= maxBuckets) evict(blocks, ({ endsAt }) => endsAt <= time);
    blocks.set(name, {
      tokens: granted,
      size: Math.max(1, granted),
      endsAt: time + Math.max(1, granted) * interval,
      refusedUntil: granted > 0 ? time : time + waitMs,
      left,
    });
  };
  return {
    async take(name) {
      for (;;) {
        const [time, block] = [now(), blocks.get(name)];
        if (block && block.tokens > 0 && time < block.endsAt) {
          block.tokens -= 1;
          return 0;
        }
        if (block && time < block.refusedUntil) return block.refusedUntil - time;
        const asked = asking.get(name) ?? reserve(name).finally(() => asking.delete(name));
        asking.set(name, asked);
        await asked;
      }
    },
    left: (name) => (blocks.get(name)?.tokens ?? 0) + (blocks.get(name)?.left ?? room),
  };
}

/** Drops those that stand for nothing, then the oldest: memory is bounded. */
function evict<T>(entries: Map<string, T>, isOver: (entry: T) => boolean): void {
  for (const [name, entry] of entries) if (isOver(entry)) entries.delete(name);
  for (const name of entries.keys()) {
    if (entries.size < maxBuckets) break;
    entries.delete(name);
  }
}

/** A household has a whole /64 of IPv6: its first four groups stand for it. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // An IPv4 address that is mapped into IPv6 becomes IPv4.
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
