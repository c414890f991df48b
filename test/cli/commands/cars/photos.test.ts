/** `cs cars photos add` and `download`, against the real service. */

import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import { type CliResult, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService, testService } from '../../../helpers/service.ts';

let cwd: string;
let car: RecordFor<'cars'>;
const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
beforeEach(async () => {
  cwd = await makeFolder();
  car = await facility(service).car();
});
afterEach(() => removeFolder(cwd));

const photo = (name: string, background: string) =>
  sharp({ create: { width: 32, height: 24, channels: 3, background } })
    .jpeg()
    .toFile(join(cwd, name));
const run = (...line: string[]) => cs(['cars', 'photos', ...line], { env, cwd });
const terminal = (...line: string[]) =>
  cs(['cars', 'photos', ...line], { env, cwd, as: 'terminal' });

describe('add', () => {
  test('sends every photo and lists each', async () => {
    await photo('front.jpg', 'red');
    await photo('rear.jpg', 'blue');
    const event = await facility(service).event(car.id, { activityType: 'inspection' });
    const { code, json } = await run('add', car.id, '*.jpg', '--session', event.sessionId);
    expect(code).toBe(0);
    expect(json).toEqual(
      ['front.jpg', 'rear.jpg'].map((filename) => ({
        file: join(cwd, filename),
        filename,
        status: 'stored',
        photoId: expect.any(String),
        sameAs: null,
        sizeBytes: expect.any(Number),
        originalSizeBytes: expect.any(Number),
        width: 32,
        height: 24,
        shrunk: false,
        locationRemoved: false,
        error: null,
        verified: null,
      })),
    );
    expect((await run('list', car.id, '--session', event.sessionId)).json).toHaveLength(2);
  });

  test('a failed photo stops no other; the hint sends it again', async () => {
    await photo('front.jpg', 'red');
    await writeFile(join(cwd, 'not a photo.jpg'), 'text');
    const files = ['not a photo.jpg', 'front.jpg'];
    const { code, json, error } = await run('add', car.id, ...files, '--no-resize');
    expect(code).toBe(11);
    expect(json).toMatchObject([
      {
        filename: 'not a photo.jpg',
        status: 'failed',
        photoId: null,
        error: { code: 'invalid_file', unknownOutcome: false },
      },
      { filename: 'front.jpg', status: 'stored', error: null },
    ]);
    expect(error).toMatchObject({
      code: 'partial',
      exitCode: 11,
      message: expect.stringMatching(/^1 of 2 photos not stored: the file isn't a/),
    });
    expect(error.details.again).toBe(`cs cars photos add ${car.id} --no-resize 'not a photo.jpg'`);
    expect(error.hint).toBe(`fix the files listed above, then run \`${error.details.again}\``);
    expect((await terminal('add', car.id, ...files)).stderr).toContain(
      `\`cs cars photos add ${car.id} 'not a photo.jpg'\``,
    );
  });

  test('when all fail for the same reason, the exit code is its code', async () => {
    await photo('front.jpg', 'red');
    const key = await service.keyWith(['read:cars']);
    const { code, json, error } = await cs(['cars', 'photos', 'add', car.id, 'front.jpg'], {
      env: { ...env, CS_API_KEY: key },
      cwd,
    });
    expect([code, error.code]).toEqual([5, 'missing_scope']);
    expect(json).toMatchObject([{ status: 'failed', error: { code: 'missing_scope' } }]);
  });

  test('the same bytes under two names are one photo', async () => {
    await photo('front.jpg', 'red');
    await copyFile(join(cwd, 'front.jpg'), join(cwd, 'front copy.jpg'));
    await photo('rear.jpg', 'blue');
    const files = ['front.jpg', 'front copy.jpg', 'rear.jpg'];
    const { code, json, stderr } = await run('add', car.id, ...files);
    expect(code).toBe(0);
    // The result names the duplicate.
    expect(stderr).not.toContain('The server');
    expect(json.map(({ sameAs }: { sameAs: string | null }) => sameAs)).toEqual([
      null,
      join(cwd, 'front.jpg'),
      null,
    ]);
    expect(json[1].photoId).toBe(json[0].photoId);
    const ids = await run('add', car.id, '*.jpg', '-o', 'id');
    expect(ids.stdout.trim().split('\n')).toHaveLength(2);
    expect((await terminal('add', car.id, 'front.jpg', 'front copy.jpg')).stdout).toMatch(
      /^photo \S+ added {2}front\.jpg\nfront copy\.jpg {2}duplicate of front\.jpg\n$/,
    );
  });

  test('after a 500 it may be stored, and the command to send it again has all flags', async () => {
    await photo('front.jpg', 'red');
    await writeFile(join(cwd, 'ca.pem'), rootCertificates[0] as string);
    const proxy = await startFaultyProxy(service.url, ({ method }) =>
      method === 'POST' ? '500' : undefined,
    );
    const flags = ['--base-url', proxy.url, '--ca-file', 'ca.pem', '--allow-insecure-http'];
    const flagged = await run('add', car.id, 'front.jpg', '--retries', '0', ...flags);
    const fromEnv = await cs(['cars', 'photos', 'add', car.id, 'front.jpg', '--retries', '0'], {
      env: { ...env, CS_BASE_URL: proxy.url, CS_CA_FILE: 'ca.pem', CS_ALLOW_INSECURE_HTTP: '1' },
      cwd,
    });
    await proxy.close();
    expect(flagged.code).toBe(10);
    expect(flagged.json).toMatchObject([
      { status: 'failed', error: { code: 'internal_error', unknownOutcome: true } },
    ]);
    expect(flagged.error.message).toMatch(/^1 of 1 photo uncertain: /);
    expect(flagged.error.details.again).toMatch(
      new RegExp(`^cs pending resume [0-9a-f]{8} ${flags.join(' ')}$`),
    );
    expect(fromEnv.error.details.again).toMatch(/^cs pending resume [0-9a-f]{8}$/);
  });

  test('the same line again goes on with what is left, and with photos that have come since', async () => {
    await photo('front.jpg', 'red');
    let meanwhile: (() => Promise<void>) | undefined;
    const proxy = await startFaultyProxy(service.url, async ({ method }) => {
      if (method !== 'POST') return undefined;
      const once = meanwhile;
      meanwhile = undefined;
      await once?.();
      return '500';
    });
    // What other tests left open isn't sent.
    const own = { ...env, CS_STATE_DIR: join(cwd, 'state') };
    const failing = { env: { ...own, CS_BASE_URL: proxy.url, CS_RETRIES: '0' }, cwd };
    const add = ['cars', 'photos', 'add', car.id, '*.jpg'];
    expect((await cs(add, failing)).code).toBe(10);
    await photo('rear.jpg', 'blue');
    // In another window at once: it sends nothing.
    let other: CliResult | undefined;
    meanwhile = async () => {
      other = await cs(add, failing);
    };
    const again = await cs(add, { ...failing, as: 'terminal' });
    expect([other?.code, other?.error.code]).toEqual([7, 'already_running']);
    await proxy.close();
    expect([again.code, again.stderr]).toEqual([
      10,
      expect.stringMatching(/^Going on with the upload of 1 photo for \S+\s+that was begun \d{4}-/),
    ]);
    const { code, stdout } = await cs(['pending', 'resume'], { env: own, cwd, as: 'terminal' });
    expect([code, stdout]).toEqual([0, '2 of 2 photos stored\n']);
    expect((await run('list', car.id)).json).toHaveLength(2);
  });

  test('reports a missing file before sending anything', async () => {
    await photo('front.jpg', 'red');
    const { code, error, stdout } = await run('add', car.id, 'front.jpg', 'rear.jpg');
    expect([code, error.code, stdout]).toEqual([3, 'invalid_file', '']);
    expect((await run('list', car.id)).json).toEqual([]);
  });
});

describe('add --source-url', () => {
  const url = 'https://photos.example/front.png';

  test('sends the address, and the name and type where they are given', async () => {
    const named = '--filename front.png --content-type image/png --dry-run';
    const { json } = await run('add', car.id, '--source-url', url, ...named.split(' '));
    expect(json).toMatchObject({
      method: 'POST',
      path: `/api/v1/cars/${car.id}/photos`,
      body: { sourceUrl: url, filename: 'front.png', contentType: 'image/png' },
    });
  });

  test('lists the stored photo like one from a file', async () => {
    const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const open = await startTestService({
      source: { allowHttp: true, allowPrivate: ['127.0.0.1'], ports: [port] },
    });
    try {
      const { id } = await facility(open).car();
      const here = { env: { CS_BASE_URL: open.url, CS_API_KEY: open.key }, cwd };
      const line = `add ${id} --source-url http://127.0.0.1:${port}/a.png --filename a.png`;
      const { code, json } = await cs(['cars', 'photos', ...line.split(' ')], here);
      expect(code).toBe(0);
      expect(json).toMatchObject([
        {
          filename: 'a.png',
          status: 'stored',
          photoId: expect.any(String),
          sizeBytes: bytes.length,
          width: 8,
          height: 6,
        },
      ]);
      const ids = await cs(['cars', 'photos', ...line.split(' '), '-o', 'id'], here);
      expect(ids.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    } finally {
      await open.close();
      server.close();
    }
  });

  test('is refused by the server where it reaches into its network', async () => {
    const { code, error } = await run('add', car.id, '--source-url', 'https://127.0.0.1/a.png');
    expect([code, error.code]).toEqual([3, 'source_url_blocked']);
  });

  test('--filename names a single file', async () => {
    await photo('one.jpg', 'green');
    expect((await run('add', car.id, 'one.jpg', '--filename', 'left side.jpg')).json).toMatchObject(
      [{ filename: 'left side.jpg' }],
    );
  });
});

describe('download', () => {
  const store = async () => {
    await photo('front.jpg', 'red');
    await photo('rear.jpg', 'blue');
    await run('add', car.id, 'front.jpg', 'rear.jpg', '--keep-location');
  };

  test('saves the bytes, and downloads nothing twice', async () => {
    await store();
    expect(
      (await run('download', car.id, '--to', 'got')).json.map(
        (one: { status: string }) => one.status,
      ),
    ).toEqual(['saved', 'saved']);
    expect(await readFile(join(cwd, 'got/front.jpg'))).toEqual(
      await readFile(join(cwd, 'front.jpg')),
    );
    expect((await readdir(join(cwd, 'got'))).sort()).toEqual(['front.jpg', 'rear.jpg']);
    const again = await run('download', car.id, 'front.jpg', '--to', 'got');
    expect(again.json).toMatchObject([{ file: 'got/front.jpg', status: 'already_there' }]);
    expect(
      (await run('download', car.id, 'front.jpg', '--to', 'got', '--json=file,status')).json,
    ).toEqual([{ file: 'got/front.jpg', status: 'already_there' }]);
    await writeFile(join(cwd, 'got/rear.jpg'), 'other');
    expect((await run('download', car.id, '--to', 'got')).code).toBe(11);
    expect((await run('download', car.id, '--to', 'got', '--overwrite')).code).toBe(0);
  });

  test('photos of the same name are all saved', async () => {
    const make = facility(service);
    await make.photo(car.id, { filename: 'same.png' });
    await make.photo(car.id, { filename: 'SAME.png' });
    expect((await run('download', car.id, '--to', 'got')).code).toBe(0);
    expect(await readdir(join(cwd, 'got'))).toHaveLength(2);
    const named = await run('download', car.id, 'same.png');
    expect([named.code, named.error.code]).toEqual([14, 'ambiguous_name']);
  });

  test('downloads the piped ids, and nothing for an empty list', async () => {
    await store();
    const { stdout } = await run('list', car.id, '-o', 'id');
    const piped = (stdin: string) =>
      cs(['cars', 'photos', 'download', car.id, '--ids', '-', '--to', 'got'], { env, cwd, stdin });
    expect((await piped(stdout)).json).toHaveLength(2);
    expect((await piped('')).json).toEqual([]);
  });

  test('no photos is an empty list', async () => {
    const { code, json } = await run('download', car.id);
    expect([code, json]).toEqual([0, []]);
  });
});
