/** The list of photos of an event type: at a drop-off, today, and of every car that is here. */
import { beforeAll, describe, expect, test } from 'vitest';
import { setEventTypePhotos } from '../../../../src/service/admin.ts';
import { cs } from '../../../helpers/cli.ts';
import { openOther } from '../../../helpers/other-facility.ts';
import { resultViolations } from '../../../helpers/result-schema.ts';
import { answer, counterOfFile, folderWith, jpeg } from '../counter/counter.ts';

const counter = counterOfFile();
let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(40, 30);
});

const list = { CS_PHOTOS_DROP_OFF: 'front,rear,damage' };
/** Files of these names, each another photo. */
const folderOf = (...names: string[]) =>
  folderWith(
    Object.fromEntries(names.map((name) => [name, Buffer.concat([photo, Buffer.from(name)])])),
  );
/** The line of a drop-off of a new car on a new spot. */
async function lineOf(...more: string[]): Promise<{ id: string; line: string[] }> {
  const [{ id }, spot] = [await counter.car(), await counter.spot()];
  return { id, line: ['dropoff', id, '--type', 'drop_off', '--spot', spot.id, ...more] };
}

describe('a drop-off in a pipe', () => {
  test("a list that can't be read: exit 2, and nothing is stored", async () => {
    const { id, line } = await lineOf('--yes');
    const env = { ...counter.env(), CS_PHOTOS_DROP_OFF: 'front.jpg' };
    const { code, error } = await cs(line, { env });
    expect([code, error.message]).toEqual([
      2,
      'CS_PHOTOS_DROP_OFF: "front.jpg" isn\'t a list of names.',
    ]);
    expect((await counter.storedOf(id)).events).toEqual([]);
  });
  test('names what is missing, and stores the rest', async () => {
    const { line } = await lineOf('--photo', '.', '--yes');
    const cwd = await folderOf('front.jpg', 'Rear-2.jpg', 'IMG_1.jpg');
    const { json, code } = await cs(line, { cwd, env: { ...counter.env(), ...list } });
    expect([code, json.missingPhotos, json.photos.length]).toEqual([0, ['damage'], 3]);
    expect(await resultViolations('dropoff', json)).toEqual([]);
  });
  test('--require-photos: exit 2, and nothing is sent', async () => {
    const { id, line } = await lineOf('--photo', '.', '--yes', '--require-photos');
    const env = { ...counter.env(), ...list };
    const cwd = await folderOf('front.jpg', 'rear.jpg');
    const refused = await cs(line, { cwd, env });
    expect([refused.code, refused.error.message, refused.error.hint]).toEqual([
      2,
      'Missing photos: damage.jpg. Nothing was sent.',
      'add them with --photo; the name of a file says what it shows',
    ]);
    expect((await cs([...line, '--dry-run'], { cwd, env })).code).toBe(2);
    expect((await cs([...line, '--offline'], { cwd, env })).code).toBe(2);
    expect((await counter.storedOf(id)).events).toEqual([]);
    const whole = await folderOf('front.jpg', 'rear.jpg', 'damage.jpg');
    const { code, json } = await cs(line, { cwd: whole, env });
    expect([code, json.missingPhotos]).toEqual([0, []]);
  });
});

test('on a terminal: the names at the question, what is missing above the confirmation and in the result', async () => {
  const { id, line } = await lineOf('--notes', '', '--require-photos');
  const cwd = await folderOf('front.jpg', 'rear.jpg', 'damage.jpg');
  const terminal = counter.open(line, { cwd, env: list });
  await terminal.waitFor('Wanted     front, rear, damage (front.jpg)');
  await answer(terminal, '? Photos', 'front.jpg');
  await terminal.waitFor(
    /Missing: rear\.jpg and damage\.jpg\. Name the files so, or take the photos with a\s+phone\./,
  );
  // The answer stands in the line.
  await answer(terminal, '? Photos', ' rear.jpg damage.jpg');
  expect(await terminal.waitFor('? Store this drop-off?')).not.toContain('Missing    ');
  terminal.press('ctrl-c');
  await terminal.exited;

  const free = line.filter((word) => word !== '--require-photos');
  const second = counter.open(free, { cwd, env: list });
  await answer(second, '? Photos', 'front.jpg rear.jpg');
  await answer(second, /Missing +damage\.jpg\n\n\? Store this drop-off\?/);
  expect(await second.exited).toBe(0);
  expect(second.screen()).toMatch(/Missing +damage\.jpg/);
  expect(second.screen()).toMatch(/cs cars photos add 'HH-T \d+' --session [\s\S]+ damage\.jpg/);
  expect((await counter.storedOf(id)).photos).toHaveLength(2);
});

test('today and `cars photos missing`: a car without photos, with all, with one missing, of a type without a list, parked without a drop-off', async () => {
  const own = { ...list, CS_PHOTOS_PICK_UP: 'odometer' };
  const env = { ...counter.env(), ...own };
  const drop = async (...names: string[]) => {
    const { car } = await counter.parkedCar();
    const [event] = (await counter.storedOf(car.id)).events;
    for (const filename of names)
      await counter.make.photo(car.id, { sessionId: event?.sessionId, filename });
    return car.id;
  };
  const [bare, some] = [await drop(), await drop('front.jpg', 'damage.jpg')];
  await drop('front.jpg', 'rear.jpg', 'damage.jpg');
  const left = await drop();
  await counter.make.event(left, { activityType: 'pick_up' });
  // Parked without a drop-off.
  const [assigned, spot] = [await counter.car(), await counter.spot()];
  await counter.make.assignment({ carId: assigned.id, parkingSpotId: spot.id });
  const wanted = [
    [bare, 'front,rear,damage'],
    [some, 'rear'],
  ].sort();
  const of = (rows: { id: string; missingPhotos: string[] }[], ids: string[]) =>
    rows
      .filter(({ id }) => ids.includes(id))
      .map(({ id, missingPhotos }) => [id, missingPhotos.join()])
      .sort();
  const { json: day } = await cs(['today'], { env });
  const ofDay = day.withoutPhotos.map(({ car, missingPhotos }: never) => ({
    ...(car as object),
    missingPhotos,
  }));
  const ids = [bare, some, left, assigned.id];
  expect(of(ofDay, ids)).toEqual(wanted);
  expect(await resultViolations('today', day)).toEqual([]);
  const missing = await cs(['cars', 'photos', 'missing'], { env });
  expect(of(missing.json, ids)).toEqual(wanted);
  expect(await resultViolations('cars photos missing', missing.json)).toEqual([]);
  const table = await cs(['cars', 'photos', 'missing'], { env, as: 'terminal', columns: 120 });
  expect(table.stdout).toMatch(/PLATE +CAR +PARKED +DROPPED OFF +MISSING/);
  const elsewhere = await cs(['today'], { env: counter.env() });
  expect(
    elsewhere.json.withoutPhotos.map(({ car }: never) => (car as { id: string }).id),
  ).not.toContain(some);
});

test('the list of the service wins over that of the profile', async () => {
  const { admin, team } = counter.service;
  const set = (photos: string[]) => setEventTypePhotos(admin, team, { value: 'drop_off', photos });
  await set(['odometer']);
  try {
    const { line } = await lineOf('--yes');
    const { json } = await cs(line, { env: { ...counter.env(), ...list } });
    expect(json.missingPhotos).toEqual(['odometer']);
  } finally {
    await set([]);
  }
});

test('on a server that knows the specification alone', async () => {
  const other = await openOther();
  try {
    const env = { ...other.env, ...list };
    const run = (line: string[], cwd: string) => cs(line, { env, cwd, now: other.now });
    const cwd = await folderOf('front.jpg', 'rear.jpg');
    const greta = other.fill('{Greta}');
    const spot = other.fill('{A3}');
    const line = ['dropoff', greta, '--type', 'drop_off', '--spot', spot, '--photo', '.', '--yes'];
    const { json } = await run(line, cwd);
    expect(json.missingPhotos).toEqual(['damage']);
    const { json: rows } = await run(['cars', 'photos', 'missing'], cwd);
    expect(
      rows.map(({ nickname, missingPhotos }: never) => [nickname, missingPhotos]).sort(),
    ).toEqual([
      ['Emma', ['front', 'rear', 'damage']],
      ['Ferdi', ['front', 'rear', 'damage']],
      ['Greta', ['damage']],
      ['Otto', ['front', 'rear', 'damage']],
    ]);
  } finally {
    await other.close();
  }
});
