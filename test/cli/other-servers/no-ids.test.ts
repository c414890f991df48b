/** Servers whose records have no id that tells them apart: nothing is chosen among them, and nothing is written. */
import { afterEach, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
afterEach(() => facility.server.close());

const says =
  /"data\.0" has no id\. In the specification every identifier is a string \(section 2\)/;
const lines = [
  ...['cars list', 'cars get Ferdi', 'parking spots list', 'templates list', 'board', 'today'],
  ...[
    'cars update Ferdi --color red',
    'move Ferdi A3 --yes',
    'pickup Ferdi --yes',
    'appointments cancel Ferdi --yes',
  ],
  ...['templates prune --channel sms --confirm 1', 'templates delete Hello --yes'],
];

test.each<[NonNullable<Ways['ownId']>, string]>(
  (['_id', 'empty'] as const).flatMap((ownId) =>
    lines.map((line): [NonNullable<Ways['ownId']>, string] => [ownId, line]),
  ),
)('an id that is %s: cs %s', async (ownId, line) => {
  facility = furnish(await startOtherServer({ ownId }, () => noon));
  const { code, told } = await runOn(facility, line);
  expect(told).toMatch(says);
  expect(code).toBe(9);
  expect(facility.changed()).toEqual([]);
});
