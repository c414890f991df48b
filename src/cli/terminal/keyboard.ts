/**
 * Keys that are pressed without a prompt: the terminal would show them amid the display, and the
 * shell would read them afterwards.
 */

import { setImmediate as turn } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import type { Io } from './io.ts';

/** `interactive`: whether a person can be asked. */
interface Person {
  readonly io: Io;
  readonly interactive: boolean;
}

const ctrlC = '\u0003';

/** Runs a task and ignores every key but Ctrl-C. Without a terminal it just runs the task. */
export async function ignoreKeys<T>(
  { io, interactive }: Person,
  task: () => Promise<T>,
): Promise<T> {
  if (!interactive || io.isInBackground()) return task();
  return lendKeyboard(io, async () => {
    const keys = catchKeys(io);
    try {
      return await task();
    } finally {
      await keys.release();
    }
  });
}

/**
 * Runs a task that prompts. Between its prompts nothing is shown of the keys: their text goes into
 * the next prompt. An Enter doesn't, so that nobody confirms what they haven't seen.
 */
export async function keepTypedAhead<T>(
  { io, interactive }: Person,
  task: () => Promise<T>,
): Promise<T> {
  if (!interactive || io.run.typedAhead || io.isInBackground()) return task();
  let keys = catchKeys(io);
  io.run.typedAhead = {
    take: async () => textBeforeControl(await keys.release()),
    goOn() {
      keys = catchKeys(io);
    },
  };
  try {
    return await task();
  } finally {
    io.run.typedAhead = undefined;
    await keys.release();
  }
}

/** Runs a task that reads the keyboard by itself, with the text that was typed ahead of it. */
export async function lendKeyboard<T>(
  { run }: Pick<Io, 'run'>,
  task: (typed: string) => Promise<T>,
): Promise<T> {
  const { typedAhead } = run;
  if (!typedAhead) return task('');
  run.typedAhead = undefined;
  try {
    return await task(await typedAhead.take());
  } finally {
    run.typedAhead = typedAhead;
    typedAhead.goOn();
  }
}

/** Reads keys without showing them. `release` returns what was typed. */
function catchKeys(io: Io): { release(): Promise<string> } {
  const keyboard = io.stdin as ReadStream;
  let typed = '';
  const onKeys = (keys: Buffer | string) => {
    // In raw mode Ctrl-C is a key, without a signal.
    if (keys.includes(ctrlC)) io.interrupt();
    typed += keys;
  };
  keyboard.setRawMode(true).on('data', onKeys).resume();
  return {
    async release() {
      // Waits a full turn of the event loop, so that pressed keys have been read.
      await turn();
      await turn();
      keyboard.off('data', onKeys).pause().setRawMode(false);
      return typed;
    },
  };
}

const textBeforeControl = (typed: string): string => /^\P{Cc}*/u.exec(typed)?.[0] ?? '';
