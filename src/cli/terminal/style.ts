/** Decides about colour, for all output. */
import { styleText } from 'node:util';
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
 * Whether a stream gets colour: the flag or CS_COLOR when it says so, then NO_COLOR (not empty), FORCE_COLOR (not 0),
 * TERM=dumb, and otherwise whether the stream is a terminal.
 */
export function hasColor(io: Io, stream: 'stdout' | 'stderr', choice: ColorChoice): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (io.env.NO_COLOR) return false;
  const force = io.env.FORCE_COLOR;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (io.env.TERM === 'dumb') return false;
  return stream === 'stdout' ? io.stdoutIsTerminal : io.stderrIsTerminal;
}

export function stylesFor(io: Io, stream: 'stdout' | 'stderr', choice: ColorChoice): Styles {
  const colored = hasColor(io, stream, choice);
  // Sixteen colours follow the person's own theme, so they are readable on light and dark alike.
  const style = (how: Parameters<typeof styleText>[0]) => (text: string) =>
    colored && text !== '' ? styleText(how, text, { validateStream: false }) : text;
  return {
    title: style('bold'),
    dim: style('dim'),
    strong: style('bold'),
    success: style('green'),
    warning: style('yellow'),
    error: style(['red', 'bold']),
    command: style('cyan'),
  };
}
