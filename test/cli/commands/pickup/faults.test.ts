/** Every request of a pick-up goes wrong in every way: an event is never lost unsaid and never doubled. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { png } from '../../../helpers/facility.ts';
import {
  type Fault,
  faults,
  type ProxiedRequest,
  startFaultyProxy,
} from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { counterOfFile } from '../counter/counter.ts';

const counter = counterOfFile();
let cwd: string;
beforeAll(async () => {
  cwd = await makeFolder();
  await writeFile(join(cwd, '1.png'), png(1));
});
afterAll(async () => {
  await removeFolder(cwd);
});

const requests = [
  'GET the team of the key',
  'GET car',
  'GET event types',
  'GET spot',
  'POST event',
  'POST photo',
] as const;
const event = requests.indexOf('POST event');
/** Of a read, one fault for each exit code: which faults the client repeats, its own tests show. */
const faultsOf = (number: number): readonly Fault[] =>
  number < event ? ['500', '429', 'reset'] : faults;
const exits: Record<Fault, number> = {
  '500': 10,
  '429': 8,
  reset: 9,
  lost: 9,
  half: 9,
  silence: 9,
  mute: 9,
};
const undecided: Fault[] = ['500', 'reset', 'lost', 'half', 'silence', 'mute'];
const done = (fault: Fault) => fault === 'lost' || fault === 'half' || fault === 'mute';

async function pickup(choose: (request: ProxiedRequest) => Fault | undefined) {
  const [car, spot] = [await counter.car(), await counter.spot()];
  await counter.make.event(car.id, { parkingSpotId: spot.id });
  const proxy = await startFaultyProxy(counter.service.url, choose);
  try {
    const argv = ['pickup', car.licensePlate, '--photo', '1.png', '--yes', '--retries', '1'];
    // A state folder of its own: what other runs left there is looked up first, which shifts the numbers of the requests.
    const env = { ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: join(cwd, car.id) };
    const result = await cs(argv, { cwd, env, waiting: proxy.waiting });
    const stored = await counter.storedOf(car.id);
    const pickups = stored.events.filter(({ activityType }) => activityType === 'pick_up');
    return { car, result, proxy, pickups, photos: stored.photos };
  } finally {
    await proxy.close();
  }
}

test('the expected requests', async () => {
  const { proxy, result } = await pickup(() => undefined);
  expect(result.code, result.stderr).toBe(0);
  expect(
    proxy.requests.map(
      ({ method, url }) => `${method} ${url.replace(/\?.*|[0-9a-f]{8}-[0-9a-f-]{27}/g, '')}`,
    ),
  ).toEqual([
    'GET /api/v1/me',
    'GET /api/v1/cars',
    'GET /api/v1/event-types',
    'GET /api/v1/parking/spots/',
    'POST /api/v1/cars//events',
    'POST /api/v1/cars//photos',
  ]);
});

describe.each(requests.map((name, number) => ({ name, number })))('$name', ({ number }) => {
  test.concurrent.each(faultsOf(number).map((fault) => ({ fault })))(
    '$fault once: retries, and stores everything once',
    async ({ fault }) => {
      const { result, pickups, photos } = await pickup((request) =>
        request.number === number && request.attempt === 0 ? fault : undefined,
      );
      expect(result.code, result.stderr).toBe(0);
      expect([pickups.length, photos.length]).toEqual([1, 1]);
    },
  );

  test.concurrent.each(faultsOf(number).map((fault) => ({ fault })))(
    '$fault always: exit code and message are correct',
    async ({ fault }) => {
      const { car, result, pickups, photos } = await pickup((request) =>
        request.number === number ? fault : undefined,
      );
      // The place is read to be shown; the pick-up doesn't need it.
      if (number === requests.indexOf('GET spot') && fault === '500') {
        expect([result.code, pickups.length, photos.length, result.json.spot]).toEqual([
          0,
          1,
          1,
          null,
        ]);
        return;
      }
      const unknown = undecided.includes(fault);
      if (number > event) {
        expect(result.code).toBe(11);
        expect([pickups.length, photos.length]).toEqual([1, done(fault) ? 1 : 0]);
        expect(result.error.message).toContain(
          `The pick-up of ${car.licensePlate} is stored, 1 of 1 photo ${unknown ? 'uncertain' : 'not stored'}`,
        );
        expect(result.error.hint).toMatch(
          /^send the missing photos with `cs pending resume [0-9a-f]{8}`$/,
        );
        return;
      }
      expect([result.code, result.error.exitCode]).toEqual([exits[fault], exits[fault]]);
      expect(photos).toEqual([]);
      expect(pickups).toHaveLength(number === event && done(fault) ? 1 : 0);
      if (number < event) return;
      expect(/the pick-up may be stored/i.test(result.error.message)).toBe(unknown);
      if (unknown)
        expect(result.error.hint).toMatch(
          /^finish it with `cs pending resume [0-9a-f]{8}`, or run/,
        );
    },
  );
});
