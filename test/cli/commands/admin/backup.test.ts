/** A backup put back, and equal; what is wrong with one is found before anything is put in place. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/contract.ts';
import { walk } from '../../../../src/contract/operations.ts';
import { startService } from '../../../../src/service/start.ts';
import { builtCs } from '../../../helpers/built.ts';
import { cs } from '../../../helpers/cli.ts';
import { base64Of, facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type Answer, send, startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const make = facility(service);
const backups = await makeFolder();
const whole = join(backups, 'whole.tar');
let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));
afterAll(async () => {
  await service.close();
  await removeFolder(backups);
});

const backUp = (file: string, ...argv: string[]) =>
  cs(['admin', 'backup', file, '--data', service.data, ...argv]);
const restore = (file: string, data: string) => cs(['admin', 'restore', file, '--data', data]);
const check = (data: string, ...argv: string[]) => cs(['admin', 'check', '--data', data, ...argv]);

/** SHA-256 of every file below a folder, by its path. */
async function checksums(data: string): Promise<Record<string, string>> {
  const files = (await readdir(data, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const sums = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [
      relative(data, path),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ] as const;
  });
  return Object.fromEntries((await Promise.all(sums)).sort());
}

/** Files below a folder that this process holds open, removed ones included. Linux alone tells. */
async function heldOpen(below: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(
    descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(below));
}

/** Every file in a tar, in order. */
async function entriesOf(file: string): Promise<[string, Buffer][]> {
  const entries: [string, Buffer][] = [];
  for await (const entry of createReadStream(file).pipe(extract())) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries.push([entry.header.name, Buffer.concat(chunks)]);
  }
  return entries;
}

async function writeTar(
  file: string,
  entries: readonly [name: string, content: Buffer | string, type?: 'symlink'][],
): Promise<void> {
  const archive = pack();
  for (const [name, content, type] of entries) {
    if (type) archive.entry({ name, type, linkname: String(content) });
    else archive.entry({ name }, content as Buffer);
  }
  archive.finalize();
  await pipeline(archive, createWriteStream(file));
}

const hashOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** The whole backup with another manifest, sealed as a backup is. */
async function withManifest(
  file: string,
  change: (manifest: Record<string, unknown>) => unknown,
): Promise<string> {
  const entries = (await entriesOf(whole)).filter(([name]) => !name.startsWith('manifest.'));
  const [, text] = (await entriesOf(whole)).find(([name]) => name === 'manifest.json') as [
    string,
    Buffer,
  ];
  const changed = change(JSON.parse(String(text)));
  const manifest = typeof changed === 'string' ? changed : JSON.stringify(changed);
  await writeTar(file, [
    ...entries,
    ['manifest.json', manifest],
    ['manifest.sha256', hashOf(manifest)],
  ]);
  return file;
}

/** The whole backup with another database, as somebody would make it who knows how a backup is written. */
async function withDatabase(
  file: string,
  change: (path: string) => Promise<void> | void,
): Promise<string> {
  const path = `${file}.sqlite`;
  const entries = (await entriesOf(whole)).filter(([name]) => name.startsWith('files/'));
  await writeFile(path, (await entriesOf(whole)).find(([name]) => name === 'cs.sqlite')?.[1] ?? '');
  await change(path);
  const database = await readFile(path);
  await rm(path);
  const named = [...entries, ['cs.sqlite', database] as const].map(([name, content]) => ({
    name,
    size: content.length,
    sha256: hashOf(content),
  }));
  const manifest = JSON.stringify({
    format: 'car-storage backup',
    version: 1,
    createdAt: new Date().toISOString(),
    entries: named,
    missing: [],
    damaged: [],
  });
  await writeTar(file, [
    ...entries,
    ['cs.sqlite', database],
    ['manifest.json', manifest],
    ['manifest.sha256', hashOf(manifest)],
  ]);
  return file;
}

const inDatabase = (sql: string) => (path: string) => {
  const db = new DatabaseSync(path);
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
    json: { file: whole, files: 5, missing: [], damaged: [] },
  });
});

describe('backup and restore', () => {
  test('a restored folder equals the backup by checksum and the service by its answers', async () => {
    const data = join(folder, 'new', 'data');
    expect(await restore(whole, data)).toMatchObject({
      code: 0,
      json: { data, files: 5, missing: [], damaged: [] },
    });
    const manifest = JSON.parse(
      String((await entriesOf(whole)).find(([name]) => name === 'manifest.json')?.[1]),
    );
    const sums = Object.fromEntries(
      manifest.entries.map(({ name, sha256 }: { name: string; sha256: string }) => [name, sha256]),
    );
    expect(await checksums(data)).toEqual(Object.fromEntries(Object.entries(sums).sort()));

    const copy = await startService({ data, port: 0, rateLimits: false });
    const answers = await everything((path) =>
      send(`${copy.url}/api/v1${path}`, 'GET', undefined, { 'x-api-key': service.key }),
    );
    await copy.close();
    expect(answers).toEqual(await everything((path) => service.call('GET', path)));
    expect(await check(data)).toMatchObject({ code: 0, json: { ok: true, files: 5 } });
  });

  test('a backup of the restored data differs only in its time', async () => {
    await restore(whole, join(folder, 'data'));
    const again = join(folder, 'again.tar');
    await cs(['admin', 'backup', again, '--data', join(folder, 'data')]);
    const files = async (file: string) =>
      (await entriesOf(file)).filter(([name]) => name.startsWith('files/'));
    expect(await files(again)).toEqual(await files(whole));
  });

  test('is readable by the owner only and leaves no other files', async () => {
    expect((await stat(whole)).mode & 0o777).toBe(0o600);
    expect(await readdir(backups)).toEqual(['whole.tar']);
  });

  test('works from another process of the installed package', async () => {
    const [file, data] = [join(folder, 'b.tar'), join(folder, 'data')];
    expect((await builtCs(['admin', 'backup', file, '--data', service.data])).exitCode).toBe(0);
    expect((await builtCs(['admin', 'restore', file, '--data', data])).exitCode).toBe(0);
    expect((await builtCs(['admin', 'check', '--data', data])).exitCode).toBe(0);
  });

  test('a terminal gets sentences', async () => {
    const made = await cs(['admin', 'backup', join(folder, 'b.tar'), '--data', service.data], {
      as: 'terminal',
    });
    expect(made.stdout).toMatch(
      /b\.tar written: the records and 5 files, \d+(\.\d)? MB in total\n$/,
    );
    const back = await cs(
      ['admin', 'restore', join(folder, 'b.tar'), '--data', join(folder, 'd')],
      { as: 'terminal' },
    );
    expect(back.stdout).toContain('restored');
    expect(back.stderr).toContain('cs serve --data');
  });
});

describe('a damaged backup is refused, and nothing is restored', () => {
  const refused = async (file: string, said: string | RegExp) => {
    const data = join(folder, 'data');
    const result = await restore(file, data);
    expect({ code: result.code, error: result.error?.code, stdout: result.stdout }).toEqual({
      code: 3,
      error: 'data_unusable',
      stdout: '',
    });
    expect(result.error.message).toMatch(said);
    expect(await readdir(data)).toEqual([]);
  };
  const changed = async (
    change: (entries: [string, Buffer][]) => [string, Buffer | string, 'symlink'?][],
  ) => {
    const file = join(folder, 'changed.tar');
    await writeTar(file, change(await entriesOf(whole)));
    return file;
  };
  const bytes = 'x'.repeat(10);
  const team = '0192f0c1-0000-7000-8000-000000000000';

  test('a rebuilt, unchanged backup is accepted', async () => {
    expect((await restore(await changed((entries) => entries), join(folder, 'data'))).code).toBe(0);
  });

  test.each<
    [string, (entries: [string, Buffer][]) => [string, Buffer | string, 'symlink'?][], RegExp]
  >([
    ['without its end', (entries) => entries.slice(0, -1), /it is truncated/],
    ['without a photo', (entries) => entries.slice(1), /files\/.* is missing/],
    [
      'without its database',
      (entries) => entries.filter(([name]) => name !== 'cs.sqlite'),
      /cs\.sqlite is missing/,
    ],
    [
      'with another photo in its place',
      (entries) => entries.map(([name, content], n) => [name, n === 0 ? bytes : content]),
      /has changed since the backup was made/,
    ],
    [
      'with another manifest',
      (entries) =>
        entries.map(([name, content]) => [
          name,
          name === 'manifest.json' ? `${content} ` : content,
        ]),
      /manifest/,
    ],
    ['with something twice', (entries) => [entries[0] as [string, Buffer], ...entries], /twice/],
    [
      'with a path that leads out',
      (entries) => [['../escaped', bytes], ...entries],
      /"\.\.\/escaped"/,
    ],
    ['with an absolute path', (entries) => [['/tmp/escaped', bytes], ...entries], /escaped/],
    [
      'with a path that leads out of the photos',
      (entries) => [[`files/${team}/aa/../../../escaped`, bytes], ...entries],
      /escaped/,
    ],
    ['with a name of its own', (entries) => [['service.lock', bytes], ...entries], /service\.lock/],
    [
      'with a link',
      (entries) => [[`files/${team}/aa/${'a'.repeat(64)}`, '/etc/passwd', 'symlink'], ...entries],
      /which isn't part of a backup/,
    ],
    [
      'with a folder that is a link',
      (entries) => [['files', '/tmp', 'symlink'], ...entries],
      /which isn't part of a backup/,
    ],
  ])('%s', async (_name, change, said) => {
    await refused(await changed(change), said);
    expect(await readdir(folder)).toEqual(['changed.tar', 'data']);
  });

  test('a flipped bit anywhere is refused or has no effect', async () => {
    const original = await readFile(whole);
    const sums = await (async () => {
      await restore(whole, join(folder, 'right'));
      return checksums(join(folder, 'right'));
    })();
    for (let at = 100; at < original.length; at += Math.ceil(original.length / 24)) {
      const file = join(folder, 'flipped.tar');
      await writeFile(file, original.with(at, (original[at] as number) ^ 1));
      const data = join(folder, `at-${at}`);
      const { code } = await restore(file, data);
      // Padding and times of a tar mean nothing.
      if (code === 0) expect(await checksums(data)).toEqual(sums);
      else expect({ code, left: await readdir(data) }).toEqual({ code: 3, left: [] });
    }
  });

  test('truncated anywhere', async () => {
    const original = await readFile(whole);
    for (const share of [0, 0.001, 0.3, 0.6, 0.9, 0.99]) {
      await writeFile(
        join(folder, 'short.tar'),
        original.subarray(0, Math.floor(original.length * share)),
      );
      expect(await restore(join(folder, 'short.tar'), join(folder, 'data'))).toMatchObject({
        code: 3,
        error: { code: 'data_unusable' },
      });
      expect(await readdir(join(folder, 'data'))).toEqual([]);
    }
  });

  test('not a tar file', async () => {
    await writeFile(join(folder, 'notes.txt'), 'these are somebody’s notes\n'.repeat(100));
    await refused(join(folder, 'notes.txt'), /isn't a readable tar file/);
  });

  test('from a newer version', async () => {
    const later = inDatabase(
      "insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')",
    );
    const result = await restore(
      await withDatabase(join(folder, 'newer.tar'), later),
      join(folder, 'data'),
    );
    expect(result).toMatchObject({
      code: 7,
      error: { code: 'data_unusable', message: expect.stringContaining('9999-later') },
    });
    expect(await readdir(join(folder, 'data'))).toEqual([]);
    const manifest = await withManifest(join(folder, 'version.tar'), (known) => ({
      ...known,
      version: 2,
      entries: 'in another way',
    }));
    expect(await restore(manifest, join(folder, 'data'))).toMatchObject({
      code: 7,
      error: { code: 'data_unusable' },
    });
  });

  test('the same database and manifest from another tar program are accepted', async () => {
    expect(
      (await restore(await withDatabase(join(folder, 'same.tar'), () => {}), join(folder, 'data')))
        .code,
    ).toBe(0);
  });

  test('a path in place of a checksum is a finding of the check, and no file is read by it', async () => {
    const away = inDatabase(
      `update "carPhotos" set "sha256" = '../../../../../etc/passwd' where id = (select min(id) from "carPhotos")`,
    );
    const data = join(folder, 'data');
    expect((await restore(await withDatabase(join(folder, 'path.tar'), away), data)).code).toBe(0);
    const checked = await check(data);
    expect([checked.code, checked.json.findings]).toMatchObject([
      12,
      [{ check: 'bytes', examples: [expect.stringMatching(/\.\.\/etc\/passwd$/)] }],
    ]);
    const again = await cs(['admin', 'backup', join(folder, 'again.tar'), '--data', data]);
    expect([again.code, again.json.missing]).toEqual([11, [expect.stringContaining('etc/passwd')]]);
  });

  test.each<[string, unknown, RegExp]>([
    ['that is no JSON', '{"format":', /manifest isn't JSON/],
    ['that is no object', [], /manifest is malformed/],
    ['of something else', { format: 'holiday pictures', version: 1 }, /isn't a backup of cs/],
    ['without entries', { entries: undefined }, /entries/],
    ['with no list of entries', { entries: null }, /entries/],
    ['with an entry that is none', { entries: [7] }, /entries\.0/],
    [
      'with an entry of a name of its own',
      { entries: [{ name: 'service.lock', size: 0, sha256: hashOf('') }] },
      /entries\.0\.name/,
    ],
    [
      'with an entry of no size',
      { entries: [{ name: 'cs.sqlite', size: -1, sha256: hashOf('') }] },
      /entries\.0\.size/,
    ],
    ['with no list of what was missing', { missing: null }, /missing/],
    ['with a time that is none', { createdAt: 'yesterday' }, /createdAt/],
  ])('with a manifest %s', async (_name, given, said) => {
    const change = (known: object) =>
      typeof given === 'string' || Array.isArray(given)
        ? given
        : { ...known, ...(given as object) };
    await refused(await withManifest(join(folder, 'manifest.tar'), change), said);
  });

  test.each<[string, string, RegExp]>([
    [
      'a trigger',
      'create trigger spy after insert on cars begin delete from cars; end',
      /cs didn't make the trigger "spy"/,
    ],
    ['a view', 'create view spied as select * from cars', /cs didn't make the view "spied"/],
    ['a table', 'create table loot (a)', /cs didn't make the table "loot"/],
    ['an index', 'create index spied on cars (notes)', /cs didn't make the index "spied"/],
    [
      'a trigger of the same name',
      'drop trigger cars_added; create trigger cars_added after insert on cars begin delete from cars; end',
      /the trigger "cars_added" differs from what cs makes/,
    ],
    [
      'a view in place of its migrations',
      'drop table kysely_migration; create view kysely_migration as select 1 as name',
      /contains no data of cs/,
    ],
    [
      'a column more',
      'alter table cars add column loot text',
      /the table "cars" differs from what cs makes/,
    ],
    ['a trigger less', 'drop trigger cars_added', /the trigger "cars_added" is missing/],
    [
      'nothing that is known',
      'pragma foreign_keys = off; drop table kysely_migration',
      /contains no data of cs/,
    ],
  ])(
    'a database with %s from elsewhere is refused before any of it runs',
    async (_name, sql, said) => {
      await refused(await withDatabase(join(folder, 'foreign.tar'), inDatabase(sql)), said);
    },
  );

  test('a damaged or missing database is blamed on the backup, not the folder', async () => {
    await refused(
      await withDatabase(join(folder, 'page.tar'), damagePage),
      /its database can't be used/,
    );
    await refused(
      await withDatabase(join(folder, 'none.tar'), (path) =>
        writeFile(path, 'notes '.repeat(2_000)),
      ),
      /its database can't be used/,
    );
    await refused(
      await withDatabase(join(folder, 'empty.tar'), (path) => writeFile(path, '')),
      /its database can't be used/,
    );
  });

  test("accepts statistics of SQLite's planner", async () => {
    expect(
      (
        await restore(
          await withDatabase(join(folder, 'analysed.tar'), inDatabase('analyze')),
          join(folder, 'data'),
        )
      ).code,
    ).toBe(0);
  });
});

describe("damaged data can't be backed up", () => {
  let data: string;
  beforeEach(async () => {
    data = join(folder, 'data');
    await restore(whole, data);
  });
  const refused = async (said: RegExp) => {
    const file = join(folder, 'b.tar');
    await writeFile(file, 'yesterday’s');
    const result = await cs(['admin', 'backup', file, '--yes', '--data', data]);
    expect(result).toMatchObject({
      code: 3,
      error: { code: 'data_unusable', hint: expect.stringContaining('cs admin check') },
    });
    expect(result.error.message).toMatch(said);
    expect([await readFile(file, 'utf8'), (await readdir(folder)).sort()]).toEqual([
      'yesterday’s',
      ['b.tar', 'data'],
    ]);
    expect(await heldOpen(folder)).toEqual([]);
  };

  test('with a damaged page, which cs admin check also finds', async () => {
    await damagePage(join(data, 'cs.sqlite'));
    await refused(/is damaged/);
    expect(await check(data)).toMatchObject({
      code: 12,
      json: { findings: [{ check: 'database' }] },
    });
  });
  test('with foreign objects, which the check names, the service starts', async () => {
    inDatabase('create trigger spy after insert on cars begin select 1; end')(
      join(data, 'cs.sqlite'),
    );
    await refused(/cs didn't make the trigger "spy"/);
    expect(await check(data)).toMatchObject({
      code: 12,
      json: { findings: [{ check: 'schema', examples: [`cs didn't make the trigger "spy"`] }] },
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

test('removes leftovers of a killed backup in the folder, but not those of a running one', async () => {
  const [left, busy] = [join(folder, '.cs-backup-left'), join(folder, '.cs-backup-busy')];
  for (const path of [left, busy]) {
    await mkdir(path);
    await writeFile(join(path, 'cs.sqlite'), 'a copy');
  }
  const lock = new DatabaseSync(join(busy, 'lock'));
  lock.exec('begin exclusive');
  expect((await backUp(join(folder, 'b.tar'))).code).toBe(0);
  lock.close();
  expect((await readdir(folder)).sort()).toEqual(['.cs-backup-busy', 'b.tar']);
});

describe('reports what prevents a backup or restore', () => {
  test("leaves a folder that isn't empty unchanged", async () => {
    await writeFile(join(folder, 'mine'), 'mine');
    const result = await restore(whole, folder);
    expect(result).toMatchObject({
      code: 7,
      error: { code: 'file_exists', message: expect.stringContaining(folder) },
    });
    expect(await readdir(folder)).toEqual(['mine']);
  });
  test('a folder in use by a service', async () => {
    expect(await restore(whole, service.data)).toMatchObject({
      code: 7,
      error: { code: 'file_exists' },
    });
  });
  test('a restore without --data', async () => {
    expect(await cs(['admin', 'restore', whole])).toMatchObject({ code: 2 });
  });
  test('a missing backup file', async () => {
    expect(await restore(join(folder, 'none.tar'), join(folder, 'data'))).toMatchObject({
      code: 6,
      error: { code: 'file_unusable' },
    });
  });
  test('missing data: no backup, no check, and nothing is created', async () => {
    const data = join(folder, 'none');
    expect(await cs(['admin', 'backup', join(folder, 'b.tar'), '--data', data])).toMatchObject({
      code: 6,
      error: { code: 'not_found' },
    });
    expect(await check(data)).toMatchObject({ code: 6, error: { code: 'not_found' } });
    expect(await readdir(folder)).toEqual([]);
  });
  test('a missing target folder', async () => {
    expect(await backUp(join(folder, 'none', 'b.tar'))).toMatchObject({
      code: 6,
      error: { code: 'file_unusable' },
    });
    expect(await backUp(folder)).toMatchObject({ code: 2 });
  });
  test('a stopped restore restores nothing', async () => {
    const data = join(folder, 'data');
    const { code } = await cs(['admin', 'restore', whole, '--data', data], {
      signal: AbortSignal.abort(new Error('stopped')),
    });
    expect([code === 0, await readdir(data)]).toEqual([false, []]);
  });
  test('replaces an existing file only with --yes, and keeps it if the new backup fails', async () => {
    const file = join(folder, 'b.tar');
    await writeFile(file, 'yesterday’s');
    expect(await backUp(file)).toMatchObject({
      code: 2,
      error: { hint: expect.stringContaining('--yes') },
    });
    expect(await readFile(file, 'utf8')).toBe('yesterday’s');
    const stop = AbortSignal.abort(new Error('stopped'));
    expect(
      (await cs(['admin', 'backup', file, '--yes', '--data', service.data], { signal: stop })).code,
    ).not.toBe(0);
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual([
      'yesterday’s',
      ['b.tar'],
    ]);
    expect((await backUp(file, '--yes')).code).toBe(0);
    expect((await restore(file, join(folder, 'data'))).code).toBe(0);
  });
  test('records in PostgreSQL', async () => {
    const env = { CS_DATABASE: 'postgres://nobody@127.0.0.1:1/none' };
    const result = await cs(['admin', 'backup', join(folder, 'b.tar'), '--data', service.data], {
      env,
    });
    expect(result).toMatchObject({ code: 2, error: { hint: expect.stringContaining('pg_dump') } });
  });
});

describe('cs admin check', () => {
  let data: string;
  beforeEach(async () => {
    data = join(folder, 'data');
    await restore(whole, data);
  });
  /** Does what no request can. */
  const spoil = (sql: string) => {
    const db = new DatabaseSync(join(data, 'cs.sqlite'), { enableForeignKeyConstraints: false });
    db.exec(sql);
    db.close();
  };
  const photos = async () =>
    Object.keys(await checksums(join(data, 'files'))).filter((name) => !name.startsWith('tmp'));

  test.each<[string, string, string]>([
    [
      'a car that shows no place',
      `update cars set "parkingSpotId" = null where "parkingSpotId" is not null`,
      '1 car that shows a place other than its assignment',
    ],
    [
      'a car that is stored nowhere',
      `update cars set status = 'stored', "parkingSpotId" = null, "parkingZoneId" = null; delete from "parkingAssignments"`,
      '2 cars that show places',
    ],
    [
      'a spot that shows nobody',
      'update "parkingSpots" set "occupiedByCarId" = null',
      '1 spot that shows a car other than its assignment',
    ],
    [
      'a zone that counts wrong',
      'update "parkingZones" set occupied = 7',
      '1 zone with a wrong car count',
    ],
    [
      'a session that counts wrong',
      'update "eventSessions" set "photoCount" = "photoCount" + 1',
      '2 sessions with wrong photo counts',
    ],
    ['a reference to nothing', `update cars set "customerId" = 'nobody'`, '2 dangling references'],
  ])('%s', async (_name, sql, said) => {
    spoil(sql);
    const { code, json } = await check(data);
    expect({
      code,
      ok: json.ok,
      messages: json.findings.map(({ message }: { message: string }) => message),
    }).toEqual({
      code: 12,
      ok: false,
      messages: expect.arrayContaining([expect.stringContaining(said)]),
    });
  });

  test('photos with missing bytes and with changed bytes', async () => {
    const [gone = '', other = ''] = await photos();
    await rm(join(data, 'files', gone));
    await writeFile(join(data, 'files', other), 'other');
    const { code, json } = await check(data);
    expect(code).toBe(12);
    expect(json).toMatchObject({
      files: 3,
      findings: [
        { check: 'bytes', examples: [gone] },
        { check: 'bytes', examples: [other] },
      ],
    });

    const made = await cs(['admin', 'backup', join(folder, 'part.tar'), '--data', data]);
    expect(made).toMatchObject({
      code: 11,
      json: { files: 4, missing: [`files/${gone}`], damaged: [`files/${other}`] },
    });
    expect(made.stderr).toContain('cs admin check');
    expect(await restore(join(folder, 'part.tar'), join(folder, 'part'))).toMatchObject({
      code: 11,
      json: { files: 4 },
    });
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
        findings: [{ check: 'orphans', count: 1, examples: [`${team}/aa/${'a'.repeat(64)}`] }],
      },
    });
    expect(await check(data, '--fix')).toMatchObject({
      code: 0,
      json: { ok: true, removed: { files: 1, sizeBytes: 6 } },
    });
    expect(await check(data)).toMatchObject({ code: 0, json: { files: 5 } });
    expect(await readFile(young, 'utf8')).toBe('orphan');
  });

  test.each<[string, (content: Buffer, page: number) => void]>([
    [
      'one damaged page',
      (content, page) => content.fill(0xaa, (page - 1) * 4_096, (page - 1) * 4_096 + 200),
    ],
    ['many damaged pages', (content) => content.fill(0xaa, 8 * 4_096)],
    ['other content', (content) => content.fill('notes')],
  ])('a database with %s', async (_name, damage) => {
    const file = join(data, 'cs.sqlite');
    const db = new DatabaseSync(file);
    const [{ rootpage = 0 } = {}] = db
      .prepare("select rootpage from sqlite_master where name = 'cars_updatedAt'")
      .all();
    db.close();
    const content = await readFile(file);
    damage(content, Number(rootpage));
    await writeFile(file, content);
    const { code, json, stderr } = await check(data);
    expect(code, stderr).toBe(12);
    expect(json.findings).toMatchObject([{ check: 'database' }]);
  });

  test('a terminal gets sentences', async () => {
    const words = async () =>
      (await cs(['admin', 'check', '--data', data], { as: 'terminal' })).stdout;
    expect(await words()).toMatch(/^No faults found in the records and 5 files \(\d+ KB\)\n$/);
    spoil('update "parkingZones" set occupied = 7');
    expect(await words()).toMatch(/^1 zone with a wrong car count: [0-9a-f-]{36}\n$/);
  });
});
