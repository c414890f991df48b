/** Runs a command of the counter inside another one: it asks nothing, and its result and words are returned. */
import type { Context } from '../../context.ts';
import type { Row } from '../../output/view.ts';

export interface Captured {
  readonly context: Context;
  /** Notes and warnings. */
  readonly warnings: readonly string[];
  /** What it printed. */
  printed(): Row;
}

export function captured(from: Context): Captured {
  const { io, output, settings } = from;
  const warnings: string[] = [];
  let printed: Row = {};
  const noTerminal = { stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false };
  const context: Context = {
    ...from,
    interactive: false,
    io: { ...io, ...noTerminal },
    settings: { ...settings, yes: true, quiet: true },
    note: (text) => void warnings.push(text),
    warn: (text) => void warnings.push(text),
    output: {
      ...output,
      format: 'json',
      forPeople: false,
      async styled(value) {
        printed = value as Row;
      },
    },
  };
  return { context, warnings, printed: () => printed };
}
