/** When requests may start once the server's rate limit is near or reached. */

/** What an answer says of its limits: requests left, and milliseconds between two requests at the rate of the limit. */
export interface LimitState {
  readonly left: number;
  readonly interval: number;
}

/** The limit with the fewest requests left in `RateLimit` and `RateLimit-Policy` (IETF draft); undefined without them. */
export function parseLimits(
  rateLimit: string | undefined,
  policy: string | undefined,
): LimitState | undefined {
  const policies = new Map(parametersIn(policy));
  return parametersIn(rateLimit)
    .map(([name, { r }]) => {
      const { q, w } = policies.get(name) ?? {};
      return { left: Number(r), interval: (Number(w) * 1000) / Number(q) };
    })
    .filter(({ left, interval }) => left >= 0 && interval > 0 && interval < Infinity)
    .sort((a, b) => a.left - b.left)[0];
}

/** `"requests";r=5;t=2, "uploads";r=1` → requests: { r: 5, t: 2 }, uploads: { r: 1 }. */
const parametersIn = (header = ''): [string, Record<string, string>][] =>
  header.split(',').map((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    return [name, Object.fromEntries(parameters.map((text) => text.split('=', 2)))];
  });

/** Slightly slower than the limit, so that what was left to others comes back. */
const slack = 1.25;

/** One limit, as one client sees it. Times are milliseconds since 1970. */
export class Pace {
  /** No request starts before: the server asked to wait. */
  closedUntil = 0;
  /** The number of answers that weren't refusals. */
  passes = 0;
  #nextTurn = 0;
  /** Milliseconds between two requests; 0 while the limit has room. */
  #interval = 0;

  readonly #bulk: boolean;
  readonly #now: () => number;

  /** Work in bulk leaves the last second of the limit to others. */
  constructor({ bulk, now }: { bulk: boolean; now: () => number }) {
    this.#bulk = bulk;
    this.#now = now;
  }

  /** When a request may start. */
  turn(): number {
    const start = Math.max(this.#now(), this.closedUntil, this.#interval && this.#nextTurn);
    this.#nextTurn = start + this.#interval;
    return start;
  }

  /** After an answer that isn't a refusal. */
  passed(state: LimitState | undefined): void {
    this.passes += 1;
    this.#slowDown(state);
  }

  /** After a 429: no request starts for `wait` milliseconds. */
  refused(wait: number, state: LimitState | undefined): void {
    this.closedUntil = Math.max(this.closedUntil, this.#now() + wait);
    this.#slowDown(state);
  }

  #slowDown(state: LimitState | undefined): void {
    const isNear = this.#bulk && state !== undefined && state.left * state.interval < 1000;
    this.#interval = isNear ? state.interval * slack : 0;
  }
}
