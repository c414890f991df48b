/**
 * When requests may start once the server's rate limit is near or reached: one after another, at the rate of the limit, in turns that
 * clients of one key share.
 */

/** What clients of one key share for one of its limits. Times are milliseconds since 1970. */
export interface Pace {
  /** No request starts before: the server asked to wait. */
  readonly closedUntil: number;
  /** The next turn of work in bulk, and of other work, which doesn't wait for the former. */
  readonly nextTurn: number;
  readonly nextUrgentTurn: number;
  /** Milliseconds between two turns. */
  readonly interval: number;
}

/** Keeps paces by the name of their limit, for all clients of one key. */
export interface PaceStore {
  /** Replaces a pace by the result of `change`, which nobody else changes meanwhile. Undefined if there is none yet. Never fails. */
  update(limit: string, change: (pace: Pace | undefined) => Pace): Promise<Pace>;
}

/** For the requests of one client. */
export function createLocalPaces(): PaceStore {
  const paces = new Map<string, Pace>();
  return {
    async update(limit, change) {
      const pace = change(paces.get(limit));
      paces.set(limit, pace);
      return pace;
    },
  };
}

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
  if (!rateLimit || !policy) return undefined;
  const policies = parametersByName(policy);
  const states = Array.from(parametersByName(rateLimit), ([name, { r }]) => {
    const { q, w } = policies.get(name) ?? {};
    return { left: r ?? Number.NaN, interval: ((w ?? Number.NaN) * 1000) / (q ?? Number.NaN) };
  });
  return states
    .filter(({ left, interval }) => left >= 0 && interval > 0 && Number.isFinite(interval))
    .sort((a, b) => a.left - b.left)[0];
}

/** `"requests";r=5;t=2, "uploads";r=1` → requests: { r: 5, t: 2 }, uploads: { r: 1 }. */
function parametersByName(header: string): Map<string, Readonly<Record<string, number>>> {
  const items = header.split(',').map((item) => item.split(';').map((part) => part.trim()));
  return new Map(
    items.map(([name = '', ...parameters]) => [
      name,
      Object.fromEntries(
        parameters.flatMap((text) =>
          /^\w+=\d{1,9}$/.test(text) ? [[text.split('=')[0], Number(text.split('=')[1])]] : [],
        ),
      ),
    ]),
  );
}

interface PacerOptions {
  readonly store: PaceStore;
  /** Leaves room for others: the last requests of a limit, and every turn that somebody else waits for. */
  readonly bulk: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Turn {
  /** Milliseconds until it. */
  readonly wait: number;
  readonly closedUntil: number;
}

/** The pace of one limit, as one client sees it. Without a refusal or a low budget it reads and writes nothing. */
export interface Pacer {
  /** The turn of a request; undefined if it may start immediately. */
  turn(): Promise<Turn | undefined>;
  /** Whether the server has asked somebody to wait since that turn was given. */
  isOutdated(turn: Turn): Promise<boolean>;
  /** After an answer that isn't a refusal. */
  passed(state: LimitState | undefined): void;
  /** After a 429: nobody starts for `wait` milliseconds. `started`: when the refused try did. */
  refused(refusal: {
    readonly wait: number;
    readonly started: number;
    readonly state: LimitState | undefined;
  }): Promise<void>;
  /** Number of answers that weren't refusals. */
  readonly passes: number;
}

/** The longest wait that a stored pace may ask for: a longer one was stored while a clock was wrong. */
const longestWait = 61_000;
/** Between two turns while the rate of the limit isn't known: short at first, and doubled by each refusal. */
const firstInterval = 20;
const longestInterval = 10_000;
/** How long a client without limit headers takes turns after a refusal. */
const memory = 60_000;
/** Slightly slower than the limit, so that what was left to others comes back. */
const slack = 1.25;

export function createPacer(limit: string, { store, bulk, now }: PacerOptions): Pacer {
  let passes = 0;
  let known: LimitState | undefined;
  let refusedAt: number | undefined;
  let low = false;

  const takesTurns = () => low || (refusedAt !== undefined && Math.abs(now() - refusedAt) < memory);

  /** The stored pace without times that no server asked for. */
  function current(pace: Pace | undefined): Pace {
    if (!pace)
      return {
        closedUntil: 0,
        nextTurn: 0,
        nextUrgentTurn: 0,
        interval: known ? known.interval * slack : firstInterval,
      };
    const latest = now() + longestWait;
    if (Math.max(pace.closedUntil, pace.nextTurn, pace.nextUrgentTurn) <= latest) return pace;
    const [closedUntil, nextTurn, nextUrgentTurn] = [
      pace.closedUntil,
      pace.nextTurn,
      pace.nextUrgentTurn,
    ].map((at) => Math.min(at, latest)) as [number, number, number];
    return { ...pace, closedUntil, nextTurn, nextUrgentTurn };
  }

  return {
    get passes() {
      return passes;
    },
    async turn() {
      if (!takesTurns()) return undefined;
      let start = 0;
      const { closedUntil } = await store.update(limit, (stored) => {
        const pace = current(stored);
        const interval = known ? known.interval * slack : pace.interval * 0.99;
        start = Math.max(now(), pace.closedUntil, bulk ? pace.nextTurn : pace.nextUrgentTurn);
        const nextTurn = Math.max(pace.nextTurn, start) + interval;
        return { ...pace, interval, nextTurn, ...(!bulk && { nextUrgentTurn: start + interval }) };
      });
      return { wait: Math.max(0, start - now()), closedUntil };
    },
    async isOutdated({ closedUntil }) {
      return (await store.update(limit, current)).closedUntil > closedUntil;
    },
    passed(state) {
      passes += 1;
      known = state ?? known;
      low = bulk && state !== undefined && state.left * state.interval < 1000;
      // The limit has room again, or somebody who works alone got through.
      if (!bulk || (state && !low)) refusedAt = undefined;
    },
    async refused({ wait, started, state }) {
      known = state ?? known;
      const time = now();
      refusedAt = time;
      await store.update(limit, (stored) => {
        const pace = current(stored);
        // Tries that started before the last refusal tell nothing of the pace since.
        const tooFast = stored !== undefined && started >= pace.closedUntil;
        const interval = known
          ? known.interval * slack
          : Math.min(longestInterval, pace.interval * (tooFast ? 2 : 1));
        const closedUntil = Math.max(pace.closedUntil, time + wait);
        return { ...pace, closedUntil, interval };
      });
    },
  };
}
