/** Signing in to the dashboard, and who is let in to what. */

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { inTeam } from '../../src/service/admin.ts';
import { smtpTransport } from '../../src/service/outbox/smtp.ts';
import { type Mailbox, readMailbox, readSmtpUrl } from '../../src/service/outbox/smtp-settings.ts';
import { addLink, requireAdmin } from '../../src/service/team/accounts.ts';
import { openDesk } from '../helpers/browser.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { inviteAdmin, password, signInAdmin } from '../helpers/dashboard.ts';
import {
  ask,
  giveCookie,
  givePassword,
  heading,
  startDashboard,
  unexpected,
} from '../helpers/dashboard-pages.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { startTestService } from '../helpers/service.ts';
import { withoutHeader } from '../helpers/without-header.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());
const { service } = dashboard;

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

describe('an admin', () => {
  test('with a wrong password six times is told how long to wait; a link works at once', async () => {
    const { email, id } = await signInAdmin(service);
    const opened = await openDesk();
    const { page } = opened;
    await dashboard.open(page, 'keys');
    const texts = new Set<string | undefined>();
    for (let at = 0; at < 6; at++) {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await signIn(page, email, `wrong sentence number ${at}`);
      await answered;
      await page.getByRole('alert').locator('p').waitFor();
      texts.add(
        (await page.getByRole('alert').textContent())?.replace(/\d+ seconds?/, 'N seconds'),
      );
    }
    expect([...texts]).toEqual([
      'The e-mail address or the password is wrong.',
      'Too many attempts. Wait N seconds, then try again.',
    ]);
    const waitUntil = new Date(Date.now() + 10 * 60_000).toISOString();
    await service.admin.database.write
      .updateTable('admins')
      .set({ waitUntil })
      .where('id', '=', id)
      .execute();
    await signIn(page, email, password);
    await page.getByText('Too many attempts. Wait 10 minutes').waitFor();
    const { token } = await inTeam(service.admin, 'first', async (context) =>
      addLink(context, 'test', await requireAdmin(context, id)),
    );
    await page.goto('about:blank');
    await dashboard.open(page, `link#${token}`);
    await heading(page, 'A new password');
    await givePassword(page, 'another sentence with words');
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
    expect(await page.title()).toBe('Sign in again · Team dashboard');
    expect(await page.getByLabel('Name').isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe(email);
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    const key = await page.getByLabel('Key “In the middle”').inputValue();
    expect(await page.title()).toBe('Create a key · First');
    expect(await service.call('GET', '/me', undefined, key)).toMatchObject({
      status: 200,
      body: { data: { keyName: 'In the middle' } },
    });
  });

  test('who signs out leaves no data behind, also for Back, and a sign-out that fails says why', async () => {
    const { page } = await dashboard.openSignedIn();
    await page.clock.install();
    const answer = await dashboard.open(page, 'keys');
    expect(answer?.headers()['cache-control']).toBe('no-store');
    await heading(page, 'Keys');
    // Without content the browser stays at this page, as Back would show it.
    await page.route('**/dashboard/sign-in', (route) => route.fulfill({ status: 204 }));
    const data = page.getByRole('heading', { name: 'Keys', includeHidden: true });
    const leave = page.getByRole('button', { name: 'Sign out' });
    let answers = 0;
    await page.route('**/dashboard/session', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      answers += 1;
      if (answers === 1) return route.abort();
      // The session ended, but its answer was lost.
      await route.fetch();
      await route.fulfill({ status: 401, json: { error: 'Gone', code: 'sign_in_required' } });
    });
    await leave.click();
    const told = page.getByText("The service can't be reached.");
    await told.waitFor();
    expect(await data.count()).toBe(1);
    // It fades.
    await page.clock.runFor(10_000);
    await told.waitFor({ state: 'detached' });
    await leave.click();
    await page.getByLabel('Password').waitFor();
    expect(await data.count()).toBe(0);
  });

  test('who signed out meanwhile sees no data with Back, also in a page that the browser kept', async () => {
    // Chromium keeps no page with this header, and other browsers may.
    const place = await withoutHeader(service.url, 'cache-control');
    const browser = await launchChromium([], { keepsPages: true });
    onTestFinished(async () => {
      await browser.close();
      place.close();
    });
    const context = await browser.newContext();
    const page = await context.newPage();
    await giveCookie({ context, page, complaints: [] }, service, await signInAdmin(service));
    await page.addInitScript(
      "addEventListener('pageshow', ({ persisted }) => persisted && sessionStorage.setItem('kept', 'yes'))",
    );
    await page.goto(`${place.url}/dashboard/keys`);
    await heading(page, 'Keys');
    await page.goto(`${place.url}/api/v1/openapi.json`);
    await context.clearCookies();
    await page.goBack();
    await heading(page, 'Team dashboard');
    expect(await page.evaluate("sessionStorage.getItem('kept')")).toBe('yes');
    expect(await page.getByRole('heading', { name: 'Keys', includeHidden: true }).count()).toBe(0);
  });

  test('whose session another admin ends is signed out at once, and sees no more data', async () => {
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
    expect(
      await opened.page
        .getByRole('table', { includeHidden: true })
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    expect(
      await opened.page.getByRole('heading', { name: 'Keys', includeHidden: true }).isVisible(),
    ).toBe(false);
    expect((await ask(opened.page, 'session')).body.data).toBeNull();
  });
});

describe('a forgotten password', () => {
  test('where e-mail is sent: asks for the address, and tells nobody whether it has an account', async () => {
    const mail = await startMailServer();
    const transport = smtpTransport({
      server: readSmtpUrl(mail.url),
      from: readMailbox('office@garage.example') as Mailbox,
    });
    const service = await startTestService({
      transport: transport,
      dashboard: { publicUrl: new URL('https://garage.example') },
    });
    try {
      const { email } = await inviteAdmin(service);
      const { page } = await openDesk();
      // The pages are of the public address: what the browser asks there comes from the service of the test.
      await page.route('https://garage.example/**', async (route) => {
        const request = route.request();
        const { pathname, search } = new URL(request.url());
        const headers = { ...(await request.allHeaders()), host: 'garage.example' };
        await route.fulfill({
          response: await route.fetch({ url: service.url + pathname + search, headers }),
        });
      });
      for (const address of [email, 'nobody@garage.example']) {
        await page.goto('https://garage.example/dashboard/forgotten');
        await page.getByText('You get an e-mail with a link to set a new one.').waitFor();
        await page.getByLabel('E-mail').fill(address);
        await page.getByRole('button', { name: 'Send the link' }).click();
        await heading(page, 'Look at your e-mail');
        await page
          .getByText(
            `If ${address} has an account here, a link is on its way. It works once, for an hour.`,
          )
          .waitFor();
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

test('a browser without JavaScript is told so', async () => {
  const { page } = await openDesk({ javaScriptEnabled: false });
  await dashboard.open(page, 'keys');
  await page.getByText('This page needs JavaScript.').waitFor();
  expect(await page.getByRole('heading').textContent()).toBe('Team dashboard');
});
