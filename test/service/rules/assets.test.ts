import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { assetLimit, photoLimit } from '../../../src/contract/limits.ts';
import { base64Of, facility, png } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { isStored } from '../../helpers/stored-files.ts';
import { made, ok, refused, row, testTable } from '../../helpers/table.ts';

const web = createServer((request, response) => {
  if (request.url === '/flyer') response.end(pdf(70, photoLimit + 1));
  else response.setHeader('content-length', assetLimit + 1).end();
}).listen(0, '127.0.0.1');
await once(web, 'listening');
const { port } = web.address() as AddressInfo;
const service = await startTestService({
  source: { allowHttp: true, allowPrivate: ['127.0.0.1'], ports: [port] },
});
afterAll(async () => {
  web.close();
  await service.close();
});

/** Files that say what they are at their start, where it is looked for; another seed gives other bytes. */
const withLead = (lead: string, seed: number, size = 64): Buffer => {
  const bytes = Buffer.alloc(size, lead, 'latin1').fill(0, lead.length);
  bytes.writeUInt32BE(seed, size - 4);
  return bytes;
};
const pdf = (seed: number, size?: number) => withLead('%PDF-1.7\n', seed, size);
const film = (seed: number, brand = 'isom') => withLead(`\0\0\0\x18ftyp${brand}`, seed);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const make = facility(service);
const folder = await make.assetFolder();
const kept = await make.asset({
  folderId: folder.id,
  base64: base64Of(pdf(1)),
  filename: 'Flyer.pdf',
  altText: 'Evening drive',
});

const path = '/marketing/assets';
const add = row('POST', path);
const change = row('PATCH', `${path}/${kept.id}`);
const image = base64Of(png(500));

describe('supported files', () => {
  testTable(service, [
    add(
      'defaults, and what the bytes say',
      { base64: base64Of(png(2)) },
      made({
        folderId: null,
        filename: 'asset.png',
        contentType: 'image/png',
        altText: null,
        tags: [],
        sizeBytes: png(2).length,
        sha256: hashOf(png(2)),
      }),
    ),
    add(
      'PDF',
      { base64: base64Of(pdf(3)) },
      made({ contentType: 'application/pdf', filename: 'asset.pdf' }),
    ),
    add(
      'film',
      { base64: base64Of(film(4)) },
      made({ contentType: 'video/mp4', filename: 'asset.mp4' }),
    ),
    add('QuickTime', { base64: base64Of(film(6, 'qt  ')) }, refused('photo_type_unsupported')),
    add(
      'exactly the limit',
      { base64: base64Of(png(7, assetLimit)) },
      made({ sizeBytes: 10 * 1024 * 1024 }),
    ),
    add(
      'one byte more',
      { base64: base64Of(png(8, assetLimit + 1)) },
      refused('photo_too_large', { limitBytes: assetLimit }),
    ),
    add(
      'fetched, larger than a photo may be',
      { sourceUrl: `http://127.0.0.1:${port}/flyer` },
      made({ sizeBytes: photoLimit + 1 }),
    ),
    add(
      'the same bytes again: another asset',
      { base64: image, tags: ['a', 'b'] },
      made({ tags: ['a', 'b'] }),
    ),
  ]);
});

describe('changes and lists', () => {
  testTable(service, [
    change(
      'name, text, tags',
      { filename: ' a/b.pdf ', altText: null, tags: ['drive'] },
      ok({ filename: 'a_b.pdf', altText: null, tags: ['drive'] }),
    ),
    change('a name of dots', { filename: '..' }, ok({ filename: 'asset.pdf' })),
  ]);
});

test('content: images are displayed, other files are downloads, and nothing is executed', async () => {
  const dispositionOf = async (base64: string, filename: string) => {
    const asset = await make.asset({ base64, filename });
    expect(asset.url).toBe(`/api/v1${path}/${asset.id}/content`);
    const { status, headers, bytes } = await service.call('GET', `${path}/${asset.id}/content`);
    expect(status).toBe(200);
    expect(base64Of(bytes)).toBe(base64);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': asset.contentType,
      etag: `"${asset.sha256}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    return headers.get('content-disposition');
  };
  expect(await dispositionOf(base64Of(png(10)), 'a.png')).toBe("inline; filename*=UTF-8''a.png");
  expect(await dispositionOf(base64Of(pdf(11)), 'a.pdf')).toBe(
    "attachment; filename*=UTF-8''a.pdf",
  );
  expect(await dispositionOf(base64Of(film(12)), 'a.mp4')).toBe(
    "attachment; filename*=UTF-8''a.mp4",
  );
});

describe('delete', () => {
  const stored = (bytes: Uint8Array) =>
    isStored(service.admin, { teamId: kept.teamId, sha256: hashOf(bytes) });
  const remove = (at: string) => service.call('DELETE', at);

  test('bytes go with the last record that names them, asset or photo', async () => {
    const base64 = base64Of(png(20));
    const car = await make.car();
    const [one, two] = [await make.asset({ base64 }), await make.asset({ base64 })];
    const photo = await make.photo(car.id, { base64 });
    expect((await service.call('GET', `/cars/${car.id}/photos`)).body.total).toBe(1);
    await remove(`${path}/${one.id}`);
    expect((await remove(`/cars/${car.id}/photos/${photo.id}`)).status).toBe(200);
    expect(await stored(png(20))).toBe(true);
    expect((await service.call('GET', `${path}/${two.id}/content`)).status).toBe(200);
    expect((await remove(`${path}/${two.id}`)).status).toBe(200);
    expect(await stored(png(20))).toBe(false);
    expect((await service.call('GET', `${path}/${two.id}/content`)).status).toBe(404);
  });

  test('refused while a record shows it', async () => {
    const asset = await make.asset({ base64: base64Of(png(22)) });
    const event = await make.socialEvent({ coverAssetId: asset.id });
    const { status, body } = await remove(`${path}/${asset.id}`);
    expect({ status, ...body }).toMatchObject({
      status: 422,
      code: 'resource_in_use',
      details: { socialEvents: 1 },
    });
    await make.change(`/marketing/social-events/${event.id}`, { coverAssetId: null });
    expect((await remove(`${path}/${asset.id}`)).status).toBe(200);
  });
});
