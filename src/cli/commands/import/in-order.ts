/** Results that wait behind a slow one, for each task that runs. */
const ahead = 8;

/** Runs `parallel` tasks at a time and yields their results in order. Stopping early waits for running tasks. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  parallel: number,
  act: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const queue: Promise<R>[] = [];
  const running = new Set<Promise<R>>();
  try {
    for await (const item of items) {
      const started = act(item);
      const end = () => void running.delete(started);
      // Awaited later; until then a rejection must not count as unhandled.
      started.then(end, end);
      running.add(started);
      queue.push(started);
      if (running.size >= parallel) await Promise.race(running).catch(() => {});
      for (let [first] = queue; first; [first] = queue) {
        if (running.has(first) && queue.length < ahead * parallel) break;
        queue.shift();
        yield await first;
      }
    }
    for (const started of queue) yield await started;
  } finally {
    await Promise.allSettled(running);
  }
}
