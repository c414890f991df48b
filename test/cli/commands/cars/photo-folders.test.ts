/** `cs cars photos add` of whole folders, `--verify`, and `cs cars photos verify`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import { cs } from '../../../helpers/cli.ts';
import { facility, png } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { json, record, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { jpeg } from '../counter/counter.ts';

let cwd: string;
let car: RecordFor<'cars'>;
const service = await testService();
beforeEach(async () => {
  cwd = await makeFolder();
  car = await facility(service).car();
});
afterEach(() => removeFolder(cwd));

async function write(files: Record<string, Uint8Array | string>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), bytes);
  }
}

const tree = () =>
  write({
    'shots/1.png': png(1),
    'shots/10.png': png(10),
    'shots/2.png': png(2),
    'shots/day 1/a.png': png(3),
    'shots/day 1/more/b.png': png(4),
  });
const environment = (url = service.url) => ({
  CS_BASE_URL: url,
  CS_API_KEY: service.key,
  CS_STATE_DIR: join(cwd, 'state'),
});
const run = (
  line: readonly string[],
  { url, ...options }: { url?: string; as?: 'terminal'; waiting?: never } = {},
) => cs(['cars', 'photos', ...line], { env: environment(url), cwd, ...options });
const add = (...line: string[]) => run(['add', car.id, ...line]);
const stored = async (): Promise<RecordFor<'carPhotos'>[]> =>
  (await service.call('GET', `/cars/${car.id}/photos?limit=200`)).body.data;

describe('a folder', () => {
  test('without --recursive: its own photos; with it: those of its folders too, in natural order, neither hidden ones nor those of a link', async () => {
    await tree();
    await write({ 'shots/.thumbs/t.png': png(7), 'shots/._1.png': 'x' });
    await symlink('..', join(cwd, 'shots/day 1/circle'));
    const own = await add('shots', '--dry-run');
    expect(own.json.body.photos).toEqual(['shots/1.png', 'shots/2.png', 'shots/10.png']);
    const { code, json: all } = await add('shots', '--recursive');
    expect(code).toBe(0);
    expect(all.map(({ file }: { file: string }) => file.slice(cwd.length + 1))).toEqual([
      'shots/1.png',
      'shots/2.png',
      'shots/10.png',
      'shots/day 1/a.png',
      'shots/day 1/more/b.png',
    ]);
    expect(await stored()).toHaveLength(5);
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe with the name of a photo, and a link to one, are left out',
    async () => {
      await write({ 'shots/1.png': png(1) });
      execFileSync('mkfifo', [join(cwd, 'shots/2.png')]);
      await symlink('2.png', join(cwd, 'shots/3.png'));
      const { code, json: all } = await add('shots');
      expect([code, all.length]).toEqual([0, 1]);
    },
  );

  test('names with strange characters are stored and verified', async () => {
    const names = [
      '-dash.png',
      'a\nb.png',
      'ä ö.png',
      '📷.png',
      'quote\'".png',
      '[1].png',
      `${'x'.repeat(200)}.png`,
    ];
    await write(Object.fromEntries(names.map((name, index) => [join('shots', name), png(index)])));
    const { code, json: all, stderr } = await add('shots', '--verify');
    // The service keeps a name that every system can have.
    expect([code, stderr]).toEqual([0, '']);
    expect(all.map(({ verified }: { verified: string }) => verified)).toEqual(
      names.map(() => 'same_bytes'),
    );
  });
});

describe('several at a time', () => {
  const many = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `${index + 1}.png`);
    return write(
      Object.fromEntries(names.map((name, index) => [join('shots', name), png(index)])),
    ).then(() => names);
  };

  test('as many as --parallel says, and no more', async () => {
    await many(8);
    const all = Promise.withResolvers<void>();
    let open = 0;
    let most = 0;
    const proxy = await startFaultyProxy(service.url, async ({ method }) => {
      if (method !== 'POST') return undefined;
      open += 1;
      most = Math.max(most, open);
      if (open === 3) all.resolve();
      await all.promise;
      open -= 1;
      return undefined;
    });
    const { code } = await run(['add', car.id, 'shots', '--parallel', '3'], {
      url: proxy.url,
    }).finally(proxy.close);
    expect([code, most]).toEqual([0, 3]);
  });

  test('on a terminal one line at the end says how much was sent; elsewhere stderr stays empty', async () => {
    await many(3);
    const terminal = openTerminal(['cars', 'photos', 'add', car.id, 'shots'], {
      env: environment(),
      cwd,
    });
    await terminal.waitFor(/Sent 3 photos, \d+ bytes, in \d seconds?\.\n/);
    expect(await terminal.exited).toBe(0);
    expect((await add('shots')).stderr).toBe('');
  });

  test('a photo that is refused for a while, and one that fails, hold no other; results keep the order of the files', async () => {
    const names = await many(12);
    const proxy = await startFaultyProxy(service.url, ({ method, body, attempt }) => {
      if (method !== 'POST') return undefined;
      const name = JSON.parse(body.toString()).filename;
      if (name === '1.png') return attempt < 2 ? '429' : undefined;
      if (name === '2.png') return '500';
      return undefined;
    });
    onTestFinished(() => proxy.close());
    const result = await cs(['cars', 'photos', 'add', car.id, 'shots', '--parallel', '3'], {
      env: environment(proxy.url),
      cwd,
      waiting: proxy.waiting,
    });
    expect(result.code).toBe(11);
    expect(
      result.json.map(
        ({ filename, status }: { filename: string; status: string }) => `${filename} ${status}`,
      ),
    ).toEqual(names.map((name) => `${name} ${name === '2.png' ? 'failed' : 'stored'}`));
    expect(await stored()).toHaveLength(11);
    // The same command sends the one that is missing.
    const again = await add('shots', '--parallel', '5');
    expect(again.code, again.stderr).toBe(0);
    expect(await stored()).toHaveLength(12);
  });

  test('a photo that another run stores in the session meanwhile is stored once', async () => {
    const event = await facility(service).event(car.id, { activityType: 'inspection' });
    await tree();
    const line = ['cars', 'photos', 'add', car.id, 'shots', '--session', event.sessionId];
    const results = await Promise.all(
      ['one', 'other'].map((state) =>
        cs(line, { env: { ...environment(), CS_STATE_DIR: join(cwd, state) }, cwd }),
      ),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(await stored()).toHaveLength(3);
    const [one, other] = results.map((result) =>
      result.json.map(({ photoId }: { photoId: string }) => photoId),
    );
    expect(one).toEqual(other);
  });
});

describe('bad files', () => {
  /** Runs the command, and changes a file when the first photo arrives. */
  async function addWhile(change: () => Promise<void>, ...line: string[]) {
    let changed: Promise<void> | undefined;
    const proxy = await startFaultyProxy(service.url, async ({ method }) => {
      if (method !== 'POST') return undefined;
      changed ??= change();
      await changed;
      return undefined;
    });
    onTestFinished(() => proxy.close());
    return cs(['cars', 'photos', 'add', car.id, 'shots', '--parallel', '1', ...line], {
      env: environment(proxy.url),
      cwd,
    });
  }
  const many = () =>
    write(
      Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`shots/${index + 1}.png`, png(index)]),
      ),
    );

  test('two that vanish and change while the others are sent are named; the others are stored', async () => {
    await many();
    const {
      code,
      json: all,
      error,
    } = await addWhile(async () => {
      await rm(join(cwd, 'shots/11.png'));
      await writeFile(join(cwd, 'shots/12.png'), png(99));
    });
    expect(code).toBe(11);
    expect(all.slice(-2)).toMatchObject([
      { status: 'failed', error: { exitCode: 3, message: "the file doesn't exist" } },
      {
        status: 'failed',
        error: { exitCode: 3, message: 'the file has changed since the command began' },
      },
    ]);
    expect(error.hint).toMatch(
      /^fix the files listed above, then run `cs cars photos add \S+ shots\/11\.png shots\/12\.png`$/,
    );
    expect(await stored()).toHaveLength(10);
  });

  test('four photos, and six files that are none: each is told in a sentence, the others are stored', async () => {
    await write(
      Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`shots/${at}.png`, png(at)])),
    );
    await write({
      'shots/a.png': '',
      'shots/b.jpg': '%PDF-1.7',
      'shots/c.jpg': await jpeg(40, 30),
    });
    await truncate(join(cwd, 'shots/c.jpg'), 200_000_000);
    await write({ 'shots/d.jpg': (await jpeg(40, 30)).subarray(0, 500) });
    await symlink('nothing', join(cwd, 'shots/e.png'));
    await symlink('..', join(cwd, 'shots/f.png'));
    const { code, json: all, error } = await add('shots');
    expect([code, error.message]).toEqual([11, '6 of 10 photos not stored.']);
    expect(
      all.slice(-6).map((photo: { error: { message: string } | null }) => photo.error?.message),
    ).toEqual([
      'the file is empty',
      "the file isn't a supported photo type (JPEG, PNG, WebP, HEIC, HEIF, AVIF, GIF)",
      'the file is too large to be read: 200 MB, maximum 100 MB',
      'the file is incomplete or damaged',
      "the file doesn't exist",
      'the file is a folder, not a photo',
    ]);
    expect(await stored()).toHaveLength(4);
  });
});

describe('--verify', () => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  /** A server that shows its photos through `show`; undefined leaves one out. */
  async function startOther(
    show: (photo: { id: string; filename: string; bytes: Buffer }) => object | undefined,
    status = 200,
  ) {
    const photos: { id: string; filename: string; bytes: Buffer }[] = [];
    const server = await startMisbehavingServer(({ method, url, body }) => {
      if (url.endsWith('/openapi.json')) return json(404, { error: 'none' });
      if (!url.includes('/photos')) return record({ id: car.id });
      if (method === 'POST') {
        const sent = JSON.parse(body);
        const photo = {
          id: `p${photos.length + 1}`,
          filename: sent.filename,
          bytes: Buffer.from(sent.base64, 'base64'),
        };
        photos.push(photo);
        return record({ id: photo.id, filename: sent.filename, contentType: sent.contentType });
      }
      const data = photos.map(show).filter((photo) => photo !== undefined);
      return json(status, { data, total: data.length, page: 1, limit: 200 });
    });
    onTestFinished(() => server.close());
    return server;
  }

  test('a photo that the server lost is named, exit 11', async () => {
    await tree();
    const server = await startOther(({ id, filename, bytes }) =>
      filename === '2.png' ? undefined : { id, sha256: sha256(bytes) },
    );
    const {
      code,
      error,
      json: all,
    } = await run(['add', car.id, 'shots', '--verify'], { url: server.url });
    expect([code, error.code]).toEqual([11, 'partial']);
    expect(error.message).toBe('1 photo missing on the server: shots/2.png.');
    expect(all.map(({ verified }: { verified: string }) => verified)).toEqual([
      'same_bytes',
      'missing',
      'same_bytes',
    ]);
  });

  test('by name and size where the server shows no hash, and says that this is all', async () => {
    await tree();
    const server = await startOther(({ id, filename, bytes }) => ({
      id,
      filename,
      sizeBytes: bytes.length,
    }));
    const { code, stdout } = await run(['add', car.id, 'shots', '--verify'], {
      url: server.url,
      as: 'terminal',
    });
    expect(code).toBe(0);
    expect(stdout).toContain('same name and size; the server shows no hash');
  });

  test.each([
    ['shows no more than ids', 200],
    ['does not list its photos', 403],
  ])('a server that %s: not verified, exit 11', async (_, status) => {
    await tree();
    const server = await startOther(({ id }) => ({ id }), status);
    const {
      code,
      error,
      json: all,
    } = await run(['add', car.id, 'shots', '--verify'], { url: server.url });
    expect([code, error.code]).toEqual([11, 'partial']);
    expect(all.map(({ verified }: { verified: string }) => verified)).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ]);
  });
});

describe('cs cars photos verify', () => {
  test('files that were sent before, also with their location removed or shrunk', async () => {
    await write({
      'shots/a.jpg': await jpeg(400, 300, { gps: true }),
      'shots/b/large.jpg': await jpeg(2400, 1800),
    });
    expect((await add('shots', '--recursive')).code).toBe(0);
    const { code, json: all } = await run(['verify', car.id, 'shots', '--recursive']);
    expect(code).toBe(0);
    expect(all).toMatchObject([
      { filename: 'a.jpg', verified: 'same_bytes', photoId: expect.any(String) },
      { filename: 'large.jpg', verified: 'same_bytes' },
    ]);
    expect(await stored()).toHaveLength(2);
  });

  test('names what is missing or unreadable, exit 12', async () => {
    await write({ 'shots/1.png': png(1) });
    await add('shots');
    await write({ 'shots/2.png': png(2), 'shots/3.png': '' });
    const { code, error, json: all } = await run(['verify', car.id, 'shots']);
    expect([code, error.code, error.message]).toEqual([
      12,
      'partial',
      '1 photo missing on the server: shots/2.png.',
    ]);
    expect(all).toMatchObject([
      { verified: 'same_bytes' },
      { verified: 'missing' },
      { verified: null, error: { code: 'invalid_file' } },
    ]);
    await rm(join(cwd, 'shots/2.png'));
    const again = await run(['verify', car.id, 'shots']);
    expect([again.code, again.error.message]).toEqual([
      12,
      expect.stringMatching(/^1 file not compared\. .*3\.png: is empty\.$/),
    ]);
  });

  test('of one session', async () => {
    const event = await facility(service).event(car.id, { activityType: 'inspection' });
    await tree();
    await add('shots');
    expect((await run(['verify', car.id, 'shots', '--session', event.sessionId])).code).toBe(12);
  });
});
