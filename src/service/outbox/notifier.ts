/** Wakes a worker of this process. A notification without a listener is kept for the next one; several count as one. */
export interface Notifier {
  notify(): void;
  /** Resolves at the next notification, after `ms`, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest delay of a timer; Node would fire at once beyond it. */
const longestMs = 2 ** 31 - 1;

export function createNotifier(): Notifier {
  let notified = false;
  let wakeListener: () => void = () => undefined;
  return {
    notify() {
      notified = true;
      wakeListener();
    },
    async wait(ms, signal) {
      if (!notified && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          const timer = setTimeout(wake, Math.min(Math.max(ms, 0), longestMs));
          signal.addEventListener('abort', wake, { once: true });
          wakeListener = wake;
        });
      }
      notified = false;
    },
  };
}
