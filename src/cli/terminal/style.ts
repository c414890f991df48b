/** Decides about colour, for all output. */
import type { ChalkInstance } from 'chalk';
import type { Io } from './io.ts';

export type ColorChoice = 'auto' | 'always' | 'never';

export interface Styles {
  title(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
  success(text: string): string;
  warning(text: string): string;
  error(text: string): string;
  command(text: string): string;
}

/**
 * Whether a stream gets colour: the flag or CS_COLOR when it says so, then NO_COLOR (not empty),
 * FORCE_COLOR (not 0), TERM=dumb, and otherwise whether the stream is a terminal.
 */
export function hasColor(io: Io, stream: 'stdout' | 'stderr', choice: ColorChoice): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (io.env.NO_COLOR) return false;
  const force = io.env.FORCE_COLOR;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (io.env.TERM === 'dumb') return false;
  return stream === 'stdout' ? io.stdoutIsTerminal : io.stderrIsTerminal;
}

const plain = (text: string) => text;
export const noStyles: Styles = {
  title: plain,
  dim: plain,
  strong: plain,
  success: plain,
  warning: plain,
  error: plain,
  command: plain,
};

/** chalk is loaded for colour alone: it is a tenth of the start of `cs --help`. */
export async function stylesFor(
  io: Io,
  stream: 'stdout' | 'stderr',
  choice: ColorChoice,
): Promise<Styles> {
  if (!hasColor(io, stream, choice)) return noStyles;
  const { Chalk } = await import('chalk');
  // Sixteen colours follow the person's own theme, so they are readable on light and dark alike.
  const chalk = new Chalk({ level: 1 });
  // chalk joins several arguments, such as those that `map` passes.
  const style = (how: ChalkInstance) => (text: string) => how(text);
  return {
    title: style(chalk.bold),
    dim: style(chalk.dim),
    strong: style(chalk.bold),
    success: style(chalk.green),
    warning: style(chalk.yellow),
    error: style(chalk.red.bold),
    command: style(chalk.cyan),
  };
}
