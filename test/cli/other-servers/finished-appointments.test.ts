/** A name means no appointment that is over: a server without transitions would complete a cancelled one. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
beforeEach(async () => {
  facility = furnish(await startOtherServer({}, () => noon));
});
afterEach(() => facility.server.close());

test.each(['complete', 'start', 'check-in', 'no-show', 'approve', 'decline'])(
  '%s after cancel',
  async (verb) => {
    expect((await runOn(facility, 'appointments cancel Ferdi')).code).toBe(0);
    const { code, told } = await runOn(facility, `appointments ${verb} Ferdi`);
    expect([code, told]).toEqual([
      7,
      expect.stringMatching(/is cancelled(, not pending approval)?, so it can't be/),
    ]);
    expect(facility.writes()).toHaveLength(1);
  },
);

test('cancel after complete', async () => {
  await runOn(facility, 'appointments complete Ferdi');
  const { code, told } = await runOn(facility, 'appointments cancel Ferdi');
  expect([code, told]).toEqual([
    7,
    expect.stringContaining("is completed, so it can't be cancelled"),
  ]);
});

test('a repeat, and an id, are sent', async () => {
  for (const line of ['cancel Ferdi', 'cancel Ferdi', "complete {Ferdi's pick-up}"])
    expect((await runOn(facility, `appointments ${line}`)).code).toBe(0);
  expect(facility.writes()).toHaveLength(3);
});
