/** The same `cs import` again: it goes on, repeats rows by their keys or names them, and doubles none. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failure } from '../../../../src/cli/commands/import/send.ts';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { type CliOptions, type CliResult, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { testService } from '../../../helpers/service.ts';

const service = await testService();
const make = facility(service);
let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await removeFolder(folder);
});

type Choose = Parameters<typeof startFaultyProxy>[1];
async function open(withoutKeys: boolean, choose: Choose = () => undefined) {
  const proxy = await startFaultyProxy(service.url, choose, { withoutKeys });
  closing.push(() => proxy.close());
  return proxy;
}
const run = (
  { url }: { readonly url: string },
  line: readonly string[],
  options: CliOptions = {},
) =>
  cs(['import', ...line], {
    cwd: folder,
    ...options,
    env: {
      CS_BASE_URL: url,
      CS_API_KEY: service.key,
      CS_STATE_DIR: folder,
      CS_RETRIES: '0',
      ...options.env,
    },
  });
const write = (rows: readonly object[], name = 'rows.ndjson') =>
  writeFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const text = (name: string) => readFile(join(folder, name), 'latin1');
let words = 0;
const people = (count: number) => {
  const lastName = `Repeat${String.fromCharCode(65 + words++)}`;
  return {
    lastName,
    rows: Array.from({ length: count }, (_, n) => ({ firstName: `Ann${n}`, lastName })),
  };
};
const stored = async (lastName: string): Promise<string[]> =>
  (await service.call('GET', `/customers?limit=200&q=${lastName}`)).body.data
    .map((one: { firstName: string }) => one.firstName)
    .sort();
const remove = (path: string) => service.call('DELETE', path);
const did = ({ json }: CliResult) =>
  json.map((one: { did: string; error?: { code: string } }) => one.error?.code ?? one.did);
const line = ['customers', 'rows.ndjson', '--parallel', '1'];
const again = (count: number) => Array(count).fill('already_imported');
const hours = (count: number) => ({ now: new Date(Date.now() + count * 3_600_000) });

/** An import of four rows, of which the third gets no answer. */
async function cut(withoutKeys: boolean, fault: 'lost' | 'half' | 'reset') {
  const { lastName, rows } = people(4);
  await write(rows);
  let isBroken = true;
  const server = await open(withoutKeys, ({ method, body }) =>
    isBroken && method === 'POST' && body.includes('Ann2') ? fault : undefined,
  );
  const first = await run(server, line);
  isBroken = false;
  return { server, first, lastName, names: rows.map(({ firstName }) => firstName) };
}

describe.each(['lost', 'half', 'reset'] as const)('an answer is %s', (fault) => {
  test('the row is sent again with its key where the server announces it', async () => {
    const { server, first, lastName, names } = await cut(false, fault);
    expect([first.code, did(first).slice(0, 2)]).toEqual([9, ['created', 'created']]);
    expect(first.error.hint).toBe('run it again; imported rows are skipped');
    const second = await run(server, line);
    expect([second.code, did(second)]).toEqual([0, [...again(2), 'created', 'created']]);
    expect(await stored(lastName)).toEqual(names);
    expect(did(await run(server, line))).toEqual(again(4));
  });

  test('elsewhere it is named, the others are sent, and a person decides', async () => {
    const { server, first, lastName, names } = await cut(true, fault);
    expect([first.code, first.error.message]).toEqual([
      ...[9, '1 row may be stored, 1 row was not tried.'],
    ]);
    expect(first.error.hint).toBe(
      'look whether it is stored; then run it again with `--skip 3` if it is, with `--again 3` if not',
    );
    const second = await run(server, [...line, '--rejects', 'rejects.ndjson']);
    expect([second.code, did(second)]).toEqual([11, [...again(2), 'outcome_unknown', 'created']]);
    const message = 'An earlier run sent line 3 and got no answer: it may be stored.';
    expect(second.error).toMatchObject({
      details: { failed: [{ id: 'line 3', code: 'outcome_unknown', message }] },
      hint: first.error.hint,
    });
    // It needs no fixing, and imported from there it might be stored twice.
    expect(await text('rejects.ndjson')).toBe('');
    expect(did(await run(server, line))[2]).toBe('outcome_unknown');
    const decision = fault === 'reset' ? '--again' : '--skip';
    const third = await run(server, [...line, decision, '3']);
    const done = fault === 'reset' ? 'created' : 'skipped';
    expect([third.code, did(third)]).toEqual([0, [...again(2), done, 'already_imported']]);
    expect(await stored(lastName)).toEqual(names);
    expect(did(await run(server, line))[2]).toBe(done === 'created' ? 'already_imported' : done);
  });
});

test.each([
  [true, [1, 1, 1, 1]],
  [false, [4, 3, 2, 1]],
])(
  'without keys (%j), a kill leaves no more rows to look at than run at a time',
  async (withoutKeys, open_) => {
    await write(people(4).rows);
    const noted: number[] = [];
    const server = await open(withoutKeys, async ({ method }) => {
      if (method !== 'POST') return undefined;
      const db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
      const rows = db.prepare(`select count(*) as n from "imported" where "did" = 'sent'`).all();
      noted.push(Number(rows[0]?.n));
      db.close();
      return undefined;
    });
    expect((await run(server, line)).code).toBe(0);
    expect(noted).toEqual(open_);
  },
);

test('a row that got no answer is named after a day, and with another key of the team', async () => {
  const { server } = await cut(false, 'reset');
  const key = await service.keyWith(['write:customers', 'read:customers']);
  const named = [...again(2), 'outcome_unknown'];
  expect(did(await run(server, line, hours(24)))).toEqual([...named, 'created']);
  expect(did(await run(server, line, { env: { CS_API_KEY: key } }))).toEqual([
    ...named,
    again(1)[0],
  ]);
  expect(did(await run(server, line))).toEqual([...again(2), 'created', 'already_imported']);
});

test('rows are remembered for 30 days, by their content: at any place, equal ones counted', async () => {
  const { lastName, rows } = people(2);
  const [first] = rows as [object];
  await write([first, ...rows]);
  const server = await open(true);
  expect(did(await run(server, line))).toEqual(Array(3).fill('created'));
  await write([...rows, first, first]);
  expect(did(await run(server, line, hours(29 * 24)))).toEqual([...again(3), 'created']);
  expect(did(await run(server, line, hours(31 * 24)))).toEqual([
    ...[...Array(3).fill('created'), 'already_imported'],
  ]);
  expect(await stored(lastName)).toHaveLength(7);
  // With its columns in another order.
  await write(rows.map(({ firstName, lastName: last }) => ({ lastName: last, firstName })));
  expect(did(await run(server, line, hours(31 * 24)))).toEqual(again(2));
  // A mended file, in another order.
  await write([{ ...first, notes: 'new' }, ...rows]);
  expect(did(await run(server, line, hours(31 * 24)))).toEqual(['created', ...again(2)]);
});

test('rows of another team, and in another field, are other rows', async () => {
  await write(people(1).rows);
  const server = await open(true);
  expect(did(await run(server, line))).toEqual(['created']);
  const other = { env: { CS_API_KEY: service.otherKey } };
  expect(did(await run(server, line, other))).toEqual(['created']);
  for (const [field, result] of [
    ['lastName', 'created'],
    ['companyName', 'created'],
    ['companyName', 'already_imported'],
  ] as const) {
    const options = { stdin: 'Firma,Mail\nEk GmbH,ek@example.com\n' };
    const map = ['--map', `${field}=Firma`, '--map', 'email=Mail'];
    expect(did(await run(service, ['customers', '-', ...map], options))).toEqual([result]);
  }
});

test('an update is made again, and a refused row is tried again', async () => {
  const { lastName, rows } = people(1);
  await make.customer({ lastName, externalId: `${lastName}-1` });
  await write([...rows, { lastName, externalId: `${lastName}-1` }]);
  const flags = [...line, '--rejects', 'rejects.ndjson'];
  expect(did(await run(service, flags))).toEqual(['created', 'duplicate']);
  expect(did(await run(service, flags))).toEqual(['already_imported', 'duplicate']);
  const { id } = await make.customer({ lastName });
  await write([{ id, notes: 'new' }], 'updates.ndjson');
  for (const _ of [1, 2]) {
    expect(did(await run(service, ['customers', 'updates.ndjson', '--update']))).toEqual([
      'updated',
    ]);
    await service.call('PATCH', `/customers/${id}`, { notes: 'of somebody else' });
  }
});

test('rejects that were mended by hand are kept when the same line is typed again', async () => {
  const { lastName, rows } = people(1);
  await make.customer({ lastName, externalId: lastName });
  await write([...rows, { lastName, externalId: lastName }, { lastName, email: 'nobody' }]);
  const flags = [...line, '--rejects', 'rejects.ndjson'];
  await run(service, flags);
  const rejected = await text('rejects.ndjson');
  expect((await run(service, flags)).stderr).not.toContain('~');
  const mended = rejected.replace('nobody', 'ann@example.com');
  await writeFile(join(folder, 'rejects.ndjson'), mended);
  const { stderr } = await run(service, flags);
  expect(stderr).toContain('rejects.ndjson had other rows: they are in rejects.ndjson~ now.');
  expect(await text('rejects.ndjson')).toBe(rejected);
  // A third time changes nothing.
  await run(service, flags);
  expect(await text('rejects.ndjson~')).toBe(mended);
  const mendedAgain = rejected.replace('nobody', 'bo@example.com');
  await writeFile(join(folder, 'rejects.ndjson'), mendedAgain);
  await run(service, flags);
  expect([await text('rejects.ndjson~'), await text('rejects.ndjson~~')]).toEqual([
    mended,
    mendedAgain,
  ]);
});

describe('a record that an earlier run created', () => {
  test('and that is gone is not believed of a machine that knows nothing of it', async () => {
    await write(people(1).rows);
    const contacts = ['contacts', ...line.slice(1)];
    const [{ id }] = (await run(service, contacts)).json;
    await remove(`/contacts/${id}`);
    const elsewhere = { env: { CS_STATE_DIR: join(folder, 'elsewhere') } };
    expect(did(await run(service, contacts, elsewhere))).toEqual(['not_found']);
    expect(did(await run(service, [...contacts, '--again', 'all'], elsewhere))).toEqual([
      'created',
    ]);
  });

  test("isn't the record that its row names by an id, nor gone where the row is invalid now", async () => {
    const email = `${people(1).lastName}@example.com`;
    const { id } = await make.contact();
    const contacts = ['contacts', 'rows.ndjson'];
    await write([{ id, firstName: 'Named', lastName: 'Lee', email }]);
    const created = await run(service, [...contacts, '--upsert-by', 'email', '--skip-read-only']);
    expect(did(created)).toEqual(['created']);
    const updated = await run(service, [...contacts, '--update']);
    expect(updated.json).toEqual([{ row: 1, did: 'updated', id }]);

    await write([{ firstName: 'Ann', lastName: 'Lee', createdAt: '2026-01-01T00:00:00.000Z' }]);
    expect(did(await run(service, [...contacts, '--skip-read-only']))).toEqual(['created']);
    const { json } = await run(service, [...contacts, '--rejects', 'rejects.ndjson']);
    expect(json[0].error.message).toBe('createdAt is read-only');
  });

  test('by --upsert-by is created again once nothing has the value', async () => {
    const email = `${people(1).lastName}@example.com`;
    await write([{ firstName: 'Ann', lastName: 'Lee', email }]);
    const contacts = ['contacts', 'rows.ndjson', '--upsert-by', 'email'];
    const [{ id }] = (await run(service, contacts)).json;
    await remove(`/contacts/${id}`);
    const second = await run(service, contacts);
    expect(did(second)).toEqual(['created']);
    expect(second.json[0].id).not.toBe(id);
  });

  test('and that is gone is named, until a person decides', async () => {
    const { rows } = people(4);
    await write(rows);
    const contacts = ['contacts', ...line.slice(1)];
    const ids = (await run(service, contacts)).json.map(({ id }: { id: string }) => id);
    for (const id of ids.slice(0, 3)) await remove(`/contacts/${id}`);
    const named = await run(service, contacts);
    expect([named.code, did(named)]).toEqual([
      ...[11, [...Array(3).fill('not_found'), 'already_imported']],
    ]);
    expect(named.json[0].error.message).toBe(
      `An earlier run imported line 1 as ${ids[0]}, which the server doesn't have any more.`,
    );
    expect(named.error).toMatchObject({
      message: 'the records of 3 rows are gone.',
      hint: 'add `--again all` to import them again, or `--skip` with their numbers to leave them out',
    });
    const skipped = await run(service, [...contacts, '--skip', '1', '--again', '2,4']);
    expect(did(skipped)).toEqual(['skipped', 'created', 'not_found', 'already_imported']);
    expect(skipped.stderr).toContain(`The record of line 4 is stored as ${ids[3]}.`);
    for (const third of ['created', 'already_imported'])
      expect(did(await run(service, [...contacts, '--again', 'all']))).toEqual([
        ...['skipped', 'already_imported', third, 'already_imported'],
      ]);
  });

  test('below another one is looked for there', async () => {
    const [one, other] = [await make.car(), await make.car()];
    const events = [one, other, one].map(({ id }, n) => ({
      carId: id,
      activityType: 'inspection',
      notes: `${n}`,
    }));
    await write(events);
    const line = ['car-events', 'rows.ndjson'];
    expect((await run(service, line)).code).toBe(0);
    expect(did(await run(service, line))).toEqual(again(3));
    // One that isn't called so any more is a matter of its row alone.
    const [renamed, kept] = ['HH-BE 1', 'HH-BE 2'];
    const { id } = await make.car({ licensePlate: renamed });
    await make.car({ licensePlate: kept });
    await write([renamed, kept].map((car) => ({ car, activityType: 'inspection' })));
    expect((await run(service, line)).code).toBe(0);
    await service.call('PATCH', `/cars/${id}`, { licensePlate: 'HH-BE 3' });
    expect(did(await run(service, [...line, '--rejects', 'rejects']))).toEqual([
      ...['validation_failed', 'already_imported'],
    ]);
  });

  test('below one that is gone by now is gone with it', async () => {
    const { id: socialEventId } = await make.socialEvent();
    const option = { socialEventId, label: 'Perhaps', kind: 'maybe' };
    await write([option]);
    const line = ['rsvp-options', 'rows.ndjson'];
    const [{ id }] = (await run(service, line)).json;
    await write([{ socialEventId, id, label: option.label }], 'same.ndjson');
    expect(did(await run(service, ['rsvp-options', 'same.ndjson', '--update']))).toEqual([
      'unchanged',
    ]);
    await remove(`/marketing/social-events/${socialEventId}`);
    expect(did(await run(service, line))).toEqual(['not_found']);
  });

  test('is believed with a note where the key may not read', async () => {
    await write(people(1).rows);
    const env = { CS_API_KEY: await service.keyWith(['write:customers']) };
    expect(did(await run(service, line, { env }))).toEqual(['created']);
    const second = await run(service, line, { env });
    expect([second.code, did(second)]).toEqual([0, again(1)]);
    expect(second.stderr).toContain("Couldn't check that rows of an earlier run are still stored");
  });
});

describe.each([
  ['with idempotency keys', false],
  ['without', true],
])('a server %s', (_, withoutKeys) => {
  test('--again all imports rows anew whose records are gone; the same line finishes it', async () => {
    const { lastName, rows } = people(4);
    await write(rows);
    let isBroken = false;
    const server = await open(withoutKeys, ({ method, body }) =>
      isBroken && method === 'POST' && body.includes('Ann2') ? 'reset' : undefined,
    );
    const contacts = ['contacts', ...line.slice(1)];
    for (const { id } of (await run(server, contacts)).json) await remove(`/contacts/${id}`);
    isBroken = true;
    const begun = await run(server, [...contacts, '--again', 'all']);
    expect(did(begun).slice(0, 2)).toEqual(['created', 'created']);
    isBroken = false;
    const third = withoutKeys ? 'outcome_unknown' : 'created';
    const finished = await run(server, [...contacts, '--again', 'all']);
    expect(did(finished)).toEqual([...again(2), third, 'created']);
    if (withoutKeys) await run(server, [...contacts, '--again', '3']);
    expect(did(await run(server, [...contacts, '--again', 'all']))).toEqual(again(4));
    const { data } = (await service.call('GET', `/contacts?limit=200&q=${lastName}`)).body;
    expect(data).toHaveLength(4);
  });

  test('a row with a relative time is the same request again', async () => {
    const car = await make.car();
    const rows = [1, 2].map((n) => `${car.id},inspection,${n} hours ago,Tyre ${n}\n`).join('');
    const stdin = `carId,activityType,occurredAt,notes\n${rows}`;
    let isBroken = true;
    const server = await open(withoutKeys, ({ method }) =>
      isBroken && method === 'POST' ? 'lost' : undefined,
    );
    const now = new Date();
    await run(server, ['car-events', '-'], { now, stdin });
    isBroken = false;
    const flags = withoutKeys ? ['--skip', '2'] : [];
    const later = { now: new Date(now.getTime() + 600_000), stdin };
    const second = await run(server, ['car-events', '-', ...flags], later);
    expect([second.code, did(second)]).toEqual([
      ...[0, [withoutKeys ? 'skipped' : 'created', 'created']],
    ]);
    const { data } = (await service.call('GET', `/cars/${car.id}/events`)).body;
    expect(data).toHaveLength(2);
  });

  test('after Ctrl-C, the same command goes on', async () => {
    const { lastName, rows } = people(12);
    await write(rows);
    const stop = new AbortController();
    let posts = 0;
    const server = await open(withoutKeys, ({ method }) => {
      if (method === 'POST' && ++posts === 5) stop.abort(new Interrupted('SIGINT'));
      return undefined;
    });
    const stopped = await run(server, line, { signal: stop.signal });
    expect([stopped.code, stopped.stderr]).toEqual([
      ...[130, expect.stringContaining('run the same command to continue')],
    ]);
    const flags = withoutKeys ? ['--skip', '5'] : [];
    expect((await run(server, [...line, ...flags])).code).toBe(0);
    expect(await stored(lastName)).toHaveLength(12);
  });
});

test.each([
  ['creates records where no key tells a repeat', true, 'POST', []],
  ['updates records, for which there are no keys', false, 'PATCH', ['--update']],
])(
  'a second import at the same time that %s is refused, and sends nothing',
  async (_, withoutKeys, wanted, flags) => {
    const { lastName, rows } = people(2);
    const updates = wanted === 'PATCH';
    const known = updates ? await Promise.all(rows.map((row) => make.customer(row))) : [];
    await write(updates ? known.map(({ id }) => ({ id, notes: 'x' })) : rows);
    let second: CliResult | undefined;
    const server = await open(withoutKeys, async ({ method }) => {
      if (method === wanted && !second) {
        second = {} as CliResult;
        second = await run(server, [...line, ...flags]);
      }
      return undefined;
    });
    expect((await run(server, [...line, ...flags])).code).toBe(0);
    expect(second).toMatchObject({
      code: 7,
      error: { code: 'already_running', hint: expect.stringContaining('wait') },
    });
    expect(server.requests.filter(({ method }) => method === wanted)).toHaveLength(2);
    expect(await stored(lastName)).toHaveLength(2);
  },
);

describe('what is remembered', () => {
  test('holds no data of the rows, and only its owner reads it', async () => {
    const { lastName, rows } = people(1);
    await write(rows);
    const flags = [...line, '--results', 'results.ndjson'];
    for (const done of ['created', 'already_imported']) {
      await run(service, flags);
      const [result, ...others] = (await text('results.ndjson')).trim().split('\n');
      expect([JSON.parse(String(result)), others]).toEqual([
        { row: 1, key: expect.stringMatching(/^cs-import-/), did: done, id: expect.any(String) },
        [],
      ]);
    }
    const all = `${await text('results.ndjson')}${await text('state.db')}`;
    expect(all).not.toMatch(new RegExp(`${lastName}|${service.key}`));
    expect((await stat(join(folder, 'results.ndjson'))).mode & 0o777).toBe(0o600);
  });

  test("where it can't be written, nothing is sent", async () => {
    const { lastName, rows } = people(1);
    await write(rows);
    await run(service, line);
    const db = new DatabaseSync(join(folder, 'state.db'));
    db.exec('drop table "imported"');
    db.close();
    await write([{ lastName, notes: 'other' }]);
    const { code, error, stdout } = await run(service, line);
    expect([code, error.code, stdout]).toEqual([7, 'state_unusable', '']);
    expect(await stored(lastName)).toHaveLength(1);
  });
});

test('several rows without an answer, and what a person does about them', () => {
  const error = { code: 'outcome_unknown', message: '', exitCode: 7, open: 'unsure' } as const;
  const failed = [3, 5].map((row) => ({ row, key: '', did: 'failed', error }) as const);
  expect(failure('line', { failed, done: 1, left: 0, rejects: undefined })).toMatchObject({
    message: '2 rows may be stored.',
    hint: 'look which of them are stored (3,5); then run it again with --skip for those, and --again for the others',
  });
});
