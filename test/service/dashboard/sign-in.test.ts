/** Accounts, links, passwords and sessions of the dashboard, over HTTP. */
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { createTeam, findTeam, inTeam } from '../../../src/service/admin.ts';
import {
  addAdmin,
  addLink,
  normalizeEmail,
  requireAdmin,
} from '../../../src/service/team/accounts.ts';
import { whileClockIsAhead } from '../../helpers/clock.ts';
import {
  inviteAdmin,
  openBrowser,
  password,
  signInAdmin,
  signInScreen,
} from '../../helpers/dashboard.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });

const { write } = service.admin.database;
const other = 'quite another long sentence';

describe('a link', () => {
  test('tells whom it is for, sets the password once, and signs in', async () => {
    const { email, token } = await inviteAdmin(service);
    const browser = openBrowser(service);
    for (const _reading of [1, 2])
      expect(await browser.ask('POST', '/link', { token })).toMatchObject({
        status: 200,
        body: { data: { purpose: 'welcome', email, team: { name: 'First', slug: 'first' } } },
      });
    expect(await browser.ask('GET', '/session')).toMatchObject({
      status: 200,
      body: { data: null, mail: false },
    });
    const used = await browser.ask('POST', '/link/use', { token, password });
    expect(used).toMatchObject({
      status: 200,
      body: { data: { role: 'admin', email, team: { slug: 'first' } } },
    });
    expect(used.headers.get('set-cookie')).toMatch(
      /^cs_session=[\w-]{43}; Max-Age=1209600; Path=\/dashboard; HttpOnly; SameSite=Strict$/,
    );
    expect(await browser.ask('GET', '/session')).toMatchObject({
      status: 200,
      body: { data: { email } },
    });
    expect(
      await openBrowser(service).ask('POST', '/link/use', { token, password: other }),
    ).toMatchObject({
      body: { code: 'link_invalid' },
    });
    expect(await openBrowser(service).ask('POST', '/session', { email, password })).toMatchObject({
      status: 200,
    });
  });

  test('of two uses at once, one is refused', async () => {
    const { token } = await inviteAdmin(service);
    const answers = await Promise.all(
      [1, 2].map(() => openBrowser(service).ask('POST', '/link/use', { token, password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('an unknown one is refused, an old one, and one that a newer replaced', async () => {
    const { id, token } = await inviteAdmin(service);
    for (const unknown of ['x', 'A'.repeat(43)])
      expect(await openBrowser(service).ask('POST', '/link', { token: unknown })).toMatchObject({
        status: 422,
        body: {
          code: 'link_invalid',
          error:
            'This link was used, has ended, or was replaced by a newer one. Ask for a new link',
        },
      });
    const newer = await inTeam(service.admin, 'first', async (context) =>
      addLink(context, 'test', await requireAdmin(context, id)),
    );
    expect(await openBrowser(service).ask('POST', '/link', { token })).toMatchObject({
      body: { code: 'link_invalid' },
    });
    expect(await openBrowser(service).ask('POST', '/link', { token: newer.token })).toMatchObject({
      status: 200,
    });
    await write
      .updateTable('oneTimeLinks')
      .set({ endsAt: new Date().toISOString() })
      .where('adminId', '=', id)
      .execute();
    for (const [path, more] of [
      ['/link', {}],
      ['/link/use', { password }],
    ] as const)
      expect(
        await openBrowser(service).ask('POST', path, { token: newer.token, ...more }),
      ).toMatchObject({ body: { code: 'link_invalid' } });
  });

  test('keeps a bad password out, and can be used again', async () => {
    const { token, email } = await inviteAdmin(service);
    const browser = openBrowser(service);
    const use = (given: string) => browser.ask('POST', '/link/use', { token, password: given });
    const [name] = email.split('@', 1);
    const better = 'a sentence of four words is easy to remember';
    const repeats = `repeats the same few characters or steps; ${better}`;
    const common = `consists of one or two of the most common passwords; ${better}`;
    for (const [given, rule, message] of [
      ['fourteen chars', 'too_small', `needs at least 15 characters; ${better}`],
      ['x'.repeat(257), 'too_big', 'has more than 256 characters'],
      [`my name is ${name} truly`, 'guessable', `contains ${name}, which others know`],
      [' '.repeat(15), 'guessable', repeats],
      ['x'.repeat(15), 'guessable', repeats],
      ['123456789012345', 'guessable', repeats],
      ['Q1W2E3R4T5Y6U7I8', 'guessable', common],
      // With signs and digits after it.
      ['Password!! 1234567', 'guessable', common],
    ] as const)
      expect(await use(given), given).toMatchObject({
        status: 422,
        body: {
          code: 'validation_failed',
          details: { issues: [{ path: 'password', rule, message }] },
        },
      });
    expect((await use(password)).status).toBe(200);
  });
});

describe('a password', () => {
  test('letters count as the same however they are composed', async () => {
    const { email, token } = await inviteAdmin(service);
    await openBrowser(service).ask('POST', '/link/use', {
      token,
      password: 'Größe der Häuser im Ort'.normalize('NFC'),
    });
    const answer = await openBrowser(service).ask('POST', '/session', {
      email,
      password: 'Größe der Häuser im Ort'.normalize('NFD'),
    });
    expect(answer.status).toBe(200);
  });

  test('a wrong one and an unknown address get the same answer; from the fifth on, the next one waits', async () => {
    const { email, id } = await signInAdmin(service);
    const tries = async (address: string) => {
      const answers = [];
      for (let at = 0; at < 5; at++)
        answers.push(
          await openBrowser(service).ask('POST', '/session', { email: address, password: other }),
        );
      return answers.map(({ status, body }) => [status, body]);
    };
    // The sixth is refused before it is looked at, for both.
    const sixth = async (address: string) => {
      const { status, body } = await openBrowser(service).ask('POST', '/session', {
        email: address,
        password: other,
      });
      return [status, body.code];
    };
    await whileClockIsAhead(service, 0, async () => {
      const refused = await tries(email);
      expect(refused).toEqual(await tries('nobody@garage.example'));
      expect(refused[0]).toMatchObject([
        401,
        { code: 'sign_in_failed', error: 'The e-mail address or the password is wrong' },
      ]);
      expect(await sixth('Nobody@garage.example')).toEqual([429, 'rate_limited']);
      expect(await sixth(email)).toEqual([429, 'rate_limited']);
    });
    const row = await write
      .selectFrom('admins')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ failures: 5, waitUntil: expect.any(String) });
    expect(row.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    const waitUntil = new Date(Date.now() + 60_000).toISOString();
    await write.updateTable('admins').set({ waitUntil }).where('id', '=', id).execute();
    expect(await openBrowser(service).ask('POST', '/session', { email, password })).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        error: expect.stringMatching(/^Too many wrong passwords\. Retry in \d+ s$/),
        details: { retryAfter: expect.any(Number) },
      },
    });
    await write
      .updateTable('admins')
      .set({ waitUntil: new Date().toISOString() })
      .where('id', '=', id)
      .execute();
    expect(
      await openBrowser(service).ask('POST', '/session', { email: email.toUpperCase(), password }),
    ).toMatchObject({ status: 200 });
    const refused = await write
      .selectFrom('auditLog')
      .selectAll()
      .where('subject', '=', id)
      .where('action', '=', 'session.refused')
      .execute();
    expect(refused.length).toBe(1);
  });

  test('of an account in two teams: the one that fits, or a choice', async () => {
    const { email } = await signInAdmin(service);
    const { link, row } = await inTeam(service.admin, 'second', (context) =>
      addAdmin(context, 'test', { email }),
    );
    await openBrowser(service).ask('POST', '/link/use', { token: link.token, password });
    const browser = openBrowser(service);
    expect(await browser.ask('POST', '/session', { email, password })).toMatchObject({
      status: 422,
      body: {
        code: 'team_required',
        error: 'The account exists in several teams. Choose one',
        details: { teams: [{ slug: 'first' }, { slug: 'second' }] },
      },
    });
    expect(
      await browser.ask('POST', '/session', { email, password, team: 'second' }),
    ).toMatchObject({
      body: { data: { team: { slug: 'second' } } },
    });
    // One that waits after wrong passwords isn't tried.
    const waitUntil = new Date(Date.now() + 60_000).toISOString();
    const ofEmail = write.updateTable('admins').set({ waitUntil }).where('email', '=', email);
    await ofEmail.where('id', '<>', row.id).execute();
    expect(await browser.ask('POST', '/session', { email, password })).toMatchObject({
      body: { data: { team: { slug: 'second' } } },
    });
  });

  test('of an address that any number of other teams invited: it signs in, and is changed', async () => {
    const { slug } = await createTeam(service.admin, { name: 'Zebra' });
    const { email, token } = await inviteAdmin(service, slug, { email: 'wanted@garage.example' });
    await openBrowser(service).ask('POST', '/link/use', { token, password });
    for (let at = 0; at < 6; at++) {
      const other = await createTeam(service.admin, { name: `Other ${at}` });
      await inviteAdmin(service, other.slug, { email });
    }
    const browser = openBrowser(service);
    expect(await browser.ask('POST', '/session', { email, password })).toMatchObject({
      status: 200,
      body: { data: { team: { slug } } },
    });
    const changed = { current: password, password: other };
    expect(await browser.ask('PUT', '/session/password', changed)).toMatchObject({ status: 200 });
    // The wait is that of the account with a password, whoever invited the address.
    const waitUntil = new Date(Date.now() + 60_000).toISOString();
    await write
      .updateTable('admins')
      .set({ waitUntil })
      .where('email', '=', email)
      .where('passwordHash', 'is not', null)
      .execute();
    expect(
      await openBrowser(service).ask('POST', '/session', { email, password: other }),
    ).toMatchObject({ status: 429 });
  });

  test('of an address with invitations alone: sign-in fails, and one account counts the failure', async () => {
    const { email } = await inviteAdmin(service, 'first', { email: 'later@garage.example' });
    await inviteAdmin(service, 'second', { email });
    expect(await openBrowser(service).ask('POST', '/session', { email, password })).toMatchObject({
      status: 401,
      body: { code: 'sign_in_failed' },
    });
    const noted = write.selectFrom('admins').select('failures').where('email', '=', email);
    expect((await noted.orderBy('failures').execute()).map(({ failures }) => failures)).toEqual([
      0, 1,
    ]);
  });

  test('a new one needs the present one, and ends every other session of the account', async () => {
    const browser = await signInAdmin(service);
    const elsewhere = openBrowser(service);
    await elsewhere.ask('POST', '/session', { email: browser.email, password });
    expect(
      await browser.ask('PUT', '/session/password', { current: other, password: other }),
    ).toMatchObject({
      status: 401,
      body: { code: 'sign_in_failed', error: 'The current password is wrong' },
    });
    expect(await elsewhere.ask('GET', '/api/v1/cars')).toMatchObject({ status: 200 });
    const { link } = (await elsewhere.ask('POST', '/api/v1/team/phone-links')).body.data;
    expect(
      await browser.ask('PUT', '/session/password', { current: password, password: other }),
    ).toMatchObject({ status: 200 });
    expect(await browser.ask('GET', '/api/v1/cars')).toMatchObject({ status: 200 });
    expect(await elsewhere.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });
    // A link that waits for a phone is void as well.
    expect(
      await openBrowser(service).ask('POST', '/link/use', { token: link.split('#')[1] }),
    ).toMatchObject({ status: 422, body: { code: 'link_invalid' } });
    expect(
      await elsewhere.ask('POST', '/session', { email: browser.email, password: other }),
    ).toMatchObject({ status: 200 });
  });
});

describe('a session', () => {
  const age = async (
    browser: { cookie: string },
    values: { lastSeenAt?: string; endsAt?: string },
  ) => {
    const { hashSecret } = await import('../../../src/service/team/secrets.ts');
    const secretHash = hashSecret(browser.cookie.split('=')[1] ?? '');
    await write
      .updateTable('browserSessions')
      .set(values)
      .where('secretHash', '=', secretHash)
      .execute();
  };
  const ago = (hours: number) => new Date(Date.now() - hours * 60 * 60_000).toISOString();

  test('of an admin ends 12 hours after its last use, and 14 days after the sign-in', async () => {
    const browser = await signInAdmin(service);
    await age(browser, { lastSeenAt: ago(11.9) });
    expect(await browser.ask('GET', '/api/v1/cars')).toMatchObject({ status: 200 });
    await age(browser, { lastSeenAt: ago(12) });
    expect(await browser.ask('GET', '/api/v1/cars')).toMatchObject({
      status: 401,
      body: { code: 'sign_in_required', error: 'Sign in to go on' },
    });
    const long = await signInAdmin(service);
    await age(long, { endsAt: ago(0) });
    expect(await long.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });
  });

  test('of a screen lasts 30 days without use', async () => {
    const screen = await signInScreen(service);
    await age(screen, { lastSeenAt: ago(29 * 24) });
    expect(await screen.ask('GET', '/session')).toMatchObject({
      status: 200,
      body: { data: { role: 'screen', name: 'Hall A', email: null } },
    });
    await age(screen, { lastSeenAt: ago(30 * 24) });
    expect(await screen.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });
  });

  test('signing out ends it on the server too', async () => {
    const browser = await signInAdmin(service);
    const { cookie } = browser;
    expect(await browser.ask('DELETE', '/session')).toMatchObject({ status: 200 });
    expect(browser.cookie).toBe('');
    expect(
      await openBrowser(service).ask('GET', '/api/v1/cars', undefined, { cookie }),
    ).toMatchObject({ status: 401 });
  });

  test('ended by another admin, it is refused from the next request on', async () => {
    const [browser, boss] = [await signInAdmin(service), await signInAdmin(service)];
    const { body } = await boss.ask('GET', '/api/v1/team/sessions?limit=200');
    const own = body.data.find((session: { name: string }) => session.name === browser.email);
    expect(own).toMatchObject({ role: 'admin', device: 'Another browser', isCurrent: false });
    expect(await boss.ask('DELETE', `/api/v1/team/sessions/${own.id}`)).toMatchObject({
      status: 200,
    });
    expect(await browser.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });
    expect(await browser.ask('POST', '/api/v1/team/screens', { name: 'Too late' })).toMatchObject({
      status: 401,
    });
  });

  test.each<[string, (of: { id: string; cookie: string }) => Promise<unknown>]>([
    [
      'is ended',
      ({ id }) => write.deleteFrom('browserSessions').where('adminId', '=', id).execute(),
    ],
    ['runs out', (browser) => age(browser, { endsAt: ago(0) })],
  ])('that %s while the body of a write arrives: refused, nothing stored', async (_, end) => {
    const browser = await signInAdmin(service);
    const seen = () =>
      write.selectFrom('browserSessions').select('lastSeenAt').where('adminId', '=', browser.id);
    const lastSeenAt = ago(1);
    await age(browser, { lastSeenAt });
    const { url } = service;
    const sending = request(`${url}/dashboard/api/v1/team/screens`, {
      method: 'POST',
      headers: { cookie: browser.cookie, origin: url, 'content-type': 'application/json' },
    });
    const answered = once(sending, 'response');
    sending.write('{"name":');
    // The session was accepted.
    await vi.waitFor(
      async () => expect(await seen().executeTakeFirst()).not.toEqual({ lastSeenAt }),
      { timeout: 60_000 },
    );
    await end(browser);
    sending.end('"Hall of nobody"}');
    const [answer] = await answered;
    expect([answer.statusCode, await json(answer)]).toMatchObject([
      401,
      { code: 'sign_in_required', error: 'The session has ended. Sign in again' },
    ]);
    const screens = write.selectFrom('screens').select('id').where('name', '=', 'Hall of nobody');
    expect(await screens.execute()).toEqual([]);
  });

  test('of a removed account is refused; the last admin with a password stays', async () => {
    const { slug } = await newTeam();
    const boss = await signInAdmin(service, slug);
    const { id } = await inviteAdmin(service, slug);
    expect(await boss.ask('DELETE', `/api/v1/team/admins/${boss.id}`)).toMatchObject({
      status: 422,
      body: {
        code: 'last_admin',
        error: 'No other admin of the team has a password yet, so nobody could sign in',
      },
    });
    expect(await boss.ask('DELETE', `/api/v1/team/admins/${id}`)).toMatchObject({ status: 200 });
    const second = await signInAdmin(service, slug);
    expect(await second.ask('DELETE', `/api/v1/team/admins/${boss.id}`)).toMatchObject({
      status: 200,
    });
    expect(await boss.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });
  });

  async function newTeam() {
    const { key } = await service.newTeam();
    const { body } = await service.call('GET', '/me', undefined, key);
    return findTeam(service.admin, body.data.team.slug);
  }
});

test.each(['no address', '@garage.example', 'a@b'])('%j is no e-mail address', (text) => {
  expect(() => normalizeEmail(text)).toThrow(/e-mail address/);
});
