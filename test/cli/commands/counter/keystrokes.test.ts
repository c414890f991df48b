/** How much a person types at the counter, from the bare command to the end. */
import { expect, test } from 'vitest';
import { openTerminal } from '../../../helpers/terminal.ts';
import { afternoon, counterOfFile, folderWith, jpeg, noon } from './counter.ts';

const counter = counterOfFile();

/**
 * What is typed for a question, and then Enter; what is preselected takes Enter alone. `found`: what is to be seen before that Enter, where
 * one that is pressed too early means nothing.
 */
type Answer = readonly [shown: string | RegExp, typed: string, found?: string];

const down = '\u001b[B';
const keysOf = (typed: string) => typed.replaceAll(down, '↓').length + 1;

/** Answers the questions of a command, which ends well after them. */
async function answerAll(
  argv: readonly string[],
  answers: readonly Answer[],
  cwd?: string,
): Promise<{ answers: number; keys: number }> {
  const terminal = openTerminal(argv, { env: counter.env(), now: noon, ...(cwd && { cwd }) });
  for (const [shown, typed, found] of answers) {
    await terminal.waitFor(shown);
    terminal.type(typed);
    if (found) await terminal.waitFor(found);
    terminal.press('enter');
  }
  expect(await terminal.exited).toBe(0);
  return {
    answers: answers.length,
    keys: answers.reduce((sum, [, typed]) => sum + keysOf(typed), 0),
  };
}

test('a returning car with two photos: five answers, 20 keys', async () => {
  const [car, home] = [
    await counter.car({ licensePlate: 'HH-E 61H' }),
    await counter.spot({ name: 'B9' }),
  ];
  for (const name of ['A1', 'A2']) await counter.spot({ name });
  await counter.make.event(car.id, { parkingSpotId: home.id });
  await counter.make.event(car.id, { activityType: 'pick_up' });
  const appointment = await counter.make.appointment({
    carId: car.id,
    eventType: 'drop_off',
    ...afternoon(),
  });
  const cwd = await folderWith({
    'shots/front.jpg': await jpeg(200, 150),
    'shots/rear.jpg': await jpeg(210, 150),
  });
  const typed = await answerAll(
    ['dropoff'],
    [
      ['? Car', '61h'],
      [/Last place B9[\s\S]*❯ {3}B9[\s\S]*type to search/, ''],
      ['? Notes', ''],
      ['? Photos', 'shots/*.jpg'],
      [/Fulfils {4}today 15:00[\s\S]*\? Store this drop-off\?/, ''],
    ],
    cwd,
  );
  expect(typed.answers).toBe(5);
  expect(typed.keys).toBeLessThanOrEqual(20);
  const stored = await counter.storedOf(car.id);
  expect(stored.car).toMatchObject({ status: 'stored', parkingSpotId: home.id });
  expect(stored.photos).toHaveLength(2);
  expect(stored.events.find(({ appointmentId }) => appointmentId === appointment.id)).toBeDefined();
});

test('a new car with a new owner: 15 answers, 16 keys beside what is written down', async () => {
  await counter.spot({ name: 'N1' });
  const written = ['HH-N 7', 'Porsche', '911', '1973', 'Red', 'Ada', 'Lovelace', '+49 40 1'];
  const [plate = '', make = '', model = '', year = '', colour = ''] = written;
  const [firstName = '', lastName = '', phone = ''] = written.slice(5);
  const typed = await answerAll(
    ['dropoff'],
    [
      ['? Car', plate, '“HH-N 7” not found'],
      // What was searched for is the plate.
      [/\? Plate +HH-N 7/, ''],
      ['? Make', make],
      ['? Model', model],
      ['? Year', year],
      ['? Colour', colour],
      ['? Owner', down, '❯ ＋ Add a new owner'],
      ['? First name', firstName],
      ['? Last name', lastName],
      ['? Phone', phone],
      ['? E-mail', ''],
      [/\? Place[\s\S]*type to search/, ''],
      ['? Notes', ''],
      ['? Photos', ''],
      ['? Store this drop-off?', ''],
    ],
  );
  expect(typed.answers).toBe(15);
  expect(typed.keys - written.join('').length).toBeLessThanOrEqual(16);
  const { data } = (await counter.service.call('GET', '/cars?licensePlate=HH-N%207')).body;
  expect(data).toMatchObject([{ color: 'Red', status: 'stored' }]);
  const owner = await counter.make.read(`/customers/${data[0].customerId}`);
  expect(owner).toMatchObject({ firstName, lastName, phone });
});

test('a pick-up: three answers, six keys', async () => {
  const [car, spot] = [await counter.car({ licensePlate: 'HH-P 82K' }), await counter.spot()];
  await counter.make.event(car.id, { parkingSpotId: spot.id });
  const typed = await answerAll(
    ['pickup'],
    [
      ['? Car', '82k'],
      ['? Notes', ''],
      ['? Hand this car over?', ''],
    ],
  );
  expect(typed.answers).toBe(3);
  expect(typed.keys).toBeLessThanOrEqual(6);
  expect((await counter.storedOf(car.id)).car.status).toBe('checked_out');
});

test('a move: two answers, eight keys', async () => {
  const [car, from, to] = [
    await counter.car({ licensePlate: 'HH-M 37V' }),
    await counter.spot(),
    await counter.spot({ name: 'M12' }),
  ];
  await counter.make.event(car.id, { parkingSpotId: from.id });
  const typed = await answerAll(
    ['move'],
    [
      ['? Car', '37v'],
      [/\? Place[\s\S]*type to search/, 'm12'],
    ],
  );
  expect(typed.answers).toBe(2);
  expect(typed.keys).toBeLessThanOrEqual(8);
  expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(to.id);
});

test('an appointment: four answers, 18 keys', async () => {
  const car = await counter.car({ licensePlate: 'HH-A 55X' });
  const typed = await answerAll(
    ['appointments', 'create'],
    [
      ['? Event', 'd', '❯ Drop-off'],
      ['? Car', '55x'],
      ['? Start', 'tomorrow 9'],
      ['? Store this appointment?', ''],
    ],
  );
  expect(typed.answers).toBe(4);
  expect(typed.keys).toBeLessThanOrEqual(18);
  const [made] = await counter.make.read(`/appointments?carId=${car.id}`);
  const types: { id: string; value: string }[] = await counter.make.read('/event-types');
  expect(types.find(({ id }) => id === made.appointmentTypeId)?.value).toBe('drop_off');
});
