/** Searches at the counter, on a real pseudo-terminal: short texts, and those that find nothing. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Terminal } from '../../../helpers/terminal.ts';
import { answer, answerEach, counterOfFile, leave, newCarAnswers, openCounter } from './counter.ts';

const counter = counterOfFile();
beforeAll(async () => {
  await counter.parkedCar({
    licensePlate: 'HH-FI 500',
    make: 'Fiat',
    model: '500 L',
    vin: 'ZFA110F0001M3FI12',
  });
  await counter.parkedCar({ licensePlate: 'HH-RS 73', make: 'Porsche', model: '911' });
  await counter.parkedCar({ licensePlate: 'PI-B 388', make: 'BMW', model: 'Z4 M3' });
});

/** The questions before that about the owner. */
const newCar = { ...newCarAnswers, Plate: 'HH-OW 1' };

async function search(argv: readonly string[], typed: string): Promise<Terminal> {
  const terminal = counter.open(argv);
  await terminal.waitFor(/^\? Car[\s\S]*type to search/m);
  terminal.type(typed);
  return terminal;
}

describe('what finds nothing is named', () => {
  beforeAll(async () => {
    await counter.car({ licensePlate: 'HH-E 61H', nickname: 'Emma' });
    await counter.make.customer({ firstName: 'Eva', lastName: 'Sand' });
  });

  test.each([
    ['pickup', '? Car', 'emma', 'No parked car matches “emma”'],
    // The text of an argument is searched for.
    ['pickup nobody', '? Car', '', 'No parked car matches “nobody”'],
    ['move nobody', '? Car', '', 'No parked car matches “nobody”'],
    [
      'appointments create --type drop_off',
      '? Car',
      'nobody',
      'No car matches “nobody”: add one with `cs cars create`',
    ],
    [
      'appointments create --type customer_visit',
      '? Customer',
      'nobody',
      '❯ ＋ Add a new customer (“nobody” not found)',
    ],
    ['move HH-FI\\ 500', '? Place', 'nowhere', 'No free spot or zone matches “nowhere”'],
  ])('cs %s, %s %s: %s', async (line, question, typed, message) => {
    await counter.spot();
    const terminal = counter.open(line.split(/(?<!\\) /).map((word) => word.replace('\\', '')));
    await terminal.waitFor(
      (screen) => screen.includes(question) && screen.includes('type to search'),
    );
    terminal.type(typed);
    await terminal.waitFor(message);
    await leave(terminal);
  });
});

test('a list is as high as the terminal', async () => {
  for (let at = 0; at < 12; at += 1)
    await counter.parkedCar({ licensePlate: `HH-MANY ${at}`, make: 'Audi', model: '80' });
  const terminal = counter.open(['pickup'], { rows: 40 });
  const screen = await terminal.waitFor(/❯ HH-MANY[\s\S]*to choose/);
  expect(screen.match(/HH-MANY/g)).toHaveLength(12);
  await leave(terminal);
});

test('a text that finds customers is no name of a new one', async () => {
  await counter.make.customer({ firstName: 'Tom', lastName: 'Brandt' });
  const terminal = counter.open(['cars', 'create']);
  await answerEach(terminal, newCar);
  await terminal.waitFor('❯ No owner yet');
  terminal.type('bra');
  await terminal.waitFor(/\? Owner +bra\n❯ Tom Brandt/);
  terminal.press('down');
  await answer(terminal, '❯ ＋ Add a new owner');
  await answer(terminal, '? First name', 'Ida');
  await answer(terminal, '? Last name', 'Lang');
  await terminal.waitFor(/✓ Last name +Lang$/m);
  await leave(terminal);
});

describe('two letters within a plate or a model', () => {
  test.each([
    ['pickup', 'rs', 'HH-RS 73'],
    ['pickup', 'M3', 'PI-B 388'],
    ['appointments create --type drop_off', 'fi', 'HH-FI 500'],
  ])('cs %s, %s: finds %s', async (line, typed, plate) => {
    const terminal = await search(line.split(' '), typed);
    const screen = await terminal.waitFor(new RegExp(`\\? Car +${typed}\\n❯ ${plate}`));
    expect(screen).not.toContain('not found');
    expect(screen.match(new RegExp(plate, 'g'))).toHaveLength(1);
    await leave(terminal);
  });

  test('in no car: a new one is offered', async () => {
    const terminal = await search(['dropoff'], 'q7');
    await terminal.waitFor('❯ ＋ Add a new car (“q7” not found)');
    await leave(terminal);
  });

  test('with more cars than are read: says that it is too short, and offers no new one', async () => {
    const many = await openCounter();
    try {
      await many.spot();
      for (let car = 0; car <= 200; car += 1) await many.car({ licensePlate: `HH-Z ${car}` });
      const terminal = many.open(['dropoff']);
      await terminal.waitFor('＋ Add a new car');
      terminal.type('q7');
      expect(
        await terminal.waitFor('“q7” is too short to search for: type 3 characters or more'),
      ).not.toContain('Add a new car');
      terminal.press('enter');
      terminal.type('x');
      await terminal.waitFor('❯ ＋ Add a new car (“q7x” not found)');
      await leave(terminal);
    } finally {
      await many.service.close();
    }
  });
});
