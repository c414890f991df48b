/** Fields and columns that the result does not have are told before anything is sent that writes, in every command. */
import { afterAll, describe, expect, test } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';

const lines = await everyLine();
afterAll(() => lines.close());

describe.each(lines.writing.map((line) => [line.name, line] as const))('cs %s', (_, known) => {
  test.each([
    ['a field', ['--json=noSuchField']],
    ['one field among others', ['--json=id,noSuchField']],
    ['a column', ['-o', 'csv', '--columns', 'noSuchField']],
  ])('an unknown name for %s: no request', async (_, flags) => {
    const { code, stdout, stderr, requests } = await lines.run(known, { flags });
    expect([code, stdout, requests.filter(({ method }) => method !== 'GET')]).toEqual([2, '', []]);
    expect(stderr).toMatch(/isn't an? (field|column) of/);
  });
  test('--dry-run shows the request whatever the chosen fields', async () => {
    const { json, code } = await lines.run(known, { flags: ['--dry-run', '--json'] });
    const [field] = Object.keys([json].flat()[0] ?? {});
    // A bulk delete lists the records that would go.
    expect([code, field]).toEqual([0, known.name === 'templates prune' ? 'id' : 'dryRun']);
  });
});
