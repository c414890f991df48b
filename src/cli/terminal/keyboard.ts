/** Drops keys that are pressed without a prompt: they would damage the display, and the shell would read them afterwards. */

import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import type { Context } from '../framework/context.ts';

const ctrlC = '\u0003';

/** Runs a task and ignores every key but Ctrl-C. Without a terminal it just runs the task. */
export async function ignoreKeys<T>({ io, interactive }: Pick<Context, 'io' | 'interactive'>, task: () => Promise<T>): Promise<T> {
  if (!interactive || isInBackground()) return task();
  const keyboard = io.stdin as ReadStream;
  const onKeys = (typed: Buffer | string) => {
    // In raw mode Ctrl-C is a key, without a signal.
    if (typed.includes(ctrlC)) io.interrupt();
  };
  keyboard.setRawMode(true).on('data', onKeys).resume();
  try {
    return await task();
  } finally {
    // Waits a full turn of the event loop, so that pressed keys have been read.
    await turn();
    await turn();
    keyboard.off('data', onKeys).pause().setRawMode(false);
  }
}

/** The system stops a background job that uses the terminal. Detected through /proc; elsewhere a job counts as foreground. */
function isInBackground(): boolean {
  try {
    const afterName = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /s, '');
    const [, , group, , , inFront] = afterName.split(' ');
    return group !== inFront;
  } catch {
    return false;
  }
}
