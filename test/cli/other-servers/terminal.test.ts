/** The counter's prompts on servers of other teams, on a real pseudo-terminal. */
import { afterAll, expect, test } from 'vitest';
import { noon } from '../../helpers/other-facility.ts';
import { openTerminal } from '../../helpers/terminal.ts';
import { otherFacilities } from './run.ts';
import type { VariationName } from './servers.ts';

const { open, closeAll } = otherFacilities();
afterAll(closeAll);

/** The time of an event that happens while the clock stands still. */
const now = `"occurredAt":"${noon.toISOString()}"`;

test('pickup lets the person choose the type where none says that it frees the place', async () => {
  const { facility } = await open('no type that frees a place');
  const terminal = openTerminal(['pickup', 'Ferdi', '--no-appointment', '--notes', 'two keys'], {
    env: facility.env,
    now: noon,
  });
  await terminal.waitFor(/\? Event[\s\S]*❯ Pick up[\s\S]*Interior cleaning/);
  terminal.press('enter');
  await terminal.waitFor('Hand this car over?');
  terminal.type('y');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect(facility.writes()).toEqual([
    `POST /cars/{Ferdi}/events {"activityType":"pick_up","notes":"two keys",${now}}`,
  ]);
});

const untold = [
  'words of its own',
  'lacks optional fields and refuses filters',
  'null in optional fields',
] satisfies VariationName[];

test.each(untold)('pickup offers the cars that are here: %s', async (name) => {
  const { facility } = await open(name);
  const terminal = openTerminal(['pickup'], { env: facility.env, now: noon });
  const screen = await terminal.waitFor(/HH-E 61[\s\S]*HH-F 12/);
  expect(screen).not.toContain('WN-AB 123');
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
  expect(facility.writes()).toEqual([]);
});

const unsearched = [
  'ignores filters',
  'refuses filters',
  'gives two records per page, and ignores filters',
] satisfies VariationName[];

test.each(unsearched)('typing finds the car, and no other one: %s', async (name) => {
  const { facility } = await open(name);
  const terminal = openTerminal(
    ['pickup', '--type', 'pick_up', '--no-appointment', '--notes', 'two keys'],
    {
      env: facility.env,
      now: noon,
    },
  );
  await terminal.waitFor(/HH-E 61[\s\S]*HH-F 12/);
  terminal.type('hhf12');
  await terminal.waitFor(/^(?![\s\S]*HH-E 61)[\s\S]*hhf12\s[\s\S]*HH-F 12/);
  // Enter chooses it.
  terminal.press('enter');
  await terminal.waitFor('Hand this car over?');
  terminal.type('y');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect(facility.writes()).toEqual([
    `POST /cars/{Ferdi}/events {"activityType":"pick_up","notes":"two keys",${now}}`,
  ]);
  expect(terminal.raw()).toMatch(/Warning: GET \/cars on \S+ (ignores|refuses the filter) q/);
});

test.each(unsearched)('typing finds the customer, and no other one: %s', async (name) => {
  const { facility } = await open(name);
  const line = [
    'appointments',
    'create',
    '--type',
    'customer_visit',
    '--at',
    'tomorrow 9:00',
    '--for',
    '45m',
  ];
  const terminal = openTerminal(line, { env: facility.env, now: noon });
  await terminal.waitFor(/\? Customer/);
  terminal.type('bob r');
  await terminal.waitFor(/^(?![\s\S]*Ann Lee)[\s\S]*bob r\s[\s\S]*Bob Ray/);
  terminal.press('enter');
  await terminal.waitFor('? Store this appointment?');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect(facility.writes()).toMatchObject([expect.stringContaining('"customerId":"{Bob}"')]);
});

test.each(untold)('dropoff offers the cars that are not here: %s', async (name) => {
  const { facility } = await open(name);
  const terminal = openTerminal(['dropoff', '--type', 'drop_off', '--spot', 'A3'], {
    env: facility.env,
    now: noon,
  });
  const screen = await terminal.waitFor(/WN-AB 123[\s\S]*Add a new car/);
  expect(screen).not.toContain('HH-E 61');
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
  expect(facility.writes()).toEqual([]);
});

test('a prompt takes a value that only this server has', async () => {
  const { facility } = await open('words of its own');
  const terminal = openTerminal(['templates', 'create', '--name', 'New', '--body', 'Hi'], {
    env: facility.env,
    now: noon,
  });
  await terminal.waitFor(/\? Channel[\s\S]*Another value/);
  for (let index = 0; index < 9; index += 1) terminal.press('down');
  await terminal.waitFor('❯ Another value');
  terminal.press('enter');
  await terminal.waitFor(/Another value\n\? Channel/);
  terminal.type('telegram');
  await terminal.waitFor('telegram');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect(facility.writes()).toEqual([
    'POST /marketing/templates {"name":"New","body":"Hi","channel":"telegram"}',
  ]);
});

const lacking = [
  'lacks optional fields',
  'null in optional fields',
  'lacks optional fields and ignores filters',
  'lacks optional fields and refuses filters',
] satisfies VariationName[];

test.each(lacking)('dropoff offers the places that are not taken: %s', async (name) => {
  const { facility } = await open(name);
  const line = [
    'dropoff',
    '--car',
    'Greta',
    '--type',
    'drop_off',
    '--no-appointment',
    '--notes',
    'two keys',
  ];
  const terminal = openTerminal(line, { env: facility.env, now: noon });
  const screen = await terminal.waitFor(/\? Place[\s\S]*A3/);
  expect(screen).not.toMatch(/\bA1\b|\bA2\b/);
  expect(screen).toContain('Hall A · room unknown');
  terminal.type('A3');
  await terminal.waitFor(/^(?![\s\S]*A4)[\s\S]*A3/);
  terminal.press('enter');
  await terminal.waitFor('? Photos');
  terminal.press('enter');
  await terminal.waitFor(/Park this car|Store|\(Y\/n\)/);
  terminal.type('y');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect(facility.writes()).toEqual([
    `POST /cars/{Greta}/events {"activityType":"drop_off","parkingSpotId":"{A3}","notes":"two keys",${now}}`,
  ]);
  expect(terminal.raw()).not.toContain('undefined');
});
