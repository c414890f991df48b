/** What a signed-in browser may ask in a minute, and waits after wrong passwords for addresses without an account. */
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type RateLimits, unlimited } from '../../../src/service/http/rate-limits.ts';
import { createLog } from '../../../src/service/log.ts';
import { createUnknownAddresses } from '../../../src/service/team/unknown-addresses.ts';
import { inviteAdmin, openBrowser, password, signInAdmin } from '../../helpers/dashboard.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';

async function startLimited(limits: Partial<RateLimits>, trustProxy: string[] = []) {
  const rateLimits = { ...unlimited, ...limits };
  const service = await startTestService({ dashboard: {}, rateLimits, trustProxy });
  onTestFinished(() => service.close());
  return service;
}

test('requests, streams and pictures of a session each have their limit', async () => {
  const service = await startLimited({ requestsPerMinute: 3, burst: 2 });
  const records = facility(service);
  const { id } = await records.photo((await records.car()).id);
  const admin = await signInAdmin(service);
  const statuses = async (path: string, times: number) => {
    const found = [];
    for (let at = 0; at < times; at++) {
      const response = await fetch(`${service.url}/dashboard${path}`, {
        headers: { cookie: admin.cookie },
      });
      found.push(response.status);
      await response.body?.cancel();
    }
    return found;
  };
  expect(await statuses('/api/v1/cars', 3)).toEqual([200, 200, 429]);
  expect(await statuses('/events', 3)).toEqual([200, 200, 429]);
  // A page shows many at once: the whole minute's.
  expect(await statuses(`/photos/${id}?width=320`, 4)).toEqual([200, 200, 200, 429]);
  // Another session has its own.
  const other = await signInAdmin(service);
  expect(await other.ask('GET', '/api/v1/cars')).toMatchObject({ status: 200 });
});

test('requests without a session have a limit for each network, which a session does not share', async () => {
  const service = await startLimited({ visitsPerMinute: 4 });
  const admin = await signInAdmin(service);
  const made = { cookie: `cs_session=${'A'.repeat(43)}` };
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    (await openBrowser(service).ask('GET', path, undefined, headers)).status;
  expect(await ask(`/${'.'.repeat(15_500)}`)).toBe(404);
  expect([200, 503]).toContain(await ask('/board', { cookie: admin.cookie }));
  expect(await ask('/session')).toBe(200);
  expect(await ask('/api/v1/cars', made)).toBe(401);
  for (const path of ['/', '/board', '/main-OLD.js', '/session', '/api/v1/cars', '/events'])
    expect([path, await ask(path, made)]).toEqual([path, 429]);
  expect((await admin.ask('GET', '/api/v1/cars')).status).toBe(200);
});

test('sign-ins have a limit for each network, whoever they are for', async () => {
  const service = await startLimited({ signInsPerMinute: 2 });
  const answers = [];
  for (const path of ['/session', '/link', '/session', '/link/use', '/session/forgotten'])
    answers.push(
      (
        await openBrowser(service).ask('POST', path, {
          email: 'a@garage.example',
          password: 'x',
          token: 'x',
        })
      ).body.code,
    );
  expect(answers.slice(2)).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
});

test.each([
  ['behind a trusted proxy, each client has its own', ['127.0.0.1'], [401, 401, 401]],
  ['without one, what a client says of its address counts for nothing', [], [401, 429, 429]],
])('sign-ins %s', async (_name, trustProxy, expected) => {
  const service = await startLimited({ signInsPerMinute: 1 }, trustProxy);
  const statuses = [];
  for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
    const headers = { 'x-forwarded-for': address };
    const body = { email: 'a@garage.example', password: 'x' };
    statuses.push((await openBrowser(service).ask('POST', '/session', body, headers)).status);
  }
  expect(statuses).toEqual(expected);
});

test('no password, cookie, token or key is in the log, or in the audit log', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const service = await startTestService({
    dashboard: {},
    logger: createLog({ level: 'trace', stream, pretty: false }),
  });
  onTestFinished(() => service.close());
  const { token, email } = await inviteAdmin(service);
  const browser = openBrowser(service);
  await browser.ask('POST', '/link', { token });
  await browser.ask('POST', '/link/use', { token, password });
  await openBrowser(service).ask('POST', '/session', {
    email,
    password: 'a wrong but private sentence',
  });
  const { body } = await browser.ask('POST', '/api/v1/team/keys', {
    name: 'Site',
    scopes: ['read:cars'],
  });
  await service.call('GET', '/me', undefined, body.data.secret);
  const screen = (await browser.ask('POST', '/api/v1/team/screens', { name: 'Wall' })).body.data
    .link;
  const audit = JSON.stringify((await browser.ask('GET', '/api/v1/team/audit?limit=200')).body);
  const secrets = [
    token,
    password,
    'a wrong but private sentence',
    browser.cookie.split('=')[1],
    body.data.secret.split('.')[1],
    screen.split('#')[1],
  ];
  expect(lines.join('')).toContain('/dashboard/link/use');
  for (const secret of secrets)
    expect([lines.join('').includes(secret), audit.includes(secret)]).toEqual([false, false]);
});

test('the wait doubles up to 15 minutes, and is of this address alone', () => {
  const unknown = createUnknownAddresses();
  const start = new Date('2026-05-04T10:00:00Z');
  const waits = Array.from({ length: 18 }, () => {
    unknown.noteFailure('nobody@garage.example', start);
    return unknown.waitMs('nobody@garage.example', start) / 1000;
  });
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
  expect(unknown.waitMs('nobody@garage.example', new Date(start.getTime() + 900_000))).toBe(0);
  expect(unknown.waitMs('other@garage.example', start)).toBe(0);
});

test('of more addresses than are kept, the oldest is forgotten', () => {
  const unknown = createUnknownAddresses();
  const now = new Date();
  for (let at = 0; at < 5; at++) unknown.noteFailure('first@garage.example', now);
  expect(unknown.waitMs('first@garage.example', now)).toBe(1000);
  for (let at = 0; at < 10_000; at++) unknown.noteFailure(`${at}@garage.example`, now);
  expect(unknown.waitMs('first@garage.example', now)).toBe(0);
});
