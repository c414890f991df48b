/** Lines about requests, which wait while a prompt draws. */
import { expect, test } from 'vitest';
import type { Io } from '../../../src/cli/terminal/io.ts';
import { holdNotices, writeNotice } from '../../../src/cli/terminal/notices.ts';

test('lines that come during a prompt are written in order once it has ended, also by an error', async () => {
  const written: string[] = [];
  const io = { run: {}, stderr: { write: (text: string) => written.push(text) } } as unknown as Io;
  const ask = (end: () => string) =>
    holdNotices(io, async () => {
      writeNotice(io, 'a\n');
      // One prompt may be asked within another.
      await holdNotices(io, async () => writeNotice(io, 'b\n'));
      expect(written.splice(0)).toEqual([]);
      return end();
    });
  expect(await ask(() => 'answer')).toBe('answer');
  expect(written.splice(0)).toEqual(['a\nb\n']);
  await expect(ask(() => JSON.parse('{'))).rejects.toThrow(SyntaxError);
  expect(written.splice(0)).toEqual(['a\nb\n']);
  expect(await holdNotices(io, async () => 1)).toBe(1);
  expect(written).toEqual([]);
  writeNotice(io, 'c\n');
  expect(written).toEqual(['c\n']);
});
