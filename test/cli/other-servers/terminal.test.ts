/** The counter's prompts on servers of other teams, on a real pseudo-terminal. */
import { afterAll, expect, test } from 'vitest';
import { noon } from '../../helpers/other-facility.ts';
import { openTerminal } from '../../helpers/terminal.ts';
import { otherFacilities } from './run.ts';
import type { VariationName } from './servers.ts';

const { open, closeAll } = otherFacilities();
afterAll(closeAll);

test('pickup lets the person choose the type where none says that it frees the place', async () => {
  const { facility } = await open('no type that frees a place');
  const terminal = openTerminal(['pickup', 'Ferdi', '--no-appointment', '--notes', 'two keys'], { env: facility.env, now: noon });
  await terminal.waitFor(/\? Event[\s\S]*❯ pick_up[\s\S]*interior_cleaning/);
  terminal.press('enter');
  await terminal.waitFor('? Photos');
  terminal.press('enter');
  await terminal.waitFor('Hand this car over?');
  terminal.type('y');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect(facility.writes()).toEqual(['POST /cars/{Ferdi}/events {"activityType":"pick_up","notes":"two keys"}']);
});

const untold = ['words of its own', 'lacks optional fields and refuses filters', 'null in optional fields'] satisfies VariationName[];

test.each(untold)('pickup offers the cars that are here: %s', async (name) => {
  const { facility } = await open(name);
  const terminal = openTerminal(['pickup'], { env: facility.env, now: noon });
  const screen = await terminal.waitFor(/HH-E 61[\s\S]*HH-F 12/);
  expect(screen).not.toContain('WN-AB 123');
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
  expect(facility.writes()).toEqual([]);
});

test.each(untold)('dropoff offers the cars that are not here: %s', async (name) => {
  const { facility } = await open(name);
  const terminal = openTerminal(['dropoff', '--type', 'drop_off', '--spot', 'A3'], { env: facility.env, now: noon });
  const screen = await terminal.waitFor(/WN-AB 123[\s\S]*Add a new car/);
  expect(screen).not.toContain('HH-E 61');
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
  expect(facility.writes()).toEqual([]);
});
