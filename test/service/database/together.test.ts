/** Tasks that come at the same time share a transaction, and nothing else. */
import { setImmediate } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { findTeam } from '../../../src/service/admin.ts';
import type { Tables } from '../../../src/service/database/tables.ts';
import { newId } from '../../../src/service/records.ts';
import { inWrite } from '../../../src/service/write.ts';
import { startTestService } from '../../helpers/service.ts';

const service = await startTestService();
afterAll(() => service.close());
const { database } = service.admin;
const team = await findTeam(service.admin, service.team);
const { together, snapshot } = database.ofTeam(team.id);
const at = new Date().toISOString();

type Db = Transaction<Tables>;
const put = (db: Db, name: string) =>
  db
    .insertInto('locations')
    .values({ id: newId(), teamId: team.id, isActive: true, name, timezone: 'UTC', createdAt: at, updatedAt: at } as Tables['locations'])
    .execute();
const carOf = (customerId: string) =>
  ({
    id: newId(),
    teamId: team.id,
    year: 1973,
    make: 'Porsche',
    model: '911',
    status: 'expected',
    customerId,
    createdAt: at,
    updatedAt: at,
  }) as Tables['cars'];
const stored = async (...names: string[]): Promise<string[]> =>
  (await database.read.selectFrom('locations').select('name').where('name', 'in', names).orderBy('name').execute()).map(({ name }) => name);

test('those that come together are committed together; who comes later is not', async () => {
  const seen: Db[] = [];
  const note = async (db: Db) => void seen.push(db);
  await Promise.all([together(note), together(note), together(note)]);
  await together(note);
  expect(new Set(seen.slice(0, 3)).size).toBe(1);
  expect(new Set(seen).size).toBe(2);
});

test('who comes while others are at it joins them', async () => {
  const seen: Db[] = [];
  let late: Promise<void> | undefined;
  await together(async (db) => {
    late = together(async (same) => void seen.push(db, same));
  });
  await late;
  expect(seen[0]).toBe(seen[1]);
});

test('no more than 32 at once', async () => {
  const seen: Db[] = [];
  await Promise.all(Array.from({ length: 33 }, () => together(async (db) => void seen.push(db))));
  expect(new Set(seen).size).toBe(2);
});

test.each([
  ['the first', 0],
  ['one in the middle', 1],
  ['the last', 2],
])('%s fails: what it did is undone, what the others did is kept', async (which, bad) => {
  const names = ['a', 'b', 'c'].map((name) => `${name} ${which}`);
  const results = await Promise.allSettled(
    names.map((name, n) =>
      together(async (db) => {
        await put(db, name);
        if (n === bad) throw new Error('refused');
        return name;
      }),
    ),
  );
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual(
    names.with(bad, 'refused'),
  );
  expect(await stored(...names)).toEqual(names.toSpliced(bad, 1));
});

test('a statement that the database refuses harms nobody else', async () => {
  const [one, two, three] = await Promise.allSettled([
    together((db) => put(db, 'before')),
    together((db) => sql`select * from nowhere`.execute(db)),
    together((db) => put(db, 'behind')),
  ]);
  expect([one.status, two.status, three.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await stored('before', 'behind')).toEqual(['before', 'behind']);
});

test('nobody is told of success before the commit: when that fails, all of them have failed', async () => {
  const results = await Promise.allSettled([
    together((db) => put(db, 'good')),
    // References are checked at the commit.
    together((db) => db.insertInto('cars').values(carOf(newId())).execute()),
    together(async () => Promise.reject(new Error('refused'))),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await stored('good')).toEqual([]);
  await together((db) => put(db, 'afterwards'));
  expect(await stored('afterwards')).toEqual(['afterwards']);
});

test('what was acknowledged can be seen, and not before', async () => {
  const first = together((db) => put(db, 'seen'));
  const second = together(async (db) => {
    await put(db, 'seen too');
    await setImmediate();
    return stored('seen', 'seen too');
  });
  await first;
  expect(await stored('seen', 'seen too')).toEqual(['seen', 'seen too']);
  expect(await second).toEqual([]);
});

test('a snapshot that begins after a stamp was made has what was stamped', async () => {
  const begun = Promise.withResolvers<void>();
  const writing = inWrite(service.admin, team, async ({ db, now }) => {
    await put(db, 'stamped');
    begun.resolve();
    await setImmediate();
    return now;
  });
  await begun.promise;
  const found = await snapshot((db) => db.selectFrom('locations').select('id').where('name', '=', 'stamped').execute());
  expect(found.length).toBe(1);
  await writing;
});

test('each has a stamp of its own, later than that of whoever came before', async () => {
  const stamps = await Promise.all(Array.from({ length: 20 }, () => inWrite(service.admin, team, async ({ now }) => now)));
  expect(stamps).toEqual([...new Set(stamps)].sort());
});
