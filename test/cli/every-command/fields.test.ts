/** Fields and columns that the result does not have are told before anything is sent that writes, in every command. */
import { afterAll, expect, test } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';
import { forMany, offenders } from '../../helpers/offenders.ts';

const lines = await everyLine();
afterAll(() => lines.close());

test.each([
  ['a field', 1, ['--json=noSuchField'], /isn't a field of/],
  ['one field among others', 4, ['--json=id,noSuchField'], /isn't a field of/],
  ['a column', 1, ['-o', 'csv', '--columns', 'noSuchField'], /isn't a column of/],
  // Loading jq takes longer than a command.
  ['a jq program', 10, ['--jq', '.['], /--jq: /],
])(
  'a wrong name for %s: no request',
  async (_, every, flags, says) => {
    const some = lines.writing.filter((_line, at) => at % every === 0);
    const found = await offenders(some, async (known) => {
      const { code, stdout, stderr, requests } = await lines.run(known, { flags });
      expect([code, stdout, requests.filter(({ method }) => method !== 'GET')]).toEqual([
        2,
        '',
        [],
      ]);
      expect(stderr).toMatch(says);
    });
    expect(found).toEqual([]);
  },
  forMany,
);
