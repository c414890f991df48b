/** `cs import --upsert-by` on servers whose records don't show the key: whether a row is new can't be known. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let folder: string;
let facility: OtherFacility;
beforeAll(async () => {
  folder = await makeFolder();
  await writeFile(
    join(folder, 'known.csv'),
    'year,make,model,licensePlate\n1990,Fiat,Uno,HH-F 12\n',
  );
  await writeFile(
    join(folder, 'new.csv'),
    'year,make,model,licensePlate\n1990,Fiat,Uno,NEW-1\n1991,Fiat,Uno,NEW-2\n',
  );
});
afterAll(() => removeFolder(folder));
afterEach(() => facility.server.close());
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};
const upsert = (file: string, more = '') =>
  runOn(facility, `import cars ${join(folder, file)} --upsert-by licensePlate ${more}`);

const filters = ['fields', 'ignored', 'refused', 'empty'] as const;
const forms = ['missing', 'null'] as const;

describe.each(filters.flatMap((one) => forms.map((as) => [one, as] as const)))(
  'filters: %s, the plate is %s',
  (one, as) => {
    test.each(['known.csv', 'new.csv'])(
      '%s: nothing is sent, and the hint names a way',
      async (file) => {
        await on({ filters: one, lacks: { fields: ['licensePlate'], as, of: '/cars' } });
        const { code, stdout, told } = await upsert(file, '--continue-on-error');
        expect([code, facility.writes()]).toEqual([9, []]);
        expect(JSON.parse(stdout)[0]).toMatchObject({
          did: 'failed',
          error: { code: 'filter_ignored' },
        });
        expect(told).toContain(
          "Nothing tells whether one of the cars has this licensePlate, so the row isn't sent: GET /cars on ",
        );
        expect(told).toContain(
          'import them without --upsert-by, which creates each of them, or by another field',
        );
      },
    );
  },
);

test('one plate that is shown tells that the others have none', async () => {
  await on({ filters: 'ignored' });
  for (const name of ['Greta', 'Otto', 'Emma'])
    facility.server.records.change('/cars', facility.fill(`{${name}}`), { licensePlate: null });
  expect((await upsert('known.csv')).code).toBe(0);
  expect(facility.writes()).toEqual([expect.stringContaining('PATCH /cars/{Ferdi} ')]);
});

const emptied = () => {
  for (const { id } of facility.server.records.list('/cars'))
    facility.server.records.delete('/cars', id as string);
};

test.each(forms)(
  'the first row of an empty list is stored, and told with its id and a warning: the plate is %s',
  async (as) => {
    await on({ lacks: { fields: ['licensePlate'], as, of: '/cars' } });
    emptied();
    const { code, stdout, told } = await upsert('new.csv', '--parallel 1');
    const [first] = facility.server.records.list('/cars');
    expect([code, facility.writes()]).toEqual([11, [expect.stringContaining('POST /cars ')]]);
    expect(JSON.parse(stdout)).toMatchObject([
      { did: 'created', id: first?.id },
      { did: 'failed', error: { code: 'filter_ignored' } },
    ]);
    if (as === 'missing')
      expect(told).toContain(
        'Nothing tells whether another import created cars with the same licensePlate meanwhile: ',
      );
  },
);

test('a plate that only the answers to writes leave out is looked up in the list, read anew', async () => {
  await on({ unshown: { fields: ['licensePlate'], as: 'missing', in: 'writes' } });
  emptied();
  expect(await upsert('new.csv', '--parallel 1')).toMatchObject({ code: 0, told: '' });
  expect((await upsert('new.csv', '--again')).stdout).toMatch(/updated[\s\S]*updated/);
  expect(facility.server.records.list('/cars')).toHaveLength(2);
});
