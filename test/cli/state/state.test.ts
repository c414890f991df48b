/** The state file of this machine: private, made once however many runs start, refused where work depends on it, and never by a cache. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readAbilities, storeAbilities } from '../../../src/cli/state/abilities.ts';
import { type AuditKey, forgetNotes, noteSpot, readNotes } from '../../../src/cli/state/audits.ts';
import { openImports } from '../../../src/cli/state/imports.ts';
import { Names } from '../../../src/cli/state/names.ts';
import { inCache, ownerOf, stateFile } from '../../../src/cli/state/state.ts';
import { readTeam, storeTeam } from '../../../src/cli/state/teams.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

const now = new Date('2026-03-01T12:00:00Z');
const ioOf = (state = folder) =>
  ({ env: { CS_STATE_DIR: state, CS_CACHE_DIR: join(folder, 'cache') }, now: () => now }) as never;
const team = { id: 't1', name: 'Harbour' };
const owner = ownerOf('https://cars.example.com', 'csk_prefix.secret');

test('only its owner can open it, and it holds neither key nor server', async () => {
  storeTeam(ioOf(join(folder, 'new')), owner, team);
  const file = stateFile(ioOf(join(folder, 'new')));
  expect([(await stat(file)).mode & 0o777, (await stat(join(folder, 'new'))).mode & 0o777]).toEqual(
    [0o600, 0o700],
  );
  const content = (await readFile(file)).toString('latin1');
  expect(content).toContain('Harbour');
  expect(content).not.toMatch(/csk_|secret|example/);
  expect(readTeam(ioOf(join(folder, 'new')), owner)).toEqual(team);
});

test('rows belong to a server and a key', () => {
  storeTeam(ioOf(), owner, team);
  expect(ownerOf('https://cars.example.com', { key: 'csk_prefix.secret' })).toBe(owner);
  expect(readTeam(ioOf(), ownerOf('https://cars.example.com', 'csk_prefix.other'))).toBe(undefined);
  expect(readTeam(ioOf(), ownerOf('https://other.example.com', 'csk_prefix.secret'))).toBe(
    undefined,
  );
});

test('an answer that there are no teams takes none from a key that has one', () => {
  storeTeam(ioOf(), owner, null);
  expect(readTeam(ioOf(), owner)).toBe(null);
  storeTeam(ioOf(), owner, team);
  storeTeam(ioOf(), owner, null);
  expect(readTeam(ioOf(), owner)).toEqual(team);
});

test('the names that were read before the team was known are its names', () => {
  const [key, other] = [new Names(ioOf(), owner), new Names(ioOf(), team.id)];
  const names = [{ value: 'HH-E 61H', about: 'Emma', id: 'c1' }];
  key.want([['cars']]);
  key.store(['cars'], names);
  expect([key.read(['cars'])?.names, other.read(['cars'])]).toEqual([names, undefined]);
  storeTeam(ioOf(), owner, team);
  expect([key.read(['cars']), other.read(['cars'])?.names]).toEqual([undefined, names]);
});

test('what a stock-taking noted is forgotten spot by spot, and as a whole for its zone alone', () => {
  const [zone, other] = ['z1', 'z2'].map((scope) => ({ facility: 'f', scope }));
  const nothing = { found: null, expected: null, from: null };
  for (const spot of ['s1', 's2', 's3']) noteSpot(ioOf(), zone as AuditKey, spot, nothing);
  noteSpot(ioOf(), other as AuditKey, 's4', nothing);
  forgetNotes(ioOf(), zone as AuditKey, 's1');
  expect([...readNotes(ioOf(), zone as AuditKey).keys()]).toEqual(['s2', 's3']);
  forgetNotes(ioOf(), zone as AuditKey, null);
  expect(readNotes(ioOf(), zone as AuditKey).size).toBe(0);
  expect(readNotes(ioOf(), other as AuditKey).size).toBe(1);
});

test('rows of an import are on the disk before they are sent; what became of them may follow', () => {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => exec.mockRestore());
  const imports = openImports(ioOf());
  const row = { row: 1, key: 'cs-import-1', did: 'sent', at: now.toISOString() } as const;
  const safety = [true, false, true].map((flush) => {
    imports.write([row], flush);
    return exec.mock.calls.findLast(([sql]) => sql.includes('synchronous'))?.[0];
  });
  imports.close();
  expect(safety.map((sql) => sql?.split(' ').at(-1))).toEqual(['full', 'normal', 'full']);
});

test('reading makes no file', async () => {
  expect([readTeam(ioOf(), owner), readAbilities(ioOf(), owner)]).toEqual([undefined, undefined]);
  expect(await readdir(folder)).toEqual([]);
});

test('abilities are kept with the time at which they were read', () => {
  storeAbilities(ioOf(), owner, { idempotencyKeys: true });
  expect(readAbilities(ioOf(), owner)).toEqual({
    abilities: { idempotencyKeys: true },
    readAt: now,
  });
});

test.each([
  [
    'text',
    (file: string) => writeFile(file, 'not a database at all '.repeat(50)),
    'file is not a database',
    true,
  ],
  ['a folder', (file: string) => mkdir(file), 'it is a folder', false],
  [
    'another database',
    async (file: string) =>
      new DatabaseSync(file).exec('pragma user_version = 1; create table "x" ("y" text)'),
    'no such table: teams',
    true,
  ],
])(
  '%s in its place: caches go without, and work that depends on it is refused by name',
  async (_, put, why, isDamaged) => {
    const file = stateFile(ioOf());
    await put(file);
    expect([
      inCache(ioOf(), (db) => db.prepare('select * from "names"').all()),
      readAbilities(ioOf(), owner),
    ]).toEqual([undefined, undefined]);
    storeTeam(ioOf(), owner, team);
    const aside = `set it aside with \`mv ${file} ${file}.damaged\``;
    expect(() => readTeam(ioOf(), owner)).toThrow(
      expect.objectContaining({
        code: 'state_unusable',
        exitCode: 7,
        message: `Couldn't use ${file}, where commands keep what they remember: ${why}.`,
        hint: isDamaged ? aside : expect.stringContaining('CS_STATE_DIR'),
      }),
    );
  },
);

test('a file of a newer version is left as it is', async () => {
  storeTeam(ioOf(), owner, team);
  const db = new DatabaseSync(stateFile(ioOf()));
  db.exec('pragma user_version = 99');
  db.close();
  storeTeam(ioOf(), owner, { id: 't2', name: 'Other' });
  expect(() => readTeam(ioOf(), owner)).toThrow(
    `A newer version of cs wrote ${stateFile(ioOf())}.`,
  );
  const after = new DatabaseSync(stateFile(ioOf()));
  expect(after.prepare('select "name" from "teams"').all()).toEqual([{ name: 'Harbour' }]);
  after.close();
});

test('runs that start at the same time make it once', async () => {
  const source = new URL('../../../src/cli/state/state.ts', import.meta.url).href;
  const script = `import { openCache } from ${JSON.stringify(source)};
    const db = openCache({ env: { CS_STATE_DIR: ${JSON.stringify(folder)} } });
    db.prepare('insert into "teams" values (?, ?, ?)').run(process.argv[1], 'id', 'name');`;
  const children = Array.from({ length: 6 }, (_, n) =>
    spawn(process.execPath, ['--input-type=module', '-e', script, `${n}`], { stdio: 'inherit' }),
  );
  expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))).toEqual(
    Array(6).fill(0),
  );
  const db = new DatabaseSync(stateFile(ioOf()));
  expect(db.prepare('select count(*) as n from "teams"').get()).toEqual({ n: 6 });
  db.close();
});
