import { describe, expect, test } from 'vitest';
import { ndjsonFormat } from '../../../src/cli/render/json.ts';
import { verbatimLines } from '../../../src/cli/render/verbatim.ts';
import type { Row } from '../../../src/cli/render/view.ts';
import { keepSource } from '../../../src/client/source.ts';
import fc from '../../helpers/property.ts';

/** Records as a client gives them that has read them from this answer. */
function read(answer: string): Row[] {
  const page = JSON.parse(answer);
  keepSource(page, Buffer.from(answer));
  return page.data;
}
const answerOf = (records: string): string => `{"data":[${records}],"page":1,"limit":200,"total":9}`;
const linesOf = (records: string): string | undefined => verbatimLines(read(answerOf(records)))?.toString();

test('a line for each record, as the server wrote it', () => {
  expect(linesOf('{"id":"a","mileage":1.50,"note":"ü € 🚗"},{"id":"b","at":{"x":["c"]}}')).toBe(
    '{"id":"a","mileage":1.50,"note":"ü € 🚗"}\n{"id":"b","at":{"x":["c"]}}\n',
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
    ['one that names the next record', '{"id":"a","linked":[{"id":"x"},{"id":"b"}]},{"id":"b"}'],
    ['one within an object', '{"id":"a","more":{"linked":[{"id":"x"},{"id":"b"}]}},{"id":"b"}'],
    ['one that is hidden behind a field of the same name', '{"id":"a","x":[{"id":"x"},{"id":"b"}],"x":1},{"id":"b"}'],
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

describe('whatever the records hold, the lines are those records', () => {
  const id = fc.constantFrom('a', 'b', 'c', '7f');
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('},{"id":"', '"id":"', '\\', '"', '\u202e'));
  const plain = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 }));
  const nested = fc.array(fc.record({ id: fc.oneof(id, plain) }), { maxLength: 3 });
  const records = (value: fc.Arbitrary<unknown>) => {
    const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), value, { maxKeys: 4 });
    return fc.array(
      fc.tuple(id, fields).map(([id, fields]) => ({ id, ...fields, ...(fields.id !== undefined && { id }) })),
      { minLength: 1, maxLength: 5 },
    );
  };
  const linesBy = (rows: readonly Row[]) => {
    const lines = String(ndjsonFormat({ verbatim: true }).records(read(answerOf(JSON.stringify(rows).slice(1, -1)))));
    return lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  test('also lists of objects that are called like other records', () => {
    fc.assert(
      fc.property(records(fc.oneof(plain, nested, fc.record({ more: nested }))), (rows) => {
        expect(linesBy(rows)).toEqual(JSON.parse(JSON.stringify(rows)));
      }),
    );
  });
  test('cut, where they hold nothing that would have to be made anew', () => {
    const safe = records(fc.oneof(fc.stringMatching(/^[ -~]{0,9}$/), fc.integer(), fc.constant(null)));
    fc.assert(
      fc.property(safe, (rows) => {
        expect(linesOf(JSON.stringify(rows).slice(1, -1))).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      }),
    );
  });
});
