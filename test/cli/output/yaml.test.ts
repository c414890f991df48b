import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { yamlFormat } from '../../../src/cli/output/yaml.ts';
import fc from '../../helpers/property.ts';

test('a list is one document, also with records one by one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1, maxKeys: 4 }),
        { maxLength: 4 },
      ),
      async (given) => {
        const rows = JSON.parse(JSON.stringify(given));
        const format = yamlFormat({ safe: false });
        let text = '';
        for (const row of rows) text += await format.records([row]);
        text += await format.end();
        expect(parse(text)).toEqual(rows);
      },
    ),
  );
});

test('quotes text that YAML 1.1 reads as another type', async () => {
  const tricky = {
    country: 'no',
    time: '12:30',
    date: '2026-01-01',
    number: '012',
    empty: '',
    nothing: null,
    yes: 'on',
  };
  const text = await yamlFormat({ safe: false }).one(tricky);
  expect(parse(text, { version: '1.1' })).toEqual(tricky);
  expect(parse(text)).toEqual(tricky);
});

test('escapes control characters with the same meaning', async () => {
  const value = { notes: 'red\u001b[31m\u0007 \u009b2J \u202e \u007f' };
  const text = await yamlFormat({ safe: false }).one(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(parse(text)).toEqual(value);
});

test('on a terminal, text with line breaks stays on one line with the same meaning', async () => {
  const value = { model: 'B\nerror: your key was revoked', 'a\nb': ['x\r\ny'.repeat(100)] };
  const text = await yamlFormat({ safe: true }).one(value);
  expect(text.split('\n')).toHaveLength(4);
  expect(parse(text)).toEqual(value);
});

test('an empty list is []', async () => {
  expect(await yamlFormat({ safe: false }).end()).toBe('[]\n');
});
