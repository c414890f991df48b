/** A backup put back, and equal; what is wrong with one is found before anything is put in place. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tellDamaged } from '../../../../src/cli/commands/admin/damaged-files.ts';
import type { Context } from '../../../../src/cli/context.ts';
import { contract } from '../../../../src/contract/contract.ts';
import { walk } from '../../../../src/contract/operations.ts';
import { backUp as makeBackup } from '../../../../src/service/backup/backup.ts';
import { tryLock } from '../../../../src/service/data-folder/lock.ts';
import { startService } from '../../../../src/service/start.ts';
import { cs } from '../../../helpers/cli.ts';
import { base64Of, facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type Answer, send, startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const make = facility(service);
const backups = await makeFolder();
const whole = join(backups, 'whole');
/** Restored from it once, for those who change a copy. */
const restored = join(backups, 'restored');
let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));
afterAll(async () => {
  await service.close();
  await removeFolder(backups);
});

const backUp = (into: string, data = service.data) => cs(['admin', 'backup', into, '--data', data]);
const restore = (from: string, data: string) => cs(['admin', 'restore', from, '--data', data]);
const check = (data: string, ...argv: string[]) => cs(['admin', 'check', '--data', data, ...argv]);

/** The paths of all files below a folder. */
const filesBelow = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(path, join(parentPath, name)))
    .sort();
/** Without the files of the lock, which stay. */
const left = async (data: string) =>
  (await readdir(data)).filter((name) => !name.startsWith('service.'));
const recordsOf = async (backup: string) =>
  (await readdir(backup)).filter((name) => name.startsWith('records-'));
const contentOf = async (backup: string) =>
  (await filesBelow(join(backup, 'content'))).map((name) => join('content', name));

async function copyOf(original: string): Promise<string> {
  const copy = join(folder, basename(original));
  await cp(original, copy, { recursive: true });
  return copy;
}

/** A copy of the whole backup, to change. */
async function copyOfWhole(change: (backup: string) => Promise<unknown>): Promise<string> {
  const copy = await copyOf(whole);
  await change(copy);
  return copy;
}

const withManifest = (change: (manifest: Record<string, unknown>) => unknown) =>
  copyOfWhole(async (copy) => {
    const path = join(copy, 'backup.json');
    const changed = change(JSON.parse(await readFile(path, 'utf8')));
    await writeFile(path, typeof changed === 'string' ? changed : JSON.stringify(changed));
  });

/** Another database, as somebody would make it who knows how a backup is written. */
const withDatabase = (change: (path: string) => Promise<void> | void) =>
  copyOfWhole(async (copy) => {
    const [name = ''] = await recordsOf(copy);
    await change(join(copy, name));
    const content = await readFile(join(copy, name));
    const path = join(copy, 'backup.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    const sha256 = createHash('sha256').update(content).digest('hex');
    manifest.records = { name, sizeBytes: content.length, sha256 };
    await writeFile(path, JSON.stringify(manifest));
  });

const inDatabase = (sql: string) => (path: string) => {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec(sql);
  db.close();
};

/** Overwrites one page: that of an index, as a failing disk would. */
async function damagePage(path: string): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const [{ rootpage = 0 } = {}] = db
    .prepare("select rootpage from sqlite_master where name = 'cars_updatedAt'")
    .all();
  db.close();
  const content = await readFile(path);
  content.fill(0xaa, (Number(rootpage) - 1) * 4_096, (Number(rootpage) - 1) * 4_096 + 200);
  await writeFile(path, content);
}

/** Everything that a team sees through the interface. */
async function everything(read: (path: string) => Promise<Answer>): Promise<unknown> {
  const lists = [...walk(contract)].filter(
    ({ verb, params, resource }) => verb === 'list' && params.length === 0 && !resource.computed,
  );
  return Promise.all(lists.map(async ({ path }) => (await read(`${path}?limit=200`)).body));
}

beforeAll(async () => {
  const hall = await make.location();
  const zone = await make.zone(hall.id);
  const spot = await make.spot(hall.id);
  const [first, second] = [await make.car({ nickname: 'Müller’s' }), await make.car()];
  const { sessionId } = await make.event(first.id, { parkingSpotId: spot.id });
  await make.event(second.id, { parkingZoneId: zone.id });
  for (let seed = 0; seed < 5; seed += 1)
    await make.photo(first.id, { sessionId, base64: base64Of(png(1_000 + seed, 20_000)) });
  expect(await backUp(whole)).toMatchObject({
    code: 0,
    json: { folder: whole, files: 5, copied: 5, missing: [], damaged: [] },
  });
  expect(await restore(whole, restored)).toMatchObject({
    code: 0,
    json: { data: restored, files: 5, missing: [], damaged: [] },
  });
});

describe('backup and restore', () => {
  test('a restored service gives the same answers', async () => {
    const data = await copyOf(restored);
    const copy = await startService({ data, port: 0, rateLimits: false });
    const answers = await everything((path) =>
      send(`${copy.url}/api/v1${path}`, 'GET', undefined, { 'x-api-key': service.key }),
    );
    await copy.close();
    expect(answers).toEqual(await everything((path) => service.call('GET', path)));
    expect(await check(data)).toMatchObject({ code: 0, json: { ok: true, files: 5 } });
  });

  test('the second backup copies the new photos alone, and drops deleted ones', async () => {
    const own = await startTestService();
    const { car, photo } = facility(own);
    const { id } = await car();
    const add = (seed: number) => photo(id, { base64: base64Of(png(seed, 100)) });
    const [gone] = [await add(1), await add(2), await add(3)];
    const into = join(folder, 'b');
    expect(await backUp(into, own.data)).toMatchObject({ json: { files: 3, copied: 3 } });
    await Promise.all([4, 5].map(add));
    await own.call('DELETE', `/cars/${id}/photos/${gone.id}`);
    const again = await backUp(into, own.data);
    await own.close();
    expect(again).toMatchObject({ code: 0, json: { files: 4, copied: 2 } });
    expect([await contentOf(into), await recordsOf(into)].map(({ length }) => length)).toEqual([
      4, 1,
    ]);
    expect(await restore(into, join(folder, 'data'))).toMatchObject({ json: { files: 4 } });
  });

  test('a terminal gets sentences', async () => {
    const onTerminal = async (...line: string[]) => {
      const { stdout, stderr } = await cs(['admin', ...line], { as: 'terminal', columns: 1_000 });
      return [stdout, stderr].map((text) => text.replaceAll(folder, 'FOLDER'));
    };
    const [into, data] = [join(folder, 'b'), join(folder, 'd')];
    expect(await onTerminal('backup', into, '--data', service.data)).toEqual([
      expect.stringMatching(
        /^backup FOLDER\/b written: the records and 5 files \(5 new\), \d+(\.\d)? MB in total\n$/,
      ),
      '',
    ]);
    expect(await onTerminal('restore', into, '--data', data)).toEqual([
      expect.stringMatching(/^FOLDER\/d restored: the records of \d{4}-\S+Z and 5 files\n$/),
      'Next: cs serve --data FOLDER/d\n',
    ]);
  });
});

test.each<[string[], string[], string]>([
  [['a'], ['b'], 'a and b'],
  [['a', 'b'], ['c', 'd', 'e'], 'a, b, c, d and e'],
  [['a', 'b', 'c', 'd'], ['e', 'f'], 'a, b, c, d, e and 1 more'],
])('of the missing %j and damaged %j, it names %s', (missing, damaged, named) => {
  const warnings: string[] = [];
  const context = { warn: (text: string) => warnings.push(text) } as unknown as Context;
  expect(tellDamaged(context, { missing, damaged })).toBe(11);
  expect(warnings).toEqual([`Missing or damaged: ${named}. Run \`cs admin check\` for details.`]);
});

describe('a damaged backup is refused, and nothing is restored', () => {
  const refused = async (backup: string, message: unknown, advice = 'restore another backup') => {
    const data = join(folder, 'data');
    expect(await restore(backup, data)).toMatchObject({
      code: 3,
      stdout: '',
      error: {
        code: 'data_unusable',
        message,
        hint: `${advice}: \`cs admin restore FOLDER --data ${data}\``,
      },
    });
    expect(await left(data).catch(() => [])).toEqual([]);
  };
  const unusable = (why: string) => `Couldn't use the backup: ${why}. Nothing was changed.`;
  const flip = async (path: string) => {
    const content = await readFile(path);
    const at = Math.floor(content.length / 2);
    await writeFile(path, content.with(at, (content[at] as number) ^ 1));
  };

  test('a copy of a backup is accepted, also one that nobody can write to', async () => {
    const copy = await copyOfWhole((path) => chmod(path, 0o500));
    expect((await restore(copy, join(folder, 'data'))).code).toBe(0);
  });

  test('without its manifest', async () => {
    const copy = await copyOfWhole((backup) => rm(join(backup, 'backup.json')));
    await refused(copy, `No finished backup found in ${copy}.`, 'name the folder of a backup');
  });

  test.each<[string, (path: string) => Promise<unknown>, string]>([
    ['missing', rm, 'is missing'],
    ['changed', flip, 'has changed since the backup was made'],
  ])('with %s records', async (_name, change, said) => {
    const [name = ''] = await recordsOf(whole);
    const copy = await copyOfWhole((backup) => change(join(backup, name)));
    await refused(copy, unusable(`${name} ${said}`));
  });

  test('but for a missing or changed photo: the rest is restored, and the photo is named', async () => {
    const [gone = '', changed = ''] = await contentOf(whole);
    const copy = await copyOfWhole(async (backup) => {
      await rm(join(backup, gone));
      await flip(join(backup, changed));
    });
    const data = join(folder, 'data');
    const keyOf = (path: string) => path.replace('content/', '');
    const lacking = { missing: [keyOf(gone)], damaged: [keyOf(changed)] };
    const restored = await restore(copy, data);
    expect(restored).toMatchObject({ code: 11, json: { files: 3, ...lacking } });
    expect(restored.stderr).toContain(`Missing or damaged: ${keyOf(gone)} and ${keyOf(changed)}.`);
    expect(await check(data)).toMatchObject({ code: 12, json: { files: 3 } });
  });

  test('but for a photo that the disk can no longer read', async () => {
    const [name = ''] = await contentOf(whole);
    const copy = await copyOfWhole(async (backup) => {
      await rm(join(backup, name));
      await mkdir(join(backup, name));
    });
    const damaged = [name.replace('content/', '')];
    const restored = await restore(copy, join(folder, 'data'));
    expect(restored).toMatchObject({ code: 11, json: { files: 4, missing: [], damaged } });
  });

  test('without its folder of photos', async () => {
    const copy = await copyOfWhole((backup) => rm(join(backup, 'content'), { recursive: true }));
    await refused(
      copy,
      unusable(`its photos and assets are missing: there is no folder ${join(copy, 'content')}`),
    );
  });

  test('from a newer version', async () => {
    const later = inDatabase(
      "insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')",
    );
    const data = join(folder, 'data');
    const newer = await withDatabase(later);
    const hint = 'install the newer cs, or choose another folder with --data';
    expect(await restore(newer, data)).toMatchObject({
      code: 7,
      error: {
        code: 'data_unusable',
        message: `The backup ${newer} was made by a newer version of cs (it has 9999-later). Use that version.`,
        hint,
      },
    });
    expect(await left(data)).toEqual([]);
    const manifest = await withManifest((known) => ({ ...known, version: 2, records: 'other' }));
    expect(await restore(manifest, data)).toMatchObject({
      code: 7,
      error: {
        code: 'data_unusable',
        message: 'The backup was made by a newer version of cs. Use that version.',
        hint,
      },
    });
  });

  test('a path in place of a checksum is a finding of the check, and no file is read by it', async () => {
    const away = inDatabase(
      `update "carPhotos" set "sha256" = '../../../../../etc/passwd' where id = (select min(id) from "carPhotos")`,
    );
    const data = join(folder, 'data');
    expect((await restore(await withDatabase(away), data)).code).toBe(0);
    expect(await check(data)).toMatchObject({
      code: 12,
      json: {
        findings: [{ check: 'bytes', examples: [expect.stringMatching(/\.\.\/etc\/passwd$/)] }],
      },
    });
    const stored = inDatabase(
      `update "storedBytes" set "sha256" = '../../../../../etc/passwd' where "sha256" = (select min("sha256") from "storedBytes")`,
    );
    await rm(join(folder, 'whole'), { recursive: true });
    await rm(data, { recursive: true });
    expect(await restore(await withDatabase(stored), data)).toMatchObject({
      code: 11,
      json: { files: 4, missing: [expect.stringMatching(/etc\/passwd$/)] },
    });
  });

  test.each<[string, string | object, string]>([
    ['that is no JSON', '{"format":', "its backup.json isn't JSON"],
    ['of something else', { format: 'holiday pictures', version: 1 }, "it isn't a backup of cs"],
    [
      'with records that are elsewhere',
      { records: { name: '../cs.sqlite', sizeBytes: 0, sha256: '0'.repeat(64) } },
      "its backup.json is malformed: records.name: isn't the name of records",
    ],
    [
      'with a checksum that is none',
      { records: { name: `records-${'0'.repeat(16)}.sqlite`, sizeBytes: 0, sha256: '0' } },
      "its backup.json is malformed: records.sha256: isn't a SHA-256",
    ],
    [
      'that is no object',
      '7',
      'its backup.json is malformed: the whole: Invalid input: expected object, received number',
    ],
  ])('with a manifest %s', async (_name, given, said) => {
    const change = (known: object) => (typeof given === 'string' ? given : { ...known, ...given });
    await refused(await withManifest(change), unusable(said));
  });

  test.each([
    [
      'a trigger',
      'create trigger spy after insert on cars begin delete from cars; end',
      `cs didn't make the trigger "spy"`,
    ],
    [
      'a view in place of its migrations',
      'drop table kysely_migration; create view kysely_migration as select 1 as name',
      'it contains no data of cs',
    ],
    [
      'a column more',
      'alter table cars add column loot text',
      'the table "cars" differs from what cs makes',
    ],
    ['a trigger less', 'drop trigger cars_added', 'the trigger "cars_added" is missing'],
  ])(
    'a database with %s from elsewhere is refused before any of it runs',
    async (_name, sql, said) => {
      await refused(
        await withDatabase(inDatabase(sql)),
        unusable(`its records can't be used: ${said}`),
      );
    },
  );

  test('a damaged or missing database is blamed on the backup, not the folder', async () => {
    // In the words of SQLite.
    const said = expect.stringMatching(
      /^Couldn't use the backup: its records can't be used: .+\. Nothing was changed\.$/s,
    );
    await refused(await withDatabase(damagePage), said);
    await refused(await withDatabase((path) => writeFile(path, 'notes '.repeat(2_000))), said);
    const none = unusable("its records can't be used: it contains no data of cs");
    await refused(await withDatabase((path) => writeFile(path, '')), none);
  });
});

/** A copy of the restored folder, for both parts below. */
let data: string;
/** Does what no request can. */
const spoil = (sql: string) => inDatabase(sql)(join(data, 'cs.sqlite'));

describe("damaged data can't be backed up", () => {
  beforeEach(async () => {
    data = await copyOf(restored);
  });
  const refused = async (said: unknown) => {
    const into = join(folder, 'b');
    expect(await backUp(into, data)).toMatchObject({
      code: 3,
      error: {
        code: 'data_unusable',
        message: said,
        hint: 'list all faults with `cs admin check`, or restore the latest backup into another folder with `cs admin restore`',
      },
    });
    expect(await readdir(into)).not.toContain('backup.json');
    expect(await recordsOf(into)).toEqual([]);
  };

  test('with a damaged page, which cs admin check also finds', async () => {
    await damagePage(join(data, 'cs.sqlite'));
    // In the words of SQLite.
    await refused(expect.stringMatching(/^The data in \S+ is damaged: .+\.$/s));
    expect(await check(data)).toMatchObject({
      code: 12,
      json: { findings: [{ check: 'database' }] },
    });
  });
  test('with foreign objects, which the check names, the service starts', async () => {
    spoil('create trigger spy after insert on cars begin select 1; end');
    await refused(`The data in ${data} is damaged: cs didn't make the trigger "spy".`);
    expect(await check(data)).toMatchObject({
      code: 12,
      json: {
        findings: [
          {
            message: "1 database object differs from cs's schema",
            examples: [`cs didn't make the trigger "spy"`],
          },
        ],
      },
    });
    await (await startService({ data, port: 0 })).close();
  });
  test.each([
    ['empty', (file: string) => writeFile(file, '')],
    ['gone', (file: string) => rm(file)],
  ])(
    'with files and a database that is %s, the service refuses to start empty',
    async (_name, lose) => {
      await lose(join(data, 'cs.sqlite'));
      await expect(startService({ data, port: 0 })).rejects.toMatchObject({
        name: 'LostDatabase',
        message: 'it has files, but cs.sqlite is missing or empty',
      });
      expect(await cs(['admin', 'team', 'create', 'Annex', '--data', data])).toMatchObject({
        code: 3,
        error: { code: 'data_unusable' },
      });
    },
  );
});

test('a killed backup: the next one removes what it left', async () => {
  const into = join(folder, 'b');
  await backUp(into);
  await mkdir(join(into, 'new'));
  await writeFile(join(into, 'new', 'cs.sqlite'), 'a copy');
  await writeFile(join(into, `records-${'0'.repeat(16)}.sqlite`), 'of a killed one');
  await mkdir(join(into, 'content', 'tmp'), { recursive: true });
  await writeFile(join(into, 'content', 'tmp', 'half'), 'half');
  expect(await backUp(into)).toMatchObject({ code: 0, json: { copied: 0 } });
  expect((await readdir(into)).sort()).toEqual([
    'backup.json',
    'content',
    'lock',
    ...(await recordsOf(into)),
  ]);
  expect(await recordsOf(into)).toHaveLength(1);
  expect(await readdir(join(into, 'content', 'tmp'))).toEqual([]);
});

describe('reports what prevents a backup or restore', () => {
  const isRefused = (message: unknown, hint: string) => ({
    code: 7,
    error: { code: 'file_exists', message, hint },
  });
  const isNotEmpty = (data: string) =>
    isRefused(
      `${data} isn't empty, and a restore never replaces files.`,
      'choose an empty folder with --data',
    );
  const hasOther = (message: unknown) =>
    isRefused(message, 'name a new folder: a backup has one of its own');
  test("leaves a folder that isn't empty unchanged", async () => {
    await writeFile(join(folder, 'mine'), 'mine');
    expect(await restore(whole, folder)).toMatchObject(isNotEmpty(folder));
    expect(await backUp(folder)).toMatchObject(
      hasOther(`${folder} has other files, such as mine.`),
    );
    expect(await readdir(folder)).toEqual(['mine']);
  });
  test('the data itself, and a folder in use by a service', async () => {
    expect(await restore(whole, service.data)).toMatchObject(isNotEmpty(service.data));
    for (const into of [service.data, join(service.data, 'files')])
      expect(await backUp(into)).toMatchObject(
        hasOther(expect.stringMatching(/ has other files, such as \S+\.$/)),
      );
  });
  test('the backup of another facility', async () => {
    expect(await backUp(whole, restored)).toMatchObject(
      isRefused(
        `${whole} has the backup of another facility, or from before a restore.`,
        'name another folder; a restored facility starts a new backup',
      ),
    );
    expect(await backUp(whole)).toMatchObject({ code: 0, json: { copied: 0 } });
  });
  test('another backup that is running', async () => {
    const into = join(folder, 'b');
    await mkdir(into);
    const lock = tryLock(join(into, 'lock'));
    expect(await backUp(into)).toMatchObject(
      isRefused(`Another backup into ${into} is running.`, 'wait for its end'),
    );
    lock?.close();
    expect(await backUp(into)).toMatchObject({ code: 0 });
  });
});

describe('cs admin check', () => {
  beforeEach(async () => {
    data = await copyOf(restored);
  });
  const photos = async () =>
    (await filesBelow(join(data, 'files'))).filter((name) => name.includes('/'));

  test('photos with missing bytes and with changed bytes', async () => {
    const [gone = '', other = ''] = await photos();
    await rm(join(data, 'files', gone));
    await writeFile(join(data, 'files', other), 'other');
    const { code, json } = await check(data);
    expect(code).toBe(12);
    expect(json).toMatchObject({
      files: 3,
      findings: [
        { check: 'bytes', message: '1 file of a record is missing', examples: [gone] },
        { check: 'bytes', message: "1 file doesn't match its record", examples: [other] },
      ],
    });

    const into = join(folder, 'part');
    const lacking = { missing: [gone], damaged: [other] };
    for (const copied of [3, 0]) {
      const made = await backUp(into, data);
      expect(made).toMatchObject({ code: 11, json: { files: 3, copied, ...lacking } });
      expect(made.stderr).toContain('cs admin check');
    }
    expect(await restore(into, join(folder, 'again'))).toMatchObject({
      code: 11,
      json: { files: 3, ...lacking },
    });
    // One of the two is enough.
    await cp(join(whole, 'content', gone), join(data, 'files', gone));
    expect(await backUp(into, data)).toMatchObject({
      code: 11,
      json: { missing: [], damaged: [other] },
    });
  });

  test('a photo that is deleted after the records were copied is missing in no backup', async () => {
    const [gone = ''] = await photos();
    const is = `where "sha256" = '${gone.split('/').at(-1)}'`;
    let isDeleted = false;
    const onProgress = () => {
      if (isDeleted) return;
      isDeleted = true;
      rmSync(join(data, 'files', gone));
      spoil(`delete from "carPhotos" ${is}; delete from "storedBytes" ${is}`);
    };
    const made = await makeBackup({ data, folder: join(folder, 'deleted'), onProgress });
    expect(made).toMatchObject({ files: 4, missing: [], damaged: [] });
  });

  test('reports unused bytes and removes them with --fix, except those of a running upload', async () => {
    const [known = ''] = await photos();
    const [team = ''] = known.split('/');
    const store = async (sha256: string, age: number) => {
      const path = join(data, 'files', team, sha256.slice(0, 2), sha256);
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, 'orphan');
      const time = new Date(Date.now() - age);
      await utimes(path, time, time);
      return path;
    };
    await store('a'.repeat(64), 7_200_000);
    const young = await store('b'.repeat(64), 60_000);
    expect(await check(data)).toMatchObject({
      code: 12,
      json: {
        findings: [
          {
            ...{ check: 'orphans', count: 1, message: '1 unused file; --fix deletes it' },
            examples: [`${team}/aa/${'a'.repeat(64)}`],
          },
        ],
      },
    });
    const fixed = await cs(['admin', 'check', '--data', data, '--fix'], { as: 'terminal' });
    expect([fixed.code, fixed.stdout.replace(/\d+ KB/, 'KB')]).toEqual([
      0,
      '1 file without a record removed, 6 bytes\nNo faults found in the records and 5 files (KB)\n',
    ]);
    expect(await check(data)).toMatchObject({ code: 0, json: { files: 5 } });
    expect(await readFile(young, 'utf8')).toBe('orphan');
  });

  test('a database with other content', async () => {
    const file = join(data, 'cs.sqlite');
    await writeFile(file, (await readFile(file)).fill('notes'));
    expect(await check(data)).toMatchObject({
      code: 12,
      json: {
        ok: false,
        findings: [{ check: 'database', message: '1 fault in the database file' }],
      },
    });
  });

  test('a database without what this version needs', async () => {
    spoil('alter table cars rename column trim to kept');
    spoil('alter table cars rename column nickname to old');
    expect(await check(data)).toMatchObject({
      code: 12,
      json: {
        ok: false,
        findings: [
          {
            check: 'schema',
            message: "2 tables or columns that this version of cs needs aren't there",
          },
        ],
      },
    });
  });

  test('a terminal gets sentences', async () => {
    spoil('update "parkingZones" set occupied = 7');
    spoil(`update cars set "customerId" = 'nobody'`);
    const { code, stdout } = await cs(['admin', 'check', '--data', data], { as: 'terminal' });
    expect(code).toBe(12);
    expect(stdout).toMatch(/^1 zone with a wrong car count: [0-9a-f-]{36}\n/m);
    expect(stdout).toMatch(/^2 dangling references\b/m);
  });
});
