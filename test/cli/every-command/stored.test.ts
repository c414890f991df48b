/** What was written stays written when its result can't be printed: exit 15, with the id, and never the advice to run it again. */
import { afterAll, expect, test } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';
import { forMany, offenders } from '../../helpers/offenders.ts';

const lines = await everyLine();
afterAll(() => lines.close());

test(
  'a --jq program that fails while it runs',
  async () => {
    const found = await offenders(lines.writing, async (line) => {
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
    expect(found).toEqual([]);
  },
  forMany,
);
