/** What a server shows of a photo that it has just stored: another hash or size isn't what was sent, and a failed status isn't stored. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

const bytes = png();

let facility: OtherFacility;
let folder: string;
let photo: string;
beforeEach(async () => {
  folder = await makeFolder();
  photo = join(folder, 'front.png');
  writeFileSync(photo, bytes);
  mkdirSync(join(folder, 'done'));
});
afterEach(async () => {
  await removeFolder(folder);
  await facility.server.close();
});
const on = async (photoShows: Ways['photoShows']) => {
  facility = furnish(await startOtherServer({ photoShows }, () => noon));
};
const add = (flags = '') => runOn(facility, `cars photos add {Emma} ${photo} ${flags}`);

const others = [
  [{ sha256: 'ab'.repeat(32) }, `"sha256" is ${'ab'.repeat(32)}, not `],
  [{ sizeBytes: 7 }, `"sizeBytes" is 7, not ${bytes.length}`],
  [{ sizeBytes: '7' }, `"sizeBytes" is 7, not ${bytes.length}`],
] as const;

describe.each(others)('another photo than was sent: %j', (shows, differs) => {
  beforeEach(() => on(shows));

  test('stored, with a warning and in the result', async () => {
    const { code, stdout, told } = await add();
    expect(code).toBe(0);
    expect(told).toContain(`otherwise than it was sent: ${differs}`);
    expect(JSON.parse(stdout)).toMatchObject([
      { status: 'stored', differs: expect.stringContaining(differs) },
    ]);
  });

  test.each(['--verify', '--move-to DONE', '--verify --move-to DONE'])(
    'not confirmed: %s',
    async (flags) => {
      const { code, told } = await add(flags.replace('DONE', join(folder, 'done')));
      expect([code, told]).toEqual([11, expect.stringContaining('photos_not_verified')]);
      expect(existsSync(photo)).toBe(true);
    },
  );

  test('a drop-off', async () => {
    const { code, told } = await runOn(
      facility,
      `dropoff {Greta} --type drop_off --spot {A3} --photo ${photo} --yes`,
    );
    expect([code, told]).toEqual([
      0,
      expect.stringContaining(`otherwise than it was sent: ${differs}`),
    ]);
  });
});

test.each([
  {},
  { sizeBytes: bytes.length },
  { sizeBytes: null, sha256: 'abc' },
  { status: 'ready' },
])('no contradiction: %j', async (shows) => {
  await on(shows);
  const { code, told } = await add(`--move-to ${join(folder, 'done')}`);
  expect([code, told]).toEqual([0, '']);
  expect(existsSync(photo)).toBe(false);
});

test.each(['failed', 'rejected', 'ERROR'])('the status %s: not stored', async (status) => {
  await on({ status });
  const { code, stdout, told } = await add(`--move-to ${join(folder, 'done')}`);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    9,
    [{ status: 'failed', photoId: null, notMoved: "the server didn't confirm it" }],
  ]);
  expect(told).toContain(`a record whose status is "${status}"`);
  expect(existsSync(photo)).toBe(true);
  const byUrl = await runOn(
    facility,
    'cars photos add {Emma} --source-url https://example.com/a.jpg',
  );
  expect([byUrl.code, byUrl.stdout]).toEqual([9, '']);
});
