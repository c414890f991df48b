/** A spinner on a terminal's stderr; silent without a terminal. */
import { supportsUnicode } from './ascii.ts';
import type { Io } from './io.ts';
import { sanitize } from './text.ts';

export interface Spinner {
  /** False without a terminal, and with --quiet. */
  readonly isShown: boolean;
  text(text: string): void;
  stop(): void;
}

interface Watched {
  readonly io: Io;
  readonly settings: { readonly quiet: boolean };
}

export async function startSpinner({ io, settings }: Watched, text: string): Promise<Spinner> {
  const stream = io.stderr as NodeJS.WriteStream;
  // A terminal that tells no width: ora would draw lines without end. A plain one has a stream whose cursor ora can't move.
  const isDrawable = stream.columns !== 0 && io.env.TERM !== 'dumb' && supportsUnicode(io);
  if (!io.stderrIsTerminal || settings.quiet || !isDrawable)
    return { isShown: false, text: () => {}, stop: () => {} };
  const { default: ora } = await import('ora');
  // Doesn't read stdin: keys belong to the shell, unless `ignoreKeys` drops them.
  const spinner = ora({
    text: sanitize(text),
    stream,
    discardStdin: false,
    color: false,
    isEnabled: true,
  }).start();
  return {
    isShown: true,
    text: (next) => {
      spinner.text = sanitize(next);
    },
    stop: () => void spinner.stop(),
  };
}

/** Shows a spinner while something is awaited. */
export async function withSpinner<T>(
  context: Watched,
  text: string,
  task: () => Promise<T>,
): Promise<T> {
  const spinner = await startSpinner(context, text);
  return task().finally(() => spinner.stop());
}
