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

/** Runs costly tasks a few at a time, in the order in which they came. */
export function takeTurns({
  most,
  mostWaiting,
  mostWaitingEach = mostWaiting,
  refusal,
}: TurnLimits): <T>(task: () => Promise<T>, options?: TurnOptions) => Promise<T> {
  let running = 0;
  const waiting: { owner: string | undefined; start: () => void }[] = [];
  const takePlace = ({ owner, signal }: TurnOptions) => {
    const own = waiting.filter((place) => place.owner === owner).length;
    if (waiting.length >= mostWaiting || own >= mostWaitingEach)
      throw new ApiProblem('rate_limited', `${refusal}. Retry in 1 s`, { retryAfter: 1 });
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(place), 1);
        reject(signal?.reason);
      };
      const place = {
        owner,
        start() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(place);
    });
  };
  return async (task, options = {}) => {
    options.signal?.throwIfAborted();
    // Whoever ends passes the place on.
    if (running < most) running++;
    else await takePlace(options);
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next.start();
      else running--;
    }
  };
}
