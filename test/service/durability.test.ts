/** What was acknowledged is there after `kill -9`, and nothing is there by half. CS_LONG=1 kills a hundred times instead of three. */
import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../src/contract/scopes.ts';
import { type Admin, createKey, createTeam } from '../../src/service/admin.ts';
import { deleteDue } from '../../src/service/files/deletions.ts';
import { contentName } from '../../src/service/files/store.ts';
import { openStores } from '../../src/service/stores.ts';
import { type ChildService, startChildService } from '../helpers/child-service.ts';
import { base64Of, facility, png } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { type Answer, send } from '../helpers/service.ts';
import { keyOf } from '../helpers/stored-files.ts';

const kills = process.env.CS_LONG ? 100 : 3;
const folder = await makeFolder();
const admin: Admin = { ...(await openStores({ data: folder })), actor: 'test' };
await createTeam(admin, { name: 'First' });
const { key } = await createKey(admin, { team: 'first', name: 'all', scopes });
let service: ChildService = await startChildService(folder);
afterAll(async () => {
  await service.stop('SIGKILL');
  await admin.database.close();
  await removeFolder(folder);
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  send(`${service.url}/api/v1${path}`, method, body, { 'x-api-key': key });
const make = facility({ call });
const hall = await make.location();
const zone = await make.zone(hall.id, { capacity: 2 });
const spots = [await make.spot(hall.id), await make.spot(hall.id), await make.spot(hall.id)];
const cars = [
  await make.car(),
  await make.car(),
  await make.car(),
  await make.car(),
  await make.car(),
  await make.car(),
];

interface Acknowledged {
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the record that was answered
  record: any;
  bytes?: Uint8Array;
}

let seed = 0;
const any = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T;

/** One random write; what was acknowledged of it, if it was. */
async function writeSomething(): Promise<Acknowledged | undefined> {
  const events = `/cars/${any(cars).id}/events`;
  const photos = `/cars/${any(cars).id}/photos`;
  const bytes = png(++seed, 50_000);
  const [path, body, kept] = any<[string, object, Uint8Array?]>([
    [events, { activityType: 'drop_off', parkingSpotId: any(spots).id }],
    [events, { activityType: 'drop_off', parkingZoneId: zone.id }],
    [events, { activityType: 'pick_up' }],
    [photos, { base64: base64Of(bytes) }, bytes],
    ['/cars', { year: 2000, make: 'Crash', model: `${seed}` }],
  ]);
  const { status, body: answer } = await call('POST', path, body);
  return status === 201 ? { path, record: answer.data, bytes: kept } : undefined;
}

/** Writes from eight sides until `count` writes are acknowledged, then kills the service in the middle of the others. */
async function writeUntilKilled(count: number): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  let killed: Promise<unknown> | undefined;
  const writer = async () => {
    while (!killed) {
      const one = await writeSomething().catch(() => undefined);
      if (one) acknowledged.push(one);
      if (acknowledged.length >= count) killed ??= service.stop('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
  await killed;
  return acknowledged;
}

test(`${kills} times kill -9: nothing acknowledged is lost`, {
  timeout: kills * 60_000,
}, async () => {
  for (let round = 0; round < kills; round++) {
    const acknowledged = await writeUntilKilled(randomInt(5, 60));
    // Not a moment later: the lock ended with the process.
    service = await startChildService(folder);
    for (const { path, record, bytes } of acknowledged) {
      const found = await call('GET', `${path}/${record.id}`);
      expect(found.status).toBe(200);
      if (path !== '/cars') expect(found.body.data).toEqual(record);
      if (bytes)
        expect(contentName((await call('GET', `${path}/${record.id}/content`)).bytes)).toBe(
          contentName(bytes),
        );
    }
    await expectWhole();
  }
});

/** Rows that a question finds; each question asks for what must not be. */
const halves: Record<string, string> = {
  'an event without its session': `select id from "carEvents" e where not exists
    (select 1 from "eventSessions" s where s.id = e."sessionId" and s."carEventId" = e.id and s."carId" = e."carId")`,
  'a session without its event': `select id from "eventSessions" s where not exists (select 1 from "carEvents" e where e."sessionId" = s.id)`,
  'a drop-off without its assignment': `select id from "carEvents" e where "activityType" = 'drop_off' and not exists
    (select 1 from "parkingAssignments" a where a.id = e."parkingAssignmentId" and a."carId" = e."carId")`,
  'an open assignment that the car does not show': `select id from "parkingAssignments" a where "endedAt" is null and not exists
    (select 1 from cars c where c.id = a."carId" and c.status = 'stored'
      and c."parkingSpotId" is a."parkingSpotId" and c."parkingZoneId" is a."parkingZoneId")`,
  'a car that shows a place without an assignment': `select id from cars c
    where (status = 'stored' or "parkingSpotId" is not null or "parkingZoneId" is not null) and not exists
    (select 1 from "parkingAssignments" a where a."carId" = c.id and a."endedAt" is null)`,
  'a spot that shows another car than stands on it': `select id from "parkingSpots" p where "occupiedByCarId" is not
    (select "carId" from "parkingAssignments" a where a."parkingSpotId" = p.id and a."endedAt" is null)`,
  'a zone that counts wrong': `select id from "parkingZones" z where occupied <>
    (select count(*) from "parkingAssignments" a where a."parkingZoneId" = z.id and a."endedAt" is null)`,
  'a reference to nothing': 'select * from pragma_foreign_key_check()',
};

async function expectWhole(): Promise<void> {
  const { read } = admin.database;
  for (const [half, question] of Object.entries(halves))
    expect((await sql.raw(question).execute(read)).rows, half).toEqual([]);
  // On a connection of its own: one that has checked FTS5 before takes its structure of then for that of now.
  const file = new DatabaseSync(join(folder, 'cs.sqlite'), { readOnly: true });
  expect(file.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  file.close();
  const photos = await read
    .selectFrom('carPhotos')
    .select(['teamId', 'sha256', 'sizeBytes'])
    .execute();
  for (const { teamId, sha256, sizeBytes } of photos) {
    const key = await keyOf(admin, { teamId, sha256 });
    expect(await admin.files.sizeOf(key)).toBe(sizeBytes);
  }
}

test('equal bytes that come in while the last record of them goes are there afterwards', async () => {
  const car = any(cars);
  const path = `/cars/${car.id}/photos`;
  const base64 = base64Of(png(++seed, 1_000));
  let { id } = (await call('POST', path, { base64 })).body.data;
  for (let round = 0; round < 20; round++) {
    const asset = call('POST', '/marketing/assets', { base64 });
    const removed = call('DELETE', `${path}/${id}`);
    const { body } = await asset;
    expect((await removed).status).toBe(200);
    id = (await call('POST', path, { base64 })).body.data.id;
    await call('DELETE', `/marketing/assets/${body.data.id}`);
    await deleteDue(admin, 0);
    const { bytes } = await call('GET', `${path}/${id}/content`);
    expect(base64Of(bytes)).toBe(base64);
  }
});

test('SIGTERM under 24 busy clients: each request that was sent is answered, and the process exits with 0', async () => {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const customer = (lastName: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const sent = request(`${service.url}/api/v1/customers`, { method: 'POST', agent, headers });
      sent.on('response', (answer) =>
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
      );
      sent.on('error', reject).end(JSON.stringify({ lastName }));
    });
  const [answered, failures]: [string[], string[]] = [[], []];
  let stopping: Promise<number | null> | undefined;
  const client = async (_: unknown, own: number) => {
    for (let n = 0; ; n++) {
      const name = `busy ${own} ${n}`;
      try {
        expect(await customer(name)).toBe(201);
        answered.push(name);
      } catch (error) {
        // No connection is accepted any more, so nothing was sent.
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') failures.push(String(error));
        return;
      }
      if (answered.length === 200) stopping = service.stop('SIGTERM');
    }
  };
  await Promise.all(Array.from({ length: 24 }, client));
  expect(await stopping).toBe(0);
  expect(failures).toEqual([]);
  service = await startChildService(folder);
  const { rows } = await sql<{
    lastName: string;
  }>`select "lastName" from customers where "lastName" like 'busy %'`.execute(admin.database.read);
  expect(rows.map(({ lastName }) => lastName).sort()).toEqual(answered.sort());
});
