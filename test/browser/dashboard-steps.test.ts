/** A form on a page, one in a panel, and a button, over a cut connection, a reload and Back: nothing is stored twice, and the answers are kept. */
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { heading, loaded, setNoon, startDashboard } from '../helpers/dashboard-pages.ts';
import { facility, inHours } from '../helpers/facility.ts';

const dashboard = await startDashboard();
await setNoon(dashboard);
afterAll(() => dashboard.close());
const { service } = dashboard;
const make = facility(service, service.otherKey);
const times = { startAt: inHours(0.1), endAt: inHours(0.2) };
const { id: visitId } = await make.appointment({ ...times, title: 'Wash' });
const { id: requestId } = await make.appointment({
  ...times,
  title: 'Polish',
  status: 'pending_approval',
});

interface Step {
  readonly path: () => string;
  readonly fields: readonly (readonly [label: string, value: string])[];
  readonly submit: string | RegExp;
  readonly request: RegExp;
  /** What is stored of it. */
  readonly stored: () => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
  /** Offers no repeat once it is stored. */
  readonly isOver?: boolean;
}

const steps: Readonly<Record<string, Step>> = {
  'a location': {
    path: () => 'board',
    fields: [['Name of the location', 'Harbour']],
    submit: 'Add the location',
    request: /\/locations$/,
    stored: async () => (await make.read('/locations')).map(({ name }: { name: string }) => name),
    before: [],
    after: ['Harbour'],
  },
  'another time': {
    path: () => `today?do=reschedule&appointment=${visitId}`,
    fields: [['New time', '2090-05-04T10:00']],
    submit: 'Change the time',
    request: /\/appointments\//,
    stored: async () => (await make.read(`/appointments/${visitId}`)).startAt.startsWith('2090'),
    before: false,
    after: true,
  },
  'an approval': {
    path: () => 'today',
    fields: [],
    submit: 'Accept Polish',
    request: /\/appointments\//,
    stored: async () => (await make.read(`/appointments/${requestId}`)).status,
    before: 'pending_approval',
    after: 'accepted',
    isOver: true,
  },
};

/** Cuts the connection of the next write, before the service has it or after it has stored it. */
async function cut(page: Page, request: RegExp, when: 'before' | 'after'): Promise<void> {
  let isCut = false;
  await page.route(request, async (route) => {
    if (isCut || route.request().method() === 'GET') return route.fallback();
    isCut = true;
    if (when === 'after') await route.fetch();
    await route.abort();
  });
}

test.each(Object.entries(steps))(
  '%s',
  async (_name, { path, fields, submit, request, stored, before, after, isOver }) => {
    const { page } = await dashboard.shared({ as: 'staff', team: 'second' });
    const send = () => page.getByRole('button', { name: submit, exact: true }).click();
    const isRefused = () =>
      page
        .getByText("The service can't be reached. Nothing is lost: try again when it is back.")
        .first()
        .waitFor();
    const areKept = async () => {
      for (const [label, value] of fields)
        expect(await page.getByLabel(label).inputValue()).toBe(value);
    };
    await dashboard.open(page, 'settings');
    await heading(page, /Settings/);
    await dashboard.open(page, path());
    for (const [label, value] of fields) await page.getByLabel(label).fill(value);
    await cut(page, request, 'before');
    await send();
    await isRefused();
    await areKept();
    expect(await stored()).toEqual(before);
    await page.goBack();
    await heading(page, /Settings/);
    await page.goForward();
    await loaded(page);
    await areKept();
    await cut(page, request, 'after');
    await send();
    await isRefused();
    if (!isOver) {
      await page.reload();
      await loaded(page);
      await send();
      await page.locator('.done .notice').waitFor();
    }
    await expect.poll(stored).toEqual(after);
  },
);

test('a code for a phone that could not be made says so and is made again; Back ends it', async () => {
  const { page } = await dashboard.shared({ as: 'staff' });
  const links = () =>
    dashboard.service.admin.database.read
      .selectFrom('oneTimeLinks')
      .select('id')
      .where('purpose', '=', 'phone')
      .execute();
  await dashboard.open(page, `cars/${dashboard.carId}`);
  await cut(page, /phone-links/, 'before');
  await page.getByRole('link', { name: 'From a phone…' }).click();
  await page.getByText(/^The service can't be reached/).waitFor();
  expect(await links()).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Link, works once').waitFor();
  expect(await links()).toHaveLength(1);
  await page.reload();
  await page.getByLabel('Link, works once').waitFor();
  await expect.poll(links).toHaveLength(1);
  await page.goBack();
  await expect.poll(links).toEqual([]);
});
