/** Deletes that a server accepts for later (202): only a record that is gone counts as deleted. */
import { afterEach, describe, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
afterEach(() => facility.server.close());
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};

const lines = [
  ['contacts delete {Cy} --yes', 'contacts get {Cy}'],
  ['templates delete {Welcome} --yes', 'templates get {Welcome}'],
  [
    'campaigns content delete {Spring} {Spring step} --yes',
    'campaigns content get {Spring} {Spring step}',
  ],
  ['locations delete {Depot} --hard --yes', 'locations get {Depot}'],
  ['locations delete {Depot} --yes', 'locations get {Depot}'],
] as const;

describe.each(lines)('cs %s', (line, get) => {
  test('done meanwhile', async () => {
    await on({ deleteStatus: '202 and done' });
    expect(await runOn(facility, line)).toMatchObject({ code: 0 });
    expect(facility.changed()).toHaveLength(1);
  });

  test('still there: not said to be deleted, and the hint names the command that looks again', async () => {
    await on({ deleteStatus: '202 for later' });
    const { code, stdout, told } = await runOn(facility, line);
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toContain(
      'with 202, so it deletes the record later, and the record is still there as it was',
    );
    expect(told).toContain(facility.fill(`\`cs ${get}\` shows whether it is still there`));
  });

  test('no record can be read: unknown', async () => {
    await on({ deleteStatus: '202 and done', paths: 'specified' });
    const { code, stdout, told } = await runOn(facility, line);
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toContain(
      'with 202, so it deletes the record later, and nothing tells whether it has: ',
    );
  });
});

test('several: the first that is still there ends the command', async () => {
  await on({ deleteStatus: '202 for later' });
  const { code, stdout, told } = await runOn(
    facility,
    'templates delete {Receipt} {Welcome} --confirm 2 --json',
  );
  expect(code).toBe(9);
  expect(JSON.parse(stdout)).toMatchObject([
    { error: { code: 'unexpected_answer' } },
    { error: { code: 'not_tried' } },
  ]);
  expect(told).toContain('2 templates were not deleted');
});

test('prune', async () => {
  await on({ deleteStatus: '202 for later' });
  const kept = await runOn(facility, 'templates prune --name Receipt --confirm 1');
  expect(kept).toMatchObject({
    code: 9,
    told: expect.stringContaining('the record is still there as it was; it may still be deleted'),
  });
  await facility.server.close();
  await on({ deleteStatus: '202 and done' });
  expect(await runOn(facility, 'templates prune --name Receipt --confirm 1')).toMatchObject({
    code: 0,
  });
});
