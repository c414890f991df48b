/** `cs assets upload` and `download`, against the real service. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { assetLimit } from '../../../../src/contract/limits.ts';
import { scopes } from '../../../../src/contract/scopes.ts';
import { createKey, createTeam } from '../../../../src/service/admin.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility, png } from '../../../helpers/facility.ts';
import {
  type Fault,
  type ProxiedRequest,
  startFaultyProxy,
} from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { testService } from '../../../helpers/service.ts';

let make: Facility;
let env: Record<string, string>;
let cwd: string;

const service = await testService();
let teams = 0;
beforeEach(async () => {
  // A team of its own for each test, since assets at the top are everybody's.
  const team = `assets-${++teams}`;
  await createTeam(service.admin, { name: team });
  const { key } = await createKey(service.admin, { team, name: 'assets', scopes });
  env = { CS_BASE_URL: service.url, CS_API_KEY: key };
  make = facility(service, key);
  cwd = await makeFolder();
});
afterEach(() => removeFolder(cwd));

const run = (line: readonly string[], options: CliOptions = {}) =>
  cs(['assets', ...line], { env, cwd, ...options });
const put = async (name: string, content: Uint8Array | string) => {
  await mkdir(dirname(join(cwd, name)), { recursive: true });
  await writeFile(join(cwd, name), content);
};
const pdf = '%PDF-1.4\n';
/** Folder and name of every asset. */
async function stored(): Promise<string[]> {
  const folders = await list('/marketing/asset-folders');
  const pathOf = (id: string | null): string => {
    const folder = folders.find((one) => one.id === id);
    return folder ? `${pathOf(folder.parentId)}${folder.name}/` : '';
  };
  return (await list('/marketing/assets'))
    .map(({ folderId, filename }) => `${pathOf(folderId)}${filename}`)
    .sort();
}
// biome-ignore lint/suspicious/noExplicitAny: records of whatever the path names
const list = (path: string): Promise<any[]> => make.read(`${path}?limit=200`);
const summary = (json: { filename: string; status: string }[]) =>
  json.map(({ filename, status }) => `${filename} ${status}`);

async function faulty(
  choose: (request: ProxiedRequest) => Fault | undefined,
): Promise<Record<string, string>> {
  const proxy = await startFaultyProxy(service.url, choose);
  onTestFinished(() => proxy.close());
  return { ...env, CS_BASE_URL: proxy.url };
}

describe('upload', () => {
  test('uploads folders with their subfolders, and sends nothing the second time', async () => {
    await put('pictures/hall.png', png(1));
    await put('pictures/Evenings/Late/bar 10.png', png(2));
    await put('pictures/Evenings/bar 2.png', png(3));
    await put('pictures/.DS_Store', 'x');
    await put('pictures/.thumbnails/hall.png', png(4));
    // As macOS writes it.
    await put('pla\u0308n.pdf', pdf);
    const tags = ['--tags', 'hall, indoors,', '--alt-text', 'The hall'];
    const line = ['upload', 'pictures', 'pla\u0308n.pdf', ...tags];
    const first = await run(line);
    expect([first.code, first.stderr]).toEqual([0, '2 hidden files skipped.\n']);
    expect(first.json[1]).toEqual({
      file: join(cwd, 'pictures/Evenings/Late/bar 10.png'),
      filename: 'bar 10.png',
      folder: 'Evenings/Late',
      status: 'stored',
      assetId: expect.any(String),
      sizeBytes: png(2).length,
      error: null,
    });
    expect(await stored()).toEqual([
      'Evenings/Late/bar 10.png',
      'Evenings/bar 2.png',
      'hall.png',
      'pl\u00e4n.pdf',
    ]);
    expect((await list('/marketing/assets')).map(({ tags, altText }) => [tags, altText])).toEqual(
      Array(4).fill([['hall', 'indoors'], 'The hall']),
    );
    const again = await run(line);
    expect(summary(again.json)).toEqual(
      summary(first.json).map((text) => text.replace('stored', 'already_there')),
    );
    expect(again.json.map(({ assetId }: { assetId: string }) => assetId)).toEqual(
      first.json.map(({ assetId }: { assetId: string }) => assetId),
    );
    expect(await stored()).toHaveLength(4);
    expect((await run([...line, '-o', 'id'])).stdout.trim().split('\n')).toHaveLength(4);
  });

  test('uploads into an existing folder', async () => {
    const summer = await make.assetFolder({ name: 'Summer' });
    await make.assetFolder({ name: 'Evenings', parentId: summer.id });
    await put('pictures/Evenings/bar.png', png(1));
    const told = await run(['upload', 'pictures', '--folder', 'summer'], { as: 'terminal' });
    expect(told.stdout).toMatch(/^asset \S+ added {2}Summer\/Evenings\/bar\.png\n$/);
    expect(await stored()).toEqual(['Summer/Evenings/bar.png']);
    expect((await run(['upload', 'pictures', '--folder', 'Winter'])).code).toBe(6);
    // The same name with other bytes is another asset; the same bytes with another name, too.
    await put('pictures/Evenings/bar.png', png(2));
    await put('pictures/Evenings/bar copy.png', png(2));
    expect(summary((await run(['upload', 'pictures', '--folder', 'Summer'])).json)).toEqual([
      'bar copy.png stored',
      'bar.png stored',
    ]);
    // One key for the line: its second file isn't a repeat of the first.
    await put('more/a.png', png(4));
    await put('more/b.png', png(5));
    const keyed = await run(['upload', 'more', '--idempotency-key', 'once']);
    expect(summary(keyed.json)).toEqual(['a.png stored', 'b.png stored']);
  });

  test('reports invalid files and sends the others', async () => {
    await put('pictures/good.png', png(1));
    await put('pictures/notes.txt', 'hello');
    await put('pictures/picture.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await put('pictures/empty.png', '');
    await put('pictures/large.png', png(2, assetLimit + 1));
    await put('pictures/just.png', png(3, assetLimit));
    const { code, json, error } = await run(['upload', 'pictures']);
    expect(code).toBe(11);
    expect(
      json.map(({ filename, error: why }: { filename: string; error: { code: string } | null }) => [
        filename,
        why?.code,
      ]),
    ).toEqual([
      ['empty.png', 'invalid_file'],
      ['good.png', undefined],
      ['just.png', undefined],
      ['large.png', 'invalid_file'],
      ['notes.txt', 'invalid_file'],
      ['picture.svg', 'invalid_file'],
    ]);
    expect(error).toMatchObject({ code: 'partial', message: '4 of 6 files not stored.' });
    expect(await stored()).toEqual(['good.png', 'just.png']);
    const ids = (await list('/marketing/assets')).map(({ id }) => id).sort();
    const again = await run(['upload', 'pictures', '-o', 'id']);
    expect(again.stdout.trim().split('\n').sort()).toEqual(ids);
    const alone = await run(['upload', 'pictures/notes.txt']);
    expect([alone.code, alone.error.code]).toEqual([3, 'invalid_file']);
  });

  test('a missing path ends it before any request, and --dry-run sends none', async () => {
    await put('pictures/Evenings/hall.png', png(1));
    expect((await run(['upload', 'pictures', 'gone.png'])).code).toBe(3);
    expect((await run(['upload', 'pictures', '--dry-run'])).code).toBe(0);
    expect([await stored(), await list('/marketing/asset-folders')]).toEqual([[], []]);
  });

  test('one whose answer never comes may be stored: running it again tells, and doubles nothing', async () => {
    for (const name of ['a', 'b']) await put(`pictures/${name}.png`, png(name.charCodeAt(0)));
    let lost: number | undefined;
    const shaky = await faulty(({ method, url, number }) => {
      if (method !== 'POST' || !url.endsWith('/assets')) return undefined;
      lost ??= number;
      return number === lost ? 'lost' : undefined;
    });
    const line = ['upload', 'pictures', '--retries', '0'];
    const { code, json, error } = await run(line, { env: shaky });
    expect([code, error.hint]).toEqual([
      11,
      'run the same command again: stored files are skipped',
    ]);
    const unknown = ({ error: why }: { error: { unknownOutcome: boolean } | null }) =>
      why?.unknownOutcome;
    expect(json.filter(unknown)).toHaveLength(1);
    const again = await run(['upload', 'pictures']);
    expect(summary(again.json)).toEqual(['a.png already_there', 'b.png already_there']);
    expect(await stored()).toHaveLength(2);
  });

  test('the same file twice is sent once, and both have its outcome', async () => {
    await put('x/twin.png', png(91));
    await put('y/twin.png', png(91));
    const busy = await faulty(({ method }) => (method === 'POST' ? '429' : undefined));
    const line = ['upload', 'x/twin.png', 'y/twin.png', '--retries', '0'];
    const refused = await run(line, { env: busy });
    expect(summary(refused.json)).toEqual(['twin.png failed', 'twin.png failed']);
    const both = await run(line);
    expect([both.code, summary(both.json)]).toEqual([
      0,
      ['twin.png stored', 'twin.png already_there'],
    ]);
    expect(both.json[1].assetId).toBe(both.json[0].assetId);
    expect(await stored()).toHaveLength(1);
  });
});

describe('download', () => {
  test('all of them in their folders; what is there is not fetched again', async () => {
    const summer = await make.assetFolder({ name: 'Summer' });
    const evenings = await make.assetFolder({ name: 'Evenings', parentId: summer.id });
    await make.asset({ filename: 'hall.png' });
    await make.asset({ filename: 'beach.png', folderId: summer.id });
    await make.asset({ filename: 'bar.png', folderId: evenings.id });
    const first = await run(['download', '--all', '--to', 'got']);
    expect(
      first.json
        .map(({ file, status }: { file: string; status: string }) => `${file} ${status}`)
        .sort(),
    ).toEqual([
      'got/Summer/Evenings/bar.png saved',
      'got/Summer/beach.png saved',
      'got/hall.png saved',
    ]);
    const part = await run(['download', '--folder', 'Summer', '--to', 'part'], {
      as: 'terminal',
    });
    expect(part.stdout.trimEnd().split('\n').sort()).toEqual([
      'part/Evenings/bar.png  saved',
      'part/beach.png  saved',
    ]);
    const again = await run(['download', '--all', '--to', 'got']);
    expect(new Set(again.json.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['already_there']),
    );
    // What was fetched goes back to where it came from.
    expect(
      new Set((await run(['upload', 'got'])).json.map(({ status }: { status: string }) => status)),
    ).toEqual(new Set(['already_there']));
  });

  test('by name, over existing files only with --overwrite', async () => {
    await make.asset({ filename: 'hall.png', base64: png(7).toString('base64') });
    await put('got/hall.png', 'mine');
    const csv = await run(['download', 'hall.png', '--to', 'got', '-o', 'csv']);
    expect(csv.code).toBe(7);
    expect(csv.stdout).toMatch(/^id,file,status,error\r\n\S+,got\/hall\.png,failed,file_exists: /);
    expect(await readFile(join(cwd, 'got/hall.png'), 'utf8')).toBe('mine');
    expect((await run(['download', 'hall.png', '--to', 'got', '--overwrite'])).code).toBe(0);
    expect(await readFile(join(cwd, 'got/hall.png'))).toEqual(png(7));
    expect(await readdir(join(cwd, 'got'))).toEqual(['hall.png']);
  });

  test('those whose ids a list pipes, and none when it is empty', async () => {
    const { id } = await make.asset({ filename: 'piped.png' });
    const piped = await run(['download', '--ids', '-', '--to', 'got'], { stdin: `${id}\n` });
    expect(piped.json).toMatchObject([{ file: 'got/piped.png', status: 'saved' }]);
    expect((await run(['download', '--ids', '-', '--to', 'got'], { stdin: '' })).json).toEqual([]);
  });

  test.each([[['--all', '--folder', 'Summer']], [['--ids', 'x', '--all']]])(
    '%j is exit 2',
    async (line) => {
      expect((await run(['download', ...line])).code).toBe(2);
    },
  );

  test('a fetch that fails leaves nothing behind', async () => {
    await make.asset({ filename: 'hall.png' });
    await make.asset({ filename: 'yard.png' });
    const broken = await faulty(({ url }) => (url.endsWith('/content') ? '500' : undefined));
    const { code, json } = await run(['download', '--all', '--to', 'got', '--retries', '0'], {
      env: broken,
    });
    expect([code, json.map(({ status }: { status: string }) => status)]).toEqual([
      10,
      ['failed', 'failed'],
    ]);
    expect(await readdir(join(cwd, 'got'))).toEqual([]);
  });
});
