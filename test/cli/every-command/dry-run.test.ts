/** Every command that changes something on the server has --dry-run, which only reads. */
import { afterAll, expect, test } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';
import { forMany, offenders } from '../../helpers/offenders.ts';

const lines = await everyLine();
afterAll(() => lines.close());

test(
  '--dry-run sends no write and asks nothing, even without --yes, and shows the request whatever the chosen fields',
  async () => {
    const found = await offenders(lines.writing, async (known) => {
      expect(known.info.flags.map(({ long }) => long)).toContain('--dry-run');
      const bare = { ...known, line: known.line.filter((word) => word !== '--yes') };
      const { code, requests, json } = await lines.run(bare, { flags: ['--dry-run', '--json'] });
      expect(code).toBe(0);
      expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      // A bulk delete lists the records that would go; others show the request.
      const shown = [json].flat() as { dryRun?: boolean; method?: string; deleted?: boolean }[];
      expect(shown.length).toBeGreaterThan(0);
      if (known.name === 'templates prune')
        expect(shown.every((row) => row.deleted !== true)).toBe(true);
      // What it would change; a record that isn't created has no id.
      else if (['facility apply', 'care apply'].includes(known.name))
        expect(shown).toMatchObject([{ change: 'create', id: null }]);
      else expect(shown.every(({ dryRun, method }) => dryRun && method !== 'GET')).toBe(true);
    });
    expect(found).toEqual([]);
  },
  forMany,
);
