/** What was written stays written when its result can't be printed: exit 15, with the id, and never the advice to run it again. */
import { afterAll, describe, expect, test } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';

const lines = await everyLine();
afterAll(() => lines.close());

test('some commands write', () => expect(lines.writing.length).toBeGreaterThan(50));

describe.each(lines.writing.map((line) => [line.name, line] as const))('cs %s', (_, line) => {
  test('a --jq program that fails while it runs', async () => {
    const { code, stderr, requests } = await lines.run(line, { flags: ['--jq', 'error("x")'] });
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) as string);
    expect([code, error.exitCode, error.code]).toEqual([15, 15, 'stored_not_printed']);
    expect(error.message).toBe('Stored, but not printed. --jq: x');
    const wrote = requests.filter(({ method }) => method !== 'GET');
    expect(wrote.map(({ method }) => method)).toEqual(
      line.methods.filter((method) => method !== 'GET'),
    );
    expect(error.details.stored.map(({ did }: { did: string }) => did).sort()).toEqual(
      wrote
        .map(
          ({ method, url }) =>
            `${method} ${new URL(url, 'http://x').pathname.replace('/api/v1', '')}`,
        )
        .sort(),
    );
    for (const { did, id } of error.details.stored)
      expect(`${did} ${id ?? ''}`).toMatch(/[0-9a-f]{8}-[0-9a-f-]{27}|settings|content/);
    expect(error.hint).toMatch(/don't run it again/);
  });

  test.each([
    ['a program of --jq that is none', ['--jq', '.[']],
    ['a field that there is not', ['--json=nosuchfield']],
    ['a column that there is not', ['-o', 'csv', '--columns', 'no-such-column']],
  ])('%s is refused before anything is sent', async (_name, flags) => {
    const { code, requests } = await lines.run(line, { flags });
    expect([code, requests.filter(({ method }) => method !== 'GET')]).toEqual([2, []]);
  });
});
