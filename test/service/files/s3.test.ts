/** The S3 store on OpenStack Swift, and behind a network that fails. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createWebServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findOrphans } from '../../../src/service/check/bytes.ts';
import { openS3, type S3Place } from '../../../src/service/files/s3.ts';
import { type FileStore, newKey } from '../../../src/service/files/store.ts';
import { startService } from '../../../src/service/start.ts';
import { builtInShell } from '../../helpers/built.ts';
import { makeCertificate } from '../../helpers/certificates.ts';
import { cs } from '../../helpers/cli.ts';
import { shellLines } from '../../helpers/documentation.ts';
import { base64Of, facility, png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { ownEnvironment } from '../../helpers/own-home.ts';
import { send, startTestService } from '../../helpers/service.ts';
import {
  storedBytes as bytes,
  readBack,
  storedHash,
  storeTeam as team,
  testFileStore,
} from '../../helpers/store-contract.ts';
import { type StoreFaultKind, startStoreProxy } from '../../helpers/store-proxy.ts';
import { keyOf } from '../../helpers/stored-files.ts';
import { type Swift, startSwift, withSwift } from '../../helpers/swift.ts';

const newFolder = async () => {
  const made = await makeFolder();
  onTestFinished(() => removeFolder(made));
  return made;
};

describe.runIf(withSwift)('on OpenStack Swift', () => {
  let swift: Swift;
  beforeAll(async () => {
    swift = await startSwift();
  });
  afterAll(() => swift.stop());

  const places = new Map<FileStore, S3Place>();
  testFileStore(async (again) => {
    const place = (again && places.get(again)) ?? (await swift.newPlace());
    const store = openS3(place);
    places.set(store, place);
    return store;
  });

  test('a list of more files than one answer has, and two stores in a bucket', async () => {
    const place = await swift.newPlace('');
    const store = openS3(place, { listed: 2 });
    const other = openS3({ ...place, prefix: 'other/one' });
    const keys = Array.from({ length: 5 }, () => newKey(team, storedHash)).sort();
    for (const key of keys) await store.put(key, Buffer.from('x'));
    await other.put(newKey(team, storedHash), bytes);
    expect((await Array.fromAsync(store.list())).map(({ key }) => key)).toEqual(keys);
    expect(await Array.fromAsync(other.list())).toHaveLength(1);
  });

  describe('a network that fails', () => {
    /** A store behind a proxy: each fault hits one request whose method it names. */
    const behind = async (...faults: readonly [method: string, fault: StoreFaultKind][]) => {
      const place = await swift.newPlace();
      const left = [...faults];
      const proxy = await startStoreProxy(place, (line) =>
        line.startsWith(left[0]?.[0] ?? '-') ? left.shift()?.[1] : undefined,
      );
      onTestFinished(() => proxy.close());
      const options = { retriesMs: [0, 0], answerMs: 500 };
      return { proxy, direct: openS3(place), store: openS3(proxy.place, options) };
    };
    const key = newKey(team, storedHash);

    test.each<StoreFaultKind>([
      'failed',
      'busy',
      'conflict',
      'lost',
      'cut',
      'twice',
      'silence',
      'late',
    ])('a PUT that is %s: the bytes are there once it resolves', async (fault) => {
      const { store, direct, proxy } = await behind(['PUT', fault]);
      await store.put(key, bytes);
      expect(await readBack(direct, key)).toEqual(bytes);
      // The same bytes again.
      await proxy.deliver();
      expect(await readBack(direct, key)).toEqual(bytes);
    });

    test.each<StoreFaultKind>(['busy', 'silence', 'lost'])(
      'a store that is always %s: 503, with the cause for the log',
      async (fault) => {
        const { store } = await behind(
          ...Array.from({ length: 9 }, (): [string, StoreFaultKind] => ['', fault]),
        );
        for (const call of ['put', 'get', 'remove'] as const)
          await expect(store[call](key, bytes)).rejects.toMatchObject({
            name: 'StorageUnavailable',
            cause: { name: 'StoreFault', message: expect.stringMatching(/answer/) },
          });
      },
    );

    test.each(['full', 'quota'] as const)('%s: 507, without another attempt', async (fault) => {
      const { store, proxy } = await behind(['PUT', fault]);
      await expect(store.put(key, bytes)).rejects.toMatchObject({ name: 'StorageFull' });
      expect(proxy.requests).toHaveLength(1);
    });

    test('an answer that is cut is never taken for whole', async () => {
      const { store, direct } = await behind(['GET', 'cut']);
      await direct.put(key, bytes);
      const found = await store.get(key);
      await expect(buffer(found?.stream as never)).rejects.toThrow();
    });

    test('a DELETE that arrives after the same bytes came in again removes the earlier ones alone', async () => {
      const { store, direct, proxy } = await behind(
        ['DELETE', 'late'],
        ['DELETE', 'late'],
        ['DELETE', 'late'],
      );
      await store.put(key, bytes);
      await expect(store.remove(key)).rejects.toThrow();
      const again = newKey(team, storedHash);
      await store.put(again, bytes);
      await proxy.deliver();
      expect(await direct.get(key)).toBeUndefined();
      expect(await readBack(direct, again)).toEqual(bytes);
    });
  });

  const variables = ({ endpoint, region, accessKeyId, secretAccessKey }: S3Place) => ({
    CS_FILES_ENDPOINT: endpoint,
    CS_FILES_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
  const addressOf = ({ bucket, prefix }: S3Place) => `s3://${bucket}/${prefix}`;

  test('the lines of docs/operating.md: a facility moves to a store, and its service starts with it', async () => {
    const place = await swift.newPlace();
    const folder = await newFolder();
    await writeFile(join(folder, 'key-id'), place.accessKeyId);
    await writeFile(join(folder, 'secret'), place.secretAccessKey);
    const [store, key, serve, copy] = shellLines('docs/operating.md', 'Photos in an S3 store').map(
      (line) =>
        line
          .replace('s3://garage/photos', addressOf(place))
          .replace('https://s3.example.com', place.endpoint)
          .replaceAll('/etc/cars', folder)
          .replace('/srv/cars', join(folder, 'data')),
    );
    const typed = (line = '') =>
      execa('bash', ['-ec', `${store}; ${key}; ${line.replace('cs ', `exec ${builtInShell} `)}`], {
        env: { ...ownEnvironment(), CS_DATA: join(folder, 'data'), CS_PORT: '0' },
        extendEnv: false,
      });
    await startService({ data: join(folder, 'data'), port: 0 }).then(({ close }) => close());
    await typed(copy);
    const serving = typed(serve);
    const [line] = await once(createInterface(serving.stdout), 'line');
    expect(JSON.parse(line)).toMatchObject({ files: addressOf(place) });
    serving.kill('SIGTERM');
    expect((await serving).exitCode).toBe(0);
  });

  const refused = async (place: S3Place, data?: string) => {
    const words = ['serve', '--port', '0', '--data', data ?? (await newFolder())];
    const { code, error } = await cs([...words, '--files', addressOf(place)], {
      env: variables(place),
    });
    return `${code} ${error.code}: ${error.message} ${error.hint}`
      .replaceAll(place.endpoint, 'ENDPOINT')
      .replaceAll(place.bucket, 'BUCKET')
      .replaceAll(place.accessKeyId, 'KEY');
  };

  describe('refused at the start', () => {
    test('a wrong bucket, key, region, address or clock', async () => {
      const told: string[] = [];
      for (const change of [
        { bucket: 'nowhere' },
        { accessKeyId: 'someone' },
        { secretAccessKey: 'wrong' },
        { region: 'mars-1' },
        { endpoint: 'http://127.0.0.1:1' },
        { endpoint: 'http://nowhere.invalid' },
      ])
        told.push(await refused({ ...(await swift.newPlace()), ...change }));
      const place = await swift.newPlace();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
      onTestFinished(() => void vi.useRealTimers());
      told.push(await refused(place));
      expect(told.join('\n')).toMatchInlineSnapshot(`
        "2 data_unusable: Couldn't use the files: The bucket BUCKET doesn't exist at ENDPOINT. create it in the store, or name another one
        2 data_unusable: Couldn't use the files: The store doesn't accept the key KEY (SignatureDoesNotMatch). check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and CS_FILES_REGION
        2 data_unusable: Couldn't use the files: The store doesn't accept the key KEY (SignatureDoesNotMatch). check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and CS_FILES_REGION
        2 data_unusable: Couldn't use the files: The bucket BUCKET isn't in the region mars-1 (AuthorizationHeaderMalformed). name its region with CS_FILES_REGION
        2 data_unusable: Couldn't use the files: ENDPOINT doesn't answer: connection refused. check CS_FILES_ENDPOINT, also whether the store speaks http or https, and that it runs
        2 data_unusable: Couldn't use the files: The host of ENDPOINT wasn't found. check CS_FILES_ENDPOINT, also whether the store speaks http or https, and that it runs
        2 data_unusable: Couldn't use the files: The clock of this machine differs from that of the store by 20 minutes. set the clock, and switch its synchronization on"
      `);
    });

    test('http where https is given, a certificate for another name, and one of nobody', async () => {
      const place = await swift.newPlace();
      const endpoint = place.endpoint.replace('http:', 'https:');
      expect(await refused({ ...place, endpoint })).toMatchInlineSnapshot(
        `"2 data_unusable: Couldn't use the files: ENDPOINT doesn't speak https. write CS_FILES_ENDPOINT with http:// if the way to the store is safe without TLS, or switch TLS on in the store"`,
      );
      const other = makeCertificate('other.example');
      const server = createServer(other).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const tls = {
        ...place,
        endpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      };
      expect(await refused(tls)).toMatchInlineSnapshot(
        `"2 data_unusable: Couldn't use the files: The certificate of ENDPOINT isn't trusted (DEPTH_ZERO_SELF_SIGNED_CERT). use the name that the certificate has in CS_FILES_ENDPOINT, or name its authority with NODE_EXTRA_CA_CERTS"`,
      );
      // Trusted by a process that was started with it.
      const trusted = join(await newFolder(), 'other.pem');
      await writeFile(trusted, other.cert);
      const script = `import { openS3 } from ${JSON.stringify(new URL('../../../src/service/files/s3.ts', import.meta.url).href)};
        await openS3(${JSON.stringify(tls)}, { retriesMs: [] }).readOwner().catch(({ cause }) => console.log(cause.message));`;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '-e', script],
        { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } },
      );
      expect(stdout).toMatch(/^The certificate of .* is for another name$/m);
    });

    test.each([
      [200, 'Welcome', /doesn't answer like an S3 store\. check CS_FILES_ENDPOINT/],
      [301, '', /answered 301\. check CS_FILES_ENDPOINT, also whether the store speaks https/],
    ])('a web server that answers %s', async (status, text, said) => {
      const server = createWebServer((_, response) => void response.writeHead(status).end(text));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const endpoint = `http://127.0.0.1:${port}`;
      expect(await refused({ ...(await swift.newPlace()), endpoint })).toMatch(said);
    });

    test.each<[string, string, StoreFaultKind, RegExp]>([
      [
        'a key that may not delete',
        'DELETE',
        'denied',
        /The key \S+ may not use the bucket .* allow it to read, write, delete and list/,
      ],
      ['a full store', 'PUT', 'full', /The store at .* is full \(XStorageFull\)\. make room in it/],
    ])('%s', async (_name, method, fault, said) => {
      const proxy = await startStoreProxy(await swift.newPlace(), (line) =>
        line.startsWith(method) ? fault : undefined,
      );
      onTestFinished(() => proxy.close());
      expect(await refused(proxy.place)).toMatch(said);
    });

    test('the store of another database, its own one emptied, and a folder with photos beside an empty store', async () => {
      const place = await swift.newPlace();
      const first = await startService({ data: await newFolder(), files: place, port: 0 });
      await first.close();
      expect(await refused(place)).toMatch(
        /^7 other_origin: .*has the files of another database\. name another prefix/,
      );
      // Its own store, at another address or emptied.
      const own = await swift.newPlace();
      const data = await newFolder();
      await (await startService({ data, files: own, port: 0 })).close();
      const store = openS3(own);
      await store.writeOwner(randomUUID());
      const lost =
        /^7 other_origin: The store .* isn't the one with .* check CS_FILES_ENDPOINT .* into the object s3:.*\/database-id/;
      expect(await refused(own, data)).toMatch(lost);
      await swift.client(own).fetch(`${own.endpoint}/${own.bucket}/files/database-id`, {
        method: 'DELETE',
      });
      expect(await refused(own, data)).toMatch(lost);
      const service = await startTestService();
      onTestFinished(() => removeFolder(service.data));
      await facility(service).photo((await facility(service).car()).id);
      await service.stop();
      const empty = await swift.newPlace();
      expect(await refused(empty, service.data)).toMatch(
        /^7 other_origin: The photos and assets .* aren't in s3:.* copy them with `cs admin files copy --to/,
      );
    });
  });

  test('cs admin files copy: goes on where it stopped, while the service runs, which then refuses uploads', async () => {
    const service = await startTestService();
    onTestFinished(() => removeFolder(service.data));
    const make = facility(service);
    const car = await make.car();
    const photos: { id: string }[] = [];
    for (let n = 1; n <= 4; n++)
      photos.push(await make.photo(car.id, { base64: base64Of(png(n)) }));
    const place = await swift.newPlace();
    const address = addressOf(place);
    const copy = (to = place) =>
      // With the new store in the environment already, as for the service.
      cs(['admin', 'files', 'copy', '--data', service.data, '--to', addressOf(to)], {
        env: { ...variables(to), CS_FILES: addressOf(to) },
      });
    // Interrupted by the store.
    let puts = 0;
    const proxy = await startStoreProxy(place, (line) =>
      line.startsWith('PUT') && ++puts > 3 ? 'full' : undefined,
    );
    onTestFinished(() => proxy.close());
    const interrupted = await copy(proxy.place);
    expect([interrupted.code, interrupted.error.code]).toEqual([2, 'data_unusable']);

    const { code, json } = await copy();
    expect([code, json]).toEqual([
      0,
      {
        place: address,
        copied: 2,
        kept: 2,
        sizeBytes: expect.any(Number),
        missing: [],
        damaged: [],
      },
    ]);
    // The service still reads from the folder.
    const upload = () =>
      service.call('POST', `/cars/${car.id}/photos`, { base64: base64Of(png(5)) });
    expect(await upload()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const content = (n: number) => `/cars/${car.id}/photos/${photos[n]?.id}/content`;
    expect((await service.call('GET', content(0))).status).toBe(200);
    await service.stop();

    const words = ['serve', '--port', '0', '--data', service.data];
    const { error } = await cs(words);
    expect(`${error.code}: ${error.message} ${error.hint}`).toMatch(
      /^other_origin: The files of this database are in s3:\S+, not in .*files\. start with --files s3:/,
    );
    const moved = await startService({ data: service.data, files: place, port: 0 });
    const headers = { 'x-api-key': service.key };
    for (const [n] of photos.entries()) {
      const answer = await fetch(`${moved.url}/api/v1${content(n)}`, { headers });
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(png(n + 1));
    }
    expect((await copy()).error.message).toBe(`The files are in ${address} already.`);

    // And back, with an upload that only the store has.
    expect(
      await send(
        `${moved.url}/api/v1/cars/${car.id}/photos`,
        'POST',
        { base64: base64Of(png(6)) },
        headers,
      ),
    ).toMatchObject({ status: 201 });
    const back = await cs(['admin', 'files', 'copy', '--data', service.data, '--to', 'folder'], {
      env: variables(place),
    });
    expect([back.code, back.json]).toMatchObject([0, { copied: 1, kept: 4, missing: [] }]);
    await moved.close();
    expect(await refused(place, service.data)).toMatch(
      /^7 other_origin: The files of this database are in the data folder, not in s3:\S+ start without --files, or copy/,
    );
    const home = await startService({ data: service.data, port: 0 });
    onTestFinished(() => home.close());
    expect((await fetch(`${home.url}/api/v1${content(0)}`, { headers })).status).toBe(200);
    expect(await cs(['admin', 'check', '--data', service.data])).toMatchObject({
      code: 0,
      json: { files: 5 },
    });
  });

  test('cs admin check compares sizes, and finds what no record has had for an hour', async () => {
    const place = await swift.newPlace();
    const service = await startTestService({ files: place, deletions: { pollMs: 600_000 } });
    onTestFinished(() => service.close());
    const make = facility(service);
    const car = await make.car();
    const named = async (seed: number) => {
      const { sha256 } = await make.photo(car.id, { base64: base64Of(png(seed)) });
      return keyOf(service.admin, { teamId: car.teamId, sha256 });
    };
    const [whole, gone, other] = [await named(1), await named(2), await named(3)];
    const store = openS3(place);
    await store.remove(gone);
    await store.put(other, Buffer.from('other'));
    const orphan = newKey(car.teamId, storedHash);
    await store.put(orphan, bytes);
    const words = ['admin', 'check', '--data', service.data, '--files', addressOf(place)];
    const proxy = await startStoreProxy(place, () => undefined);
    onTestFinished(() => proxy.close());
    const { json } = await cs(words, { env: variables(proxy.place) });
    // Sizes come from the list; only a file that it lacks is asked for.
    expect(proxy.requests.filter((line) => line.startsWith('HEAD'))).toEqual([
      `HEAD /${place.bucket}/${place.prefix}/${gone}`,
    ]);
    expect(json.findings).toMatchObject([
      { check: 'bytes', examples: [gone] },
      { check: 'bytes', examples: [other] },
    ]);
    // As if its upload had begun an hour ago.
    const orphans = async () =>
      findOrphans(service.admin, await Array.fromAsync(store.list()), -60_000);
    expect((await orphans()).map(({ key }) => key)).toEqual([orphan]);
    expect(await store.sizeOf(whole)).toBe(png(1).length);
    // Neither may one that the service should have deleted long ago stay unseen.
    const deletedAt = async (daysAgo: number) => {
      const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
      await service.admin.database.write.deleteFrom('deletedBytes').execute();
      await service.admin.database.write
        .insertInto('deletedBytes')
        .values({ teamId: car.teamId, key: orphan, at })
        .execute();
      return orphans();
    };
    expect(await deletedAt(0.5)).toEqual([]);
    expect(await deletedAt(2)).toMatchObject([{ key: orphan }]);
  });
});
