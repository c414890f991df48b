import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { TransportOptions } from '../../src/client/options.ts';
import { createTransport } from '../../src/client/transport.ts';
import { certificate, makeCertificate, privateKey } from '../helpers/certificates.ts';
import { listen } from '../helpers/listen.ts';
import {
  deadUrl,
  json,
  raw,
  record,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

const key = 'csk_a.very-secret';
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

function open(baseUrl: string, options: Partial<TransportOptions> = {}) {
  const waits: number[] = [];
  const transport = createTransport({
    baseUrl,
    key,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
  opened.unshift(transport);
  return {
    transport,
    waits,
    get: () => transport.request({ method: 'GET', path: '/cars/c1', expect: 'record' }),
  };
}

async function portOf(server: Parameters<typeof listen>[0]): Promise<number> {
  const listening = await listen(server);
  opened.push(listening);
  return listening.port;
}

/** Answers with the received key. */
async function serveTls(options: SecureContextOptions = {}): Promise<number> {
  const server = createTlsServer(
    { cert: certificate, key: privateKey, ...options },
    (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          data: { key: request.headers['x-api-key'], version: request.httpVersion },
        }),
      );
    },
  );
  return portOf(server);
}

test('an answer that is compressed without being asked for is named', async () => {
  const body = gzipSync(JSON.stringify({ data: { id: 'c1' } }));
  const server = await startMisbehavingServer([
    raw(200, 'application/json', body, { 'content-encoding': 'gzip' }),
  ]);
  opened.push(server);
  const { get, transport } = open(server.url);
  const error = {
    message: expect.stringContaining("200 and a body in gzip, which wasn't asked for"),
  };
  await expect(get()).rejects.toMatchObject(error);
  await expect(transport.stream({ method: 'GET', path: '/photo' })).rejects.toMatchObject(error);
  expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
});

describe('TLS', () => {
  test("a certificate in the caller's `ca` is accepted", async () => {
    const { get } = open(`https://127.0.0.1:${await serveTls()}`, { ca: certificate });
    expect((await get()).body).toEqual({ data: { key, version: '1.1' } });
  });

  test('a server without TLS', async () => {
    const plain = await startMisbehavingServer([record({})]);
    opened.push(plain);
    await expect(open(`https://127.0.0.1:${plain.port}`).get()).rejects.toMatchObject({
      code: 'tls_failed',
      message: expect.stringContaining("the server doesn't use TLS on this port"),
    });
  });

  describe('a certificate that is refused: the message says why, without a retry', () => {
    const authority = makeCertificate('Authority', { isAuthority: true });
    const [here, past] = [['127.0.0.1'], new Date('2021-01-01')];

    test.each([
      ['self-signed', { names: here }, undefined, 'self-signed certificate'],
      [
        'expired',
        { names: here, to: past, issuer: authority },
        authority,
        'certificate has expired',
      ],
      [
        'for another name',
        { names: ['a.test', 'b.test'], issuer: authority },
        authority,
        "does not match certificate's altnames",
      ],
    ] as const)('%s', async (_, made, trusted, expected) => {
      const { key, cert } = makeCertificate('car-storage.test', made);
      const { get, waits } = open(`https://127.0.0.1:${await serveTls({ key, cert })}`, {
        ca: trusted?.cert,
      });
      await expect(get()).rejects.toMatchObject({ code: 'tls_failed', unknownOutcome: false });
      await expect(get()).rejects.toThrow(expected);
      expect(waits).toEqual([]);
    });
  });

  test.each([
    '',
    'no certificate',
    '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----',
  ])('refuses to trust %j', async (ca) => {
    await expect(open('https://127.0.0.1:1', { ca }).get()).rejects.toMatchObject({
      name: 'UsageError',
      code: 'invalid_ca',
    });
  });
});

describe('a proxy', () => {
  /** Forwards requests for car-storage.test to a server on this machine. */
  async function startProxy(target: number, refusal?: number) {
    const asked: string[] = [];
    const credentials: (string | undefined)[] = [];
    const note = (request: IncomingMessage) => {
      asked.push(`${request.method} ${request.url}`);
      credentials.push(request.headers['proxy-authorization']);
    };
    const server = createHttpServer((request, response) => {
      note(request);
      response
        .writeHead(refusal ?? 200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: { forwarded: true } }));
    });
    server.on('connect', (request: IncomingMessage, socket: Duplex) => {
      note(request);
      if (refusal) {
        socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
        return;
      }
      const upstream = connect(target, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [upstream, socket]) end.on('error', () => {});
      opened.push({ close: async () => void upstream.destroy() });
    });
    const port = await portOf(server);
    return { url: `http://127.0.0.1:${port}`, port, asked, credentials };
  }
  const plain = { allowInsecureHttp: true, retries: 0 };

  test('is used for https through an encrypted tunnel', async () => {
    const port = await serveTls();
    const proxy = await startProxy(port);
    const { get } = open(`https://car-storage.test:${port}`, {
      ca: certificate,
      env: { HTTPS_PROXY: proxy.url },
    });
    expect((await get()).body).toEqual({ data: { key, version: '1.1' } });
    expect(proxy.asked).toEqual([`CONNECT car-storage.test:${port}`]);
  });

  test('does not make a certificate for another host valid', async () => {
    const port = await serveTls();
    const proxy = await startProxy(port);
    const { get } = open(`https://other.test:${port}`, {
      ca: certificate,
      env: { HTTPS_PROXY: proxy.url },
    });
    await expect(get()).rejects.toMatchObject({
      code: 'tls_failed',
      message: expect.stringContaining("does not match certificate's altnames"),
    });
  });

  test('is used for http if http is allowed, with the variable in upper or lower case, and its credentials', async () => {
    const proxy = await startProxy(0);
    for (const env of [
      { HTTP_PROXY: proxy.url },
      { http_proxy: `127.0.0.1:${proxy.port}` },
      { http_proxy: `http://user:p%40ss@127.0.0.1:${proxy.port}` },
    ])
      expect((await open('http://car-storage.test', { ...plain, env }).get()).body).toEqual({
        data: { forwarded: true },
      });
    expect(proxy.asked).toEqual(Array(3).fill('GET http://car-storage.test/api/v1/cars/c1'));
    const sent = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    expect(proxy.credentials).toEqual([undefined, undefined, sent]);
  });

  test('does not make plain http safe', async () => {
    const proxy = await startProxy(0);
    const { get } = open('http://car-storage.test', { env: { HTTP_PROXY: proxy.url } });
    await expect(get()).rejects.toMatchObject({ code: 'unsafe_address' });
    expect(proxy.asked).toEqual([]);
  });

  /** A server at an address outside the loopback range, so that the client considers proxies. */
  async function startDirect() {
    const server = await startMisbehavingServer([json(200, { data: { direct: true } })]);
    opened.push(server);
    return `http://0.0.0.0:${server.port}`;
  }

  test.each([{ NO_PROXY: 'other.test,0.0.0.0' }, { no_proxy: '*' }])(
    'is bypassed for the hosts of %j',
    async (hosts) => {
      const proxy = await startProxy(0);
      const { get } = open(await startDirect(), {
        ...plain,
        env: { HTTP_PROXY: proxy.url, ...hosts },
      });
      expect((await get()).body).toEqual({ data: { direct: true } });
      expect(proxy.asked).toEqual([]);
    },
  );

  test('is never used for this machine', async () => {
    const server = await startMisbehavingServer([json(200, { data: { direct: true } })]);
    opened.push(server);
    const env = { HTTP_PROXY: await deadUrl(), HTTPS_PROXY: await deadUrl() };
    expect((await open(server.url, { env }).get()).body).toEqual({ data: { direct: true } });
  });

  test('is never read from the process environment', async () => {
    const proxy = await startProxy(0);
    process.env.HTTP_PROXY = proxy.url;
    try {
      for (const env of [undefined, { HTTPS_PROXY: proxy.url, NO_PROXY: '0.0.0.0' }]) {
        expect((await open(await startDirect(), { ...plain, env }).get()).body).toEqual({
          data: { direct: true },
        });
      }
    } finally {
      delete process.env.HTTP_PROXY;
    }
    expect(proxy.asked).toEqual([]);
  });

  test('that is down is named as the cause', async () => {
    const proxy = await deadUrl();
    const { get } = open('https://car-storage.test', { env: { HTTPS_PROXY: proxy }, retries: 0 });
    await expect(get()).rejects.toMatchObject({
      code: 'connection_failed',
      proxy,
      message: `couldn't reach https://car-storage.test through the proxy ${proxy}: connection refused`,
      unknownOutcome: false,
    });
  });

  test.each(['https', 'http'])(
    'that never answers is named in the timeout, for %s',
    async (scheme) => {
      const server = createTcpServer(
        (socket) => void opened.push({ close: async () => void socket.destroy() }),
      );
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      opened.push({ close: async () => void server.close() });
      const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const connected = once(server, 'connection');
      const startLimit = (_ms: number, expire: () => void) => {
        void connected.then(expire);
        return () => {};
      };
      const { get } = open(`${scheme}://car-storage.test`, {
        ...plain,
        env: { HTTPS_PROXY: proxy, HTTP_PROXY: proxy },
        startLimit,
      });
      await expect(get()).rejects.toMatchObject({
        code: 'timeout',
        proxy,
        message: expect.stringMatching(
          new RegExp(
            `^no (connection to|complete answer from) ${scheme}://car-storage\\.test through the proxy ${proxy} within 30 s$`,
          ),
        ),
      });
    },
  );

  test.each([
    ['https', 502, 'the proxy answered 502'],
    ['https', 407, 'the proxy requires a sign-in (407)'],
    ['http', 407, 'the proxy requires a sign-in (407)'],
  ])('that refuses %s with %i', async (scheme, status, why) => {
    const { url } = await startProxy(0, status);
    const { get } = open(`${scheme}://car-storage.test`, {
      ...plain,
      env: { [`${scheme.toUpperCase()}_PROXY`]: url },
    });
    await expect(get()).rejects.toMatchObject({
      ...{ name: 'NetworkError', code: 'connection_failed', unknownOutcome: false },
      message: `couldn't reach ${scheme}://car-storage.test through the proxy ${url}: ${why}`,
    });
  });

  test('with an invalid URL is a usage error', async () => {
    const { get } = open('https://car-storage.test', {
      env: { HTTPS_PROXY: 'ftp://proxy.example.com' },
    });
    await expect(get()).rejects.toMatchObject({
      ...{ name: 'UsageError', code: 'invalid_proxy' },
      message:
        "the proxy set for https://car-storage.test isn't a URL; it should look like http://proxy.example.com:3128",
    });
  });
});
