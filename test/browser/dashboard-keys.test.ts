/** Keys and the switch, in the dashboard's pages. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/service/admin.ts';
import { openDesk } from '../helpers/browser.ts';
import { inviteAdmin, password } from '../helpers/dashboard.ts';
import {
  ask,
  type Dashboard,
  heading,
  loseNextAnswer,
  readingsOf,
  startDashboard,
  unexpected,
} from '../helpers/dashboard-pages.ts';
import { facility } from '../helpers/facility.ts';
import { fillKeys } from '../helpers/volume.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());
const { service } = dashboard;

const me = (key: string) => service.call('GET', '/me', undefined, key);
const create = (page: Page) => page.getByRole('button', { name: 'Create key', exact: true });
const keysOf = async (page: Page) =>
  (await ask(page, 'api/v1/team/keys?limit=200')).body.data as { id: string; name: string }[];

describe('an admin', () => {
  test('opens the link, sets a password, creates a key that works, and revokes it', async () => {
    const { email, token } = await inviteAdmin(service);
    const opened = await openDesk();
    const { page } = opened;
    await dashboard.open(page, `link#${token}`);
    await heading(page, 'Welcome to First');
    expect(page.url()).not.toContain(token);
    await page.getByLabel('New password').fill('too short');
    await page.getByLabel('The same again').fill('too short');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText(/New password: .*15/).waitFor();
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('The same again').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await heading(page, 'Board');

    await page.getByRole('link', { name: 'Keys' }).click();
    await heading(page, 'Keys');
    // The title has the focus a moment after it is there.
    await page.locator('h1:focus').waitFor();
    await page.getByRole('link', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Website');
    await page.getByRole('button', { name: /^Read everything/ }).click();
    await page.getByText(/“Website” may read everything\. It works until/).waitFor();
    await create(page).dblclick();
    const key = await page.getByLabel('Key “Website”').inputValue();
    expect(await me(key)).toMatchObject({ status: 200, body: { data: { keyName: 'Website' } } });
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    // It was used a moment ago, though its requests aren't stored yet.
    await page
      .getByRole('row')
      .filter({ hasText: 'Website' })
      .getByText('not counted yet')
      .waitFor();
    await page.getByRole('link', { name: 'Website' }).click();
    await heading(page, 'Website');
    await page.getByText('0 in the last 24 hours. The last minute may be missing.').waitFor();
    // A double click made one key.
    expect((await keysOf(page)).filter(({ name }) => name === 'Website')).toHaveLength(1);
    expect(await page.content()).not.toContain(key.split('.')[1]);

    await page.getByRole('link', { name: 'Revoke…' }).click();
    await page.getByRole('dialog').getByText('Last used').waitFor();
    await page
      .getByRole('dialog')
      .getByText('0 requests. The last minute may be missing.')
      .waitFor();
    await page.getByLabel(/Type its name/).fill('Website');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(new RegExp(`revoked \\d.* by ${email}`)).waitFor();
    expect(await me(key)).toMatchObject({ status: 401 });
    await page.getByRole('link', { name: 'Log of this key' }).click();
    await page.getByRole('cell', { name: /Key revoked: “Website”/ }).waitFor();
    expect(await page.getByRole('cell', { name: /Key/ }).count()).toBe(2);
    expect(await page.getByRole('cell', { name: /Sign-in/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('something else entirely');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('alert')
      .getByText(/password/i)
      .waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Board');
    expect(unexpected(opened)).toEqual([]);
  });

  test('switches the integration off and on, and goes on working', async () => {
    const opened = await dashboard.shared();
    const { page } = opened;
    await dashboard.open(page, 'keys');
    await page.getByRole('link', { name: 'Turn off…' }).click();
    await page.getByText('every key of the team is refused').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Turn off…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Integration is off:').waitFor();
    expect(await me(service.key)).toMatchObject({ status: 403 });
    await page.getByRole('link', { name: 'Cars' }).click();
    await page.getByRole('link', { name: /HH-7 73/ }).waitFor();
    await page.getByText('Integration is off:').waitFor();
    await page.getByRole('link', { name: 'Keys' }).first().click();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Integration is off:').waitFor({ state: 'detached' });
    expect(await me(service.key)).toMatchObject({ status: 200 });
    expect(unexpected(opened)).toEqual([]);
  });

  test('creates a key with Tab, Space and Enter alone', async () => {
    const { page } = await dashboard.shared();
    await dashboard.open(page, 'keys/new');
    await page.getByLabel('Name').waitFor();
    await page.keyboard.type('By keyboard');
    const press = async (key: string, until: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press(key);
        if (
          (await page.evaluate(
            "document.activeElement.closest('label, button')?.textContent ?? ''",
          )) === until
        )
          return;
      }
      throw new Error(`Tab never reached ${until}`);
    };
    await press('Tab', 'Read everythingReports and backups: every list, no writes');
    await page.keyboard.press('Space');
    await press('Tab', 'Create key');
    await page.keyboard.press('Enter');
    await page.getByLabel('Key “By keyboard”').waitFor();
    await press('Tab', 'I have stored it');
    await page.keyboard.press('Space');
    await press('Tab', 'Done');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'By keyboard' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
  });

  test('replaces a key, watches the old one fall silent, and revokes it', async () => {
    const { key: old } = await createKey(service.admin, {
      team: 'first',
      name: 'Shop',
      scopes: ['read:cars'],
    });
    expect(await me(old)).toMatchObject({ status: 200 });
    const [prefixOf, hoursAgo] = [
      (key: string) => key.slice(4).split('.')[0] as string,
      (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString(),
    ];
    const set = (key: string, values: { createdAt?: string; lastUsedAt?: string }) =>
      service.admin.database.write
        .updateTable('apiKeys')
        .set(values)
        .where('prefix', '=', prefixOf(key))
        .execute();
    const opened = await dashboard.shared();
    const { page } = opened;
    await dashboard.open(page, 'keys');
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('link', { name: 'Replace…' }).click();
    await heading(page, 'Replace a key');
    await page.getByText('may read cars. It works').waitFor();
    await create(page).click();
    const fresh = await page.getByLabel('Key “Shop”').inputValue();
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('This key is still in use. Give the new one to the program').waitFor();
    // Silent, but the new one wasn't used: its program would stop.
    await set(old, { lastUsedAt: hoursAgo(2) });
    await page.reload();
    await page.getByText('The new one was not used yet: give it to the program').waitFor();
    expect(await page.locator('.button.danger').count()).toBe(0);
    await set(old, { lastUsedAt: hoursAgo(0) });
    expect([(await me(old)).status, (await me(fresh)).status]).toEqual([200, 200]);
    // Where the old one is used on, a day later the list reminds of it.
    await set(fresh, { createdAt: hoursAgo(25) });
    await page.reload();
    await page.getByText('look for the program without the new one').waitFor();
    await dashboard.open(page, 'keys');
    await page.getByText('replaced 1 day ago, not revoked yet').waitFor();
    // Silent for an hour.
    await set(old, { lastUsedAt: hoursAgo(2) });
    await page.getByRole('row').filter({ hasText: 'not revoked yet' }).getByRole('link').click();
    await page
      .getByText('silent for an hour, and the new one is in use: this one can be revoked')
      .waitFor();
    await page.getByRole('link', { name: 'Revoke this key…' }).click();
    // It was used two hours ago.
    await page.getByLabel(/Type its name/).fill('Shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/revoked \d/).waitFor();
    expect([(await me(old)).status, (await me(fresh)).status]).toEqual([401, 200]);
    // From the revoked key to the one that took its place, and back.
    await page.getByRole('link', { name: `Shop (csk_${prefixOf(fresh)}…)` }).click();
    await page.getByRole('link', { name: `Shop (csk_${prefixOf(old)}…)` }).waitFor();
    expect(await page.getByText('Replaces', { exact: true }).count()).toBe(1);
    expect(opened.complaints).toEqual([]);
  });

  test('replaces a key that has expired', async () => {
    const { row } = await createKey(service.admin, {
      team: 'first',
      name: 'Till',
      scopes: ['read:cars'],
    });
    await service.admin.database.write
      .updateTable('apiKeys')
      .set({ expiresAt: new Date(Date.now() - 3_600_000).toISOString() })
      .where('id', '=', row.id)
      .execute();
    const { page } = await dashboard.shared();
    await dashboard.open(page, `keys/${row.id}`);
    await page.getByText(/^expired /).waitFor();
    expect(await page.getByRole('link', { name: /…$/ }).allTextContents()).toEqual(['Replace…']);
    await page.getByRole('link', { name: 'Replace…' }).click();
    await page.getByText('The new key gets the scopes of “Till”, which no longer works.').waitFor();
    await create(page).click();
    await page.getByLabel('Key “Till”').waitFor();
  });

  test('a day in the past as the end of a key is refused, and a key whose answer was lost is not shown later', async () => {
    const { page } = await dashboard.shared();
    await dashboard.open(page, 'keys/new?preset=website');
    await page.getByLabel('Name').fill('Old');
    await page.getByLabel('On a date').check();
    await page.getByLabel('Last day').fill('2020-01-01');
    expect(await page.getByText('1 Jan 2020 is in the past. Choose a later day.').count()).toBe(2);
    expect(await page.getByText(/works until/i).count()).toBe(0);
    await page.getByLabel('In 30 days').check();
    await loseNextAnswer(page, '**/team/keys');
    await create(page).click();
    await page.getByText(/^The service can't be reached/).waitFor();
    await create(page).click();
    await page.getByRole('heading', { name: 'Key created, and shown before' }).waitFor();
    await page.getByRole('link', { name: 'Open Old' }).click();
    await heading(page, 'Old');
  });
});

describe('with 60 keys', () => {
  let many: Dashboard;
  beforeAll(async () => {
    many = await startDashboard();
    await fillKeys(many.service.admin, 'first');
  });
  afterAll(() => many?.close());

  test.each(['keys', 'usage'])(
    '%s are read once, a change by anyone reads that change, and formats of dates are made once',
    async (path) => {
      const { page, complaints } = await many.openSignedIn();
      await page.addInitScript(`
        globalThis.formatsMade = 0;
        Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
          construct(made, given) { formatsMade += 1; return new made(...given); },
        });`);
      const readings = readingsOf(page);
      await many.open(page, path);
      await page.getByRole('row').filter({ hasText: 'Program 60' }).waitFor();
      const change = page.waitForResponse(/team\/integration/);
      await facility(many.service).customer();
      await change;
      await expect
        .poll(() => readings.toSorted())
        .toEqual([
          ...['team/integration', 'team/integration', 'team/keys'],
          ...(path === 'keys' ? ['team/keys since'] : []),
          'team/usage',
        ]);
      // A few for each zone, in place of one for each row. The plot makes its own when it is drawn.
      expect(await page.evaluate('formatsMade')).toBeLessThan(12);
      expect(complaints).toEqual([]);
    },
  );

  test('the question before the integration is turned off is in sight, and names no key until asked', async () => {
    const { page } = await many.shared();
    await page.setViewportSize({ width: 1280, height: 400 });
    await many.open(page, 'keys?do=turn-off');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    expect(
      await dialog.evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop),
    ).toBe(0);
    const name = dialog.getByText('Program 1', { exact: true });
    expect(await name.isVisible()).toBe(false);
    await dialog.getByText(/Used in the last 24 hours: \d+ keys/).click();
    await name.waitFor();
  });
});
