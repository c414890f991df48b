import { afterEach, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import {
  json,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../helpers/misbehaving-server.ts';

let server: MisbehavingServer;
afterEach(() => server.close());

/** A server with a car 9 named 10, and a car 10 named 9. */
async function run(words: string[], options: { stdin?: string } = {}) {
  const cars = [
    { id: 9, nickname: '10' },
    { id: 10, nickname: '9' },
    { id: 'car_12', nickname: 'Ferdi' },
  ];
  server = await startMisbehavingServer(({ url }) => {
    const id = /\/cars\/([^?]+)/.exec(url)?.[1];
    if (id === undefined) return json(200, { data: cars, page: 1, limit: 200, total: 3 });
    const car = cars.find((one) => String(one.id) === id);
    return car ? json(200, { data: car }) : json(404, { error: 'Resource not found' });
  });
  const { code } = await cs(words, {
    env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' },
    ...options,
  });
  return {
    code,
    written: server.requests.flatMap(({ method, url }) => (method === 'GET' ? [] : [url])),
  };
}

test('a name that looks like the id of another record is ambiguous, and id: names the record by its id', async () => {
  expect(await run(['cars', 'update', '9', '--notes', 'x'])).toEqual({ code: 14, written: [] });
  await server.close();
  expect(await run(['cars', 'update', 'id:9', '--notes', 'x'])).toEqual({
    code: 0,
    written: ['/api/v1/cars/9'],
  });
});

/** A server that counts each list: the appointments 7 and 4, and the car 7, which has one of them. */
async function cancel(
  words: string[],
  { nickname = null, ofCar = 4 }: { nickname?: string | null; ofCar?: 4 | 7 } = {},
) {
  const cars = [{ id: 7, nickname, updatedAt: '2026-05-05T08:00:00Z' }];
  const appointments = [
    { id: 7, status: 'scheduled', startAt: '2027-05-05T08:00:00Z' },
    { id: 4, status: 'scheduled', startAt: '2026-05-05T08:00:00Z' },
  ].map((one) => ({ ...one, carId: one.id === ofCar ? 7 : null }));
  server = await startMisbehavingServer(({ url, method }) => {
    const [list, id] = url.includes('/cars')
      ? [cars, /\/cars\/(\d+)/]
      : [appointments, /\/appointments\/(\d+)/];
    const found = id.exec(url)?.[1];
    const one = list.find((row) => String(row.id) === found);
    if (found !== undefined)
      return one
        ? json(200, { data: method === 'PATCH' ? { ...one, status: 'cancelled' } : one })
        : json(404, { error: 'x' });
    const carId = /carId=(\d+)/.exec(url)?.[1];
    const data =
      carId === undefined ? list : appointments.filter((row) => String(row.carId) === carId);
    return json(200, { data, page: 1, limit: 200, total: data.length });
  });
  const env = { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' };
  const { code } = await cs(['appointments', 'cancel', ...words], {
    env,
    now: new Date('2026-05-05T07:00:00Z'),
  });
  return {
    code,
    written: server.requests.flatMap(({ method, url }) => (method === 'GET' ? [] : [url])),
  };
}

test('the id of an appointment is not taken for that of a car', async () => {
  expect(await cancel(['7'])).toEqual({ code: 0, written: ['/api/v1/appointments/7'] });
});

test("today's appointment of a car whose name is the id of another appointment is ambiguous", async () => {
  expect(await cancel(['7'], { nickname: '7' })).toEqual({ code: 14, written: [] });
});

test('the id of an appointment that is also the name of its car means it', async () => {
  expect(await cancel(['7'], { nickname: '7', ofCar: 7 })).toEqual({
    code: 0,
    written: ['/api/v1/appointments/7'],
  });
});

test('a short id of text names its record', async () => {
  expect(await run(['cars', 'update', 'car_12', '--notes', 'x'])).toEqual({
    code: 0,
    written: ['/api/v1/cars/car_12'],
  });
});
