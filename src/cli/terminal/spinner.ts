/** A sign of life on a terminal's stderr. Without a terminal nothing moves. */
import type { Context } from '../framework/context.ts';
import { sanitize } from './text.ts';

export interface Spinner {
  text(text: string): void;
  stop(): void;
}

export async function startSpinner({ io, settings }: Context, text: string): Promise<Spinner> {
  if (!io.stderrIsTerminal || settings.quiet || io.env.TERM === 'dumb') return { text: () => {}, stop: () => {} };
  const { default: ora } = await import('ora');
  // stdin is left alone: a key that is typed now belongs to the shell, unless `ignoringKeys` takes it.
  const spinner = ora({ text: sanitize(text), stream: io.stderr as NodeJS.WriteStream, discardStdin: false, isEnabled: true }).start();
  return {
    text: (next) => {
      spinner.text = sanitize(next);
    },
    stop: () => void spinner.stop(),
  };
}
