/** When a spinner is drawn. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/cli/context.ts';
import { startSpinner } from '../../../src/cli/terminal/spinner.ts';

/** A spinner on a terminal that tells this width, and whether it is drawn. */
async function isShownAt(columns: number): Promise<boolean> {
  const moves = { cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  const stderr = Object.assign(new PassThrough(), { columns, isTTY: true, ...moves });
  const context = { io: { stderr, stderrIsTerminal: true, env: {} }, settings: { quiet: false } };
  const spinner = await startSpinner(context as unknown as Context, 'Reading');
  spinner.stop();
  return spinner.isShown;
}

test('not on a terminal that tells no width: its lines would be without end', async () => {
  expect([await isShownAt(80), await isShownAt(0)]).toEqual([true, false]);
});
