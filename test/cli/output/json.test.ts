import { expect, test } from 'vitest';
import { ndjsonFormat } from '../../../src/cli/output/json.ts';
import fc from '../../helpers/property.ts';

const linesOf = async (rows: readonly Record<string, unknown>[]): Promise<string> =>
  ndjsonFormat().records(rows);

test('each line is one record, whatever its content', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('},{"id":"', '\\', '"', '\n', '\u202e', '\u2028'),
  );
  const row = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.oneof(text, fc.jsonValue()), {
    maxKeys: 4,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
      const lines = (await linesOf(rows)).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(rows)));
    }),
  );
});

test('escapes characters with an effect in terminals or editors', async () => {
  expect(await linesOf([{ a: '\u007f\u009b\u202e\u2028' }])).toBe(
    `${String.raw`{"a":"\u007f\u009b\u202e\u2028"}`}\n`,
  );
});
