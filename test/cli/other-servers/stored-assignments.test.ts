/** A server that stores the assignment of a move and leaves the car where it was. */
import { afterEach, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
afterEach(() => facility.server.close());
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};
const says = /stored the assignment to A3.*, but it still shows the car in A2.*cs cars get/;

test.each(['', '-o json'])('the car is shown elsewhere: a warning %s', async (flags) => {
  await on({ assignments: 'are stored' });
  const { code, stdout, told } = await runOn(facility, `move {Ferdi} --spot {A3} ${flags}`);
  expect([code, told]).toEqual([0, expect.stringMatching(says)]);
  expect(JSON.parse(stdout)).toMatchObject({ moved: false });
});

test('for a person: not said to be parked there', async () => {
  await on({ assignments: 'are stored' });
  const { code, stdout, told } = await runOn(facility, 'move {Ferdi} --spot {A3} -o table');
  expect([code, told]).toEqual([0, expect.stringMatching(says)]);
  expect(stdout).not.toContain('is parked in A3');
});

test.each<[string, Ways]>([
  ['moves the car', {}],
  [
    'shows no place of a car',
    {
      assignments: 'are stored',
      lacks: { fields: ['parkingSpotId', 'parkingZoneId'], as: 'missing', of: '/cars' },
    },
  ],
])('a server that %s: no warning', async (_, ways) => {
  await on(ways);
  const { code, stdout, told } = await runOn(facility, 'move {Ferdi} --spot {A3} -q');
  expect({ code, told }).toEqual({ code: 0, told: '' });
  expect(JSON.parse(stdout)).toMatchObject({ moved: true });
});
