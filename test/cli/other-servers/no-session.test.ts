/** A server whose car events name no session, against the specification (section 4). */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
let folder: string;
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};
beforeAll(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'front.png'), png(1));
});
afterEach(() => facility.server.close());
afterAll(() => removeFolder(folder));

test('the drop-off is stored, its photos without a session, and a warning says so', async () => {
  await on({ events: 'without its session' });
  const line = `dropoff Greta --type drop_off --spot A3 --photo ${join(folder, 'front.png')} --yes`;
  const { code, stdout, told } = await runOn(facility, line);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { sessionId: null, photos: [{ error: null }] },
  ]);
  expect(told).toMatch(
    /names no sessionId of it, which the specification \(section 4\) promises, so its photos are stored for the car alone/,
  );
  expect(facility.writes().filter((write) => write.includes('/photos'))).toEqual([
    expect.not.stringContaining('sessionId'),
  ]);
});

test.each([
  'pickup Ferdi --type pick_up --yes',
  'cars events log Ferdi --type interior_cleaning -o table',
])('cs %s', async (line) => {
  await on({ events: 'without its session' });
  expect(await runOn(facility, line)).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining('undefined'),
  });
});
