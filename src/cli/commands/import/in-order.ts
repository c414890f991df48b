/** Several at a time, and what became of them in the order in which they were given. */

/** At most `parallel` are under way. Whoever stops reading waits for those, so that nothing goes on behind their back. */
export async function* inOrder<T, R>(items: AsyncIterable<T>, parallel: number, act: (item: T) => Promise<R>): AsyncGenerator<R, void> {
  const underway: Promise<R>[] = [];
  const next = async (): Promise<R> => (await underway.shift()) as R;
  try {
    for await (const item of items) {
      const started = act(item);
      // It is awaited in its turn; until then a failure is no unhandled one.
      started.catch(() => {});
      underway.push(started);
      if (underway.length >= parallel) yield await next();
    }
    while (underway.length > 0) yield await next();
  } finally {
    await Promise.allSettled(underway);
  }
}
