/** A server that takes the fields of a change for the whole record, and empties the others. */
import { afterEach, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
afterEach(() => facility.server.close());
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};
const line = 'customers update bob@example.com --notes tall';
const says =
  /The server emptied .*firstName.* of the customer bob@example\.com, though the change didn't name them/;

test('a warning names the fields', async () => {
  await on({ changes: 'replace the record' });
  const { code, told } = await runOn(facility, line);
  expect([code, told]).toEqual([0, expect.stringMatching(says)]);
});

const fields = ['firstName', 'lastName', 'email', 'externalId', 'status'];
test.each<[string, Ways]>([
  ['keeps the others', {}],
  ['shows in an answer only what was sent', { unshown: { fields, as: 'null', in: 'writes' } }],
])('a server that %s: no warning', async (_, ways) => {
  await on(ways);
  expect(await runOn(facility, line)).toMatchObject({ code: 0, told: '' });
});
