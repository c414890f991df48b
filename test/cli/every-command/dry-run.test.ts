/** Every command that changes something on the server has --dry-run, which only reads. */
import { afterAll, describe, expect, test } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';

const lines = await everyLine();
afterAll(() => lines.close());

test('there are many that write', () => {
  expect(lines.writing.length).toBeGreaterThan(50);
});

describe.each(lines.writing.map((line) => [line.name, line] as const))('cs %s', (_, known) => {
  test('--dry-run sends nothing that writes', async () => {
    expect(known.info.flags.map(({ long }) => long)).toContain('--dry-run');
    const { code, requests, json, stdout } = await lines.run(known, { flags: ['--dry-run'] });
    expect([0, 12]).toContain(code);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(JSON.stringify(json)).toBe(JSON.stringify(JSON.parse(stdout)));
    // Exit 12 lists what would go; all others show the request.
    if (code === 0)
      expect([json].flat().every((one: { dryRun: boolean; method: string }) => one.dryRun && one.method !== 'GET')).toBe(true);
  });
  test('asks nothing, not even without --yes', async () => {
    const bare = { ...known, line: known.line.filter((word) => word !== '--yes') };
    expect([0, 12]).toContain((await lines.run(bare, { flags: ['--dry-run'] })).code);
  });
});
