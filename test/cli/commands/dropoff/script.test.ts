import { beforeAll, describe, expect, test } from 'vitest';
import { photoLimit } from '../../../../src/contract/limits.ts';
import { scopes } from '../../../../src/contract/scopes.ts';
import { cs } from '../../../helpers/cli.ts';
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
      '--car',
      'backdated',
      '--type',
      'drop-off',
      '--zone',
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
    expect(second.json.event).toEqual(first.json.event);
    const stored = await counter.storedOf(car.id);
    expect([stored.events.length, stored.photos.length]).toEqual([1, 1]);
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

  test('a terminal gets the stored records and the next commands', async () => {
    const [car, spot] = [await counter.car(), await counter.spot({ name: 'Window' })];
    const cwd = await folderWith({ 'a.jpg': small, 'b.jpg': small });
    const argv = ['dropoff', ...intoSpot(car.id, spot.id), '--photo', '*.jpg', '--yes'];
    const result = await cs(argv, { env: counter.env(), cwd, as: 'terminal' });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).toContain(`✓ ${car.licensePlate} is parked in Window · Hall A · Harbour`);
    expect(result.stdout).toMatch(/Photos {5}1 stored, 1 duplicate/);
    expect(result.stdout).toContain('= b.jpg  duplicate of a.jpg');
    expect(result.stderr).not.toContain('The server');
    expect(result.stdout).toContain(`cs cars photos list '${car.licensePlate}'`);
    expect(Math.max(...result.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(
      80,
    );
  });
});

describe('invalid input stores nothing', () => {
  interface Case {
    name: string;
    argv: (given: { car: string; spot: string; taken: string }) => string[];
    files?: () => Record<string, Uint8Array | string>;
    exit: number;
    code: string;
    says: RegExp;
  }
  const full = ({ car, spot }: { car: string; spot: string }, ...more: string[]) => [
    ...intoSpot(car, spot),
    '--yes',
    ...more,
  ];
  const cases: Case[] = [
    {
      name: 'an unknown car',
      argv: (of) => full({ ...of, car: 'HH-NO 1' }),
      exit: 6,
      code: 'not_found',
      says: /No car found for "HH-NO 1"/,
    },
    {
      name: 'an unknown spot',
      argv: (of) => full({ ...of, spot: 'Z99' }),
      exit: 6,
      code: 'not_found',
      says: /No spot found for "Z99"/,
    },
    {
      name: 'an unknown type',
      argv: (of) => [...full(of), '--type', 'valet'],
      exit: 6,
      code: 'not_found',
      says: /No event type found for "valet"/,
    },
    {
      name: 'an occupied spot',
      argv: (of) => full({ ...of, spot: of.taken }),
      exit: 7,
      code: 'parking_spot_occupied',
      says: /The spot .* is taken by/,
    },
    {
      name: 'both spot and zone',
      argv: (of) => full(of, '--zone', 'Hall A'),
      exit: 2,
      code: 'usage',
      says: /--spot and --zone can't be used together/,
    },
    {
      name: 'neither spot nor zone',
      argv: ({ car }) => ['--car', car, '--type', 'drop_off', '--yes'],
      exit: 2,
      code: 'usage',
      says: /--spot or --zone/,
    },
    {
      name: 'a pick-up',
      argv: ({ car }) => ['--car', car, '--type', 'pick_up', '--yes'],
      exit: 3,
      code: 'parking_not_allowed',
      says: /can't be a drop-off.*cs cars events log .* --type pick_up/s,
    },
    {
      name: 'a type for customers',
      argv: ({ car }) => ['--car', car, '--type', 'customer_visit', '--yes'],
      exit: 3,
      code: 'event_type_scope_mismatch',
      says: /scope is customer/,
    },
    {
      name: 'no car and no type',
      argv: ({ spot }) => ['--spot', spot, '--yes'],
      exit: 2,
      code: 'usage',
      says: /Missing required arguments: CAR, --type/,
    },
    {
      name: 'no --yes',
      argv: (of) => full(of).filter((word) => word !== '--yes'),
      exit: 2,
      code: 'usage',
      says: /Missing required flag: --yes/,
    },
    {
      name: 'a time that is none',
      argv: (of) => full(of, '--at', 'half past'),
      exit: 2,
      code: 'usage',
      says: /"half past" isn't a time/,
    },
  ];

  test.each(cases)('$name: exit $exit', async ({ argv, files, exit, code, says }) => {
    const [car, spot, taken] = [await counter.car(), await counter.spot(), await counter.spot()];
    await counter.make.event((await counter.car()).id, { parkingSpotId: taken.id });
    const cwd = await folderWith(files?.() ?? {});
    const result = await dropoff(argv({ car: car.id, spot: spot.id, taken: taken.id }), { cwd });
    expect(result.error).toMatchObject({ code, exitCode: exit });
    expect(result.code).toBe(exit);
    expect(result.stdout).toBe('');
    expect(
      [result.error.message, result.error.hint, JSON.stringify(result.error.details)].join('\n'),
    ).toMatch(says);
    await expectNothing(car.id);
  });

  test('reports one bad photo in the same shape as two', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const cwd = await folderWith({ 'a.jpg': 'x', 'b.jpg': 'y' });
    for (const photos of [['a.jpg'], ['a.jpg', 'b.jpg'], ['gone.jpg']]) {
      const { error } = await dropoff(
        full({ car: car.id, spot: spot.id }, ...photos.flatMap((name) => ['--photo', name])),
        { cwd },
      );
      expect(error.message).toMatch(/Nothing was stored\.$/);
      expect(error.hint).toMatch(/^[a-z]/);
      expect(
        error.details.issues.map(({ path, message }: { path: string; message: string }) => [
          path,
          message.split(':')[0],
        ]),
      ).toEqual(photos.map((name) => ['photo', expect.stringContaining(name)]));
    }
    await expectNothing(car.id);
  });

  test('a full zone: exit 7', async () => {
    const [car, zone] = [
      await counter.car(),
      await counter.make.zone(counter.harbour.id, { capacity: 1 }),
    ];
    await counter.make.event((await counter.car()).id, { parkingZoneId: zone.id });
    const result = await dropoff([
      '--car',
      car.id,
      '--type',
      'drop_off',
      '--zone',
      zone.id,
      '--yes',
    ]);
    expect(result.error).toMatchObject({ code: 'parking_zone_full', exitCode: 7 });
    await expectNothing(car.id);
  });

  test('a key without write:parking: exit 5', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const key = await counter.service.keyWith(scopes.filter((scope) => scope !== 'write:parking'));
    const result = await dropoff(full({ car: car.id, spot: spot.id }), { env: counter.env(key) });
    expect(result.error).toMatchObject({
      code: 'missing_scope',
      message: 'Missing scope: write:parking',
      exitCode: 5,
    });
    await expectNothing(car.id);
  });

  async function expectNothing(carId: string): Promise<void> {
    const stored = await counter.storedOf(carId);
    expect({
      events: stored.events,
      photos: stored.photos,
      assignments: stored.assignments,
    }).toEqual({
      events: [],
      photos: [],
      assignments: [],
    });
  }
});
