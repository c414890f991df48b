/** How much a person types for a car that comes back, from the bare command to the end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTerminal } from '../../../helpers/terminal.ts';
import { afternoon, type Counter, folderWith, jpeg, noon, openCounter } from '../counter/counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.service.close());

test('a returning car takes five answers and at most 20 keys', async () => {
  const [car, home] = [await counter.car({ licensePlate: 'HH-E 61H' }), await counter.spot({ name: 'B9' })];
  for (const name of ['A1', 'A2']) await counter.spot({ name });
  await counter.make.event(car.id, { parkingSpotId: home.id });
  await counter.make.event(car.id, { activityType: 'pick_up' });
  const types: { id: string; value: string }[] = await counter.make.read('/event-types');
  const appointment = await counter.make.appointment({
    carId: car.id,
    appointmentTypeId: types.find(({ value }) => value === 'drop_off')?.id,
    ...afternoon(),
  });
  const cwd = await folderWith({ 'shots/front.jpg': await jpeg(200, 150), 'shots/rear.jpg': await jpeg(210, 150) });
  const terminal = openTerminal(['dropoff'], { env: counter.env(), cwd, now: noon });

  // Each is what is typed, and then Enter; what is preselected takes Enter alone.
  const answers: [shown: string | RegExp, typed: string][] = [
    ['? Car', '61h'],
    [/❯ {3}B9[\s\S]*type to search/, ''],
    ['? Notes', ''],
    ['? Photos', 'shots/*.jpg'],
    [/Fulfils {4}today 15:00[\s\S]*\? Store this drop-off\?/, ''],
  ];
  for (const [shown, typed] of answers) {
    await terminal.waitFor(shown);
    terminal.type(`${typed}\r`);
  }
  expect(await terminal.exited).toBe(0);
  expect(answers).toHaveLength(5);
  expect(answers.map(([, typed]) => typed.length + 1).reduce((sum, keys) => sum + keys)).toBeLessThanOrEqual(20);
  const stored = await counter.storedOf(car.id);
  expect(stored.car).toMatchObject({ status: 'stored', parkingSpotId: home.id });
  expect(stored.photos).toHaveLength(2);
  expect(stored.events.find(({ appointmentId }) => appointmentId === appointment.id)).toBeDefined();
});
