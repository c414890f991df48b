/** Prism, a proxy that compares requests and answers with the interface description, finds no violation in a run about cars. */
import { join, resolve } from 'node:path';
import { execa, type ResultPromise } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carEvents, carPhotos, cars } from '../../src/contract/cars.ts';
import { operationsOf } from '../../src/contract/operations.ts';
import { facility } from '../helpers/facility.ts';
import { freePort } from '../helpers/free-port.ts';
import { type Answer, send, startTestService } from '../helpers/service.ts';

const root = resolve(import.meta.dirname, '../..');
/** Long, since Prism reads the whole description first. */
const timeout = 300_000;
const service = await startTestService();
const port = await freePort();
let proxy: ResultPromise<{ all: true; reject: false }>;
let log = '';

beforeAll(async () => {
  // With --errors a violation is an error in place of the answer.
  const argv = [
    'proxy',
    join(root, 'dist/openapi.json'),
    `${service.url}/api/v1`,
    '--port',
    String(port),
    '--errors',
  ];
  proxy = execa('prism', argv, { preferLocal: true, localDir: root, reject: false, all: true });
  const listening = new Promise<void>((done) => {
    proxy.all.on('data', (text) => {
      log += text;
      if (log.includes('is listening')) done();
    });
  });
  await Promise.race([listening, proxy]);
  expect(log).toContain('is listening');
}, timeout);
afterAll(async () => {
  proxy.kill();
  await proxy;
  await service.close();
});

const requests: string[] = [];
/** Prism takes paths without the prefix, which is part of the description's address. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  key: string | null = service.key,
  headers = {},
): Promise<Answer> {
  requests.push(`${method} ${path.replace(/\?.*/, '')}`);
  return send(`http://127.0.0.1:${port}${path}`, method, body, {
    ...(key && { 'x-api-key': key }),
    ...headers,
  });
}

async function answered(status: number, ...request: Parameters<typeof call>) {
  const answer = await call(...request);
  expect(answer.status, `${request.slice(0, 2).join(' ')}: ${JSON.stringify(answer.body)}`).toBe(
    status,
  );
  return answer.body?.data;
}

test('a violation is an error', { timeout }, async () => {
  const { status, bytes } = await call('POST', '/cars', {
    year: 'old',
    make: 'Porsche',
    model: '911',
  });
  expect([status, Buffer.from(bytes).toString()]).toEqual([
    422,
    expect.stringContaining('stoplight.io/prism/errors'),
  ]);
});

test('no operation of cars, their events and photos is a violation', { timeout }, async () => {
  requests.length = 0;
  const make = facility({ call });
  const hall = await make.location();
  const spot = await make.spot(hall.id);
  const [car, other] = [
    await make.car({ vin: 'WP0ZZZ91ZTS392124', status: 'expected', notes: null }),
    await make.car(),
  ];
  await answered(
    201,
    'POST',
    '/cars',
    { year: 1969, make: 'Lancia', model: 'Fulvia' },
    service.key,
    { 'idempotency-key': 'once' },
  );
  await answered(422, 'POST', '/cars', {
    year: 1969,
    make: 'Lancia',
    model: 'Fulvia',
    vin: car.vin,
  });
  await answered(200, 'PATCH', `/cars/${car.id}`, {
    color: 'red',
    nickname: null,
    customerId: (await make.customer()).id,
  });
  await answered(200, 'GET', `/cars/${car.id}`);
  await answered(404, 'GET', `/cars/${hall.id}`);
  await answered(401, 'GET', `/cars/${car.id}`, undefined, 'wrong');

  const filters =
    '&status=expected&q=911&updatedAfter=2026-01-01T00%3A00%3A00%2B01%3A00&limit=200&page=1';
  expect(await answered(200, 'GET', `/cars?ids=${car.id}%2C${other.id}${filters}`)).toHaveLength(2);
  expect(await answered(200, 'GET', `/cars?ids=${car.id},${other.id}`)).toHaveLength(2);
  expect(await answered(200, 'GET', '/cars?status=archived')).toEqual([]);

  const event = await make.event(car.id, {
    parkingSpotId: spot.id,
    notes: 'The key is in the office.',
  });
  await answered(422, 'POST', `/cars/${other.id}/events`, {
    activityType: 'drop_off',
    parkingSpotId: spot.id,
  });
  expect(await answered(200, 'GET', `/cars/${car.id}/events?activityType=drop_off`)).toHaveLength(
    1,
  );
  await answered(200, 'GET', `/cars/${car.id}/events/${event.id}`);

  const photo = await make.photo(car.id, { sessionId: event.sessionId, filename: 'front.png' });
  expect(
    await answered(200, 'GET', `/cars/${car.id}/photos?sessionId=${event.sessionId}`),
  ).toHaveLength(1);
  await answered(200, 'GET', `/cars/${car.id}/photos/${photo.id}`);
  const { status, headers, bytes } = await call(
    'GET',
    `/cars/${car.id}/photos/${photo.id}/content`,
  );
  expect([status, headers.get('content-type'), bytes.length > 0]).toEqual([200, 'image/png', true]);
  await answered(200, 'DELETE', `/cars/${car.id}/photos/${photo.id}`);

  expect(log).not.toMatch(/violation/i);
  const shapes = new Set(
    requests.map((request) => request.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '{}')),
  );
  const operations = [cars, carEvents, carPhotos].flatMap((resource) => [
    ...operationsOf(resource),
  ]);
  expect(operations.length).toBeGreaterThan(10);
  for (const { method, path } of operations)
    expect(shapes).toContain(`${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
});
