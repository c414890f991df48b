/** Every command that changes something on the server has --dry-run, which only reads. */
import { afterAll, describe, expect, test } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';

const lines = await everyLine();
afterAll(() => lines.close());

test('many commands write', () => {
  expect(lines.writing.length).toBeGreaterThan(50);
});

describe.each(lines.writing.map((line) => [line.name, line] as const))('cs %s', (_, known) => {
  test('--dry-run sends no write', async () => {
    expect(known.info.flags.map(({ long }) => long)).toContain('--dry-run');
    const { code, requests, json, stdout } = await lines.run(known, { flags: ['--dry-run'] });
    expect(code).toBe(0);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(JSON.stringify(json)).toBe(JSON.stringify(JSON.parse(stdout)));
    // A bulk delete lists the records that would go; all others show the request.
    const shown = [json].flat() as {
      dryRun?: boolean;
      method?: string;
      deleted?: boolean;
    }[];
    if (known.name === 'templates prune')
      expect(shown.every((row) => row.deleted !== true)).toBe(true);
    else expect(shown.every(({ dryRun, method }) => dryRun && method !== 'GET')).toBe(true);
  });
  test("doesn't prompt, even without --yes", async () => {
    const bare = { ...known, line: known.line.filter((word) => word !== '--yes') };
    expect((await lines.run(bare, { flags: ['--dry-run'] })).code).toBe(0);
  });
});
