/** `cs pickup` in a script: everything by flags, nothing asked. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createEventType } from '../../../../src/service/admin.ts';
import { cs } from '../../../helpers/cli.ts';
import {
  afternoon,
  type Counter,
  counterOfFile,
  folderWith,
  jpeg,
  noon,
  openCounter,
} from '../counter/counter.ts';

const counter = counterOfFile();
let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(200, 150, { gps: true });
});

const pickup = (
  argv: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; now?: Date } = {},
) => cs(['pickup', ...argv], { env: counter.env(), ...options });

const ofToday = (given: Parameters<Counter['make']['appointment']>[0]) =>
  counter.make.appointment({ ...afternoon(), ...given });
const pickupsOf = async (carId: string) =>
  (await counter.storedOf(carId)).events.filter(({ activityType }) => activityType === 'pick_up');

describe('a pick-up in a script', () => {
  test('by plate alone: the event is logged and the spot is free', async () => {
    const { car, spot } = await counter.parkedCar();
    const result = await pickup([
      car.licensePlate.replace('-', ' '),
      '--mileage',
      '48300',
      '--yes',
    ]);
    expect(result.code, result.stderr).toBe(0);
    expect(result.json).toMatchObject({
      car: { id: car.id, licensePlate: car.licensePlate },
      event: { activityType: 'pick_up', parkingSpotId: null, appointmentId: null },
      spot: { id: spot.id, name: spot.name, locationId: counter.harbour.id },
      zone: null,
      photos: [],
    });
    expect(result.json.sessionId).toBe(result.json.event.sessionId);
    expect(result.stderr).toBe('');
    expect((await counter.storedOf(car.id)).car).toMatchObject({
      status: 'checked_out',
      parkingSpotId: null,
      mileage: 48_300,
    });
    expect((await counter.make.read(`/parking/spots/${spot.id}`)).occupiedByCarId).toBeNull();
  });

  test('out of a zone, with notes, a time and photos', async () => {
    const [car, zone] = [await counter.car(), await counter.make.zone(counter.harbour.id)];
    await counter.make.event(car.id, {
      parkingZoneId: zone.id,
      occurredAt: new Date(Date.now() - 3_600_000).toISOString(),
    });
    const cwd = await folderWith({ 'shots/1.jpg': photo, 'shots/2.jpg': await jpeg(210, 150) });
    const argv = [
      car.id,
      '--type',
      'Pick-up',
      '--notes',
      'two keys',
      '--at',
      '10 minutes ago',
      '--photo',
      'shots',
      '--yes',
    ];
    const result = await pickup(argv, { cwd });
    expect(result.code, result.stderr).toBe(0);
    expect(result.json).toMatchObject({
      event: { notes: 'two keys' },
      spot: null,
      zone: { id: zone.id, name: zone.name },
    });
    expect(Date.now() - Date.parse(result.json.event.occurredAt)).toBeGreaterThan(9 * 60_000);
    const stored = await counter.storedOf(car.id);
    expect(stored.photos.map(({ filename, sessionId }) => [filename, sessionId]).sort()).toEqual([
      ['1.jpg', result.json.sessionId],
      ['2.jpg', result.json.sessionId],
    ]);
  });

  test('a key without read:parking can pick cars up', async () => {
    const { car } = await counter.parkedCar();
    const key = await counter.service.keyWith(['read:cars', 'write:cars']);
    const result = await pickup([car.id, '--yes'], { env: counter.env(key) });
    expect(result.code, result.stderr).toBe(0);
    expect(result.json).toMatchObject({ spot: null, zone: null });
    expect(await pickupsOf(car.id)).toHaveLength(1);
  });
});

describe('the appointment of the pick-up', () => {
  test('--appointment today finds it: its session is in progress and has the photos', async () => {
    const { car } = await counter.parkedCar();
    const cwd = await folderWith({ 'a.jpg': photo });
    const appointment = await ofToday({ carId: car.id, eventType: 'pick_up' });
    // Of another type, and of another day.
    await ofToday({ carId: car.id, eventType: 'inspection' });
    await counter.make.appointment({ carId: car.id, eventType: 'pick_up' });
    const result = await pickup([car.id, '--appointment', 'today', '--photo', 'a.jpg', '--yes'], {
      cwd,
      now: noon,
    });
    expect(result.code, result.stderr).toBe(0);
    expect(result.json.event.appointmentId).toBe(appointment.id);
    expect(await counter.make.read(`/appointments/${appointment.id}`)).toMatchObject({
      status: 'in_progress',
    });
    const [session] = await counter.make.read(`/event-sessions?appointmentId=${appointment.id}`);
    expect(session).toMatchObject({ id: result.json.sessionId, photoCount: 1 });
  });

  test('by its id; the service decides whether it fits', async () => {
    const [{ car }, other] = [await counter.parkedCar(), await counter.car()];
    const [own, foreign] = [
      await ofToday({ carId: car.id, eventType: 'pick_up' }),
      await ofToday({ carId: other.id, eventType: 'pick_up' }),
    ];
    const refused = await pickup([car.id, '--appointment', foreign.id, '--yes']);
    expect(refused.error).toMatchObject({ code: 'session_mismatch', exitCode: 3 });
    expect(await pickupsOf(car.id)).toEqual([]);
    expect(
      (await pickup([car.id, '--appointment', own.id, '--yes'])).json.event.appointmentId,
    ).toBe(own.id);
  });

  test('a script without --appointment links none', async () => {
    const { car } = await counter.parkedCar();
    await ofToday({ carId: car.id, eventType: 'pick_up' });
    expect((await pickup([car.id, '--yes'])).json.event.appointmentId).toBeNull();
  });

  test('none today: exit 6; several: exit 14 with the candidates; stores nothing', async () => {
    const { car } = await counter.parkedCar();
    const none = await pickup([car.id, '--appointment', 'today', '--yes'], { now: noon });
    expect(none.error).toMatchObject({
      code: 'not_found',
      exitCode: 6,
      message: expect.stringContaining('Nothing was stored.'),
    });
    const given = { carId: car.id, eventType: 'pick_up' };
    const made = [
      await ofToday({ ...given, title: 'First' }),
      await ofToday({ ...given, title: 'Second' }),
    ];
    const several = await pickup([car.id, '--appointment', 'today', '--yes'], { now: noon });
    expect(several.error).toMatchObject({
      code: 'ambiguous_name',
      exitCode: 14,
      message: 'The car has 2 open appointments for pick_up today. Nothing was stored.',
      hint: 'use --appointment with the id of one of them',
    });
    expect(several.error.details.candidates.map(({ id }: { id: string }) => id).sort()).toEqual(
      made.map(({ id }) => id).sort(),
    );
    expect(await pickupsOf(car.id)).toEqual([]);
  });
});

test('several types that free a place: exit 2 asks for --type', async () => {
  const own = await openCounter();
  try {
    await createEventType(own.service.admin, own.service.team, {
      value: 'transfer',
      name: 'Transfer',
      scope: 'vehicle',
      releasesParkingSpot: true,
    });
    const [car, spot] = [await own.car(), await own.spot()];
    await own.make.event(car.id, { parkingSpotId: spot.id });
    const options = { env: own.env() };
    expect((await pickup([car.id, '--yes'], options)).error).toMatchObject({
      exitCode: 2,
      message: 'Missing required flag: --type.',
    });
    expect(
      (await pickup([car.id, '--type', 'transfer', '--yes'], options)).json.event.activityType,
    ).toBe('transfer');
  } finally {
    await own.service.close();
  }
});
