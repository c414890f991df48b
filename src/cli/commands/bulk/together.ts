/** Lines that wait for the disk at the same time are written at once: requests run in parallel, and each waits for its line. */
export function writeTogether(
  append: (lines: readonly string[]) => Promise<void>,
): (line: string) => Promise<void> {
  let last = Promise.resolve();
  let waiting: string[] | undefined;
  return (line) => {
    if (!waiting) {
      const lines: string[] = [];
      waiting = lines;
      // One after the other, also after a failure.
      last = last
        .catch(() => {})
        .then(() => {
          waiting = undefined;
          return append(lines);
        });
    }
    waiting.push(line);
    return last;
  };
}
