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

test('no more than 64 at once', async () => {
  const seen: Db[] = [];
  await Promise.all(Array.from({ length: 65 }, () => together(async (db) => void seen.push(db))));
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

test('an insert that the database refuses is told as what it was, to whose it was', async () => {
  const twice = async (db: Db) => {
    await put(db, 'twice');
    await put(db, 'twice');
  };
  await expect(together(twice)).rejects.toThrow(/unique/i);
  const [one, two] = await Promise.allSettled([together((db) => put(db, 'neighbour')), together(twice)]);
  expect([one.status, two.status]).toEqual(['fulfilled', 'rejected']);
  expect((two as PromiseRejectedResult).reason.message).toMatch(/unique/i);
  expect(await stored('neighbour', 'twice')).toEqual(['neighbour']);
});

test('a commit that is refused refuses only whose fault it is: all are tried with care, then each on its own, once', async () => {
  const tries: string[] = [];
  const trying = (name: string, task: (db: Db) => Promise<unknown>) =>
    together(async (db) => {
      tries.push(name);
      await task(db);
    });
  const results = await Promise.allSettled([
    trying('good', (db) => put(db, 'good')),
    // References are checked at the commit.
    trying('bad', (db) => db.insertInto('cars').values(carOf(newId())).execute()),
    trying('refused', async () => Promise.reject(new Error('refused'))),
    trying('better', (db) => put(db, 'better')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(await stored('good', 'better')).toEqual(['better', 'good']);
  const all = ['good', 'bad', 'refused', 'better'];
  expect(tries).toEqual([...all, ...all, ...all]);
});

test('nobody is told of success before the commit: alone, one that is refused is an error', async () => {
  await expect(together((db) => db.insertInto('cars').values(carOf(newId())).execute())).rejects.toThrow(/foreign key/i);
  await together((db) => put(db, 'afterwards'));
  expect(await stored('afterwards')).toEqual(['afterwards']);
});

test('who fails before changing anything makes nobody run again', async () => {
  let tries = 0;
  const results = await Promise.allSettled([
    together(async (db) => {
      tries += 1;
      await put(db, 'undisturbed');
    }),
    together(async (db) => {
      await db.selectFrom('locations').select('id').execute();
      throw new Error('refused');
    }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(tries).toBe(1);
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

test('each has a stamp of its own, later than that of whoever came before, in this transaction or another', async () => {
  const stampOf = ({ stamp }: { stamp: string }) => Promise.resolve(stamp);
  const stamps = [];
  for (let round = 0; round < 3; round++)
    stamps.push(...(await Promise.all(Array.from({ length: 20 }, () => inWrite(service.admin, team, stampOf)))));
  expect(stamps).toEqual([...new Set(stamps)].sort());
});

test('who has company may be hasty, unless that went wrong; who is alone is not', async () => {
  const hasty: boolean[] = [];
  const noting = (fail: boolean) =>
    inWrite(service.admin, team, async (context) => {
      hasty.push(context.hasty);
      if (fail) await context.db.insertInto('cars').values(carOf(newId())).execute();
    });
  await noting(false);
  await Promise.allSettled([noting(false), noting(true)]);
  expect(hasty).toEqual([false, true, true, false, false, false, false]);
});

test('what is to be done after the commit is done once, however often the task ran', async () => {
  const done: string[] = [];
  const writing = (name: string, task: (db: Db) => Promise<unknown>) =>
    inWrite(service.admin, team, async ({ db, afterCommit }) => {
      afterCommit(async () => void done.push(name));
      await task(db);
    });
  const failing = async (db: Db) => {
    await put(db, 'undone');
    throw new Error('refused');
  };
  const results = await Promise.allSettled([writing('one', (db) => put(db, 'once')), writing('two', failing)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(done).toEqual(['one']);
});
