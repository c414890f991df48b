/** The client for places without Node: the built file over fetch, here and in a real browser. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type * as entry from '../../src/client/client.ts';
import { openDesk } from '../helpers/browser.ts';
import { withBrowser } from '../helpers/chromium.ts';
import { png } from '../helpers/facility.ts';
import { listen } from '../helpers/listen.ts';
import { html, json, startMisbehavingServer } from '../helpers/misbehaving-server.ts';
import { testService } from '../helpers/service.ts';

const file = resolve(import.meta.dirname, '../../dist/client/fetch.js');
const { createClient }: typeof entry = await import(pathToFileURL(file).href);

const service = await testService();

/** What a program does with the client, written once for both places. It must be whole in itself: the browser gets its text. */
async function program(
  { createClient: create, ApiError, NetworkError }: typeof entry,
  baseUrl: string,
  key: string,
  photo: number[],
) {
  const client = create({ baseUrl, key, retries: 0 });
  const car = await client.cars.create({ year: 1973, make: 'Porsche', model: '911 Carrera' });
  const updated = await client.cars.update(car.id, { nickname: 'Greta' });
  const stored = await client.carPhotos.create(car.id, {
    filename: 'front.png',
    base64: btoa(String.fromCharCode(...photo)),
  });
  const content = await client.carPhotos.content(car.id, stored.id);
  let bytes = 0;
  for await (const piece of content.body) bytes += piece.length;
  const all = [];
  for await (const one of client.cars.all({ ids: [car.id] })) all.push(one.id);
  const missing = await client.cars
    .get('019aa0a3-4d00-7000-8000-0000000000aa')
    .catch((error: unknown) => error);
  const stopped = await client.cars
    .list({}, { signal: AbortSignal.abort(new Error('enough')) })
    .catch((error: unknown) => error);
  const nobody = create({ baseUrl: 'http://127.0.0.1:9', key, retries: 0 });
  const unreachable = await nobody.cars.list().catch((error: unknown) => error);
  await client.close();
  return {
    nickname: updated.nickname,
    bytes,
    found: all.length === 1 && all[0] === car.id,
    missing: missing instanceof ApiError && missing.code,
    stopped: stopped instanceof Error && stopped.message,
    unreachable: unreachable instanceof NetworkError && unreachable.unknownOutcome === false,
  };
}

const expected = {
  nickname: 'Greta',
  bytes: png().length,
  found: true,
  missing: 'not_found',
  stopped: 'enough',
  unreachable: true,
};

test('works without Node and its modules', async () => {
  expect(await readFile(file, 'utf8')).not.toMatch(
    /\bfrom\s*["'](node:|undici)|import\(["'](node:|undici)|\bBuffer\b|process\.hrtime/,
  );
  expect(
    await program(await import(pathToFileURL(file).href), service.url, service.key, [...png()]),
  ).toEqual(expected);
});

describe('what the server answers', () => {
  test.each([
    ['HTML', html(200), { name: 'ProtocolError', status: 200 }],
    [
      'an error',
      json(422, { error: 'no', code: 'x', details: null }),
      { name: 'ApiError', status: 422, code: 'x' },
    ],
    [
      'a redirect, which would take the key along',
      json(307, {}, { location: 'http://127.0.0.1:9/' }),
      { name: 'ProtocolError', status: 307 },
    ],
  ] as const)('%s', async (_, behaviour, error) => {
    const server = await startMisbehavingServer([behaviour]);
    const client = createClient({ baseUrl: server.url, key: 'csk_a.b', retries: 0 });
    expect(await client.cars.list().catch((caught: unknown) => caught)).toMatchObject(error);
    await server.close();
  });

  test('additional certificates are refused, since fetch takes none', () => {
    expect(() =>
      createClient({ baseUrl: 'https://cars.example', key: 'csk_a.b', ca: 'x' }),
    ).toThrow('additional certificates need Node; here the platform decides which it trusts');
  });
});

test.runIf(withBrowser)('works in a browser', async () => {
  const html = `<!doctype html><script type="module">
    import * as entry from '/fetch.js';
    globalThis.result = (${program})(entry, location.origin, ${JSON.stringify(service.key)}, ${JSON.stringify([...png()])});
  </script>`;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end(html);
    if (request.url === '/fetch.js')
      return response.setHeader('content-type', 'text/javascript').end(await readFile(file));
    // The service itself: a browser gives the key to the origin of its page alone.
    const {
      host: _,
      connection: __,
      'content-length': ___,
      ...headers
    } = request.headers as Record<string, string>;
    const answer = await fetch(service.url + request.url, {
      method: request.method,
      headers,
      body: body.length > 0 ? body : undefined,
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
    });
    return response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const { page } = await openDesk();
  await page.goto(url);
  expect(await page.evaluate('globalThis.result')).toEqual(expected);
});
