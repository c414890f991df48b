/** Writes wait for each other; those that wait at the same time share a transaction, and only its success. */
import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { findTeam } from '../../../src/service/admin.ts';
import { DatabaseUnavailable } from '../../../src/service/database/failures.ts';
import type { Tables } from '../../../src/service/database/tables.ts';
import { newId } from '../../../src/service/records.ts';
import { inTransaction } from '../../../src/service/transaction.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const { database } = service.admin;
const team = await findTeam(service.admin, service.team);
const { writeStamped, snapshot } = database.ofTeam(team.id);
const at = new Date().toISOString();

type Db = Transaction<Tables>;
const put = (db: Db, name: string) =>
  db
    .insertInto('locations')
    .values({
      id: newId(),
      teamId: team.id,
      isActive: true,
      name,
      timezone: 'UTC',
      createdAt: at,
      updatedAt: at,
    } as Tables['locations'])
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
  (
    await database.read
      .selectFrom('locations')
      .select('name')
      .where('name', 'in', names)
      .orderBy('name')
      .execute()
  ).map(({ name }) => name);

test('one at a time, in the order in which they came', async () => {
  const steps: string[] = [];
  const write = (name: string) =>
    writeStamped(async (db) => {
      steps.push(`${name} starts`);
      await put(db, `${name} in order`);
      await nextLoop();
      steps.push(`${name} ends`);
    });
  await Promise.all([write('a'), write('b'), write('c')]);
  expect(steps).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});

test('those that wait at the same time are committed together, 64 at most', async () => {
  const seen: Db[] = [];
  await Promise.all(
    Array.from({ length: 65 }, () => writeStamped(async (db) => void seen.push(db))),
  );
  await writeStamped(async (db) => void seen.push(db));
  const sizes = [...new Set(seen)].map((db) => seen.filter((one) => one === db).length);
  expect(sizes).toEqual([64, 1, 1]);
});

test('other requests go on between two transactions', async () => {
  const steps: string[] = [];
  let second: Promise<void> | undefined;
  await writeStamped(async () => {
    setImmediate(() => steps.push('other request'));
    second = writeStamped(async () => void steps.push('second write'));
  });
  await second;
  expect(steps).toEqual(['other request', 'second write']);
});

test('one fails: its changes are undone, those of the others are kept', async () => {
  const [names, bad] = [['a', 'b', 'c'], 1];
  const results = await Promise.allSettled(
    names.map((name, n) =>
      writeStamped(async (db) => {
        await put(db, name);
        if (n === bad) throw new Error('refused');
        return name;
      }),
    ),
  );
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
  ).toEqual(names.with(bad, 'refused'));
  expect(await stored(...names)).toEqual(names.toSpliced(bad, 1));
});

test('an insert that the database refuses fails at the insert', async () => {
  const second = writeStamped(async (db) => {
    await put(db, 'twice');
    await expect(put(db, 'twice')).rejects.toThrow(/unique/i);
    throw new Error('refused');
  });
  await expect(second).rejects.toThrow('refused');
  expect(await stored('twice')).toEqual([]);
});

test('a task that ignores a failed statement fails', async () => {
  const [ignoring, neighbour] = await Promise.allSettled([
    writeStamped(async (db) => {
      await put(db, 'ignoring');
      await put(db, 'ignoring').catch(() => undefined);
    }),
    writeStamped((db) => put(db, 'beside')),
  ]);
  expect(neighbour.status).toBe('fulfilled');
  expect(await stored('ignoring', 'beside')).toEqual(
    ignoring.status === 'fulfilled' ? ['beside', 'ignoring'] : ['beside'],
  );
});

test('without the answer to a commit nothing runs again, and every write gets unavailable', async () => {
  const tries: string[] = [];
  const results = await Promise.allSettled([
    writeStamped(async (db) => {
      tries.push('one');
      await put(db, 'uncertain');
    }),
    writeStamped(async () => {
      tries.push('two');
      throw new DatabaseUnavailable(new Error('gone'));
    }),
  ]);
  expect(results.map((result) => result.status === 'rejected' && result.reason.name)).toEqual([
    'DatabaseUnavailable',
    'DatabaseUnavailable',
  ]);
  expect(tries).toEqual(['one', 'two']);
  expect(await stored('uncertain')).toEqual([]);
});

test('a refused commit is an error of its own write alone', async () => {
  const tries: string[] = [];
  const trying = (name: string, task: (db: Db) => Promise<unknown>) =>
    writeStamped(async (db) => {
      tries.push(name);
      await task(db);
    });
  const results = await Promise.allSettled([
    trying('good', (db) => put(db, 'good')),
    // References are checked at the commit.
    trying('bad', (db) => db.insertInto('cars').values(carOf(newId())).execute()),
    trying('better', (db) => put(db, 'better')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((results[1] as PromiseRejectedResult).reason.message).toMatch(/foreign key/i);
  expect(await stored('good', 'better')).toEqual(['better', 'good']);
  const all = ['good', 'bad', 'better'];
  expect(tries).toEqual([...all, ...all]);
});

test('a write is visible once it is acknowledged, and not before', async () => {
  const first = writeStamped((db) => put(db, 'seen'));
  const second = writeStamped(async (db) => {
    await put(db, 'seen too');
    await nextLoop();
    return stored('seen', 'seen too');
  });
  await first;
  expect(await stored('seen', 'seen too')).toEqual(['seen', 'seen too']);
  expect(await second).toEqual([]);
});

test('a snapshot that starts after a stamp was made has the stamped record', async () => {
  const begun = Promise.withResolvers<void>();
  const writing = inTransaction(service.admin, team, async ({ db, now }) => {
    await put(db, 'stamped');
    begun.resolve();
    await nextLoop();
    return now;
  });
  await begun.promise;
  const found = await snapshot((db) =>
    db.selectFrom('locations').select('id').where('name', '=', 'stamped').execute(),
  );
  expect(found.length).toBe(1);
  await writing;
});

test('each has a stamp of its own, later than every earlier one', async () => {
  const stampOf = ({ stamp }: { stamp: string }) => Promise.resolve(stamp);
  const stamps = [];
  for (let round = 0; round < 3; round++)
    stamps.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, () => inTransaction(service.admin, team, stampOf)),
      )),
    );
  expect(stamps).toEqual([...new Set(stamps)].sort());
});

test('a task for after the commit runs once, and never after a failure', async () => {
  const done: string[] = [];
  const writing = (name: string, task: (db: Db) => Promise<unknown>) =>
    inTransaction(service.admin, team, async ({ db, afterCommit }) => {
      afterCommit(async () => void done.push(name));
      await task(db);
    });
  const failing = async (db: Db) => {
    await put(db, 'undone');
    throw new Error('refused');
  };
  const results = await Promise.allSettled([
    writing('one', (db) => put(db, 'once')),
    writing('two', failing),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(done).toEqual(['one']);
});
