/** Changes and creates that a server accepts for later (202): its answer shows what was asked for, and proves nothing. */
import { afterEach, describe, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
afterEach(() => facility.server.close());
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};

describe.each([
  'cars update {Ferdi} --nickname Rosa',
  "appointments cancel {Ferdi's pick-up} --yes",
  'parking assignments update Ferdi --ended-at 2026-05-05T11:00:00Z',
])('cs %s', (line) => {
  test('done meanwhile, as the record tells', async () => {
    await on({ changeStatus: 202 });
    expect(await runOn(facility, line)).toMatchObject({ code: 0, told: '' });
    expect(facility.changed()).not.toEqual([]);
  });

  test('not done: not said to be', async () => {
    await on({ changeStatus: 202, changes: 'ignored' });
    const { code, stdout, told } = await runOn(facility, line);
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toContain(
      "with 202, so it changes the record later, and the record isn't as it was sent",
    );
  });
});

test.each([
  'cars create --year 1973 --make Porsche --model 911',
  'cars events log {Ferdi} --type interior_cleaning',
])('cs %s: not said to be stored', async (line) => {
  await on({ createStatus: 202 });
  const { code, stdout, told } = await runOn(facility, line);
  expect([code, stdout]).toEqual([9, '']);
  expect(told).toMatch(/with 202 and the promise to carry it out later/);
});
