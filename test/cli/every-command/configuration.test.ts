/** A configuration that is broken is told to those who need it, and does not stop help. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { everyLine } from '../../helpers/every-line.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { forMany, offenders } from '../../helpers/offenders.ts';

const lines = await everyLine();
const folder = await makeFolder();
writeFileSync(join(folder, 'config.json'), '{"profiles": ');
afterAll(async () => {
  await lines.close();
  await removeFolder(folder);
});

const broken = { CS_CONFIG_DIR: folder, CS_API_KEY: '', CS_BASE_URL: '' };
/** They look at it in order to tell what is wrong. */
const tolerant: ReadonlySet<string> = new Set(['doctor', 'config path']);
/** What a variable of the environment says does not matter to them, or is what they tell of. */
const careless: ReadonlySet<string> = new Set([...tolerant, 'completion', 'man', 'version']);

/** What the doctor says of a variable that cannot be used. */
const wrongSetting = (variable: string) =>
  expect.objectContaining({
    name: 'settings',
    state: 'problem',
    found: expect.stringContaining(variable),
  });

test(
  "reports a broken configuration, or doesn't need it",
  async () => {
    const found = await offenders(lines.all, async (known) => {
      const result = await lines.run(known, { env: broken });
      if (tolerant.has(known.name)) expect(result.code).not.toBe(1);
      else if (known.methods.length > 0)
        expect([result.code, result.error.code]).toEqual([2, 'file_unusable']);
      else expect(result.code === 0 || result.error.code === 'file_unusable').toBe(true);
      expect((await cs([...known.words, '--help'], { env: broken })).code).toBe(0);
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  "reports an invalid variable, or doesn't need it",
  async () => {
    const found = await offenders(lines.all, async (known) => {
      const result = await lines.run(known, { env: { CS_RETRIES: 'many' } });
      if (known.name === 'doctor')
        expect(result.json.checks).toContainEqual(wrongSetting('CS_RETRIES'));
      else if (careless.has(known.name)) expect([result.code, result.stderr]).toEqual([0, '']);
      else
        expect([result.code, result.stdout, result.error.message]).toEqual([
          2,
          '',
          expect.stringContaining('CS_RETRIES'),
        ]);
    });
    expect(found).toEqual([]);
  },
  forMany,
);
