/** Runs `parallel` tasks at a time and yields their results in order. Stopping early waits for running tasks. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  parallel: number,
  act: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const running: Promise<R>[] = [];
  const next = async (): Promise<R> => (await running.shift()) as R;
  try {
    for await (const item of items) {
      const started = act(item);
      // Awaited later; until then a rejection must not count as unhandled.
      started.catch(() => {});
      running.push(started);
      if (running.length >= parallel) yield await next();
    }
    while (running.length > 0) yield await next();
  } finally {
    await Promise.allSettled(running);
  }
}
