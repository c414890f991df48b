/** A backup of either database restored into either, with the files in a folder and in an S3 store: everything is equal. */
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { backUp } from '../../../../src/service/backup/backup.ts';
import { restore } from '../../../../src/service/backup/restore.ts';
import { checkData } from '../../../../src/service/check/check.ts';
import { tables } from '../../../../src/service/database/migrations/migrations.ts';
import type { Place } from '../../../../src/service/database/open.ts';
import { contentName } from '../../../../src/service/files/store.ts';
import { anyTable } from '../../../../src/service/records.ts';
import { startService } from '../../../../src/service/start.ts';
import { openStores } from '../../../../src/service/stores.ts';
import { makeOriginal } from '../../../helpers/example-facility.ts';
import { base64Of, facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { emptyDatabase } from '../../../helpers/postgres.ts';
import { send, testService } from '../../../helpers/service.ts';
import { type Swift, startSwift, withSwift } from '../../../helpers/swift.ts';

let swift: Swift | undefined;
const folder = await makeFolder();
const service = await testService();
if (withSwift) swift = await startSwift();
// Records of every kind, and more of one than a statement copies.
for (const state of ['harbour', 'garage'] as const) await makeOriginal(service, state, new Date());
const make = facility(service);
const car = await make.car();
for (let seed = 0; seed < 3; seed += 1)
  await make.photo(car.id, { base64: base64Of(png(seed, 5_000)) });
for (let n = 0; n < 250; n += 1) await make.customer();
afterAll(async () => {
  await swift?.stop();
  await removeFolder(folder);
});

const skipped = ['browserSessions', 'oneTimeLinks', 'deletedBytes', 'recordCounts'];

/** Every row of every table, and whether each file matches its checksum. */
async function contentOf(place: Place): Promise<Record<string, unknown>> {
  const { database, files } = await openStores(place);
  try {
    const content: Record<string, unknown> = {};
    for (const { name, primaryKey } of tables.filter((table) => !skipped.includes(table.name))) {
      let query = anyTable({ db: database.read }).selectFrom(name).selectAll();
      for (const column of primaryKey) query = query.orderBy(column);
      // Keys are made again, and files have moved nowhere.
      content[name] = (await query.execute()).map(({ key, fileMoves, ...row }) =>
        name === 'storedBytes' ? row : { ...row, ...(name === 'teams' ? {} : { key }) },
      );
    }
    const stored = await database.read.selectFrom('storedBytes').selectAll().execute();
    expect(stored.length).toBeGreaterThan(3);
    for (const { key, sha256 } of stored) {
      const found = await files.get(key);
      expect(found && contentName(await buffer(found.stream))).toBe(sha256);
    }
    return content;
  } finally {
    await database.close();
  }
}

test('from PostgreSQL to SQLite and back, from a folder to S3, to another store and back', async () => {
  const files = async () => (swift ? { files: await swift.newPlace() } : {});
  const places: Place[] = [
    { data: service.data, database: service.database as string },
    { data: join(folder, 'sqlite-s3'), ...(await files()) },
    { data: join(folder, 'postgres-s3'), database: await emptyDatabase(), ...(await files()) },
    { data: join(folder, 'last') },
  ];
  const content = await contentOf(places[0] as Place);
  expect(content.customers).not.toHaveLength(0);
  for (const [n, to] of places.entries()) {
    const from = places[n - 1];
    if (!from) continue;
    const backup = join(folder, `backup-${n}`);
    const made = await backUp({ ...from, folder: backup });
    expect(made).toMatchObject({ missing: [], damaged: [], copied: made.files });
    expect(await backUp({ ...from, folder: backup })).toMatchObject({ copied: 0 });
    expect(await restore({ ...to, folder: backup })).toMatchObject({ files: made.files });
    expect(await checkData(to)).toMatchObject({ ok: true, findings: [] });
    expect(await contentOf(to)).toEqual(content);
  }
  const cars = (await service.call('GET', '/cars')).body.data;
  for (const to of places.slice(1)) {
    const again = await startService({ ...to, port: 0 });
    const headers = { 'x-api-key': service.key };
    const { body } = await send(`${again.url}/api/v1/cars`, 'GET', undefined, headers);
    await again.close();
    expect(body.data).toEqual(cars);
  }
}, 240_000);

describe('a restore never replaces anything', () => {
  const backup = () => join(folder, 'backup-1');
  test('in a database with records', async () => {
    const data = join(folder, 'none');
    const database = service.database as string;
    await expect(restore({ data, database, folder: backup() })).rejects.toMatchObject({
      name: 'BackupRefused',
      message: 'The database has records, and a restore never replaces any',
    });
  });
  test.runIf(withSwift)('in a store with the files of a database', async () => {
    const files = await (swift as Swift).newPlace();
    await (await startService({ data: join(folder, 'other'), files, port: 0 })).close();
    const data = join(folder, 'none-2');
    await expect(restore({ data, files, folder: backup() })).rejects.toMatchObject({
      name: 'BackupRefused',
      message: expect.stringContaining('has the files of a database'),
    });
  });
});
