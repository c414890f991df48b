/** Assignments whose end is planned: the car is parked there until then. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { type Lack, startOtherServer } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

const untold: readonly Lack[] = [
  { fields: ['occupiedByCarId', 'occupied', 'available'], as: 'missing' },
  { fields: ['parkingSpotId', 'parkingZoneId'], as: 'missing', of: '/cars' },
];
let facility: OtherFacility;
const minutes = (more: number) => new Date(noon.getTime() + more * 60_000).toISOString();
const end = (name: string, endedAt: string) =>
  facility.server.records.change('/parking/assignments', facility.fill(`{${name}'s parking}`), {
    endedAt,
  });
const spotsOf = (stdout: string) =>
  Object.fromEntries(
    (JSON.parse(stdout) as { spots: { name: string; state: string }[] }[]).flatMap(({ spots }) =>
      spots.map(({ name, state }) => [name, state]),
    ),
  );

describe('where assignments alone tell who is parked', () => {
  beforeEach(async () => {
    facility = furnish(await startOtherServer({ lacks: untold }, () => noon));
    end('Ferdi', minutes(15));
    end('Emma', minutes(-15));
  });
  afterEach(() => facility.server.close());

  test('cs board: taken until the end, free after it', async () => {
    const { code, stdout } = await runOn(facility, 'board --json');
    expect([code, spotsOf(stdout)]).toMatchObject([0, { A1: 'free', A2: 'taken' }]);
    const later = await runOn(facility, 'board --json', { now: new Date(minutes(20)) });
    expect(spotsOf(later.stdout)).toMatchObject({ A1: 'free', A2: 'free' });
  });

  test('cs pickup and cs move name the place', async () => {
    const moved = await runOn(facility, 'move Ferdi --spot A3');
    expect([moved.code, JSON.parse(moved.stdout).from]).toMatchObject([
      0,
      { spot: { name: 'A2' } },
    ]);
    facility.reset();
    end('Ferdi', minutes(15));
    const picked = await runOn(facility, 'pickup Ferdi --yes');
    expect([picked.code, picked.stdout]).toEqual([0, expect.stringContaining('"A2"')]);
  });
});

test('it can be changed by the name of its car', async () => {
  facility = furnish(await startOtherServer({}, () => noon));
  end('Ferdi', minutes(15));
  const { code } = await runOn(
    facility,
    `parking assignments update Ferdi --ended-at ${minutes(-5)}`,
  );
  expect([code, facility.changed()]).toEqual([0, expect.arrayContaining(["Ferdi's parking"])]);
  await facility.server.close();
});
