/** Keys that are pressed while nothing is asked: they would damage what is shown, and the shell would read them afterwards. */

import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import type { Context } from '../framework/context.ts';

const ctrlC = '\u0003';

/** Runs something while keys do nothing, but for Ctrl-C. Without a person at the terminal it just runs. */
export async function ignoreKeys<T>({ io, interactive }: Pick<Context, 'io' | 'interactive'>, task: () => Promise<T>): Promise<T> {
  if (!interactive || isInBackground()) return task();
  const keyboard = io.stdin as ReadStream;
  const onKeys = (typed: Buffer | string) => {
    // Read raw, it is a key like any other and no signal comes.
    if (typed.includes(ctrlC)) io.interrupt();
  };
  keyboard.setRawMode(true).on('data', onKeys).resume();
  try {
    return await task();
  } finally {
    // What was pressed by now is still to be read: a turn of the event loop may be half over, the one after it is not.
    await turn();
    await turn();
    keyboard.off('data', onKeys).pause().setRawMode(false);
  }
}

/** The system stops a job in the background that touches the terminal. Told where there is a /proc; elsewhere a job is taken to be in front. */
function isInBackground(): boolean {
  try {
    const afterName = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /s, '');
    const [, , group, , , inFront] = afterName.split(' ');
    return group !== inFront;
  } catch {
    return false;
  }
}
