/**
 * Calls that come while one of the same name runs share the next one. So each gets an answer to a question that was asked after it came,
 * and under load many requests cost one question.
 */
export function shareNext<T>(ask: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();
  const start = (name: string) => {
    next.delete(name);
    const asked = ask(name).finally(() => {
      const after = next.get(name);
      if (after) running.set(name, after);
      else running.delete(name);
    });
    running.set(name, asked);
    return asked;
  };
  return (name) => {
    const now = running.get(name);
    if (!now) return start(name);
    const begin = () => start(name);
    const waiting = next.get(name) ?? now.then(begin, begin);
    next.set(name, waiting);
    return waiting;
  };
}
