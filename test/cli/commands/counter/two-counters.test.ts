/** Another counter acts after a command has made its plan: the command stores nothing, and tells what happened. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { createKey } from '../../../../src/service/admin.ts';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type Counter, intoSpot, noon, openCounter } from './counter.ts';

interface Raced {
  readonly argv: readonly string[];
  readonly url: string;
  readonly env: Record<string, string>;
  /** What the other counter does between the plan and the first request after it. */
  readonly meanwhile: () => Promise<unknown>;
}

/** The requests of the plan are those of a dry run. */
async function race({ argv, url, env, meanwhile }: Raced) {
  let left = Number.POSITIVE_INFINITY;
  const sent: string[] = [];
  const proxy = await startFaultyProxy(url, async ({ method, url: path }) => {
    sent.push(`${method} ${path.replace(/\?.*/, '')}`);
    left -= 1;
    if (left === -1) await meanwhile();
    return undefined;
  });
  try {
    const options = { env: { ...env, CS_BASE_URL: proxy.url }, now: noon };
    // The team of the key is known from then on.
    await cs(['pending', 'resume'], options);
    sent.length = 0;
    const planned = await cs([...argv, '--dry-run'], options);
    expect(planned.code, planned.stderr).toBe(0);
    left = sent.splice(0).length;
    const result = await cs(argv, options);
    return { result, sent: sent.slice(left < 0 ? sent.length + left : 0) };
  } finally {
    await proxy.close();
  }
}

describe('on a service that knows the precondition', () => {
  let counter: Counter;
  let secondKey: string;
  beforeAll(async () => {
    counter = await openCounter();
    secondKey = (
      await createKey(counter.service.admin, { team: 'first', name: 'Counter 2', scopes })
    ).key;
  });
  afterAll(() => counter.service.close());

  const asOther = (path: string, body: object) =>
    counter.service.call('POST', path, body, secondKey);
  const pickUp = (carId: string) => asOther(`/cars/${carId}/events`, { activityType: 'pick_up' });
  const dropOff = (carId: string, parkingSpotId: string) =>
    asOther(`/cars/${carId}/events`, { activityType: 'drop_off', parkingSpotId });
  const park = (carId: string, parkingSpotId: string) =>
    asOther('/parking/assignments', { carId, parkingSpotId });

  async function parked() {
    return { ...(await counter.parkedCar()), other: await counter.spot() };
  }

  /** Exit 7, and everything is as the other counter left it. */
  async function expectRefused(
    argv: readonly string[],
    carId: string,
    meanwhile: () => Promise<unknown>,
    says: RegExp,
  ) {
    let left: unknown;
    const { result, sent } = await race({
      argv,
      url: counter.service.url,
      env: counter.env(),
      async meanwhile() {
        await meanwhile();
        left = await counter.storedOf(carId);
      },
    });
    expect([result.code, result.error.exitCode]).toEqual([7, 7]);
    expect(result.error.message).toMatch(says);
    expect(result.stdout).toBe('');
    expect(await counter.storedOf(carId)).toEqual(left);
    return { error: result.error, sent };
  }

  test('cs pickup of a car that was just picked up', async () => {
    const { car } = await parked();
    const says =
      /^HH-T \d+ .* isn't parked here any more: pick_up at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d with the key Counter 2\. Nothing was stored\.$/;
    const { error, sent } = await expectRefused(
      ['pickup', car.licensePlate, '--yes'],
      car.id,
      () => pickUp(car.id),
      says,
    );
    expect(error).toMatchObject({
      code: 'parking_changed',
      hint: `see what happened: \`cs cars events list ${car.id}\``,
    });
    expect(error.details.change).toMatchObject({
      kind: 'released',
      key: 'Counter 2',
      activityType: 'pick_up',
    });
    // The server checks: no request more than without a second counter.
    expect(sent).toEqual([`POST /api/v1/cars/${car.id}/events`]);
  });

  test('as text, the refusal has the plate in place of ids; with -v the ids too', async () => {
    const told = async (flags: readonly string[]) => {
      const { car } = await parked();
      const argv = ['pickup', car.licensePlate, '--yes', '-o', 'table', ...flags];
      const { result } = await race({
        argv,
        url: counter.service.url,
        env: counter.env(),
        meanwhile: () => pickUp(car.id),
      });
      const from = result.stderr.indexOf('error: ');
      return { car, code: result.code, error: result.stderr.slice(from) };
    };
    const { car, code, error } = await told([]);
    expect(code).toBe(7);
    expect(error).toContain(
      `hint: see what happened: \`cs cars events list '${car.licensePlate}'\`\n(parking_changed)\n`,
    );
    expect(error).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|status|requestId/);
    const verbose = await told(['-v']);
    expect(verbose.error).toContain(`cs cars events list ${verbose.car.id}`);
  });

  test('cs dropoff of a car that was just dropped off', async () => {
    const [car, mine, theirs] = [await counter.car(), await counter.spot(), await counter.spot()];
    const argv = ['dropoff', ...intoSpot(car.licensePlate, mine.id), '--yes'];
    const says = new RegExp(
      `is already parked in ${theirs.name}: drop_off at .* with the key Counter 2\\. Nothing was stored\\.$`,
    );
    await expectRefused(argv, car.id, () => dropOff(car.id, theirs.id), says);
    expect((await counter.make.read(`/parking/spots/${mine.id}`)).occupiedByCarId).toBeNull();
  });

  test('cs dropoff onto a spot that was just taken', async () => {
    const [car, rival, spot] = [await counter.car(), await counter.car(), await counter.spot()];
    const argv = ['dropoff', ...intoSpot(car.licensePlate, spot.id), '--yes'];
    const says = new RegExp(
      `The spot ${spot.name} is taken by ${rival.licensePlate}: drop_off at .* with the key Counter 2\\. Nothing`,
    );
    const { error } = await expectRefused(argv, car.id, () => dropOff(rival.id, spot.id), says);
    expect(error.code).toBe('parking_spot_occupied');
  });

  test('cs move of a car that was picked up before the command began: the same facts', async () => {
    const { car, other } = await parked();
    await pickUp(car.id);
    const line = ['move', car.licensePlate, '--spot', other.id];
    const { code, error } = await cs(line, { env: counter.env() });
    expect([code, error.code]).toEqual([7, 'not_parked']);
    expect(error.message).toMatch(
      /^HH-T \d+ .* has already been picked up: released at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d with the key Counter 2\. Nothing was stored\.$/,
    );
  });

  test.each<
    [string, (of: { car: string; to: string; id: string }) => [string[], () => unknown], RegExp]
  >([
    [
      'pickup of a car that was just moved',
      ({ car, to, id }) => [['pickup', car, '--yes'], () => park(id, to)],
      /has been moved to S\d+: parked at .* with the key Counter 2\. Nothing was stored\.$/,
    ],
    [
      'move of a car that was just picked up',
      ({ car, to, id }) => [['move', car, '--spot', to], () => pickUp(id)],
      /isn't parked here any more: pick_up at .* with the key Counter 2\. Nothing was stored\.$/,
    ],
  ])('cs %s', async (_, plan, says) => {
    const { car, other } = await parked();
    const [argv, act] = plan({ car: car.licensePlate, to: other.id, id: car.id });
    const { sent } = await expectRefused(argv, car.id, async () => act(), says);
    expect(sent).toHaveLength(1);
  });

  test('two commands at once, many times: one is stored, the other is told who did what and when', async () => {
    const states = await Promise.all([makeFolder(), makeFolder()]);
    onTestFinished(async () => void (await Promise.all(states.map(removeFolder))));
    for (const _ of Array.from({ length: 8 })) {
      const { car } = await parked();
      const results = await Promise.all(
        [counter.service.key, secondKey].map((key, n) =>
          cs(['pickup', car.licensePlate, '--yes'], {
            env: { ...counter.env(key), CS_STATE_DIR: states[n] as string },
          }),
        ),
      );
      const codes = results.map(({ code }) => code).sort();
      expect(codes).toEqual([0, 7]);
      const { message } = results.find(({ code }) => code === 7)?.error ?? {};
      expect(message).toMatch(
        /: pick_up at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d with the key .+\. Nothing was stored\.$/,
      );
      const { events } = await counter.storedOf(car.id);
      expect(events.filter(({ activityType }) => activityType === 'pick_up')).toHaveLength(1);
    }
  });
});
