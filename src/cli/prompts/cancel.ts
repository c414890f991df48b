import { type ExitCode, exitCodeOf } from '../errors/exit.ts';
import type { Context } from '../framework/context.ts';
import { Interrupted } from '../terminal/io.ts';

/** Leaving before anything is stored is no failure to be told as one: a person gets one line. */
export async function handleCancel<T>(context: Context, work: () => Promise<T>): Promise<T | ExitCode> {
  try {
    return await work();
  } catch (error) {
    const code = exitCodeOf(error);
    const left = error instanceof Interrupted || code === 13;
    if (!left || context.output.format !== 'table') throw error;
    context.warn(code === 13 ? 'Nothing was stored.' : 'Stopped. Nothing was stored.');
    return code;
  }
}
