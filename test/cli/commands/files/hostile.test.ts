/** Downloads from a server that names files so that they land elsewhere, and into a folder where links wait. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type Behaviour, json } from '../../../helpers/misbehaving-server.ts';
import { type SampleServer, startSampleServer } from '../../../helpers/sample-server.ts';

const car = '019aa0a3-4d00-7000-8000-0000000000c1';
const bytes = 'not a picture';

let server: SampleServer;
let outside: string;
let cwd: string;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  outside = await makeFolder();
  cwd = join(outside, 'home/user/work');
  await mkdir(cwd, { recursive: true });
  await writeFile(join(outside, 'home/user/.bashrc'), 'mine');
});
afterEach(async () => {
  server.instead = undefined;
  server.change = undefined;
  await removeFolder(outside);
});

const run = (line: readonly string[], options: CliOptions = {}) =>
  cs(line, { cwd, env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' }, ...options });
const photos = (...more: string[]) =>
  run(['cars', 'photos', 'download', car, '--to', 'dl', ...more]);
const assets = (...more: string[]) => run(['assets', 'download', '--all', '--to', 'dl', ...more]);

type Answered = { id: string; filename: unknown; folderId?: string | null; sha256?: string };

/** Lists that hold these records, and bytes for whatever is asked. */
function answer(records: readonly Answered[], folders: readonly object[] = []): void {
  const list = (data: readonly object[]): Behaviour =>
    json(200, { data, page: 1, limit: 50, total: data.length });
  server.instead = ({ url }) => {
    if (/\/asset-folders/.test(url)) return list(folders);
    if (/\/(photos|assets)(\?|$)/.test(url)) return list(records);
    if (/\/content/.test(url))
      return (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
    return undefined;
  };
}

/** Every file below a folder, as paths from there. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

const hostileRecords: readonly Answered[] = [
  { id: 'x/../../../../.profile', filename: '' },
  { id: '../../.bashrc', filename: null },
  { id: '...', filename: '../.bashrc' },
  { id: '/etc/x', filename: '/etc/cron.d/x' },
  { id: 'n', filename: '..\\..\\x' },
  { id: '\u202e\n', filename: 'a\u202egpj.exe' },
  { id: 'o', filename: '--overwrite' },
  { id: 'c', filename: 'CON' },
  { id: 'same/../1', filename: 'A.png' },
  { id: 'same/../2', filename: 'a.png' },
];

describe.each([
  ['photos', photos],
  ['assets', assets],
])('%s', (_, download) => {
  test('stay in their folder, whatever names the server sends', async () => {
    answer(hostileRecords);
    const { code, json: saved, stderr } = await download('--overwrite');
    expect([code, stderr]).toEqual([0, '']);
    expect(saved).toHaveLength(hostileRecords.length);
    const files = await filesBelow(outside);
    expect(files.filter((file) => !file.startsWith('home/user/work/dl/'))).toEqual([
      'home/user/.bashrc',
    ]);
    expect(files).toHaveLength(hostileRecords.length + 1);
    expect(await readFile(join(outside, 'home/user/.bashrc'), 'utf8')).toBe('mine');
    for (const { file } of saved) expect(file).toMatch(/^dl\/[^./\\-][^/\\]*$/);
  });

  test('are not saved with other bytes than those of their record', async () => {
    answer([{ id: 'a', filename: 'a.png', sha256: 'ab'.repeat(32) }]);
    const { code, json: saved } = await download();
    expect([code, saved]).toMatchObject([9, [{ status: 'failed', file: 'dl/a.png' }]]);
    expect(await readdir(join(cwd, 'dl'))).toEqual([]);
  });

  test('are not written through a link', async () => {
    answer([{ id: 'a', filename: 'linked.png' }]);
    await mkdir(join(cwd, 'dl'));
    await symlink('../../.bashrc', join(cwd, 'dl/linked.png'));
    const refused = await download();
    expect([refused.code, refused.error.code]).toEqual([7, 'file_exists']);
    // Asked for by name, the link is replaced, and not what it points to.
    expect((await download('--overwrite')).code).toBe(0);
    expect(await readFile(join(cwd, 'dl/linked.png'), 'utf8')).toBe(bytes);
    expect(await readFile(join(outside, 'home/user/.bashrc'), 'utf8')).toBe('mine');
  });
});

test('asset folders stay below the target, whatever their names', async () => {
  const folder = (id: string, name: unknown, parentId: string | null) => ({ id, name, parentId });
  answer(
    [
      { id: 'a', filename: 'x', folderId: '2' },
      { id: 'b', filename: 'y', folderId: '3' },
      { id: 'c', filename: 'z', folderId: '../../..' },
    ],
    [folder('1', '..', null), folder('2', '/etc', '1'), folder('3', null, '3')],
  );
  const { code, json: saved } = await assets();
  expect(code).toBe(0);
  expect(saved.map(({ file }: { file: string }) => file)).toEqual([
    'dl/folder/_etc/x',
    'dl/3/y',
    'dl/_.._/z',
  ]);
});

test('a folder is not downloaded from a server that does not tell the folder of an asset', async () => {
  answer([{ id: 'a', filename: 'x' }], [{ id: '1', name: 'Summer', parentId: null }]);
  const { code, error } = await run(['assets', 'download', '--folder', '1', '--to', 'dl']);
  expect([code, error.code]).toEqual([9, 'filter_ignored']);
  expect(await readdir(cwd)).toEqual([]);
});

test('Ctrl-C stops the download; saved files stay', async () => {
  answer([
    { id: 'a', filename: 'a.png' },
    { id: 'b', filename: 'b.png' },
  ]);
  const stopping = new AbortController();
  const usual = server.instead;
  server.instead = (request, at) => {
    if (/\/b\/content/.test(request.url)) stopping.abort(new Interrupted('SIGINT'));
    return usual?.(request, at);
  };
  const { code } = await run(['cars', 'photos', 'download', car, '--to', 'dl'], {
    signal: stopping.signal,
  });
  expect(code).toBe(130);
  expect(await readdir(join(cwd, 'dl'))).toEqual(['a.png']);
});
