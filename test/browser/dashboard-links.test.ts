/** One-time links of the dashboard: for a password, and for a screen. */

import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { screenPages } from '../../src/contract/dashboard/pages.ts';
import { openDesk } from '../helpers/browser.ts';
import { inviteAdmin, password } from '../helpers/dashboard.ts';
import {
  ask,
  everyPage,
  givePassword,
  heading,
  startDashboard,
  unexpected,
} from '../helpers/dashboard-pages.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());
const { service, make } = dashboard;

describe('a link', () => {
  test('that is dead offers a browser with a session its dashboard, and no sign-in', async () => {
    const { page, email } = await dashboard.shared();
    await dashboard.open(page, `link#${'A'.repeat(43)}`);
    await heading(page, "This link doesn't work");
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    expect(await page.getByRole('link', { name: /Sign in/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await heading(page, 'Board');
  });

  test("that can't be read for now is not called used: it says why, and works with Try again", async () => {
    const { token } = await inviteAdmin(service);
    const { page } = await openDesk();
    const problem = {
      error: 'Rate limit exceeded. Retry in 4 s',
      code: 'rate_limited',
      details: { retryAfter: 4 },
    };
    const answers = [
      { status: 429, json: problem },
      { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
      { status: 500, json: {} },
    ];
    await page.route('**/dashboard/link', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      if (answers.length === 3) {
        await heading(page, 'One moment');
        await page.getByText('Loading …', { exact: true }).waitFor();
      }
      await route.fulfill(answers.shift());
    });
    await dashboard.open(page, `link#${token}`);
    await heading(page, "The link couldn't be read");
    expect(await page.getByRole('alert').textContent()).toBe('Rate limit exceeded. Retry in 4 s.');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.click();
    await page.getByText('The answer is not from this service. Is a proxy in between?').waitFor();
    await again.click();
    await page.getByText('The service answered 500.', { exact: true }).waitFor();
    await page.unroute('**/dashboard/link');
    await again.click();
    await heading(page, 'Welcome to First');
  });

  test('that is pasted into the tab with a dead one is read', async () => {
    const { token } = await inviteAdmin(service);
    const { page } = await openDesk();
    await dashboard.open(page, `link#${'A'.repeat(43)}`);
    await heading(page, "This link doesn't work");
    await page.evaluate(`location.hash = '${token}'`);
    await heading(page, 'Welcome to First');
    expect(page.url()).not.toContain(token);
    await givePassword(page, password);
    await heading(page, 'Board');
  });

  test('is used up by the first of two browsers that have it open', async () => {
    const { token } = await inviteAdmin(service);
    const [first, second] = [await openDesk(), await openDesk()];
    for (const { page } of [first, second]) await dashboard.open(page, `link#${token}`);
    for (const { page } of [first, second]) await heading(page, 'Welcome to First');
    await givePassword(first.page, password);
    await heading(first.page, 'Board');
    await givePassword(second.page, 'quite another sentence');
    await second.page.getByText('Ask for a new link').waitFor();
    expect((await ask(second.page, 'session')).body.data).toBeNull();
  });
});

describe('a screen', () => {
  test('adds a screen, whose link opens the wall and nothing else, and ends it', async () => {
    const { page } = await dashboard.shared();
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
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Hall A' }).waitFor({ state: 'detached' });
    expect((await ask(wall.page, 'api/v1/cars')).status).toBe(401);
  });

  test('ends a screen, which then shows a sentence without data and without a password, also after a reload', async () => {
    const { page } = await dashboard.openSignedIn({ as: 'screen' });
    await dashboard.open(page, 'board');
    await page.getByText('HH-7 73').first().waitFor();
    // The page asks whether it is still signed in, and reads when something changed: the reading comes first here.
    await page.route('**/dashboard/session', (route) => route.abort());
    await service.admin.database.write
      .deleteFrom('browserSessions')
      .where('role', '=', 'screen')
      .execute();
    await make.car();
    const said = page.getByText(
      'This screen was ended. A team admin can make a new link in Settings.',
    );
    const shown = async () => [
      await said.count(),
      await page.getByText('HH-7 73').count(),
      await page.getByLabel('Password').count(),
    ];
    await said.waitFor();
    expect(await shown()).toEqual([1, 0, 0]);
    await page.unroute('**/dashboard/session');
    await page.reload();
    await said.waitFor();
    expect(await shown()).toEqual([1, 0, 0]);
    expect(await page.title()).toBe('Screen · Team dashboard');
  });
});

test('a screen whose link ended says so, and gets a new link, which works', async () => {
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'settings/screens');
  await page.getByLabel('Name').fill('Late wall');
  await page.getByRole('button', { name: 'Make the link' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Late wall' });
  await row.getByText('link not opened yet').waitFor();
  const { write } = service.admin.database;
  await write
    .updateTable('oneTimeLinks')
    .set({ endsAt: new Date().toISOString() })
    .where('purpose', '=', 'screen')
    .execute();
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

test('a link that another device can open has a code to scan; one of a loopback address says what to do instead', async () => {
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
    expect(await link.inputValue()).toMatch(
      isReachable ? /^https:\/\/garage\.example\// : /^http:\/\/127\.0\.0\.1:/,
    );
    const [code, advice] = [
      page.getByRole('img', { name: 'The link for Gate as a code' }),
      page.getByText('start the service with --public-url'),
    ];
    await (isReachable ? code : advice).waitFor();
    expect(await (isReachable ? advice : code).count()).toBe(0);
    await own.open(page, `cars/${own.carId}?do=phone&car=${own.carId}`);
    const onPhone = page.getByRole('img', { name: 'Code that opens this car on a phone' });
    const words = page.getByText(
      'Scan the code: the phone opens this car and can take photos. They show up here.',
    );
    await page.getByLabel('Link, works once').waitFor();
    expect([await onPhone.count(), await words.count()]).toEqual(isReachable ? [1, 1] : [0, 0]);
  }
});
