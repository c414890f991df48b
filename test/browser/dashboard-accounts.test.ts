/** Signing in to the dashboard, and who is let in to what. */

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { screenPages } from '../../src/contract/dashboard/pages.ts';
import { inTeam } from '../../src/service/admin.ts';
import { smtpTransport } from '../../src/service/outbox/smtp.ts';
import { type Mailbox, readMailbox, readSmtpUrl } from '../../src/service/outbox/smtp-settings.ts';
import { addLink, requireAdmin } from '../../src/service/team/accounts.ts';
import { openDesk, skipWithoutBrowser } from '../helpers/browser.ts';
import { inviteAdmin, password, signInAdmin } from '../helpers/dashboard.ts';
import { ask, type Dashboard, everyPage, giveCookie, heading, startDashboard, unexpected } from '../helpers/dashboard-pages.ts';
import { facility } from '../helpers/facility.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { startTestService } from '../helpers/service.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!skipWithoutBrowser) dashboard = await startDashboard();
});
afterAll(() => dashboard?.service.close());

const fillIn = async (page: Page, words: string) => {
  await page.getByLabel('New password').fill(words);
  await page.getByLabel('The same again').fill(words);
  await page.getByRole('button', { name: 'Set the password' }).click();
};
const signIn = async (page: Page, email: string, words: string) => {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(words);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** With the write, not before it: a read in the background would hide the form before it is sent. */
const endSessionAtWrite = (page: Page, context: BrowserContext) =>
  page.route('**/dashboard/api/v1/team/keys', async (route) => {
    await context.clearCookies();
    await route.continue();
    await page.unroute('**/dashboard/api/v1/team/keys');
  });

describe.skipIf(skipWithoutBrowser)('a link', () => {
  test.each(['used', 'old', 'replaced by a newer one', 'of another service'])(
    '%s ends in a sentence, and changes nothing',
    async (kind) => {
      const { service } = dashboard;
      const { id, token, email } = await inviteAdmin(service);
      const { write } = service.admin.database;
      let given = token;
      if (kind === 'used') await ask((await useIt(token)).page, 'session');
      if (kind === 'old')
        await write
          .updateTable('oneTimeLinks')
          .set({ endsAt: new Date(0).toISOString() })
          .where('adminId', '=', id)
          .execute();
      if (kind.startsWith('replaced'))
        await inTeam(service.admin, 'first', async (context) => addLink(context, 'test', await requireAdmin(context, id)));
      if (kind.startsWith('of another')) {
        const other = await startTestService({ dashboard: {} });
        given = (await inviteAdmin(other)).token;
        await other.close();
      }
      const hash = async () =>
        (await write.selectFrom('admins').select('passwordHash').where('email', '=', email).executeTakeFirstOrThrow()).passwordHash;
      const before = await hash();
      const opened = await openDesk();
      await dashboard.open(opened.page, `link#${given}`);
      await heading(opened.page, "This link doesn't work");
      expect(await opened.page.getByRole('alert').textContent()).toContain('Ask for a new link.');
      expect(await hash()).toBe(before);
      await opened.page.getByRole('link', { name: 'Sign in with a password' }).click();
      await heading(opened.page, 'Team dashboard');
      expect(unexpected(opened)).toEqual([]);
    },
  );

  test('that is dead offers a browser with a session its dashboard, and no sign-in', async () => {
    const { page, email } = await dashboard.openSignedIn();
    await dashboard.open(page, `link#${'A'.repeat(43)}`);
    await heading(page, "This link doesn't work");
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    expect(await page.getByRole('link', { name: /Sign in/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await heading(page, 'Board');
  });

  test("that can't be read for now is not called used: it says why, and works with Try again", async () => {
    const { token } = await inviteAdmin(dashboard.service);
    const { page } = await openDesk();
    const problem = { error: 'Rate limit exceeded. Retry in 4 s', code: 'rate_limited', details: { retryAfter: 4 } };
    await page.route('**/dashboard/link', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 429, json: problem }) : route.continue(),
    );
    await dashboard.open(page, `link#${token}`);
    await heading(page, "The link couldn't be read");
    expect(await page.getByRole('alert').textContent()).toBe('Rate limit exceeded. Retry in 4 s.');
    await page.unroute('**/dashboard/link');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Welcome to First');
  });

  test('that is pasted into the tab with a dead one is read', async () => {
    const { token } = await inviteAdmin(dashboard.service);
    const { page } = await openDesk();
    await dashboard.open(page, `link#${'A'.repeat(43)}`);
    await heading(page, "This link doesn't work");
    await page.evaluate(`location.hash = '${token}'`);
    await heading(page, 'Welcome to First');
    expect(page.url()).not.toContain(token);
    await fillIn(page, password);
    await heading(page, 'Board');
  });

  test('is used up by the first of two browsers that have it open', async () => {
    const { token } = await inviteAdmin(dashboard.service);
    const [first, second] = [await openDesk(), await openDesk()];
    for (const { page } of [first, second]) await dashboard.open(page, `link#${token}`);
    for (const { page } of [first, second]) await heading(page, 'Welcome to First');
    await fillIn(first.page, password);
    await heading(first.page, 'Board');
    await fillIn(second.page, 'quite another sentence');
    await second.page.getByText('Ask for a new link').waitFor();
    expect((await ask(second.page, 'session')).body.data).toBeNull();
  });

  async function useIt(token: string) {
    const opened = await openDesk();
    await dashboard.open(opened.page, `link#${token}`);
    await fillIn(opened.page, password);
    await heading(opened.page, 'Board');
    return opened;
  }
});

describe.skipIf(skipWithoutBrowser)('an admin', () => {
  test('with a wrong password ten times is told how long to wait, as an address without an account is; a link works at once', async () => {
    const { service } = dashboard;
    const { email, id } = await signInAdmin(service);
    const opened = await openDesk();
    const { page } = opened;
    await dashboard.open(page, 'keys');
    const told = async (address: string) => {
      const texts = new Set<string>();
      for (let at = 0; at < 10; at++) {
        const answered = page.waitForResponse((response) => response.request().method() === 'POST');
        await signIn(page, address, `wrong sentence number ${at}`);
        await answered;
        await page.getByRole('alert').locator('p').waitFor();
        texts.add((await page.getByRole('alert').textContent()) ?? '');
      }
      return [...new Set([...texts].map((text) => text.replace(/\d+ seconds?/, 'N seconds')))];
    };
    const texts = await told(email);
    expect(texts).toEqual(['The e-mail address or the password is wrong.', 'Too many attempts. Wait N seconds, then try again.']);
    expect(await told('nobody@garage.example')).toEqual(texts);
    const waitUntil = new Date(Date.now() + 10 * 60_000).toISOString();
    await service.admin.database.write.updateTable('admins').set({ waitUntil }).where('id', '=', id).execute();
    await signIn(page, email, password);
    await page.getByText('Too many attempts. Wait 10 minutes').waitFor();
    const { token } = await inTeam(service.admin, 'first', async (context) => addLink(context, 'test', await requireAdmin(context, id)));
    await page.goto('about:blank');
    await dashboard.open(page, `link#${token}`);
    await heading(page, 'A new password');
    await fillIn(page, 'another sentence with words');
    await heading(page, 'Board');
    expect(unexpected(opened)).toEqual([]);
  });

  test('whose session ends in the middle of a form signs in and goes on', async () => {
    const { page, context, email } = await dashboard.openSignedIn();
    await dashboard.open(page, 'keys/new?preset=website');
    await page.getByLabel('Name').fill('In the middle');
    await endSessionAtWrite(page, context);
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await page.getByLabel('Name').isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe(email);
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    const key = await page.getByLabel('Key “In the middle”').inputValue();
    expect(await page.title()).toBe('Create a key · First');
    expect(await dashboard.service.call('GET', '/me', undefined, key)).toMatchObject({
      status: 200,
      body: { data: { keyName: 'In the middle' } },
    });
  });

  test('who signs out leaves no data behind, also for Back and in a page that the browser kept', async () => {
    const { page } = await dashboard.openSignedIn();
    const answer = await dashboard.open(page, 'keys');
    expect(answer?.headers()['cache-control']).toBe('no-store');
    await heading(page, 'Keys');
    // As a browser says it on Back, with a page that it kept.
    const kept = `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })), document.querySelectorAll('h1').length`;
    expect(await page.evaluate(kept)).toBe(0);
    await heading(page, 'Keys');
    // Without content the browser stays at this page, as Back would show it.
    await page.route('**/dashboard/sign-in', (route) => route.fulfill({ status: 204 }));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.getByRole('heading', { name: 'Keys', includeHidden: true }).count()).toBe(0);
  });

  test('whose session another admin ends is signed out at once, and sees no more data', async () => {
    const { service } = dashboard;
    const own = await signInAdmin(service);
    const opened = await openDesk();
    await giveCookie(opened, service, own);
    await dashboard.open(opened.page, 'keys');
    await heading(opened.page, 'Keys');
    const boss = await dashboard.openSignedIn();
    await dashboard.open(boss.page, 'settings/sessions');
    await boss.page.getByRole('row').filter({ hasText: own.email }).getByRole('link').click();
    await boss.page.getByRole('dialog').getByRole('button').first().click();
    await boss.page.getByRole('row').filter({ hasText: own.email }).waitFor({ state: 'detached' });
    // The open page notices by itself.
    await opened.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    expect(await opened.page.getByRole('table', { includeHidden: true }).filter({ visible: true }).count()).toBe(0);
    expect(await opened.page.getByRole('heading', { name: 'Keys', includeHidden: true }).isVisible()).toBe(false);
    expect((await ask(opened.page, 'session')).body.data).toBeNull();
  });

  test('adds a screen, whose link opens the wall and nothing else, and ends it', async () => {
    const { page } = await dashboard.openSignedIn();
    await dashboard.open(page, 'settings/screens');
    await page.getByLabel('Name').fill('Hall A');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = await page.getByLabel(/Link, works once/).inputValue();
    const wall = await openDesk();
    await wall.page.goto(link);
    await wall.page.getByRole('button', { name: 'Open the board on this screen' }).click();
    await wall.page.getByText('HH-7 73').first().waitFor();
    expect(await wall.page.getByRole('navigation').count()).toBe(0);
    expect(wall.complaints).toEqual([]);
    for (const path of everyPage.filter((one) => !screenPages.some((page) => page === one))) {
      await dashboard.open(wall.page, path);
      await wall.page.getByText('This browser is a screen').waitFor();
    }
    for (const path of ['team/keys', 'team/audit', 'team/usage', 'customers'])
      expect((await ask(wall.page, `api/v1/${path}`)).status).toBe(403);
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Hall A' }).getByRole('link').click();
    await page.getByRole('button', { name: 'End the screen' }).click();
    await page.getByRole('row').filter({ hasText: 'Hall A' }).waitFor({ state: 'detached' });
    expect((await ask(wall.page, 'api/v1/cars')).status).toBe(401);
  });

  test('ends a screen, which then shows a sentence without data and without a password, also after a reload', async () => {
    const { page } = await dashboard.openSignedIn({ as: 'screen' });
    await dashboard.open(page, 'board');
    await page.getByText('HH-7 73').first().waitFor();
    // The page asks whether it is still signed in, and reads when something changed: the reading comes first here.
    await page.route('**/dashboard/session', (route) => route.abort());
    const { service } = dashboard;
    await service.admin.database.write.deleteFrom('browserSessions').where('role', '=', 'screen').execute();
    await facility(service).car();
    const said = page.getByText('This screen was ended. A team admin can make a new link in Settings.');
    const shown = async () => [await said.count(), await page.getByText('HH-7 73').count(), await page.getByLabel('Password').count()];
    await said.waitFor();
    expect(await shown()).toEqual([1, 0, 0]);
    await page.unroute('**/dashboard/session');
    await page.reload();
    await said.waitFor();
    expect(await shown()).toEqual([1, 0, 0]);
  });
});

describe.skipIf(skipWithoutBrowser)('a forgotten password', () => {
  test('where no e-mail is sent: says who can make a link, and offers no e-mail', async () => {
    const opened = await openDesk();
    const { page } = opened;
    await dashboard.open(page, 'keys');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await heading(page, 'Forgotten password');
    expect(await page.locator('main').textContent()).toMatch(/another admin of your team.*the owner of the server.*cs admin user link/);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await heading(page, 'Team dashboard');
    expect(opened.complaints).toEqual([]);
  });

  test('where e-mail is sent: asks for the address, and tells nobody whether it has an account', async () => {
    const mail = await startMailServer();
    const transport = smtpTransport({ server: readSmtpUrl(mail.url), from: readMailbox('office@garage.example') as Mailbox });
    const service = await startTestService({ transports: [transport], dashboard: { publicUrl: new URL('https://garage.example') } });
    try {
      const { email } = await inviteAdmin(service);
      const { page } = await openDesk();
      // The pages are of the public address: what the browser asks there comes from the service of the test.
      await page.route('https://garage.example/**', async (route) => {
        const request = route.request();
        const { pathname, search } = new URL(request.url());
        const headers = { ...(await request.allHeaders()), host: 'garage.example' };
        await route.fulfill({ response: await route.fetch({ url: service.url + pathname + search, headers }) });
      });
      for (const address of [email, 'nobody@garage.example']) {
        await page.goto('https://garage.example/dashboard/forgotten');
        await page.getByLabel('E-mail').fill(address);
        await page.getByRole('button', { name: 'Send the link' }).click();
        await page.getByText(`If ${address} has an account here, a link is on its way.`).waitFor();
      }
      expect((await mail.taken(1)).map(({ envelope }) => envelope.to)).toEqual([[email]]);
    } finally {
      await service.close();
      await mail.close();
    }
  });

  test('over an open page: opens a tab of its own', async () => {
    const { page, context } = await dashboard.openSignedIn();
    await dashboard.open(page, 'keys/new?preset=website');
    await page.getByLabel('Name').fill('Stays');
    await endSessionAtWrite(page, context);
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    const opened = context.waitForEvent('page');
    await page.getByRole('dialog').getByRole('link', { name: 'Forgot password?' }).click();
    await heading(await opened, 'Forgotten password');
    expect(await page.getByLabel('Name').inputValue()).toBe('Stays');
  });
});

test.skipIf(skipWithoutBrowser)('a screen whose link ended says so, and gets a new link, which works', async () => {
  const { page } = await dashboard.openSignedIn();
  await dashboard.open(page, 'settings/screens');
  await page.getByLabel('Name').fill('Late wall');
  await page.getByRole('button', { name: 'Make the link' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Late wall' });
  await row.getByText('link not opened yet').waitFor();
  const { write } = dashboard.service.admin.database;
  await write.updateTable('oneTimeLinks').set({ endsAt: new Date().toISOString() }).where('purpose', '=', 'screen').execute();
  await page.reload();
  await row.getByText('link ended').waitFor();
  await row.getByRole('button', { name: 'New link for Late wall' }).click();
  await row.getByText('link not opened yet').waitFor();
  const wall = await openDesk();
  await wall.page.goto(await page.getByLabel(/Link, works once/).inputValue());
  await wall.page.getByRole('button', { name: 'Open the board on this screen' }).click();
  await wall.page.getByText('HH-7 73').first().waitFor();
  await page.reload();
  await row.getByText('just now').waitFor();
  await row.getByRole('button', { name: 'New link for Late wall' }).click();
  await row.getByText('new link ends in').waitFor();
  expect(unexpected(wall)).toEqual([]);
});

test.skipIf(skipWithoutBrowser)('a browser without JavaScript is told so', async () => {
  const { page } = await openDesk({ javaScriptEnabled: false });
  await dashboard.open(page, 'keys');
  await page.getByText('This page needs JavaScript.').waitFor();
  expect(await page.getByRole('heading').textContent()).toBe('Team dashboard');
});

test.skipIf(skipWithoutBrowser)(
  'a link that another device can open has a code to scan; one of a loopback address says what to do instead',
  async () => {
    const behind = await startDashboard({ publicUrl: new URL('https://garage.example') });
    onTestFinished(() => behind.service.close());
    for (const { own, isReachable } of [
      { own: dashboard, isReachable: false },
      { own: behind, isReachable: true },
    ]) {
      const { page } = await own.openSignedIn();
      await own.open(page, 'settings/screens');
      await page.getByLabel('Name').fill('Gate');
      await page.getByRole('button', { name: 'Make the link' }).click();
      const link = page.getByLabel(/Link, works once/);
      expect(await link.inputValue()).toMatch(isReachable ? /^https:\/\/garage\.example\// : /^http:\/\/127\.0\.0\.1:/);
      const [code, advice] = [
        page.getByRole('img', { name: 'The link for Gate as a code' }),
        page.getByText('start the service with --public-url'),
      ];
      await (isReachable ? code : advice).waitFor();
      expect(await (isReachable ? advice : code).count()).toBe(0);
    }
  },
);
