/** Integers that a number of JavaScript can't hold keep their digits. */
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/cli/input/json.ts';

test.each([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  [
    '{"a":[1,-9007199254740993,{"b": 12345678901234567890}]}',
    { a: [1, '-9007199254740993', { b: '12345678901234567890' }] },
  ],
  ['[9007199254740993]', ['9007199254740993']],
  // A number holds these.
  ['{"a":9007199254740991,"b":1.5,"c":1e300,"d":0.12345678901234567,"e":-7}', undefined],
  ['{"a":"x:9007199254740993","b":"9007199254740993"}', undefined],
  [
    '{"__proto__":{"id":1234567890123456789}}',
    JSON.parse('{"__proto__":{"id":"1234567890123456789"}}'),
  ],
])('%s', (text, expected) => {
  expect(parseJson(text)).toEqual(expected ?? JSON.parse(text));
});
