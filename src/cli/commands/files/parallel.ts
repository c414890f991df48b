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
