/** What keeps teams, sites and keys apart, as a browser sees it. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createKey } from '../../src/service/admin.ts';
import { ask, everyPage, loaded, startDashboard } from '../helpers/dashboard-pages.ts';
import { facility } from '../helpers/facility.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());
const { service, make } = dashboard;

const pages = [...everyPage, 'board?wall', 'cars?q=HH', 'occupancy?as=table', 'usage?as=table'];

test('two teams see nothing of each other in any page, stream, picture or plot', async () => {
  const theirs = facility(service, service.otherKey);
  const [ours, other] = [await dashboard.shared(), await dashboard.shared({ team: 'second' })];
  const { id: locationId } = await theirs.location({ name: 'Foreign hall' });
  const spot = await theirs.spot(locationId, { name: 'F1' });
  const car = await theirs.car({ licensePlate: 'XX-YZ 99' });
  const { sessionId } = await theirs.event(car.id, { parkingSpotId: spot.id });
  const photo = await theirs.photo(car.id, { sessionId });
  const { row } = await createKey(service.admin, {
    team: 'second',
    name: 'Foreign key',
    scopes: ['read:cars'],
  });
  await dashboard.open(other.page, 'cars');
  await other.page.getByText('XX-YZ 99').waitFor();

  const { page } = ours;
  for (const path of pages) {
    await dashboard.open(page, path);
    await loaded(page);
    expect([path, (await page.content()).match(/XX-YZ|Foreign|second|F1/g)]).toEqual([path, null]);
  }
  for (const path of [
    `cars/${car.id}`,
    `keys/${row.id}`,
    `keys/${row.id}?do=revoke`,
    `keys/new?for=${row.id}`,
    `board?location=${locationId}`,
  ]) {
    await dashboard.open(page, path);
    await loaded(page);
    expect([path, (await page.content()).match(/XX-YZ|Foreign/g)]).toEqual([path, null]);
  }
  expect((await ask(page, `photos/${photo.id}?width=320`)).status).toBe(404);
  expect((await ask(page, `api/v1/cars/${car.id}/photos/${photo.id}/content`)).status).toBe(404);
  expect((await ask(page, `api/v1/team/covers?ids=${car.id}`)).body.data).toEqual([]);
  expect((await ask(page, `api/v1/team/occupancy?locationId=${locationId}`)).status).toBe(404);
  const usage = (await ask(page, 'api/v1/team/usage')).body as unknown as {
    data: { rows: { keyId: string }[] };
  };
  expect(usage.data.rows.filter(({ keyId }) => keyId === row.id)).toEqual([]);

  // A change of the other team isn't told.
  await page.evaluate(
    `window.told = 0; new EventSource('/dashboard/events').addEventListener('changed', () => { window.told += 1; })`,
  );
  await expect.poll(() => page.evaluate('window.told')).toBe(1);
  await theirs.car();
  await make.car();
  await expect.poll(() => page.evaluate('window.told')).toBeGreaterThan(1);
  expect(await page.evaluate('window.told')).toBe(2);
});

test('a page of another site writes nothing and reads nothing, also with the cookie of an admin', async () => {
  const site = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<title>x</title><h1>Another site</h1>'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  try {
    const { page } = await dashboard.shared();
    await dashboard.open(page, 'keys');
    await loaded(page);
    // Another port of the same machine is the same site, so that the browser sends the cookie.
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const target = `${service.url}/dashboard/api/v1/team/integration`;
    const forge = (init: string) =>
      page.evaluate(
        `fetch('${target}', ${init}).then(({ status, type }) => type + status, () => 'refused')`,
      );
    const body = 'body: JSON.stringify({ apiEnabled: false })';
    const written = service.admin.database.read
      .selectFrom('teams')
      .select('apiEnabled')
      .where('slug', '=', 'first');
    expect(
      await forge(
        `{ method: 'PATCH', credentials: 'include', headers: { 'content-type': 'application/json' }, ${body} }`,
      ),
    ).toBe('refused');
    expect(
      await forge(
        `{ method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, ${body} }`,
      ),
    ).toBe('opaque0');
    expect(await forge("{ credentials: 'include' }")).toBe('refused');
    await page.evaluate(`{
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '${service.url}/dashboard/session', enctype: 'text/plain' });
      document.body.append(form);
      form.submit();
    }`);
    await page.waitForURL('**/dashboard/session');
    expect(await page.textContent('body')).toMatch(/application\/json|another site/);
    expect(await written.executeTakeFirstOrThrow()).toEqual({ apiEnabled: true });
    // Nor is the dashboard shown inside another page.
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${service.url}/dashboard/keys' }))`,
    );
    await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/chrome-error|dashboard/);
    expect(await page.frames().at(-1)?.getByRole('heading').count()).toBe(0);
  } finally {
    site.close();
  }
});

test('nothing secret is in an address, the history, or what the browser stores', async () => {
  const { page } = await dashboard.shared();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await dashboard.open(page, 'keys/new?preset=website');
  await page.getByLabel('Name').fill('Secret');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  const key = await page.getByLabel('Key “Secret”').inputValue();
  const cookie = (await page.context().cookies())[0];
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/dashboard' });
  expect(await page.evaluate('document.cookie')).toBe('');
  const stored = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
  );
  const secrets = [key.split('.')[1] as string, cookie?.value as string];
  for (const secret of secrets)
    expect(
      [...addresses, page.url(), stored].filter((text) => String(text).includes(secret)),
    ).toEqual([]);
});
