import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ndjsonFormat } from '../../../src/cli/render/json.ts';
import { verbatimLines } from '../../../src/cli/render/verbatim.ts';
import type { Row } from '../../../src/cli/render/view.ts';
import { keepSource } from '../../../src/client/source.ts';

/** Records as a client gives them that has read them from this answer. */
function read(answer: string): Row[] {
  const page = JSON.parse(answer);
  keepSource(page, Buffer.from(answer));
  return page.data;
}
const answerOf = (records: string): string => `{"data":[${records}],"page":1,"limit":200,"total":9}`;
const linesOf = (records: string): string | undefined => verbatimLines(read(answerOf(records)))?.toString();

test('a line for each record, as the server wrote it', () => {
  expect(linesOf('{"id":"a","mileage":1.50,"note":"ü € 🚗"},{"id":"b","at":{"x":[{"id":"c"}]}}')).toBe(
    '{"id":"a","mileage":1.50,"note":"ü € 🚗"}\n{"id":"b","at":{"x":[{"id":"c"}]}}\n',
  );
});

test('an answer is taken once', () => {
  const rows = read(answerOf('{"id":"a"}'));
  expect(verbatimLines(rows)?.toString()).toBe('{"id":"a"}\n');
  expect(verbatimLines(rows)).toBeUndefined();
});

describe('made anew instead', () => {
  test.each([
    ['a list within a record whose items have ids', '{"id":"a","steps":[{"id":"s1"},{"id":"s2"}]},{"id":"b"}'],
    ['as many of those as spaces between records', '{"id":"a","steps":[{"id":"s1"},{"id":"s2"}]}, {"id":"b"}'],
    ['space between records', '{"id":"a"}, {"id":"b"}'],
    ['more than one line', '{"id":"a",\n"make":"Audi"}'],
    ['a record that begins with another field', '{"make":"Audi","id":"a"}'],
    ['an id that is escaped', '{"id":"\\u0061"}'],
    ['an id twice in a record', '{"id":"a","id":"b"}'],
    ['an id that is no text', '{"id":1}'],
    ['an ASCII control character', '{"id":"a","notes":"\u007f"}'],
    ['another control character', '{"id":"a","notes":"\u009b31m"}'],
    ['a sign that turns the direction of text', '{"id":"a","notes":"\u202e"}'],
    ['no record', ''],
  ])('%s', (_, records) => {
    expect(linesOf(records)).toBeUndefined();
  });

  test.each([
    ['something beside the records', '{"data":[{"id":"a"}],"page":1,"limit":200,"total":9,"more":[]}'],
    ['something between', '{"data":[{"id":"a"}],"more":[{"id":"b"}],"page":1,"limit":200,"total":9}'],
    ['another order', '{"page":1,"limit":200,"total":9,"data":[{"id":"a"}]}'],
    ['records twice', '{"data":[{"id":"b"}],"data":[{"id":"a"}],"page":1,"limit":200,"total":9}'],
    ['space after it', '{"data":[{"id":"a"}],"page":1,"limit":200,"total":9} '],
  ])('%s', (_, answer) => {
    expect(verbatimLines(read(answer))).toBeUndefined();
  });
});

test('whatever the records hold, the lines are those records', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.json(),
    fc.constantFrom('},{"id":"', '"id":"', '\\', '"', '\u202e'),
    fc.double(),
    fc.constant(null),
  );
  const record = fc.tuple(
    fc.stringMatching(/^[a-z0-9-]{1,8}$/),
    fc.dictionary(fc.string(), fc.oneof(value, fc.array(fc.record({ id: value })))),
  );
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
      const rows = records.map(([id, fields]) => ({ id, ...fields }));
      const format = ndjsonFormat({ verbatim: true });
      const lines = String(format.records(read(answerOf(JSON.stringify(rows).slice(1, -1)))));
      const inOne = lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(inOne).toEqual(JSON.parse(JSON.stringify(rows)));
    }),
  );
});
