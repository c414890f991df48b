import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { photoLimit } from '../../../../src/contract/limits.ts';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { afternoon, counterOfFile, folderWith, intoSpot, jpeg } from '../counter/counter.ts';

const counter = counterOfFile();
let small: Buffer;
beforeAll(async () => {
  small = await jpeg(200, 150, { gps: true });
});

const dropoff = (
  argv: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; signal?: AbortSignal } = {},
) => cs(['dropoff', ...argv], { env: counter.env(), ...options });

describe('a drop-off in a script', () => {
  test.each(['{car.id}', '{event.sessionId}'])('notes are stored as typed: %s', async (notes) => {
    const spot = await counter.spot();
    const plate = (await counter.car()).licensePlate;
    const line = [plate, '--type', 'drop_off', '--spot', spot.name, '--notes', notes, '--yes'];
    expect((await dropoff(line)).json.event.notes).toBe(notes);
  });
  test('by plate, type and spot, with a photo that is shrunk and two that are not', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const cwd = await folderWith({
      'shots/IMG_1.jpg': small,
      'shots/IMG_2.jpg': await jpeg(2400, 1800),
      'shots/IMG_10.jpg': await jpeg(280, 210),
    });
    const line = intoSpot(car.licensePlate, spot.name);
    const result = await dropoff(
      [...line, '--notes', 'roof down', '--photo', 'shots/*.jpg', '--yes'],
      { cwd },
    );
    expect([result.code, result.stderr]).toEqual([0, '']);
    const { json } = result;
    const [plain, shrunk] = [
      { status: 'stored', shrunk: false },
      { status: 'stored', shrunk: true },
    ];
    expect(json).toMatchObject({
      car: { id: car.id, licensePlate: car.licensePlate },
      event: { activityType: 'drop_off', notes: 'roof down', parkingSpotId: spot.id },
      sessionId: json.event.sessionId,
      spot: { id: spot.id, name: spot.name },
      zone: null,
      photos: [
        { filename: 'IMG_1.jpg', ...plain },
        { filename: 'IMG_2.jpg', ...shrunk },
        { filename: 'IMG_10.jpg', ...plain },
      ],
    });
    const [, { sizeBytes, originalSizeBytes }] = json.photos;
    expect(sizeBytes).toBeLessThanOrEqual(photoLimit);
    expect(originalSizeBytes).toBeGreaterThan(photoLimit);

    const stored = await counter.storedOf(car.id);
    expect(stored.car).toMatchObject({ status: 'stored', parkingSpotId: spot.id });
    expect(stored.events).toHaveLength(1);
    expect(stored.photos.map(({ id }) => id).sort()).toEqual(
      json.photos.map(({ photoId }: { photoId: string }) => photoId).sort(),
    );
    expect(stored.photos.every(({ sessionId }) => sessionId === json.sessionId)).toBe(true);
  });

  test('a car that is here already, with its mileage: says where it was', async () => {
    const [{ car, spot: from }, to] = [await counter.parkedCar(), await counter.spot()];
    const line = [car.id, '--type', 'drop_off', '--spot', to.id, '--mileage', '48210', '--yes'];
    const { code, json, stderr } = await dropoff(line);
    expect([code, json.wasParkedIn]).toEqual([
      0,
      { spot: { id: from.id, name: from.name, locationId: counter.harbour.id }, zone: null },
    ]);
    expect(stderr).toContain(
      `${car.licensePlate} was already parked in ${from.name}; this drop-off moves it to ${to.name}.`,
    );
    expect((await counter.storedOf(car.id)).car).toMatchObject({
      parkingSpotId: to.id,
      mileage: 48_210,
    });
  });

  test('a car that is in this place already', async () => {
    const { car, spot } = await counter.parkedCar();
    const { code, stderr } = await dropoff([
      car.id,
      ...'--type drop_off --yes --spot'.split(' '),
      spot.id,
    ]);
    expect([code, stderr]).toEqual([
      0,
      `${car.licensePlate} was already parked in ${spot.name}.\n`,
    ]);
  });

  test('into a zone, backdated, without photos', async () => {
    const [car, zone] = [
      await counter.car({ nickname: 'Backdated' }),
      await counter.make.zone(counter.harbour.id),
    ];
    const result = await dropoff([
      ...'--car backdated --type drop-off --zone'.split(' '),
      zone.name,
      '--at',
      '10 minutes ago',
      '-y',
    ]);
    expect(result.code, result.stderr).toBe(0);
    expect(result.json).toMatchObject({
      spot: null,
      zone: { id: zone.id },
      photos: [],
      wasParkedIn: null,
    });
    expect(Date.now() - Date.parse(result.json.event.occurredAt)).toBeGreaterThan(9 * 60_000);
    expect((await counter.storedOf(car.id)).car).toMatchObject({
      status: 'stored',
      parkingZoneId: zone.id,
    });
  });

  test('the next commands go to the same server', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const at = ['--base-url', counter.service.url];
    const { CS_BASE_URL: _, ...env } = counter.env();
    const result = await dropoff([...intoSpot(car.id, spot.id), '--yes', '-o', 'table', ...at], {
      env,
    });
    const next = result.stdout.split('\n').filter((line) => line.includes('cs cars events list'));
    expect([result.code, next]).toEqual([
      0,
      [expect.stringMatching(new RegExp(`${at.join(' ')}$`))],
    ]);
  });

  test('the next commands name the car by its id where its name is also that of another', async () => {
    for (const isFirst of [true, false]) {
      const [car, spot] = [
        await counter.car({ licensePlate: null, nickname: 'Twin', vin: null }),
        await counter.spot(),
      ];
      const result = await dropoff([...intoSpot(car.id, spot.id), '--yes', '-o', 'table']);
      expect(result.stdout).toContain(`cs cars events list ${isFirst ? 'Twin' : car.id}`);
    }
  });

  test('with a type that needs no place, and takes one', async () => {
    const [car, { id, name }] = [await counter.car(), await counter.spot()];
    const inspection = ['--car', car.id, '--type', 'inspection', '--yes'];
    const event = { activityType: 'inspection' };
    expect((await dropoff(inspection)).json).toMatchObject({ event, spot: null, zone: null });
    expect((await dropoff([...inspection, '--spot', id])).json.spot).toMatchObject({ id, name });
  });

  test('the same Idempotency-Key twice stores one drop-off and each photo once', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const cwd = await folderWith({ 'a.jpg': small });
    const argv = [
      ...intoSpot(car.id, spot.id),
      '--photo',
      'a.jpg',
      '--yes',
      '--idempotency-key',
      `again-${car.id}`,
    ];
    const [first, second] = [await dropoff(argv, { cwd }), await dropoff(argv, { cwd })];
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.json).toMatchObject({ replayed: true, event: first.json.event });
    const stored = await counter.storedOf(car.id);
    expect([stored.events.length, stored.photos.length]).toEqual([1, 1]);
  });

  test('a photo that changes meanwhile is not sent, and the command to send it has the flags', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const cwd = await folderWith({ 'a.jpg': small });
    const proxy = await startFaultyProxy(counter.service.url, async ({ method, url }) => {
      if (method === 'POST' && url.endsWith('/events')) await appendFile(join(cwd, 'a.jpg'), '.');
      return undefined;
    });
    onTestFinished(() => proxy.close());
    const line = [...intoSpot(car.id, spot.id), '--yes', '--photo', 'a.jpg', '--no-resize'];
    const { code, json, error } = await dropoff(line, {
      cwd,
      env: counter.env(undefined, proxy.url),
    });
    expect([code, json.photos[0].error.code]).toEqual([11, 'invalid_file']);
    expect(error.hint).toContain(' --no-resize a.jpg');
    expect((await counter.storedOf(car.id)).photos).toEqual([]);
  });

  test("a spot that isn't found on a server whose zones can't be read: the spot is told", async () => {
    const proxy = await startFaultyProxy(counter.service.url, ({ url }) =>
      url.includes('/parking/zones') ? '500' : undefined,
    );
    onTestFinished(() => proxy.close());
    const line = [...intoSpot((await counter.car()).id, 'Z9'), '--yes', '--retries', '0'];
    const { error } = await dropoff(line, { env: counter.env(undefined, proxy.url) });
    expect(error).toMatchObject({ code: 'not_found', message: 'No spot found for "Z9".' });
  });

  test('--dry-run shows the requests and stores nothing', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const cwd = await folderWith({ 'a.jpg': small });
    const result = await dropoff([...intoSpot(car.id, spot.id), '--photo', 'a.jpg', '--dry-run'], {
      cwd,
    });
    expect(result.code, result.stderr).toBe(0);
    expect(result.json).toEqual([
      {
        dryRun: true,
        method: 'POST',
        path: `/api/v1/cars/${car.id}/events`,
        body: { activityType: 'drop_off', parkingSpotId: spot.id },
      },
      {
        dryRun: true,
        method: 'POST',
        path: `/api/v1/cars/${car.id}/photos`,
        body: expect.objectContaining({ filename: 'a.jpg' }),
      },
    ]);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
  });

  test('--dry-run refuses what the service would', async () => {
    const [car, gone, spot, closed] = [
      await counter.car(),
      await counter.car({ status: 'archived' }),
      await counter.spot(),
      await counter.spot({ isActive: false }),
    ];
    const { id: appointment } = await counter.make.appointment({ carId: gone.id, ...afternoon() });
    const other = ['--appointment', appointment];
    for (const [of, where, more, code] of [
      [gone, spot, [], 'car_archived'],
      [car, closed, [], 'parking_inactive'],
      [car, spot, other, 'session_mismatch'],
    ] as const) {
      const line = [...intoSpot(of.id, where.id), ...more];
      const { error } = await dropoff([...line, '--dry-run']);
      expect(error.code).toBe(code);
    }
  });

  test('a terminal gets how many photos are stored, and which are duplicates', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const cwd = await folderWith({ 'a.jpg': small, 'b.jpg': small });
    const argv = ['dropoff', ...intoSpot(car.id, spot.id), '--photo', '*.jpg', '--yes'];
    const { stdout } = await cs(argv, { env: counter.env(), cwd, as: 'terminal' });
    expect(stdout).toMatch(
      /Photos {5}1 stored, 1 duplicate\n[\s\S]*= b\.jpg {2}duplicate of a\.jpg/,
    );
  });
});
