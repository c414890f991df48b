import { ApiProblem } from './problem.ts';

export interface TurnLimits {
  /** Tasks that run at once. */
  readonly most: number;
  /** Tasks that wait; a further one is refused with `rate_limited`. */
  readonly mostWaiting: number;
  /** Tasks of one owner that wait (default: all of them). */
  readonly mostWaitingEach?: number;
  /** The refusal, as a sentence without its end. */
  readonly refusal: string;
}

export interface TurnOptions {
  /** Whose task it is. */
  readonly owner?: string;
  /** Ends the wait: the task never runs. It doesn't end a task that runs. */
  readonly signal?: AbortSignal;
}

/**
 * Runs costly tasks a few at a time: next that of the owner with the fewest running, owners in turn, and those of one owner in the order
 * in which they came. So many of one owner make nobody else wait for more than a task.
 */
export function takeTurns({
  most,
  mostWaiting,
  mostWaitingEach = mostWaiting,
  refusal,
}: TurnLimits): <T>(task: () => Promise<T>, options?: TurnOptions) => Promise<T> {
  /** The owners of the tasks that run. */
  const running: string[] = [];
  /** By owner: the one whose turn was longest ago comes first. */
  const waiting = new Map<string, Set<() => void>>();
  const countOf = (owner: string) => running.filter((one) => one === owner).length;
  const takePlace = (owner: string, signal: AbortSignal | undefined) => {
    const own = waiting.get(owner) ?? new Set();
    const all = [...waiting.values()].reduce((sum, { size }) => sum + size, 0);
    if (all >= mostWaiting || own.size >= mostWaitingEach)
      throw new ApiProblem('rate_limited', `${refusal}. Retry in 1 s`, { retryAfter: 1 });
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        own.delete(start);
        if (own.size === 0) waiting.delete(owner);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.set(owner, own.add(start));
    });
  };
  const startNext = () => {
    const [owner] = [...waiting.keys()].sort((a, b) => countOf(a) - countOf(b));
    const own = owner === undefined ? undefined : waiting.get(owner);
    const [start] = own ?? [];
    if (owner === undefined || !own || !start) return;
    own.delete(start);
    waiting.delete(owner);
    if (own.size > 0) waiting.set(owner, own);
    running.push(owner);
    start();
  };
  return async (task, { owner = '', signal } = {}) => {
    signal?.throwIfAborted();
    // Whoever ends passes the place on.
    if (running.length < most) running.push(owner);
    else await takePlace(owner, signal);
    try {
      return await task();
    } finally {
      running.splice(running.indexOf(owner), 1);
      startNext();
    }
  };
}
