/** Queued work whose car, or time, isn't by now what was known when it was queued: told with the next command, and answered by a person. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { createKey } from '../../../../src/service/admin.ts';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { readNames } from '../../../helpers/names.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
let secondKey: string;
beforeAll(async () => {
  counter = await openCounter();
  secondKey = (await createKey(counter.service.admin, { team: 'first', name: 'Counter 2', scopes }))
    .key;
});
afterAll(() => counter.service.close());

let state: string;
beforeEach(async () => {
  state = await makeFolder();
  onTestFinished(() => removeFolder(state));
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const env = () => ({ ...counter.env(), CS_STATE_DIR: state });
const pending = async () => (await cs(['pending', 'list'], { env: env() })).json;
const resume = (...flags: string[]) => cs(['pending', 'resume', ...flags], { env: env() });

/** A time to the second: two of them may be in one minute. */
const moment = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';

/** Keeps the cars and places on this machine, as a counter on a terminal does. */
const keepNames = () => readNames(env());

const byOther = (carId: string, body: object) =>
  counter.service.call('POST', `/cars/${carId}/events`, body, secondKey);

async function queued(...argv: string[]): Promise<string> {
  const result = await cs([...argv, '--yes', '--offline'], { env: env(), now: minutesAgo(10) });
  expect(result.code, result.stderr).toBe(0);
  return result.json.queued.id;
}

const dropoffTo = (car: { licensePlate: string }, spot: { name: string }) =>
  ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name] as const;

describe('a car that the other counter parked meanwhile', () => {
  async function parkedByOther() {
    const [car, mine, theirs] = [await counter.car(), await counter.spot(), await counter.spot()];
    await keepNames();
    await byOther(car.id, {
      activityType: 'drop_off',
      parkingSpotId: theirs.id,
      occurredAt: minutesAgo(20).toISOString(),
    });
    const id = await queued(...dropoffTo(car, mine));
    return { car, mine, theirs, id };
  }

  test.each([true, false])(
    'a drop-off is refused, with who parked it and when; names known: %s',
    async (isKnown) => {
      const { car, theirs, id } = await parkedByOther();
      if (!isKnown) {
        await cs(['pending', 'discard', id, '--yes'], { env: env() });
        await queued(...dropoffTo(car, await counter.spot()), '--notes', 'without names');
      }
      const { code, error } = await resume();
      expect([code, error.code]).toEqual([7, 'parking_changed']);
      // Of the answer that it sums up.
      expect([error.status, error.requestId]).toEqual([422, expect.any(String)]);
      expect(error.message).toMatch(
        new RegExp(
          `^${car.licensePlate} .*is already parked in ${theirs.name}: drop_off at .*with the key Counter 2\\. Nothing was stored\\.$`,
        ),
      );
      expect(error.hint).toMatch(
        /; store it all the same with `cs pending resume \w{8} --anyway`$/,
      );
      expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(theirs.id);
      expect(await pending()).toHaveLength(1);
    },
  );

  test('--dry-run names the conflict', async () => {
    const { car, id } = await parkedByOther();
    const { code, json } = await resume('--dry-run');
    expect([code, json[0].error.code]).toEqual([7, 'parking_changed']);
    expect(json[0].error.message).toMatch(
      new RegExp(
        `^${car.licensePlate} .*is already parked in another place \\(latest event: drop_off at`,
      ),
    );
    const anyway = await resume('--dry-run', '--anyway');
    expect([anyway.code, anyway.json[0].error]).toEqual([0, null]);
    expect((await pending())[0].id).toBe(id);
  });

  test('--anyway stores it, as it was queued', async () => {
    const { car, mine } = await parkedByOther();
    const { code, stderr } = await resume('--anyway');
    expect(code, stderr).toBe(0);
    expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(mine.id);
    expect(await pending()).toEqual([]);
  });

  test('a person is asked', async () => {
    const { car, mine, theirs } = await parkedByOther();
    const terminal = openTerminal(['pending', 'resume'], { env: env() });
    const asked = await terminal.waitFor('Store it all the same');
    expect(asked.replace(/\s+/g, ' ')).toContain(
      `is already parked in ${theirs.name}: drop_off at`,
    );
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(mine.id);
  });

  test('a person leaves it for later with the next command: why is told once', async () => {
    const { car } = await parkedByOther();
    const terminal = openTerminal(['dropoff'], { env: env() });
    await terminal.waitFor('Store it all the same');
    terminal.press('down');
    await terminal.waitFor('❯ Leave it for later');
    terminal.press('enter');
    const screen = await terminal.waitFor('? Car');
    expect(screen.match(/is already parked in/g)).toHaveLength(1);
    expect(screen).toContain(
      `Unfinished: drop-off of ${car.licensePlate}. Finish with \`cs pending resume\`.`,
    );
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
  });

  test('the next command leaves it in the queue, and names the command that stores it', async () => {
    const { id } = await parkedByOther();
    const [car, spot] = [await counter.car(), await counter.spot()];
    const { code, stderr } = await cs([...dropoffTo(car, spot), '--yes'], { env: env() });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`Store it all the same with \`cs pending resume ${id} --anyway\`.`);
    const shown = await cs([...dropoffTo(await counter.car(), await counter.spot()), '--yes'], {
      env: env(),
      as: 'terminal',
    });
    const lines = shown.stderr.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.some((line) => line.includes(`\`cs pending resume ${id} --anyway\`.`))).toBe(true);
  });
});

test('a car that is still where it was known to be is dropped off to another place', async () => {
  const [car, before, after] = [await counter.car(), await counter.spot(), await counter.spot()];
  await byOther(car.id, {
    activityType: 'drop_off',
    parkingSpotId: before.id,
    occurredAt: minutesAgo(30).toISOString(),
  });
  await keepNames();
  await queued(...dropoffTo(car, after));
  const { code, stderr } = await resume();
  expect(code, stderr).toBe(0);
});

test.each([
  ['pickup', (car: string, _spot: string) => ['pickup', car, '--type', 'pick_up']],
  ['move', (car: string, spot: string) => ['move', car, '--spot', spot]],
])('cs %s of a car that the other counter moved is refused', async (_command, line) => {
  const [car, before, theirs, mine] = [
    await counter.car(),
    await counter.spot(),
    await counter.spot(),
    await counter.spot(),
  ];
  await byOther(car.id, {
    activityType: 'drop_off',
    parkingSpotId: before.id,
    occurredAt: minutesAgo(30).toISOString(),
  });
  await keepNames();
  await queued(...line(car.licensePlate, mine.name));
  const at = minutesAgo(20).toISOString();
  await counter.service.call(
    'POST',
    '/parking/assignments',
    { carId: car.id, parkingSpotId: theirs.id, startedAt: at },
    secondKey,
  );
  const { error } = await resume();
  expect(error).toMatchObject({
    code: 'parking_changed',
    message: expect.stringContaining(`has been moved to ${theirs.name}`),
  });
  const anyway = await resume('--anyway');
  expect(anyway.code, anyway.stderr).toBe(0);
});

test('work on one car that was queued in a row expects what the work before it leaves, also another place that a person chose', async () => {
  const [car, taken, free] = [await counter.car(), await counter.spot(), await counter.spot()];
  await queued(...dropoffTo(car, taken));
  await queued('pickup', car.licensePlate, '--type', 'pick_up');
  await queued(...dropoffTo(car, await counter.spot()));
  await queued('move', car.licensePlate, '--spot', (await counter.spot()).name);
  const blocker = await counter.car();
  await byOther(blocker.id, {
    activityType: 'drop_off',
    parkingSpotId: taken.id,
    occurredAt: minutesAgo(30).toISOString(),
  });
  const terminal = openTerminal(['pending', 'resume'], { env: env() });
  await terminal.waitFor('Choose another place');
  terminal.press('enter');
  await terminal.waitFor('? Place');
  terminal.type(free.name);
  await terminal.waitFor(new RegExp(`❯ +${free.name}`));
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect((await counter.storedOf(car.id)).assignments).toHaveLength(3);
});

describe('a plate that another car has by now', () => {
  async function swapped() {
    const [mine, other] = [
      await counter.car({ model: 'Meant' }),
      await counter.car({ model: 'Present' }),
    ];
    const spot = await counter.spot();
    await keepNames();
    await queued(...dropoffTo(mine, spot));
    const rename = (id: string, licensePlate: string) =>
      counter.service.call('PATCH', `/cars/${id}`, { licensePlate });
    await rename(mine.id, 'X');
    await rename(other.id, mine.licensePlate);
    return { mine, other, spot };
  }

  test('it is refused; --anyway stores it for the present car, the hint names the line for the other one', async () => {
    const { mine, other, spot } = await swapped();
    const { code, error } = await resume();
    expect([code, error.code]).toEqual([7, 'other_car']);
    expect(error.message).toContain(`${mine.licensePlate} is another car by now:`);
    expect(error.message).toContain(
      `(${other.id}). When the drop-off of ${mine.licensePlate} was queued, it was ${mine.licensePlate}`,
    );
    expect(error.hint).toMatch(
      new RegExp(
        `\`cs dropoff ${mine.id} --type drop_off --spot ${spot.name} --at \\S+\`; store it for this car with \`cs pending resume \\w{8} --anyway\``,
      ),
    );
    expect((await resume('--anyway')).code).toBe(0);
    expect((await counter.storedOf(other.id)).car.parkingSpotId).toBe(spot.id);
  });

  test('a person chooses the car that was meant', async () => {
    const { mine, spot } = await swapped();
    const terminal = openTerminal(['pending', 'resume'], { env: env() });
    expect(await terminal.waitFor('Store it for the car of that name')).toMatch(
      /❯ Store it for .*Meant/,
    );
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(mine.id)).car.parkingSpotId).toBe(spot.id);
  });
});

describe('a time that the server refuses', () => {
  test('of a clock that was ahead: --dry-run tells it, the hint has the flag, and --present-time stores it', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const ahead = new Date(Date.now() + 3 * 3_600_000);
    const { json } = await cs([...dropoffTo(car, spot), '--yes', '--offline'], {
      env: env(),
      now: ahead,
    });
    const dry = await resume('--dry-run');
    expect([dry.code, dry.json[0].error.code]).toEqual([3, 'occurred_at_in_future']);
    const { error } = await resume();
    expect(error.code).toBe('occurred_at_in_future');
    expect(error.hint).toContain(
      `store it with the present time with \`cs pending resume ${json.queued.id} --present-time\``,
    );
    const before = Date.now() - 2_000;
    const stored = await resume('--present-time');
    expect(stored.code, stored.stderr).toBe(0);
    const [event] = (await counter.storedOf(car.id)).events;
    expect(Date.parse(event?.occurredAt as string)).toBeGreaterThan(before);
  });

  test('before a later use of the spot: --dry-run tells it, and --present-time stores it', async () => {
    const [car, spot, other] = [await counter.car(), await counter.spot(), await counter.car()];
    const id = await queued(...dropoffTo(car, spot));
    await byOther(other.id, { activityType: 'drop_off', parkingSpotId: spot.id });
    await byOther(other.id, { activityType: 'pick_up' });
    const dry = await resume('--dry-run');
    expect(dry.json).toMatchObject([{ id, error: { code: 'occurred_at_conflict', exitCode: 7 } }]);
    const { error } = await resume();
    expect(error).toMatchObject({ code: 'occurred_at_conflict', exitCode: 7 });
    expect(error.message).toMatch(
      new RegExp(
        `^${moment} is before the latest parking change of this car or spot, at ${moment}\\. Nothing was stored\\.$`,
      ),
    );
    const shown = await cs(['pending', 'resume'], { env: env(), as: 'terminal' });
    expect(shown.stderr).not.toMatch(/^ +(at|latest): /m);
    const next = await cs([...dropoffTo(await counter.car(), await counter.spot()), '--yes'], {
      env: env(),
    });
    expect(next.stderr.trim()).toMatch(
      new RegExp(
        `^The queued drop-off of ${car.licensePlate} \\(${moment}\\) isn't finished\\. ${moment} is before .*, at ${moment}\\. Nothing was stored\\. Store it with the present time with \`cs pending resume ${id} --present-time\`\\.$`,
      ),
    );
    expect((await resume('--present-time')).code).toBe(0);
  });

  test.each([
    [
      'drop_off',
      (carId: string, spotId: string) =>
        byOther(carId, { activityType: 'drop_off', parkingSpotId: spotId }),
    ],
    [
      'a move',
      (carId: string, parkingSpotId: string) =>
        counter.service.call('POST', '/parking/assignments', { carId, parkingSpotId }, secondKey),
    ],
  ])(
    'of a pick-up before %s of the same car: named, and --present-time takes a person',
    async (what, later) => {
      const [car, before, after] = [
        await counter.car(),
        await counter.spot(),
        await counter.spot(),
      ];
      await byOther(car.id, {
        activityType: 'drop_off',
        parkingSpotId: before.id,
        occurredAt: minutesAgo(60).toISOString(),
      });
      const id = await queued('pickup', car.licensePlate);
      await later(car.id, after.id);
      for (const flags of [
        [],
        ['--present-time'],
        ['--present-time', '--yes'],
        ['--dry-run', '--present-time'],
      ]) {
        const { code, json, error = json[0].error } = await resume(...flags);
        expect([code, error.code]).toEqual([7, 'occurred_at_conflict']);
        expect(error.message).toMatch(
          new RegExp(`The car had a later event: ${what} at ${moment}\\.$`),
        );
        expect(`${error.message}${error.hint}`).not.toContain('--present-time');
      }
      const { hint } = (await resume()).error;
      expect(hint).toContain(
        `run \`cs pending resume ${id}\` in a terminal to be asked, or forget it with \`cs pending discard ${id}\``,
      );
      expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(after.id);
      const terminal = openTerminal(['pending', 'resume', '--present-time'], { env: env() });
      await terminal.waitFor('❯ Leave it for later');
      expect(terminal.screen().replace(/\s+/g, ' ')).toContain(
        `The car had a later event: ${what} at`,
      );
      terminal.press('down');
      await terminal.waitFor('❯ Forget it');
      terminal.press('down');
      await terminal.waitFor('❯ Store it with the present time');
      terminal.press('enter');
      expect(await terminal.exited).toBe(0);
      expect((await counter.storedOf(car.id)).car.status).toBe('checked_out');
    },
  );

  test('of a car that another counter parked after it: no flag is offered that stores it as the newer one', async () => {
    const [car, mine, theirs] = [await counter.car(), await counter.spot(), await counter.spot()];
    await keepNames();
    const id = await queued(...dropoffTo(car, mine));
    await byOther(car.id, { activityType: 'drop_off', parkingSpotId: theirs.id });
    const { error } = await resume();
    expect(error.code).toBe('parking_changed');
    expect(error.message).toMatch(new RegExp(`: drop_off at ${moment} with the key Counter 2\\.`));
    expect(error.hint).toMatch(
      new RegExp(`; run \`cs pending resume ${id}\` in a terminal to be asked, or forget it with`),
    );
    expect((await resume('--anyway', '--present-time')).error.code).toBe('occurred_at_conflict');
    expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(theirs.id);
  });

  test('--present-time keeps the times that the server takes', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    await queued(...dropoffTo(car, spot));
    expect((await resume('--present-time')).code).toBe(0);
    const [event] = (await counter.storedOf(car.id)).events;
    expect(Date.parse(event?.occurredAt as string)).toBeLessThan(Date.now() - 9 * 60_000);
  });
});

test('a server without the precondition is read again right before', async () => {
  const proxy = await startFaultyProxy(counter.service.url, () => undefined, { withoutKeys: true });
  onTestFinished(() => proxy.close());
  const [car, mine, theirs] = [await counter.car(), await counter.spot(), await counter.spot()];
  await byOther(car.id, {
    activityType: 'drop_off',
    parkingSpotId: theirs.id,
    occurredAt: minutesAgo(20).toISOString(),
  });
  const server = { ...env(), CS_BASE_URL: proxy.url };
  await cs([...dropoffTo(car, mine), '--yes', '--offline'], { env: server, now: minutesAgo(10) });
  const { error } = await cs(['pending', 'resume'], { env: server });
  expect(error).toMatchObject({ code: 'parking_changed', exitCode: 7 });
});

test('two counters without the server that meet at one spot, one car and one appointment: one of each is stored, and every other is named', async () => {
  const states = { A: await makeFolder(), B: await makeFolder() };
  onTestFinished(() => Promise.all(Object.values(states).map(removeFolder)).then(() => {}));
  const at = (name: 'A' | 'B') => ({
    ...counter.env(name === 'A' ? counter.service.key : secondKey),
    CS_STATE_DIR: states[name],
  });
  const [first, second, both, booked] = [
    await counter.car(),
    await counter.car(),
    await counter.car(),
    await counter.car(),
  ];
  const [spot, ...spots] = [
    await counter.spot(),
    await counter.spot(),
    await counter.spot(),
    await counter.spot(),
    await counter.spot(),
  ];
  const types = (await counter.service.call('GET', '/event-types')).body.data as {
    id: string;
    value: string;
  }[];
  const appointmentTypeId = types.find(({ value }) => value === 'drop_off')?.id;
  const appointment = await counter.make.appointment({ carId: booked.id, appointmentTypeId });
  const work = {
    A: [
      dropoffTo(first, spot),
      dropoffTo(both, spots[0] as typeof spot),
      [...dropoffTo(booked, spots[1] as typeof spot), '--appointment', appointment.id],
    ],
    B: [
      dropoffTo(second, spot),
      dropoffTo(both, spots[2] as typeof spot),
      [...dropoffTo(booked, spots[3] as typeof spot), '--appointment', appointment.id],
    ],
  };
  for (const name of ['A', 'B'] as const)
    for (const [index, line] of work[name].entries()) {
      const now = minutesAgo(name === 'A' ? 30 - index : 20 - index);
      expect((await cs([...line, '--yes', '--offline'], { env: at(name), now })).code).toBe(0);
    }
  const sent = await cs(['pending', 'resume'], { env: at('A') });
  expect(sent.code, sent.stderr).toBe(0);
  const left = (await cs(['pending', 'list'], { env: at('B') })).json;
  const told: string[] = [];
  for (const { id } of left)
    told.push((await cs(['pending', 'resume', id], { env: at('B') })).error.code);
  expect(told).toEqual(['parking_spot_occupied', 'parking_changed', 'parking_changed']);
  for (const [car, place] of [
    [first, spot],
    [both, spots[0]],
    [booked, spots[1]],
  ] as const)
    expect(await counter.storedOf(car.id)).toMatchObject({
      car: { parkingSpotId: place?.id },
      events: [{ activityType: 'drop_off' }],
    });
  expect((await counter.storedOf(second.id)).events).toEqual([]);
});
