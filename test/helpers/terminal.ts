/** `cs` on a pseudo-terminal that ends with the test. */
import { onTestFinished } from 'vitest';
import { startTerminal, type Terminal, type TerminalOptions } from './pseudo-terminal.ts';

export type { Cell, Terminal, TerminalOptions } from './pseudo-terminal.ts';

/** Starts `cs` on a terminal of 80 × 24, which ends with the test. */
export function openTerminal(argv: readonly string[], options: TerminalOptions = {}): Terminal {
  const terminal = startTerminal(argv, options);
  onTestFinished(() => terminal.close());
  return terminal;
}
