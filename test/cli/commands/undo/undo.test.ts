/** `cs undo` on a real service: what each of the three commands did is taken back once, and never past what another counter did. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import {
  afternoon,
  answerEach,
  counterOfFile,
  folderWith,
  jpeg,
  leave,
  pick,
} from '../counter/counter.ts';

const counter = counterOfFile();

let machines = 0;
/** With a memory of its own. */
async function machine() {
  const state = join(counter.service.data, `machine-${++machines}`);
  await mkdir(state);
  const env = { ...counter.env(), CS_STATE_DIR: state };
  return { env, cs: (...line: string[]) => cs(line, { env }) };
}
type Machine = Awaited<ReturnType<typeof machine>>;

async function done(here: Machine, ...line: string[]) {
  const result = await here.cs(...line);
  expect(result.code, result.stderr).toBe(0);
  return result.json;
}

test('a drop-off: a pick-up follows, whose notes name it, and only once', async () => {
  const [here, car, spot] = [await machine(), await counter.car(), await counter.spot()];
  const photo = join(await folderWith({ 'a.jpg': await jpeg(40, 30) }), 'a.jpg');
  const line = ['dropoff', car.id, '--type', 'drop_off', '--spot', spot.id, '--yes'];
  const { event } = await done(here, ...line);
  // Photos that are added leave the drop-off the last.
  await done(here, 'cars', 'photos', 'add', car.id, photo);
  const preview = await done(here, 'undo', '--dry-run');
  expect(preview).toMatchObject({ body: { notes: `Takes back the drop-off ${event.id}` } });
  expect((await here.cs('undo')).error.message).toBe('Missing required flag: --yes.');
  expect((await counter.storedOf(car.id)).events).toHaveLength(1);

  const undone = await done(here, 'undo', '--yes');
  expect(undone).toMatchObject({
    car: { id: car.id },
    undone: { command: 'dropoff', what: `drop-off of ${car.licensePlate}`, id: event.id },
    spot: null,
    zone: null,
    event: { activityType: 'pick_up', notes: `Takes back the drop-off ${event.id}` },
    assignment: null,
  });
  const again = await here.cs('undo', '--yes');
  expect([again.code, again.error.message]).toEqual([
    6,
    'There is nothing to take back. The last one is taken back already. Nothing was stored.',
  ]);
  const stored = await counter.storedOf(car.id);
  expect(stored.car).toMatchObject({ status: 'checked_out', parkingSpotId: null });
  expect([stored.events.length, stored.photos.length]).toEqual([2, 1]);
});

test('the notes of the drop-off are shown at the next pick-up, after one was taken back', async () => {
  const [here, car, spot] = [await machine(), await counter.car(), await counter.spot()];
  const line = ['dropoff', car.id, '--type', 'drop_off', '--spot', spot.id, '--yes'];
  await done(here, ...line, '--notes', 'two keys');
  await done(here, 'pickup', car.id, '--yes');
  await done(here, ...line, '--notes', 'one key');
  await done(here, 'pickup', car.id, '--yes');
  await done(here, 'undo', '--yes');
  const terminal = counter.open(['pickup', car.licensePlate], { env: here.env });
  // Before the first question.
  await terminal.waitFor(/Drop-off +one key\n[\s\S]*\? Notes/);
  await leave(terminal);
});

test('open work on another car stops no undo; on the same car it does', async () => {
  const [here, { car }, other] = [
    await machine(),
    await counter.parkedCar({ nickname: 'Otto the Second' }),
    await counter.parkedCar(),
  ];
  await done(here, 'pickup', car.id, '--yes');
  await done(here, 'pickup', other.car.licensePlate, '--yes', '--offline');
  await done(
    here,
    'dropoff',
    'otto the second',
    '--type',
    'drop_off',
    '--spot',
    'x',
    '--yes',
    '--offline',
  );
  const refused = await here.cs('undo', '--yes');
  expect([refused.code, refused.error.code, refused.error.message]).toEqual([
    7,
    'unfinished',
    "The drop-off of otto the second is unfinished, so it isn't clear what came last. Nothing was sent.",
  ]);
  const pending = await done(here, 'pending', 'list');
  const own = pending.find(({ command }: { command: string }) => command === 'dropoff');
  await done(here, 'pending', 'discard', own.id, '--yes');
  expect(await done(here, 'undo', '--yes')).toMatchObject({ undone: { command: 'pickup' } });
});

test('a pick-up: a drop-off at the former place, and its appointment stays as it is', async () => {
  const [here, { car, spot }] = [await machine(), await counter.parkedCar()];
  const appointment = await counter.make.appointment({
    ...afternoon(),
    carId: car.id,
    eventType: 'pick_up',
  });
  const { event } = await done(here, 'pickup', car.id, '--appointment', appointment.id, '--yes');
  const terminal = counter.open(['undo'], { env: here.env });
  await terminal.waitFor(/Appointment today 15:00–15:30 stays in progress\n[\s\S]*Take it back/);
  // There is nothing to change.
  terminal.type('n\r');
  expect(await terminal.exited).toBe(13);
  expect(terminal.screen()).toMatch(/Take it back\? No\nNothing was stored\.$/);
  const undone = await here.cs('undo', '--yes');
  expect(undone.stderr).toContain('stays in progress');
  expect(undone.json).toMatchObject({
    spot: { id: spot.id },
    event: { activityType: 'drop_off', notes: `Takes back the pick-up ${event.id}` },
  });
  const stored = await counter.storedOf(car.id);
  expect(stored.car).toMatchObject({ status: 'stored', parkingSpotId: spot.id });
});

test('a move, and a drop-off that moved the car: moved back', async () => {
  const [here, { car, spot }] = [await machine(), await counter.parkedCar()];
  const [second, third] = [await counter.spot(), await counter.spot()];
  const { assignment } = await done(here, 'move', car.id, second.id);
  expect(await done(here, 'undo', '--yes')).toMatchObject({
    spot: { id: spot.id },
    event: null,
    assignment: { parkingSpotId: spot.id, notes: `Takes back the move ${assignment.id}` },
  });
  await done(here, 'dropoff', car.id, '--type', 'drop_off', '--spot', third.id, '--yes');
  expect(await done(here, 'undo', '--yes')).toMatchObject({ spot: { id: spot.id }, event: null });
  expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(spot.id);
  // From a zone.
  const yard = await counter.make.zone(counter.harbour.id);
  await done(here, 'move', car.id, '--zone', yard.id);
  await done(here, 'move', car.id, second.id);
  expect(await done(here, 'undo', '--yes')).toMatchObject({ spot: null, zone: { id: yard.id } });
});

test('the drop-off of a new car: it leaves', async () => {
  const [here, spot] = [await machine(), await counter.spot()];
  const line = ['dropoff', '--type', 'drop_off', '--spot', spot.id, '--mileage', '48210', '--yes'];
  const terminal = counter.open(line, { env: here.env });
  await pick(terminal, '＋ Add a new car', 'HH-UN 1', 'not found');
  await answerEach(terminal, { Make: 'Saab', Model: '96', Year: '1967' });
  expect(await terminal.exited).toBe(0);
  const undone = await done(here, 'undo', '--yes');
  expect(undone).toMatchObject({
    undone: { command: 'dropoff', what: 'drop-off of HH-UN 1' },
    event: { activityType: 'pick_up' },
  });
  const { car } = await counter.storedOf(undone.car.id);
  expect(car).toMatchObject({ licensePlate: 'HH-UN 1', mileage: 48_210 });
  expect(await counter.make.read(`/parking/spots/${spot.id}`)).toMatchObject({
    occupiedByCarId: null,
  });
});

test('nothing that this machine did, and what another counter changed since: refused', async () => {
  const [here, other] = [await machine(), await machine()];
  const [{ car }, to] = [await counter.parkedCar(), await counter.spot()];
  const nothing = await here.cs('undo', '--yes');
  expect([nothing.code, nothing.error.message]).toEqual([
    6,
    'There is nothing to take back. This machine remembers no drop-off, pick-up or move. Nothing was stored.',
  ]);
  await done(here, 'move', car.id, to.id);
  // It left, and came back to the same place.
  await done(other, 'pickup', car.id, '--yes');
  await done(other, 'dropoff', car.id, '--type', 'drop_off', '--spot', to.id, '--yes');
  const changed = await here.cs('undo', '--yes');
  expect([changed.code, changed.error.code, changed.error.message]).toEqual([
    7,
    'parking_changed',
    expect.stringContaining(
      ` changed after the move of ${car.licensePlate}: it is parked in ${to.name}`,
    ),
  ]);
  expect((await counter.storedOf(car.id)).events).toHaveLength(3);
  await done(other, 'pickup', car.id, '--yes');
  expect((await here.cs('undo', '--yes')).error.message).toMatch(
    /: it isn't parked here: released at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d with the key .+\. Nothing was stored\.$/,
  );
});

test('a pick-up from a place that the key could not read: refused', async () => {
  const [here, { car }] = [await machine(), await counter.parkedCar()];
  const key = await counter.service.keyWith(['read:cars', 'write:cars']);
  const env = { ...here.env, CS_API_KEY: key };
  expect((await cs(['pickup', car.id, '--yes'], { env })).code).toBe(0);
  const { code, error } = await here.cs('undo', '--yes');
  expect([code, error.message, error.hint]).toEqual([
    6,
    `It isn't known where the car was before the pick-up of ${car.licensePlate}, so it can't be taken back. Nothing was stored.`,
    `see what happened: \`cs cars events list ${car.id}\``,
  ]);
});

test('a drop-off where no event type frees a place: refused, with the line that chooses one', async () => {
  const [here, car, spot] = [await machine(), await counter.car(), await counter.spot()];
  await done(here, 'dropoff', car.id, '--type', 'drop_off', '--spot', spot.id, '--yes');
  const setActive = (isActive: boolean) =>
    counter.service.admin.database.write
      .updateTable('eventTypes')
      .set({ isActive })
      .where('value', '=', 'pick_up')
      .execute();
  await setActive(false);
  onTestFinished(async () => void (await setActive(true)));
  const { code, error } = await here.cs('undo', '--yes');
  expect([code, error.message, error.hint]).toEqual([
    6,
    'No event type of this server is sure to take it back. Nothing was stored.',
    `choose one: \`cs pickup ${car.id} --type TYPE\``,
  ]);
  expect((await here.cs('pickup', car.id, '--yes')).error).toMatchObject({
    message: 'Missing required flag: --type.',
    hint: expect.stringMatching(/^add it/),
  });
});
