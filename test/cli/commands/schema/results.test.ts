/** Holds what commands print against the schema that `cs schema` prints of it. */
import { describe, expect, test } from 'vitest';
import { liveTree } from '../../../../src/cli/commands/catalogue.ts';
import { results } from '../../../../src/cli/commands/schema/results.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { png } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { record, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { ajv } from '../../../helpers/result-schema.ts';
import { counterOfFile, folderWith, noon } from '../counter/counter.ts';

const counter = counterOfFile();

/** Our own service adds no fields to records, so a record has no other fields either. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  );
  return 'properties' in schema ? { ...inner, additionalProperties: false } : inner;
};

async function violations(name: string, result: unknown): Promise<unknown> {
  const { json: schema } = await cs(['schema', name]);
  const validate = ajv.compile(closed(schema) as object);
  validate(result);
  return validate.errors;
}

const run = (line: readonly string[], options: CliOptions = {}) =>
  cs(line, { env: counter.env(), now: noon, ...options });

/** Runs a command, and expects its result to be as described. */
async function expectDescribed(
  line: readonly string[],
  options: CliOptions & { code?: number } = {},
) {
  const result = await run(line, options);
  expect(result.code, result.stderr).toBe(options.code ?? 0);
  const name = results.find((one) => `${line.join(' ')} `.startsWith(`${one.name} `))
    ?.name as string;
  expect(await violations(name, result.json)).toBeNull();
  return result.json;
}

const isList = (name: string) => ['board', 'pending resume', 'usage'].includes(name);

describe.each(results.map(({ name }) => [name]))('%s', (name) => {
  test('its schema is JSON Schema, and each object names its fields', async () => {
    const { code, json } = await cs(['schema', name]);
    expect([code, json.title, json.$schema]).toEqual([
      0,
      name,
      'https://json-schema.org/draft/2020-12/schema',
    ]);
    expect(ajv.validateSchema(json)).toBe(true);
  });
  test('it is listed, and completion offers it', async () => {
    const { json } = await cs(['schema']);
    expect(json).toContainEqual(
      expect.objectContaining({
        name,
        path: null,
        about: expect.stringContaining(`\`cs ${name}\``),
      }),
    );
    expect((await liveTree.family('schema')).arguments[0]?.offers).toContain(name.split(' ')[0]);
  });
  test('a field that it does not name, or a missing one, is found', async () => {
    expect(await violations(name, isList(name) ? [{}] : {})).toContainEqual(
      expect.objectContaining({ keyword: 'required' }),
    );
    expect(await violations(name, isList(name) ? [{ unnamed: 1 }] : { unnamed: 1 })).toContainEqual(
      expect.objectContaining({ keyword: 'additionalProperties' }),
    );
  });
});

describe('dropoff and pickup', () => {
  test('with stored, equal and failed photos; repeated with the same key', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const cwd = await folderWith({ 'a.png': png(1), 'b.png': png(1), 'c.png': png(2) });
    const line = [
      'dropoff',
      '--car',
      car.id,
      '--type',
      'drop_off',
      '--yes',
      '--spot',
      spot.id,
      '--idempotency-key',
      `shape-${car.id}`,
    ];
    const photos = ['--photo', 'a.png', '--photo', 'b.png', '--photo', 'c.png'];
    const first = await expectDescribed([...line, ...photos], { cwd });
    expect(first.photos.map(({ sameAs }: { sameAs: string | null }) => sameAs !== null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(await expectDescribed([...line, ...photos], { cwd })).toMatchObject({ replayed: true });
    const proxy = await startFaultyProxy(counter.service.url, ({ url }) =>
      url.endsWith('/photos') ? '500' : undefined,
    );
    const env = { ...counter.env(counter.service.key, proxy.url), CS_RETRIES: '0' };
    const out = await expectDescribed(
      ['pickup', car.id, '--type', 'pick_up', '--yes', '--photo', 'c.png'],
      {
        cwd,
        env,
        code: 11,
      },
    ).finally(proxy.close);
    expect([out.spot.id, out.photos[0].error.exitCode]).toEqual([spot.id, 10]);
  });
  test('into a zone, and out again', async () => {
    const car = await counter.car({ nickname: 'Emma' });
    expect(
      (
        await expectDescribed([
          'dropoff',
          '--car',
          car.id,
          '--type',
          'drop_off',
          '--yes',
          '--zone',
          counter.hall.id,
        ])
      ).spot,
    ).toBeNull();
    expect((await expectDescribed(['pickup', car.id, '--type', 'pick_up', '--yes'])).zone.id).toBe(
      counter.hall.id,
    );
  });
});

test('move: to another spot, and to the same again', async () => {
  const [car, from, to] = [await counter.car(), await counter.spot(), await counter.spot()];
  await counter.make.event(car.id, { parkingSpotId: from.id });
  const line = ['move', car.id, '--spot', to.id, '--idempotency-key', `move-${car.id}`];
  expect(await expectDescribed(line)).toMatchObject({
    moved: true,
    from: { spot: { id: from.id } },
  });
  expect(await expectDescribed(['move', car.id, '--spot', to.id])).toMatchObject({ moved: false });
});

describe('pending resume', () => {
  test('finished and refused', async () => {
    const env = { ...counter.env(), CS_STATE_DIR: await folderWith({}) };
    const cwd = await folderWith({ 'a.png': png(1) });
    const [first, second, third] = [await counter.car(), await counter.car(), await counter.car()];
    const [spot, other] = [await counter.spot(), await counter.spot()];
    const line = (car: { id: string }, place: { id: string }) => [
      'dropoff',
      car.id,
      '--type',
      'drop_off',
      '--spot',
      place.id,
      '--yes',
    ];
    const lines = [
      [...line(first, spot), '--photo', 'a.png'],
      ['move', first.id, '--spot', other.id],
      ['pickup', first.id, '--yes'],
      line(second, spot),
      line(third, spot),
      line(first, other),
    ];
    for (const [minute, queued] of lines.entries())
      expect(
        (
          await run([...queued, '--offline'], {
            env,
            cwd,
            now: new Date(Date.now() - (60 - minute) * 60_000),
          })
        ).code,
      ).toBe(0);
    const resumed = await expectDescribed(['pending', 'resume'], {
      env,
      code: 11,
      now: new Date(),
    });
    expect(resumed.map(({ status }: { status: string }) => status)).toEqual([
      ...['finished', 'finished', 'finished', 'finished'],
      ...['refused', 'finished'],
    ]);
  });
  test('photos', async () => {
    const cwd = await folderWith({ 'a.png': png(1) });
    const proxy = await startFaultyProxy(counter.service.url, ({ method }) =>
      method === 'POST' ? 'reset' : undefined,
    );
    const env = {
      ...counter.env(counter.service.key, proxy.url),
      CS_STATE_DIR: await folderWith({}),
    };
    await run(['cars', 'photos', 'add', (await counter.car()).id, 'a.png', '--retries', '0'], {
      env,
      cwd,
    });
    const failed = await expectDescribed(['pending', 'resume', '--retries', '0'], {
      env,
      code: 9,
    }).finally(proxy.close);
    expect(failed).toMatchObject([{ status: 'unfinished', result: [{ status: 'failed' }] }]);
  });
});

describe('today', () => {
  test('with something in every section', async () => {
    const types: { id: string; value: string }[] = await counter.make.read('/event-types');
    const visit = async (type: string, hour: number, more: object = {}) => {
      const start = new Date(noon);
      start.setHours(hour);
      const appointmentTypeId = types.find(({ value }) => value === type)?.id;
      const times = {
        startAt: start.toISOString(),
        endAt: new Date(start.getTime() + 1_800_000).toISOString(),
      };
      await counter.make.appointment({
        carId: (await counter.car()).id,
        appointmentTypeId,
        ...times,
        ...more,
      });
    };
    const owner = await counter.make.customer();
    await visit('drop_off', 15, { customerId: owner.id, locationId: counter.harbour.id });
    await visit('pick_up', 16);
    await visit('inspection', 17);
    await visit('drop_off', 9);
    await visit('inspection', 8, { status: 'in_progress' });
    await visit('pick_up', 18, { status: 'pending_approval' });
    const car = await counter.car();
    await counter.make.event(car.id, {
      parkingSpotId: (await counter.spot()).id,
      occurredAt: new Date().toISOString(),
    });
    const all = await expectDescribed(['today']);
    for (const section of [
      'arrivals',
      'departures',
      'other',
      'late',
      'withoutPhotos',
      'waitingForApproval',
    ])
      expect(all[section], section).not.toEqual([]);
    await expectDescribed(['today', '--location', counter.harbour.id]);
  });
  test('with sections that the key may not read', async () => {
    const key = await counter.service.keyWith(['read:appointments']);
    const part = await expectDescribed(['today'], { env: counter.env(key), code: 11 });
    expect(part.notRead).not.toEqual([]);
  });
});

describe('board', () => {
  test('of spots in and without a zone, cars with and without a spot, and a spot out of use', async () => {
    const { make, harbour, hall } = counter;
    await make.event((await counter.car()).id, { parkingZoneId: hall.id });
    await make.event((await counter.car()).id, { parkingSpotId: (await counter.spot()).id });
    await make.change(`/parking/spots/${(await counter.spot()).id}`, { isActive: false });
    await make.spot(harbour.id, { name: 'Gate' });
    await make.zone(harbour.id, { name: 'Yard', capacity: null });
    const zones = await expectDescribed(['board']);
    expect(zones.map(({ id }: { id: string | null }) => id)).toContain(null);
    const states = zones.flatMap(({ spots }: { spots: { state: string }[] }) =>
      spots.map(({ state }) => state),
    );
    expect(new Set(states)).toEqual(new Set(['free', 'taken', 'inactive']));
  });
  test('without the scopes for cars and locations', async () => {
    await expectDescribed(['board'], {
      env: counter.env(await counter.service.keyWith(['read:parking'])),
    });
  });
});

test.each(['customer', 'car', 'zone'])('usage --by %s', async (by) => {
  await counter.parkedCar();
  const now = new Date(Date.now() + 86_400_000);
  const lines = await expectDescribed(['usage', '--by', by], { now });
  expect(lines).not.toEqual([]);
});

describe('doctor', () => {
  test('without a problem, and with a refused key', async () => {
    expect(await expectDescribed(['doctor'])).toMatchObject({ ok: true });
    expect(
      await expectDescribed(['doctor'], { env: counter.env('csk_abcdefghijkl.wrong'), code: 4 }),
    ).toMatchObject({ ok: false });
  });
  test('of a server with another interface', async () => {
    const openapi = {
      openapi: '3.1.0',
      paths: { '/cars': { get: { responses: {} } }, '/wheels': { get: { responses: {} } } },
    };
    const server = await startMisbehavingServer(({ url }) => (response, request) => {
      if (url.endsWith('/openapi.json'))
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(openapi));
      else record({ scopes: [] })(response, request);
    });
    const { drift } = await expectDescribed(['doctor'], {
      env: counter.env(counter.service.key, server.url),
    }).finally(server.close);
    expect(drift.unknownOperations).toContain('GET /wheels');
  });
});
