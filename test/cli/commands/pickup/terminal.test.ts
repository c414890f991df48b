/** The questions of `cs pickup`, answered on a real pseudo-terminal. */
import { beforeAll, expect, test } from 'vitest';
import { openTerminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import {
  afternoon,
  answer,
  type Counter,
  counterOfFile,
  folderWith,
  jpeg,
  leave,
  linesOf,
  noon,
} from '../counter/counter.ts';

const counter = counterOfFile();
let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(400, 300, { gps: true });
});

const open = (argv: readonly string[] = [], { env, ...options }: TerminalOptions = {}) =>
  openTerminal(['pickup', ...argv], { env: { ...counter.env(), ...env }, now: noon, ...options });
const pickupsOf = async (carId: string) =>
  (await counter.storedOf(carId)).events.filter(({ activityType }) => activityType === 'pick_up');

async function parked(given: Parameters<Counter['car']>[0] = {}) {
  const [car, spot] = [await counter.car(given), await counter.spot()];
  await counter.make.event(car.id, {
    parkingSpotId: spot.id,
    occurredAt: new Date(noon.getTime() - 3 * 86_400_000).toISOString(),
  });
  return { car, spot };
}

test('a part of a plate is that car, which is shown', async () => {
  const { car } = await parked({ licensePlate: 'HH-PART 77', nickname: 'Parted' });
  const terminal = open(['part 7'], { ownProcess: true });
  await terminal.waitFor(/this is HH-PART 77[\s\S]*\? Notes/);
  await leave(terminal);
  expect(await pickupsOf(car.id)).toHaveLength(0);
});

test('a late appointment of an earlier day is offered, one that is in progress is not', async () => {
  const { car } = await parked();
  const daysAgo = (days: number) => {
    const at = (hours: number) =>
      new Date(Date.now() - days * 86_400_000 + hours * 3_600_000).toISOString();
    const times = { startAt: at(0), endAt: at(1) };
    return { ...times, carId: car.id, eventType: 'pick_up' };
  };
  const late = await counter.make.appointment({ ...daysAgo(2), title: 'Late' });
  await counter.make.appointment({ ...daysAgo(3), title: 'Begun', status: 'in_progress' });
  await counter.make.appointment({ ...daysAgo(9), title: 'Long ago' });
  const terminal = open([car.licensePlate, '--notes', 'x', '--photo', 'a.jpg'], {
    cwd: await folderWith({ 'a.jpg': photo }),
  });
  const asked = await terminal.waitFor(/\? Fulfils[\s\S]*None of them/);
  expect(linesOf(asked).filter((line) => /Late|Begun|Long ago/.test(line))).toEqual([
    expect.stringMatching(/^❯ \d{4}-\d\d-\d\d \d\d:\d\d–\d\d:\d\d · Late$/),
  ]);
  terminal.press('enter');
  await answer(terminal, '? Hand this car over?');
  expect(await terminal.exited).toBe(0);
  expect((await pickupsOf(car.id))[0]?.appointmentId).toBe(late.id);
});

test('several of today, which the flag asks for: one is chosen', async () => {
  const { car } = await parked();
  const given = { ...afternoon(), carId: car.id, eventType: 'pick_up' };
  // Of the same time, the newest first.
  await counter.make.appointment(given);
  const second = await counter.make.appointment({ ...given, title: 'Second' });
  await counter.make.appointment({ ...given, title: 'First' });
  const flags = ['--appointment', 'today', '--notes', 'x', '--photo', 'a.jpg'];
  const terminal = open([car.licensePlate, ...flags], {
    cwd: await folderWith({ 'a.jpg': photo }),
  });
  await terminal.waitFor(/\? Fulfils[\s\S]*❯ .*First\n/);
  terminal.press('down');
  await answer(terminal, /❯ .*Second/);
  // What stays open is told, by its type where it has no title.
  await answer(
    terminal,
    /Fulfils +.*Second\n +Open +.* · First \(scheduled\)\n +today .* · Pick-up \(scheduled\)\n[\s\S]*\? Hand this car over\?/,
  );
  expect(await terminal.exited).toBe(0);
  expect((await pickupsOf(car.id))[0]?.appointmentId).toBe(second.id);
});

test('a key with read:cars only finds cars by plate and shows what it can read; a car that left meanwhile is asked for again', async () => {
  // Without another car nothing would be left to ask for.
  await parked();
  const { car } = await parked({
    licensePlate: 'HH-MX 505',
    year: 1999,
    make: 'Mazda',
    model: 'MX-5',
  });
  const terminal = open([], {
    env: { CS_API_KEY: await counter.service.keyWith(['read:cars', 'write:cars']) },
  });
  await terminal.waitFor('? Car');
  // Three characters, since fewer are looked for only at the beginning of a plate.
  terminal.type('505');
  await answer(terminal, `❯ ${car.licensePlate}`);
  await answer(terminal, '? Notes');
  const shown = linesOf(await terminal.waitFor('? Hand this car over?'));
  expect(shown).toEqual([
    `✓ Car        ${car.licensePlate} · 1999 Mazda MX-5`,
    '✓ Notes      –',
    '',
    '  Event      Pick-up · now',
    '  Photos     none (n to add some)',
    '',
    '? Hand this car over? (Y/n)',
  ]);
  // Another counter was faster.
  await counter.service.call('POST', `/cars/${car.id}/events`, { activityType: 'pick_up' });
  terminal.press('enter');
  await terminal.waitFor(/any more[\s\S]*Please check it\.[\s\S]*\? Car +plate/);
  await leave(terminal);
});

test('no stored car: exit 6 before the first prompt', async () => {
  const terminal = open([], { env: { CS_API_KEY: counter.service.otherKey } });
  expect(await terminal.exited).toBe(6);
  expect(terminal.screen()).toContain('error: No cars are parked here. Nothing was stored.');
});
