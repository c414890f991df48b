/** A person's place in the questions: lists keep their cursor, answers their values, and the screen shows each answer once. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Terminal } from '../../../helpers/terminal.ts';
import {
  afternoon,
  answer,
  answerEach,
  type Counter,
  choose,
  counterOfFile,
  folderWith,
  jpeg,
  leave,
  noon,
  pick,
} from './counter.ts';

const counter = counterOfFile();
let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(200, 150);
});

const open: Counter['open'] = (...how) => counter.open(...how);

const esc = '\u001b';

const countOf = (terminal: Terminal, text: RegExp) => terminal.screen().match(text)?.length ?? 0;

describe('a resize', () => {
  // The line of keys is whole once the list is drawn again.
  test('keeps the cursor and the search of a list; a search that is typed again starts at its first result', async () => {
    for (const nickname of ['Stays', 'Stays', 'Goes']) await counter.car({ nickname });
    const terminal = open(['dropoff', '--yes', '--type', 'inspection'], { columns: 100 });
    await terminal.waitFor('? Car');
    terminal.type('stays');
    await terminal.waitFor(/\? Car +stays\n❯ .*\n {2}.*\n {2}＋/);
    terminal.press('down');
    const [, plate] = /❯ (HH-T \d+) /.exec(
      await terminal.waitFor(/\? Car +stays\n {2}HH.*\n❯ HH/),
    ) as string[];
    terminal.resize(30, 24);
    await terminal.waitFor(new RegExp(`\\? Car +stays\\n {2}HH.*\\n❯ ${plate} [^\\n]*…`));
    expect(countOf(terminal, /^❯/gm)).toBe(1);
    terminal.press('ctrl-u');
    await terminal.waitFor(/\? Car +plate/);
    terminal.type('stays');
    await terminal.waitFor(/\? Car +stays\n❯ HH.*\n {2}HH.*\n {2}＋/);
    await leave(terminal);
  });
});

describe('back to the car', () => {
  test('the cursor is on the one that was chosen; starting over forgets the search', async () => {
    await counter.spot();
    for (const name of ['first', 'second', 'third', 'stranger'])
      await counter.car({ nickname: name === 'stranger' ? name : `Back ${name}` });
    const terminal = open(['dropoff', '--notes', 'x', '--photo', '.'], {
      cwd: await folderWith({ 'a.jpg': photo }),
    });
    await terminal.waitFor('＋ Add a new car');
    terminal.type('back');
    // The result of the search: no other car is left.
    await terminal.waitFor(/\? Car +back\n(.*“Back .*\n){3} +＋/);
    terminal.press('down');
    terminal.press('down');
    const chosen = /❯ .*“(.*)”/.exec(await terminal.waitFor(/\n {2}.*\n {2}.*\n❯ /))?.[1];
    terminal.press('enter');
    await terminal.waitFor('? Place');
    terminal.type(esc);
    await answer(terminal, new RegExp(`\\? Car +back\\n[\\s\\S]*❯ .*“${chosen}”`));
    await answer(terminal, /\? Place[\s\S]*type to search/);
    await answer(terminal, '? Store this drop-off?', 'n');
    await answer(terminal, '? What would you like to change?', 'start');
    await terminal.waitFor(/\? Car +plate, VIN/);
    await leave(terminal);
  });

  test('the same car again keeps the appointment that was declined; another one is asked anew', async () => {
    const car = await counter.car({ nickname: 'Same again' });
    const spot = await counter.spot();
    await counter.make.appointment({ carId: car.id, eventType: 'drop_off', ...afternoon() });
    const terminal = open(
      ['dropoff', car.licensePlate, '--spot', spot.id, '--notes', 'x', '--photo', '.'],
      {
        cwd: await folderWith({ 'a.jpg': photo }),
      },
    );
    await answer(terminal, /Fulfils[\s\S]*\? Store this drop-off\?/, 'n');
    await choose(terminal, 'Fulfils', 3);
    await choose(terminal, 'None of them', 1);
    await answer(terminal, /Place +S\d+ .*\n {2}Notes[\s\S]*\? Store this drop-off\?/, 'n');
    await answer(terminal, '❯ Car');
    await answer(terminal, /❯ .*Same again/);
    const summary = await terminal.waitFor(/Car +HH.*Same again[\s\S]*\? Store this drop-off\?/);
    expect(summary).not.toMatch(/^ {2}Fulfils/m);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(car.id)).events).toMatchObject([{ appointmentId: null }]);
  });
});

test('the appointments stay in their order, with the cursor on the one that was chosen', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const at = (hour: number) => new Date(new Date(noon).setHours(hour)).toISOString();
  for (const hour of [14, 16])
    await counter.make.appointment({
      carId: car.id,
      eventType: 'drop_off',
      startAt: at(hour),
      endAt: at(hour + 1),
    });
  const terminal = open(['dropoff', car.licensePlate, '--spot', spot.id, '--notes', 'x']);
  await choose(terminal, 'today 16:00', 1);
  await terminal.waitFor('? Photos');
  terminal.type(esc);
  await terminal.waitFor(/\? Fulfils *\n {2}today 14:00.*\n❯ today 16:00.*\n {2}None of them/);
  await leave(terminal);
});

describe('a new car', () => {
  const required = { Make: 'Saab', Model: '96', Year: '1967' };
  const values = { ...required, Colour: '' };

  test('an erased plate stays erased', async () => {
    const terminal = open(
      [
        ...'dropoff --type drop_off --notes x --photo . --spot'.split(' '),
        (await counter.spot()).id,
      ],
      {
        cwd: await folderWith({ 'a.jpg': photo }),
      },
    );
    await pick(terminal, '? Car', 'hh-er 1', 'not found');
    await terminal.waitFor(/\? Plate +HH-ER 1/);
    terminal.press('ctrl-u');
    await answer(terminal, /\? Plate +optional/);
    await pick(terminal, '? Make', esc, /\? Plate +optional/);
    await answerEach(terminal, values);
    await answer(terminal, '? Nickname', 'Nameless');
    await answer(terminal, '❯ No owner yet');
    expect(await terminal.waitFor('? Store this drop-off?')).toMatch(/^ {2}Car +1967 Saab 96/m);
    await leave(terminal);
  });

  test('another search asks for the plate again, with the other text', async () => {
    const terminal = open(['dropoff', '--type', 'drop_off']);
    await pick(terminal, '? Car', 'hh-os 1', 'not found');
    await answer(terminal, /\? Plate +HH-OS 1/);
    await terminal.waitFor('? Make');
    terminal.type(esc);
    await terminal.waitFor(/\? Plate +HH-OS 1/);
    terminal.type(esc);
    await terminal.waitFor(/\? Car +hh-os 1/);
    terminal.press('ctrl-u');
    terminal.type('hh-os 2');
    await answer(terminal, '“hh-os 2” not found');
    await terminal.waitFor(/\? Plate +HH-OS 2/);
    await leave(terminal);
  });

  test('with --yes only what is required is asked', async () => {
    const spot = await counter.spot();
    const terminal = open(['dropoff', '--type', 'drop_off', '--spot', spot.id, '--yes']);
    await pick(terminal, '? Car', 'hh-yy 1', 'not found');
    await answerEach(terminal, required);
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).not.toMatch(/Plate|Colour|Owner/);
    expect(
      (await counter.service.call('GET', '/cars?licensePlate=HH-YY%201')).body.data,
    ).toMatchObject([{ parkingSpotId: spot.id }]);
  });

  test('an Enter before the search has ended chooses no owner', async () => {
    const key = await counter.service.keyWith(['read:cars', 'write:cars', 'read:customers']);
    await counter.make.customer({ firstName: 'Someone' });
    const terminal = open(['cars', 'create'], { env: { CS_API_KEY: key } });
    await answer(terminal, '? Plate', 'HH-EE 1');
    await answerEach(terminal, values);
    await pick(
      terminal,
      '❯ No owner yet',
      'nobody at all\r',
      /\? Owner +nobody at all\n❯ No owner yet\n\n/,
    );
    await terminal.waitFor('? Store this car?');
    await leave(terminal);
  });
});

test('what a question has printed goes with it', async () => {
  const { car, spot } = await counter.parkedCar({ nickname: 'Printed above' });
  await counter.spot();
  const terminal = open(['move']);
  await pick(
    terminal,
    '? Car',
    'printed above',
    new RegExp(`\\? Car.*\\n❯ ${car.licensePlate} .*\\n\\n`),
  );
  await terminal.waitFor(new RegExp(`Parked in +${spot.name}[\\s\\S]*\\? Place[\\s\\S]*Esc`));
  terminal.type(esc);
  expect(await terminal.waitFor(/\? Car +printed above\n❯/)).not.toContain('Parked in');
  await leave(terminal);
});

describe('a question that the summary opened', () => {
  test('shows each answer once, in the order of the questions', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const terminal = open(['dropoff', car.licensePlate, '--spot', spot.id]);
    await answer(terminal, '? Notes', 'first');
    await terminal.waitFor('? Photos');
    terminal.type(esc);
    await answer(terminal, /\? Notes +first/, ' and last');
    await answer(terminal, '? Photos');
    await terminal.waitFor('? Store this drop-off?');
    expect([countOf(terminal, /✓ Notes/g), countOf(terminal, /✓ Photos/g)]).toEqual([1, 1]);
    terminal.type('n\r');
    await choose(terminal, 'Notes', 3);
    await answer(terminal, /\? Notes +first and last/, '.');
    const screen = await terminal.waitFor(
      /✓ Notes +first and last\.\n✓ Photos +–\n\n {2}Car[\s\S]*\? Store this drop-off\?/,
    );
    expect(screen.match(/^ {2}Notes/gm)).toHaveLength(1);
    await leave(terminal);
  });
});
