import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { photoLimit } from '../../../src/contract/limits.ts';
import { base64Of, facility, png } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { isStored } from '../../helpers/stored-files.ts';
import {
  issues,
  list,
  made,
  ok,
  type Row,
  refused,
  row,
  shows,
  testTable,
} from '../../helpers/table.ts';

/** The one server that photos are fetched from here. */
let fetches = 0;
const web = createServer((request, response) => {
  fetches += 1;
  if (request.url === '/car.png') response.setHeader('content-type', 'text/html').end(png(77));
  else response.writeHead(404).end();
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

const make = facility(service);
const [car, other] = [await make.car(), await make.car()];
const session = (await make.event(car.id, { activityType: 'inspection' })).sessionId;
const otherSession = (await make.event(other.id, { activityType: 'inspection' })).sessionId;
const cancelled = (await make.event(car.id, { activityType: 'inspection' })).sessionId;
await service.admin.database.write
  .updateTable('eventSessions')
  .set({ status: 'cancelled' })
  .where('id', '=', cancelled)
  .execute();
const kept = await make.photo(car.id, {
  sessionId: session,
  base64: base64Of(png(1)),
  filename: 'front.png',
});

const path = `/cars/${car.id}/photos`;
const add = row('POST', path);
const image = base64Of(png(500));
const invalid = (rule: string, field = 'base64'): Row['expect'] => issues({ [field]: rule });

describe('bytes in the body', () => {
  testTable(service, [
    add(
      'what the bytes say is stored',
      { base64: base64Of(png(2)) },
      made({
        carId: car.id,
        sessionId: null,
        filename: 'photo.png',
        contentType: 'image/png',
        sizeBytes: png(2).length,
        sha256: createHash('sha256').update(png(2)).digest('hex'),
        width: 1,
        height: 1,
      }),
    ),
    add(
      'a name that is a path',
      { base64: base64Of(png(5)), filename: '../../etc/pass\nwd' },
      made({ filename: '.._.._etc_pass_wd' }),
    ),
    add(
      'exactly the limit',
      { base64: base64Of(png(6, photoLimit)) },
      made({ sizeBytes: 3 * 1024 * 1024 }),
    ),
    add(
      'more than is read',
      { base64: base64Of(png(7, 7 * 1024 * 1024)) },
      { status: 413, code: 'payload_too_large', details: null },
    ),
    add(
      'another type than it is',
      { base64: image, contentType: 'image/jpeg' },
      refused('photo_type_mismatch', { found: 'image/png' }),
    ),
    add('neither source', { filename: 'front.png' }, invalid('required')),
    add(
      'both sources',
      { base64: image, sourceUrl: 'https://example.com/a.png' },
      refused('conflicting_fields'),
    ),
  ]);
});

describe('sessions', () => {
  testTable(service, [
    add(
      'the same bytes again in the session: what is there',
      { base64: base64Of(png(1)), sessionId: session, filename: 'x.png' },
      ok({ id: kept.id, filename: 'front.png' }),
    ),
    add(
      'the same bytes without a session: another photo',
      { base64: base64Of(png(1)) },
      made({ sessionId: null }),
    ),
    row('POST', `/cars/${other.id}/photos`)(
      'the same bytes for another car: another photo',
      { base64: base64Of(png(2)) },
      made({ carId: other.id }),
    ),
    add(
      'session of another car',
      { base64: image, sessionId: otherSession },
      refused('session_mismatch', { sessionId: otherSession }),
    ),
    add('cancelled session', { base64: image, sessionId: cancelled }, refused('session_closed')),
    shows('the count', `/event-sessions/${session}`, { photoCount: 1, status: 'open' }),
    list(`${path}?sessionId=${session}`, kept.id),
  ]);

  test('refused bytes are not left on the disk', async () => {
    const sha256 = createHash('sha256').update(png(500)).digest('hex');
    expect(await isStored(service.admin, { teamId: car.teamId, sha256 })).toBe(false);
  });
});

describe('sourceUrl', () => {
  // Its port is another in each run.
  const fetched = (url: string, expect: Row['expect']) =>
    add(new URL(url).pathname, { sourceUrl: url }, expect);
  testTable(service, [
    fetched(
      `http://127.0.0.1:${port}/car.png`,
      made({ contentType: 'image/png', sizeBytes: png(77).length }),
    ),
    fetched(
      `http://127.0.0.1:${port}/none.png`,
      refused('source_url_failed', { field: 'sourceUrl' }),
    ),
  ]);

  test('nothing is downloaded for a photo of a missing session', async () => {
    const before = fetches;
    const body = { sourceUrl: `http://127.0.0.1:${port}/car.png`, sessionId: randomUUID() };
    const answer = await service.call('POST', path, body);
    expect({
      status: answer.status,
      details: answer.body.details,
      fetches: fetches - before,
    }).toEqual({
      status: 404,
      details: { field: 'sessionId' },
      fetches: 0,
    });
  });
});

test('content that the caller has already is not sent again', async () => {
  const photo = await make.photo(car.id);
  const content = `${path}/${photo.id}/content`;
  const known = { 'if-none-match': `"${photo.sha256}"` };
  const again = await service.call('GET', content, undefined, undefined, known);
  expect({
    status: again.status,
    etag: again.headers.get('etag'),
    size: again.bytes.length,
  }).toEqual({
    status: 304,
    etag: `"${photo.sha256}"`,
    size: 0,
  });
  // A proxy that compresses makes a tag weak.
  for (const tags of [`W/"${photo.sha256}"`, `"0", "${photo.sha256}"`, '*'])
    expect(
      (await service.call('GET', content, undefined, undefined, { 'if-none-match': tags })).status,
    ).toBe(304);
  expect(
    (await service.call('GET', content, undefined, undefined, { 'if-none-match': '"0"' })).status,
  ).toBe(200);
  expect((await service.call('GET', content, undefined, null, known)).status).toBe(401);
});

test('content: the bytes, only as an image', async () => {
  const photo = await make.photo(car.id, { base64: base64Of(png(8)), filename: 'Über "1".png' });
  expect(photo.url).toBe(`/api/v1${path}/${photo.id}/content`);
  const { status, headers, bytes } = await service.call('GET', `${path}/${photo.id}/content`);
  expect(status).toBe(200);
  expect(Buffer.from(bytes)).toEqual(png(8));
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(png(8).length),
    'content-disposition': `inline; filename*=UTF-8''%C3%9Cber%20%221%22.png`,
    etag: `"${photo.sha256}"`,
    'cache-control': 'private, max-age=0, must-revalidate',
    vary: 'authorization, x-api-key',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

// Its bytes go with the last record that names them: assets.test.ts.
test('delete: row and count', async () => {
  const one = await make.photo(car.id, { base64: base64Of(png(9)), sessionId: session });
  expect((await make.read(`/event-sessions/${session}`)).photoCount).toBe(2);
  await service.call('DELETE', `${path}/${one.id}`);
  expect((await make.read(`/event-sessions/${session}`)).photoCount).toBe(1);
  expect((await service.call('GET', `${path}/${one.id}/content`)).status).toBe(404);
});
