/**
 * Lines about requests on stderr. While a prompt draws there they wait, since they would break the
 * drawing.
 */
import type { Io } from './io.ts';

export function writeNotice(io: Io, line: string): void {
  if (io.run.heldNotices) io.run.heldNotices.push(line);
  else io.stderr.write(line);
}

/** Holds the lines during the work, and writes them after it. */
export async function holdNotices<T>(io: Io, work: () => Promise<T>): Promise<T> {
  if (io.run.heldNotices) return work();
  const held: string[] = [];
  io.run.heldNotices = held;
  try {
    return await work();
  } finally {
    io.run.heldNotices = undefined;
    if (held.length > 0) io.stderr.write(held.join(''));
  }
}
