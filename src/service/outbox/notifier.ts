/** Wakes the worker of this process. A ring that nobody hears is kept for the next who listens; rings do not add up. */
export interface Notifier {
  ring(): void;
  /** Resolves at the next ring, after `ms`, or when the signal aborts, whichever comes first. */
  heard(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest time that a timer takes; beyond it Node would wake at once. */
const longestMs = 2 ** 31 - 1;

export function createNotifier(): Notifier {
  let rung = false;
  let answer: () => void = () => undefined;
  return {
    ring() {
      rung = true;
      answer();
    },
    async heard(ms, signal) {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          const timer = setTimeout(wake, Math.min(Math.max(ms, 0), longestMs));
          signal.addEventListener('abort', wake, { once: true });
          answer = wake;
        });
      }
      rung = false;
    },
  };
}
