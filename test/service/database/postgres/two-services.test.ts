/**
 * Two services, one PostgreSQL and one S3 store behind a network that fails: `kill -9` of either loses nothing that was acknowledged.
 * CS_LONG=1 kills fifty times instead of three.
 */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { type Admin, createKey, createTeam } from '../../../../src/service/admin.ts';
import { openStores } from '../../../../src/service/stores.ts';
import { type ChildService, startChildService } from '../../../helpers/child-service.ts';
import { cs } from '../../../helpers/cli.ts';
import { base64Of, facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { newDatabase } from '../../../helpers/postgres.ts';
import { type Answer, send } from '../../../helpers/service.ts';
import {
  type StoreFaultKind,
  type StoreProxy,
  startStoreProxy,
} from '../../../helpers/store-proxy.ts';
import { keyOf } from '../../../helpers/stored-files.ts';
import { type Swift, startSwift, withSwift } from '../../../helpers/swift.ts';

const kills = process.env.CS_LONG ? 50 : 3;
const any = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T;

describe.runIf(withSwift)('two services on one PostgreSQL and one S3 store', () => {
  let swift: Swift;
  let proxy: StoreProxy;
  let admin: Admin;
  let database: string;
  let key: string;
  const services: ChildService[] = [];
  const folders: string[] = [];
  let isFailing = false;

  const start = async (n: number) => {
    services[n] = await startChildService(folders[n] as string, database, '', proxy.place);
  };
  beforeAll(async () => {
    swift = await startSwift();
    const place = await swift.newPlace();
    // One in eight requests fails, each in its own way.
    const faults: readonly StoreFaultKind[] = ['busy', 'lost', 'cut', 'twice', 'late'];
    proxy = await startStoreProxy(place, () =>
      isFailing && randomInt(8) === 0 ? any(faults) : undefined,
    );
    database = await newDatabase();
    folders.push(await makeFolder(), await makeFolder(), await makeFolder());
    admin = {
      ...(await openStores({ data: folders[2] as string, database, files: place })),
      actor: 'test',
    };
    await createTeam(admin, { name: 'First' });
    key = (await createKey(admin, { team: 'first', name: 'all', scopes })).key;
    await start(0);
    await start(1);
  });
  afterAll(async () => {
    for (const service of services) await service.stop('SIGKILL');
    await admin?.database.close();
    await proxy?.close();
    await swift?.stop();
    for (const folder of folders) await removeFolder(folder);
  });

  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(`${any(services).url}/api/v1${path}`, method, body, { 'x-api-key': key });

  test(`${kills} times kill -9: no photo is lost, and none of a deleted record is served`, {
    timeout: 120_000 + kills * 40_000,
  }, async () => {
    const make = facility({ call });
    const cars = [await make.car(), await make.car(), await make.car()];
    /** Paths of photos whose POST was acknowledged, with the number of their bytes. */
    const acknowledged = new Map<string, number>();
    const gone = new Set<string>();
    const unknown = new Set<string>();
    let stored = 0;
    // Few pictures, so that the same bytes come and go at once.
    const pictures = Array.from({ length: 8 }, (_, n) => png(n + 1, 20_000));

    const act = async () => {
      const present = [...acknowledged.keys()].filter(
        (path) => !gone.has(path) && !unknown.has(path),
      );
      if (present.length > 6 && randomInt(2) === 0) {
        const path = any(present);
        // Without an answer it may be deleted.
        unknown.add(path);
        if ((await call('DELETE', path)).status === 200) gone.add(path);
        return;
      }
      const photos = `/cars/${any(cars).id}/photos`;
      const picture = randomInt(pictures.length);
      const base64 = base64Of(pictures[picture] as Buffer);
      const { status, body } = await call('POST', photos, { base64 });
      if (status !== 200 && status !== 201) return;
      acknowledged.set(`${photos}/${body.data.id}`, picture);
      stored += 1;
    };

    const expectWhole = async () => {
      const wrong: string[] = [];
      for (const [path, picture] of acknowledged) {
        const { status, bytes } = await call('GET', `${path}/content`);
        const isRight = status === 200 && pictures[picture]?.equals(bytes);
        const isGone = status === 404;
        if (gone.has(path) ? !isGone : unknown.has(path) ? !isRight && !isGone : !isRight)
          wrong.push(`${path} ${status}`);
        if (isGone) acknowledged.delete(path);
      }
      expect(wrong).toEqual([]);
      unknown.clear();
      const rows = await admin.database.read
        .selectFrom('carPhotos')
        .select(['teamId', 'sha256', 'sizeBytes'])
        .execute();
      for (const { sizeBytes, ...row } of rows)
        expect(await admin.files.sizeOf(await keyOf(admin, row))).toBe(sizeBytes);
    };

    for (let round = 0; round < kills; round++) {
      const victim = round % 2;
      const until = stored + randomInt(10, 30);
      let killed: Promise<unknown> | undefined;
      isFailing = true;
      const writer = async () => {
        while (!killed) {
          await act().catch(() => undefined);
          if (stored >= until) killed ??= services[victim]?.stop('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: 8 }, writer));
      await killed;
      isFailing = false;
      await start(victim);
      await proxy.deliver();
      await expectWhole();
    }
    expect(gone.size).toBeGreaterThan(kills);
    const { endpoint, accessKeyId, secretAccessKey, bucket, prefix } = proxy.place;
    const { json } = await cs(
      [
        'admin',
        'check',
        '--data',
        folders[2] as string,
        '--database',
        database,
        '--files',
        `s3://${bucket}/${prefix}`,
      ],
      {
        env: {
          CS_FILES_ENDPOINT: endpoint,
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secretAccessKey,
        },
      },
    );
    expect(json).toMatchObject({ ok: true, findings: [] });
  });
});
