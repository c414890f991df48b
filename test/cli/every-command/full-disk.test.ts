/** A disk that is full, whichever command writes to it. test/cli/output/full-disk.test.ts has one line for each way of writing. */
import { afterAll, describe, test } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';
import { expectFullDisk } from '../../helpers/full-disk.ts';

const lines = await everyLine();
afterAll(() => lines.close());

/** Without a change to show there is nothing to write. */
const silent: ReadonlySet<string> = new Set(['watch']);
/** Those that write here what they need later. */
const configuring = /^(config (set|unset)|profiles (use|set|remove)|auth (login|logout))$/;

describe('a full disk, for every command', () => {
  test.each(
    lines.all.filter(({ name }) => !silent.has(name)).map((line) => [line.name, line] as const),
  )('cs %s', (_, line) =>
    expectFullDisk(line.line, lines.prepare(line), {
      stored: lines.writing.includes(line) || configuring.test(line.name),
    }),
  );
});
