/** Work on many files, several at a time. */

/** The results in the order of the items. Throws the first error, once the running tasks have ended. */
export async function mapParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const work = async () => {
    // One queue for all workers.
    for (const [index, item] of queue) results[index] = await act(item, index);
  };
  const workers = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, items.length) }, work),
  );
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return results;
}

interface AheadOptions {
  /** Tasks that run at the same time. */
  readonly atOnce: number;
  /** Results that wait for their use, besides those in use. */
  readonly ahead: number;
}

/**
 * Runs tasks in their order before their results are asked for, so that making and using them overlap. Never more than a few ahead, so that
 * memory holds few results.
 */
export function readAhead<T>(
  count: number,
  { atOnce, ahead }: AheadOptions,
  make: (index: number) => Promise<T>,
): (index: number) => Promise<T> {
  const results = new Map<number, PromiseWithResolvers<T>>();
  let next = 0;
  let running = 0;
  let end = 0;
  const slot = (index: number): PromiseWithResolvers<T> => {
    const known = results.get(index);
    if (known) return known;
    const made = Promise.withResolvers<T>();
    // Reported on its turn: without this, Node reports an unhandled rejection first.
    made.promise.catch(() => {});
    results.set(index, made);
    return made;
  };
  const start = () => {
    while (running < atOnce && next < end) {
      const index = next++;
      running += 1;
      make(index)
        .then(slot(index).resolve, slot(index).reject)
        .finally(() => {
          running -= 1;
          start();
        });
    }
  };
  return async (index) => {
    end = Math.min(count, Math.max(end, index + 1 + ahead));
    const { promise } = slot(index);
    start();
    try {
      return await promise;
    } finally {
      results.delete(index);
    }
  };
}
