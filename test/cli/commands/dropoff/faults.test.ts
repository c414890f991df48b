/** Every request of a drop-off goes wrong in every way: what is stored, what is said, and that the two agree. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { performDropoff } from '../../../../src/cli/commands/dropoff/perform.ts';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { createClient } from '../../../../src/client/client.ts';
import { cs } from '../../../helpers/cli.ts';
import { png } from '../../../helpers/facility.ts';
import {
  type Fault,
  faults,
  type ProxiedRequest,
  startFaultyProxy,
} from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
let cwd: string;
beforeAll(async () => {
  counter = await openCounter();
  cwd = await makeFolder();
  for (const index of [1, 2]) await writeFile(join(cwd, `${index}.png`), png(index));
});
afterAll(async () => {
  await counter.service.close();
  await removeFolder(cwd);
});

/** The requests of the drop-off below, in their order. */
const requests = [
  'GET whether lists can be filtered',
  'GET car',
  'GET event types',
  'GET spots',
  'POST event',
  'POST first photo',
  'POST second photo',
] as const;
const [event, firstPhoto, secondPhoto] = [4, 5, 6];
/** Whether a request is that one. Photos are sent two at a time, so the second may come first. */
const isThe = (number: number, request: ProxiedRequest) =>
  number < firstPhoto
    ? request.number === number
    : request.url.endsWith('/photos') && request.body.includes(`"${number - firstPhoto + 1}.png"`);
const exits: Record<Fault, number> = {
  '500': 10,
  '429': 8,
  reset: 9,
  lost: 9,
  half: 9,
  silence: 9,
  mute: 9,
};
/** After these nobody can know whether the work was done. */
const undecided: Fault[] = ['500', 'reset', 'lost', 'half', 'silence', 'mute'];
const done = (fault: Fault) => fault === 'lost' || fault === 'half' || fault === 'mute';

async function dropoff(choose: (request: ProxiedRequest) => Fault | undefined) {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const proxy = await startFaultyProxy(counter.service.url, choose);
  try {
    const argv = [
      'dropoff',
      '--car',
      car.licensePlate,
      '--type',
      'drop_off',
      '--spot',
      spot.name,
      '--photo',
      '*.png',
      '--yes',
    ];
    const result = await cs([...argv, '--retries', '1'], {
      cwd,
      // A state folder of its own: what other runs left there is looked up first, which shifts the numbers of the requests.
      env: { ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: join(cwd, car.id) },
      waiting: proxy.waiting,
    });
    // What was still on its way through the proxy is done when the service has answered.
    return { car, result, proxy, stored: await counter.storedOf(car.id) };
  } finally {
    await proxy.close();
  }
}

test('the expected requests', async () => {
  const { proxy, result } = await dropoff(() => undefined);
  expect(result.code, result.stderr).toBe(0);
  expect(
    proxy.requests.map(
      ({ method, url }) => `${method} ${url.replace(/\?.*|[0-9a-f]{8}-[0-9a-f-]{27}/g, '')}`,
    ),
  ).toEqual([
    'GET /api/v1/cars',
    'GET /api/v1/cars',
    'GET /api/v1/event-types',
    'GET /api/v1/parking/spots',
    'POST /api/v1/cars//events',
    'POST /api/v1/cars//photos',
    'POST /api/v1/cars//photos',
  ]);
});

describe.each(requests.map((name, number) => ({ name, number })))('$name', ({ number }) => {
  test.concurrent.each(faults.map((fault) => ({ fault })))(
    '$fault once: retries, and stores everything once',
    async ({ fault }) => {
      const { result, stored } = await dropoff((request) =>
        isThe(number, request) && request.attempt === 0 ? fault : undefined,
      );
      expect(result.code, result.stderr).toBe(0);
      expect(result.json.photos.map(({ status }: { status: string }) => status)).toEqual([
        'stored',
        'stored',
      ]);
      expect([stored.events.length, stored.photos.length, stored.assignments.length]).toEqual([
        1, 2, 1,
      ]);
    },
  );

  test.concurrent.each(faults.map((fault) => ({ fault })))(
    '$fault always: exit code and message are correct',
    async ({ fault }) => {
      const { result, stored } = await dropoff((request) =>
        isThe(number, request) ? fault : undefined,
      );
      // A photo that was stored without an answer is found. An event may be another counter's: it is finished with its key.
      if (number > event && done(fault)) {
        expect(result.code, result.stderr).toBe(0);
        expect([stored.events.length, stored.photos.length]).toEqual([1, 2]);
        return;
      }
      if (number < event) {
        expect(result.error.exitCode).toBe(exits[fault]);
        expect(stored.events).toEqual([]);
      } else if (number === event) {
        expect(result.error.exitCode).toBe(exits[fault]);
        expect(stored.events).toHaveLength(done(fault) ? 1 : 0);
        expect(stored.photos).toEqual([]);
        const unknown = undecided.includes(fault);
        expect(/the drop-off may be stored/i.test(result.error.message)).toBe(unknown);
        if (unknown)
          expect(result.error.hint).toMatch(/^finish it with `cs pending resume [0-9a-f]{8}`$/);
      } else expectOneMissing(result, stored, fault);
      expect(result.code).toBe(number > event ? 11 : exits[fault]);
    },
  );

  function expectOneMissing(
    result: Awaited<ReturnType<typeof cs>>,
    stored: Awaited<ReturnType<Counter['storedOf']>>,
    fault: Fault,
  ): void {
    const missing = number - firstPhoto;
    const { photos } = result.json;
    expect(photos.map(({ status }: { status: string }) => status)).toEqual(
      number === firstPhoto ? ['failed', 'stored'] : ['stored', 'failed'],
    );
    expect(photos[missing].error.unknownOutcome).toBe(undecided.includes(fault));
    expect([stored.events.length, stored.photos.length]).toEqual([1, 1]);
    expect(result.error.message).toContain(
      undecided.includes(fault) ? '1 of 2 photos uncertain' : '1 of 2 photos not stored',
    );
    expect(result.error.hint).toMatch(
      /^send the missing photos with `cs pending resume [0-9a-f]{8}`$/,
    );
  }
});

test('SIGTERM while a photo is sent: exit 143, and the result lists what is stored', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const stop = new AbortController();
  const proxy = await startFaultyProxy(counter.service.url, ({ url }) => {
    if (!url.endsWith('/photos')) return undefined;
    stop.abort(new Interrupted('SIGTERM'));
    return 'silence';
  });
  const argv = [
    'dropoff',
    '--car',
    car.id,
    '--type',
    'drop_off',
    '--spot',
    spot.id,
    '--photo',
    '*.png',
    '--yes',
  ];
  const result = await cs(argv, {
    cwd,
    env: counter.env(counter.service.key, proxy.url),
    signal: stop.signal,
  });
  await proxy.close();
  expect(result.code).toBe(143);
  expect(result.json.photos.map(({ status }: { status: string }) => status)).toEqual([
    'failed',
    'not_sent',
  ]);
  expect(result.error).toMatchObject({
    code: 'interrupted',
    exitCode: 143,
    hint: expect.stringMatching(/cs pending resume [0-9a-f]{8}/),
  });
  expect((await counter.storedOf(car.id)).events.map(({ sessionId }) => sessionId)).toEqual([
    result.json.sessionId,
  ]);
});

test('a new car with a refused event: reports the stored car and the next command', async () => {
  const spot = await counter.spot();
  await counter.make.event((await counter.car()).id, { parkingSpotId: spot.id });
  const client = createClient({ baseUrl: counter.service.url, key: counter.service.key });
  onTestFinished(() => client.close());
  const [eventType] = (await client.eventTypes.list()).data.filter(
    ({ value }) => value === 'drop_off',
  );
  const perform = performDropoff({
    client,
    plan: {
      car: {
        kind: 'new',
        values: { year: 1969, make: 'Citroën', model: '2CV', nickname: 'Left alone' },
      },
      eventType: eventType as NonNullable<typeof eventType>,
      place: { kind: 'spot', record: spot },
      photos: [],
    },
    options: { globalFlags: ['--profile', 'main'] },
  });
  const error = await perform.catch((caught) => caught);
  const [car] = (await client.cars.list({ q: 'Left alone' })).data;
  expect(error).toMatchObject({
    code: 'parking_spot_occupied',
    exitCode: 7,
    message: expect.stringContaining(
      "The new car 1969 Citroën 2CV · “Left alone” is stored, the drop-off isn't.",
    ),
    hint: expect.stringContaining(`cs dropoff ${car?.id} --profile main`),
  });
});

test('the suggested command sends the missing photos once', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  let broken = true;
  const proxy = await startFaultyProxy(counter.service.url, (request) =>
    !broken
      ? undefined
      : isThe(firstPhoto, request)
        ? '500'
        : isThe(secondPhoto, request)
          ? 'reset'
          : undefined,
  );
  onTestFinished(() => proxy.close());
  const options = { cwd, env: counter.env(counter.service.key, proxy.url), waiting: proxy.waiting };
  const argv = [
    'dropoff',
    '--car',
    car.licensePlate,
    '--type',
    'drop_off',
    '--spot',
    spot.name,
    '--photo',
    '*.png',
    '--yes',
  ];
  const result = await cs([...argv, '--retries', '0'], options);
  expect(result.code).toBe(11);
  const words = result.error.details.again.split(' ');
  expect(words.shift()).toBe('cs');
  broken = false;
  const again = await cs(words, options);
  expect(again.code, again.stderr).toBe(0);
  expect(again.json).toMatchObject([
    {
      command: 'dropoff',
      status: 'finished',
      result: { sessionId: result.json.sessionId },
      error: null,
    },
  ]);
  const stored = await counter.storedOf(car.id);
  expect(stored.photos.map(({ filename }) => filename).sort()).toEqual(['1.png', '2.png']);
  expect(stored.photos.every(({ sessionId }) => sessionId === result.json.sessionId)).toBe(true);
});
