import { DatabaseUnavailable } from '../failures.ts';

/** Lets those who ask for the same thing have it one after the other, in the order in which they asked. */
export type Turns = (name: string) => Promise<() => void>;

/** Who has waited for `patienceMs` gives up with `DatabaseUnavailable`: behind a database that is stuck, the queue would never end. */
export function makeTurns(patienceMs: number): Turns {
  const last = new Map<string, Promise<void>>();
  return async (name) => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const before = last.get(name);
    last.set(name, ended);
    const end = () => {
      if (last.get(name) === ended) last.delete(name);
      resolve();
    };
    if (before && !(await endsWithin(before, patienceMs))) {
      before.then(end);
      throw new DatabaseUnavailable(new Error(`No turn to write within ${patienceMs} ms`));
    }
    return end;
  };
}

function endsWithin(turn: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    turn.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
