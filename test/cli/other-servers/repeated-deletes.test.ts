/** Deletes that are carried out without an answer: the repeat finds no record, which is what was asked for. */
import { afterEach, describe, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
afterEach(() => facility.server.close());
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};
const retrying = (line: string) =>
  runOn(facility, line, { env: { ...facility.env, CS_RETRIES: '' } });
const warning = (path: string) =>
  facility.fill(`Warning: the first answer to DELETE ${path} was lost and the second one is 404`);

describe.each([502, 503, 429, 'reset'] as const)('the first answer: %s', (firstDelete) => {
  test.each([
    ['contacts delete {Cy} --yes', '/contacts/{Cy}'],
    [
      'campaigns content delete {Spring} {Spring step} --yes',
      '/marketing/campaigns/{Spring}/content/{Spring step}',
    ],
    ['locations delete {Depot} --hard --yes', '/locations/{Depot}'],
  ])('cs %s: deleted, with a warning', async (line, path) => {
    await on({ firstDelete });
    const { code, stdout, told } = await retrying(line);
    expect([code, JSON.parse(stdout)]).toEqual([0, { id: expect.any(String), deleted: true }]);
    expect(told).toContain(warning(path));
    expect(facility.writes()).toEqual([`DELETE ${path}`, `DELETE ${path}`]);
  });
});

test('a server that shows no record of the kind: the 404 of an operation of the specification means the record', async () => {
  await on({ firstDelete: 502, paths: 'specified' });
  expect(await retrying('contacts delete {Cy} --yes')).toMatchObject({
    code: 0,
    told: expect.stringContaining(warning('/contacts/{Cy}')),
  });
});

test('a record that is still in its list is not deleted', async () => {
  await on({ firstDelete: 502, deleteStatus: 404 });
  expect(await retrying('contacts delete {Cy} --yes')).toMatchObject({ code: 6, stdout: '' });
});

test('a 404 to the first try is told as before', async () => {
  await on({ deleteStatus: 404 });
  expect(await retrying('contacts delete {Cy} --yes')).toMatchObject({ code: 6, stdout: '' });
});

test('without a repeat, nothing tells', async () => {
  await on({ firstDelete: 502 });
  expect(await runOn(facility, 'contacts delete {Cy} --yes')).toMatchObject({
    code: 10,
    stdout: '',
  });
});

test('several, and prune', async () => {
  await on({ firstDelete: 502 });
  const several = await retrying('templates delete {Receipt} {Welcome} --confirm 2');
  expect([several.code, JSON.parse(several.stdout)]).toMatchObject([
    0,
    [{ deleted: true }, { deleted: true }],
  ]);
  const prune = await retrying('templates prune --name Post --confirm 1');
  expect([prune.code, JSON.parse(prune.stdout)]).toMatchObject([
    0,
    [{ name: 'Post', deleted: true }],
  ]);
  expect(prune.told).toContain(warning('/marketing/templates/{Post}'));
});
