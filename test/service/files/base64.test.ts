import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { photoLimit } from '../../../src/contract/limits.ts';
import { decodeBase64 as decode } from '../../../src/service/files/base64.ts';
import { ApiProblem } from '../../../src/service/problem.ts';

const bytes = Buffer.from([0xfb, 0xff, 0xbf, 0x00]);

const decodeBase64 = (text: string, limit = photoLimit) => decode(text, limit);

function problemOf(work: () => unknown): ApiProblem {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('decodeBase64', () => {
  test.each([
    ['standard', '+/+/AA=='],
    ['URL-safe', '-_-_AA=='],
    ['without padding', '+/+/AA'],
    ['in lines', '+/+/\r\nAA==\n'],
    ['with a data: lead', 'data:image/png;base64,+/+/AA=='],
    ['with a lead in capitals and parameters', ' DATA:image/png;name=a.png;BASE64,+/+/AA=='],
    ['with a lead without a type', 'data:;base64,+/+/AA=='],
  ])('takes it %s', (_how, text) => expect(Buffer.from(decodeBase64(text))).toEqual(bytes));

  test('takes every length', () => {
    for (let length = 1; length < 50; length++) {
      const each = randomBytes(length);
      expect(Buffer.from(decodeBase64(each.toString('base64')))).toEqual(each);
      expect(Buffer.from(decodeBase64(each.toString('base64url')))).toEqual(each);
    }
  });

  const words: Readonly<Record<string, unknown>> = {
    required: 'contains no bytes',
    alphabet: expect.stringMatching(/^has a character at position \d+ that isn't base64$/),
    length: 'is truncated or wrongly padded',
    data_url: "has a data: prefix that doesn't end in ;base64,",
  };
  test.each([
    ['required', ''],
    ['required', ' \n'],
    ['required', '=='],
    ['required', 'data:image/png;base64,'],
    ['alphabet', 'AAA*'],
    ['alphabet', 'AA=A'],
    ['alphabet', 'AAAA===='],
    ['alphabet', 'https://example.com/a.jpg'],
    ['alphabet', 'ÄAAA'],
    ['length', 'AAAAA'],
    ['length', 'AAAA='],
    ['length', 'AAA=='],
    ['data_url', 'data:image/png,AAAA'],
    ['data_url', 'data:image/svg+xml;utf8,<svg/>'],
    ['data_url', 'data:AAAA'],
    ['data_url', `data:${'x'.repeat(300)};base64,AAAA`],
  ])('refuses by the rule %s: %j', (rule, text) => {
    const refusal = problemOf(() => decodeBase64(text));
    expect(refusal).toMatchObject({
      code: 'validation_failed',
      details: { issues: [{ path: 'base64', rule, message: words[rule] }] },
    });
  });

  test('reports the position of the first wrong character', () => {
    expect(problemOf(() => decodeBase64('AAAA!AAA')).message).toContain('position 5');
  });

  test('takes the limit and refuses one byte more', () => {
    expect(decodeBase64(Buffer.alloc(photoLimit).toString('base64'))).toHaveLength(photoLimit);
    expect(
      problemOf(() => decodeBase64(Buffer.alloc(photoLimit + 1).toString('base64'))),
    ).toMatchObject({
      code: 'photo_too_large',
      details: { sizeBytes: photoLimit + 1, limitBytes: photoLimit },
    });
  });

  test('takes another limit', () => {
    expect(problemOf(() => decodeBase64('AAAA', 2))).toMatchObject({
      code: 'photo_too_large',
      details: { limitBytes: 2 },
    });
  });
});
