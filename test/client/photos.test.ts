import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import { type PhotoFile, type PhotoProgress, uploadPhotos } from '../../src/client/photos.ts';
import {
  type Behaviour,
  deadUrl,
  html,
  type MisbehavingServer,
  problem,
  record,
  reset,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A server that answers photos in the table by file name as given there, and stores all others. */
async function connect(
  table: Record<string, Behaviour> = {},
): Promise<{ client: Client; server: MisbehavingServer }> {
  const server = await startMisbehavingServer(({ url, body }) => {
    if (url.endsWith('openapi.json')) return html(404);
    const { filename } = JSON.parse(body);
    return table[filename] ?? record({ id: `stored-${filename}` });
  });
  const client = createClient({
    baseUrl: server.url,
    key: 'csk_a.b',
    sleep: async () => {},
    timeoutMs: 5_000,
  });
  opened.push(client, server);
  return { client, server };
}

const photo = (filename: string): PhotoFile => ({
  filename,
  load: async () => ({ bytes: Buffer.from(`bytes of ${filename}`), contentType: 'image/jpeg' }),
});
const photos = (count: number) =>
  Array.from({ length: count }, (_, index) => photo(`${index}.jpg`));
const target = { carId: 'car', sessionId: 'session' };

test('each photo has its own request, and the results keep the order', async () => {
  const { client, server } = await connect();
  const results = await uploadPhotos({ client, ...target, photos: photos(5) });
  expect(results).toEqual(
    photos(5).map(({ filename }) => ({
      filename,
      status: 'stored',
      record: { id: `stored-${filename}` },
    })),
  );
  expect(server.requests).toHaveLength(5);
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/api/v1/cars/car/photos' });
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
    sessionId: 'session',
    filename: '0.jpg',
    contentType: 'image/jpeg',
    base64: Buffer.from('bytes of 0.jpg').toString('base64'),
  });
  expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(5);
});

test('only the photos being sent are loaded', async () => {
  const { client } = await connect();
  let loaded = 0;
  let most = 0;
  const counted = photos(9).map((one) => ({
    ...one,
    load: async () => {
      most = Math.max(most, ++loaded);
      return one.load();
    },
  }));
  const onProgress = ({ phase }: PhotoProgress) => {
    if (phase === 'stored') loaded--;
  };
  await uploadPhotos({ client, ...target, photos: counted, concurrency: 3, onProgress });
  expect(most).toBe(3);
});

test('a photo of several pieces, in a view into a larger buffer, is sent whole and alone', async () => {
  const { client, server } = await connect();
  const bytes = randomBytes(60_003).subarray(1, 60_002);
  const load = async () => ({ bytes });
  const fields = { photos: [{ filename: 'ä "1".jpg', load }], base64Field: '0' };
  await uploadPhotos({ client, ...target, ...fields });
  const sent = server.requests[0]?.body ?? '';
  const whole = {
    sessionId: target.sessionId,
    filename: 'ä "1".jpg',
    0: bytes.toString('base64'),
  };
  expect(JSON.parse(sent)).toEqual(whole);
  // Once: a name that stands twice would be read as one.
  expect(sent).toHaveLength(JSON.stringify(whole).length);
});

test('request, progress and result have the file name of the loaded photo', async () => {
  const { client, server } = await connect();
  const load = async () => ({
    bytes: Buffer.from('small'),
    filename: 'a.jpg',
    contentType: 'image/jpeg' as const,
  });
  const told: string[] = [];
  const onProgress = ({ filename, phase, record: stored }: PhotoProgress) =>
    told.push([filename, phase, stored?.id].join(' ').trim());
  const results = await uploadPhotos({
    client,
    ...target,
    photos: [{ filename: 'a.png', load }],
    onProgress,
  });
  expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
    filename: 'a.jpg',
    contentType: 'image/jpeg',
  });
  expect(results).toMatchObject([{ filename: 'a.jpg', status: 'stored' }]);
  expect(told).toEqual(['a.png loading', 'a.jpg sending', 'a.jpg stored stored-a.jpg']);
});

const lost = { name: 'NetworkError', code: 'connection_lost', unknownOutcome: true };
test.each([
  ['is refused', problem(422, 'photo_too_large'), { name: 'ApiError', code: 'photo_too_large' }],
  ['gets no answer', reset(), lost],
  ['cannot be read', undefined, { message: 'no such file' }],
])('a photo that %s does not stop the others', async (_, behaviour, error) => {
  const { client } = await connect(behaviour && { '1.jpg': behaviour });
  const load = () => Promise.reject(new Error('no such file'));
  const four = photos(4);
  const given = behaviour ? four : four.with(1, { filename: '1.jpg', load });
  const results = await uploadPhotos({ client, ...target, photos: given });
  expect(results.map(({ status }) => status)).toEqual(['stored', 'failed', 'stored', 'stored']);
  expect(results[1]).toMatchObject({ error });
});

test.each([
  [401, 'api_key_revoked'],
  [403, 'missing_scope'],
  [404, 'not_found'],
  [422, 'session_closed'],
  [422, 'session_mismatch'],
])('%i %s applies to every photo, so the rest is not sent', async (status, code) => {
  const { client, server } = await connect({ '1.jpg': problem(status, code) });
  const results = await uploadPhotos({ client, ...target, photos: photos(4), concurrency: 1 });
  const error = expect.objectContaining({ status, code });
  expect(results).toEqual([
    expect.objectContaining({ status: 'stored' }),
    { filename: '1.jpg', status: 'failed', error },
    { filename: '2.jpg', status: 'not_sent', error },
    { filename: '3.jpg', status: 'not_sent', error },
  ]);
  expect(server.requests).toHaveLength(2);
});

test('without a service no photo is sent, and every result has the reason', async () => {
  const client = createClient({ baseUrl: await deadUrl(), key: 'csk_a.b', sleep: async () => {} });
  opened.push(client);
  const results = await uploadPhotos({ client, ...target, photos: photos(3), concurrency: 1 });
  const error = { code: 'connection_failed', unknownOutcome: false };
  expect(results).toMatchObject([
    { status: 'failed', error },
    { status: 'not_sent', error },
    { status: 'not_sent', error },
  ]);
});

test('progress is reported for each photo', async () => {
  const { client } = await connect({ '1.jpg': problem(422, 'photo_type_unsupported') });
  const told: string[] = [];
  const onProgress = ({ index, filename, phase }: PhotoProgress) =>
    told.push(`${index} ${filename} ${phase}`);
  await uploadPhotos({ client, ...target, photos: photos(2), concurrency: 1, onProgress });
  expect(told).toEqual([
    '0 0.jpg loading',
    '0 0.jpg sending',
    '0 0.jpg stored',
    '1 1.jpg loading',
    '1 1.jpg sending',
    '1 1.jpg failed',
  ]);
});

test('an abort keeps the stored photos and sends no more', async () => {
  const controller = new AbortController();
  const { client, server } = await connect({
    '1.jpg': () => controller.abort(new Error('enough')),
  });
  const results = await uploadPhotos({
    client,
    ...target,
    photos: photos(4),
    concurrency: 1,
    signal: controller.signal,
  });
  expect(results.map(({ status }) => status)).toEqual(['stored', 'failed', 'not_sent', 'not_sent']);
  expect(results.slice(1)).toMatchObject(Array(3).fill({ error: { message: 'enough' } }));
  expect(server.requests).toHaveLength(2);
});
