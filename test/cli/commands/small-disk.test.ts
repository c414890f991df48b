/** What `cs sync` and `cs import` keep on a disk that is full, or that cannot be written: processes of their own on a small disk. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { builtInShell } from '../../helpers/built.ts';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { rows, startListServer } from '../../helpers/list-server.ts';
import { testService } from '../../helpers/service.ts';
import { hasSmallDisk, onSmallDisk } from '../../helpers/small-disk.ts';

const service = await testService();
let folder: string;
beforeEach(async (context) => {
  folder = await makeFolder();
  if (!(await hasSmallDisk(folder))) context.skip();
});
afterEach(() => removeFolder(folder));

test('sync on a disk that cannot be written: refused by name, and the mirror stays readable', async () => {
  await facility(service).location();
  const cs = `${builtInShell} sync`;
  const { stdout, stderr } = await onSmallDisk(
    folder,
    `${cs} locations --to mirror.db -q && mount -o remount,ro . && ${cs} locations --to mirror.db; echo "exit $?"; ${cs} verify mirror.db; echo "exit $?"; ${cs} locations --to other.db; echo "exit $?"`,
    { CS_BASE_URL: service.url, CS_API_KEY: service.key },
  );
  expect(stdout.match(/exit \d+/g)).toEqual(['exit 2', 'exit 0', 'exit 2']);
  expect(stderr.match(/Couldn't use [^"]*/g)).toEqual([
    expect.stringMatching(/^Couldn't use the folder .*: the disk is read-only\.$/),
    expect.stringMatching(/^Couldn't use other\.db: /),
  ]);
});

test('sync on a full disk: a clear error, an intact mirror, and the next run goes on', async () => {
  const server = await startListServer();
  onTestFinished(() => server.close());
  server.rows = rows(450, { notes: 'x'.repeat(1_500) });
  const command = `${builtInShell} sync customers --to mirror.db`;
  const look = `${builtInShell} sync status mirror.db`;
  const fill = 'dd if=/dev/zero of=filling bs=1k count=300 2>/dev/null';
  const { stdout, stderr } = await onSmallDisk(
    folder,
    `${fill}; ${command}; echo "exit $?"; ${look}; rm filling; mount -o remount,size=16m .; ${command}`,
    { CS_BASE_URL: server.url, CS_API_KEY: service.key },
  );
  expect(JSON.parse(stderr.split('\n')[0] ?? '').error).toMatchObject({
    code: 'file_unusable',
    message: expect.stringContaining('the disk is full'),
    exitCode: 1,
  });
  const [, before = '', after = ''] = /exit 1\n(\[.*?\n\])\n(\[.*)/s.exec(stdout) ?? [stdout];
  expect(JSON.parse(before)[0].syncedAt).toBeNull();
  expect(JSON.parse(after)).toMatchObject([{ records: 450 }]);
});

test('import on a full disk and on one that cannot be written: nothing more is sent, and the same line goes on', async () => {
  const lastName = 'Full';
  const people = Array.from({ length: 60 }, (_, n) => ({ firstName: `Ann${n}`, lastName }));
  const lines = people.map((row) => JSON.stringify(row)).join('\n');
  const cs = `${builtInShell} import customers rows.ndjson -o ndjson`;
  const { stdout, stderr } = await onSmallDisk(
    folder,
    [
      `printf '%s' '${lines}' > rows.ndjson; mkdir state`,
      'mount -o remount,ro .',
      `${cs}; echo "exit $?"`,
      'mount -o remount,rw .',
      `${cs} > /dev/null 2>&1; dd if=/dev/zero of=filling bs=1k 2>/dev/null`,
      `${cs}; echo "exit $?"`,
      'rm filling',
      `${cs} > again; echo "exit $?"; grep -c did again`,
    ].join('\n'),
    {
      CS_BASE_URL: service.url,
      CS_API_KEY: service.key,
      CS_RETRIES: '0',
      CS_STATE_DIR: join(folder, 'state'),
    },
  );
  expect(stdout.match(/exit \d+/g)).toEqual(['exit 7', 'exit 1', 'exit 0']);
  expect(stderr.match(/state\.db, where commands keep what they remember: [^"]+/g)).toEqual([
    expect.stringContaining('the disk is read-only.'),
    expect.stringMatching(/the disk is full( or fails)?\./),
  ]);
  const { body } = await service.call('GET', `/customers?q=${lastName}`);
  expect(body.total).toBe(60);
});
