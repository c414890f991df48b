import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeChunks, readLines } from '../../../../src/cli/commands/bulk/lines.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import fc from '../../../helpers/property.ts';

let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

async function linesOf(bytes: Uint8Array | string): Promise<string[]> {
  const path = join(folder, 'text');
  await writeFile(path, bytes);
  const lines = [];
  for await (const line of readLines(path)) lines.push(line);
  return lines;
}

test.each([
  ['', []],
  ['a', ['a']],
  ['\ufeffa\r\n\nb\n', ['a', '', 'b']],
  ['a\rb\u2028c\n\ufeff', ['a\rb\u2028c', '\ufeff']],
])('%j', async (text, lines) => {
  expect(await linesOf(text)).toEqual(lines);
});

test('reads text in chunks, also with a multibyte character at the edge', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🚗'), maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 65_500, max: 65_560 }),
      async (some, size) => {
        const lines = ['x'.repeat(size), ...some.map((line) => `${line}.`), 'y'.repeat(200_000)];
        const pieces: Buffer[] = [];
        for await (const piece of encodeChunks(lines.map((line) => `${line}\n`)))
          pieces.push(Buffer.from(piece));
        expect(await linesOf(Buffer.concat(pieces))).toEqual(lines);
      },
    ),
    { numRuns: 30 },
  );
});
