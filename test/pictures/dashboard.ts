/** Pictures of the dashboard's pages, taken in a browser from the running demonstration with its clock stopped. */
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { scopes } from '../../src/contract/scopes.ts';
import { countKeyUsage } from '../../src/service/dashboard/key-usage.ts';
import { openStores } from '../../src/service/stores.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTerminal } from '../helpers/pseudo-terminal.ts';
import { leadTo, Samples, sampleUrl } from './dashboard-samples.ts';
import { type Look, picturesOf, type View, views } from './dashboard-views.ts';

const now = new Date('2026-05-04T07:40:00Z');
const timeZone = 'Europe/Berlin';
const dayMs = 86_400_000;
const password = 'three oil lamps and a jack';

/** The files by name, such as `keys.webp`. */
export async function takeDashboardPictures(): Promise<Record<string, Buffer>> {
  const pictures: Record<string, Buffer> = {};
  await onDemo(async (demo) => {
    for (const view of views)
      for (const { file, ...look } of picturesOf(view))
        pictures[file] = await sharp(await demo.take(view, look))
          .webp({ quality: 75, effort: 6 })
          .toBuffer();
  });
  return pictures;
}

export interface Demo {
  take(view: View, look: Look): Promise<Buffer>;
}

/** Runs a task with the demonstration and a browser. */
export async function onDemo(task: (demo: Demo) => Promise<void>): Promise<void> {
  const home = await makeFolder();
  const data = join(home, 'demo');
  const env = {
    HOME: home,
    CS_CONFIG_DIR: join(home, 'config'),
    CS_CACHE_DIR: join(home, 'cache'),
    TZ: timeZone,
    LANG: 'en_GB.UTF-8',
  };
  // Wide enough for the link.
  const service = startTerminal(['demo', '--keep', '--data', data], {
    env,
    cwd: home,
    columns: 160,
    rows: 60,
    now,
    patienceMs: 120_000,
  });
  let browser: Browser | undefined;
  try {
    const screen = await service.waitFor(
      /\/dashboard\/link#[\w-]{43}[\s\S]*keeps running here|keeps running here[\s\S]*\/dashboard\/link#[\w-]{43}/,
    );
    const [, serviceUrl = '', token = ''] =
      /(http:\/\/\S+)\/dashboard\/link#([\w-]{43})/.exec(screen) ?? [];
    browser = await launchChromium([leadTo(serviceUrl)]);
    const samples = new Samples(serviceUrl);
    const url = sampleUrl;
    const admin = await openContext(browser);
    const keyId = await prepare(admin, { url, token, data, samples });
    const nobody = await openContext(browser);
    const carId = await firstCarWithPhotos(admin, url);
    await task({
      async take(view, { colorScheme, width }) {
        const page = await (view.signedOut ? nobody : admin).newPage();
        try {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.setViewportSize({ width, height: width < 500 ? 720 : (view.height ?? 800) });
          await page.clock.setFixedTime(now);
          await samples.show(page);
          const link = view.needsLink ? await newLink(admin, url) : '';
          await page.goto(
            `${url}/dashboard/${view.path.replace('CAR', carId).replace('KEY', keyId).replace('LINK', link)}`,
          );
          await settle(page);
          await view.prepare?.(page);
          await settle(page);
          // The window as high as the page, so that what sticks to its edge is there.
          const height =
            view.height ?? Number(await page.evaluate('document.documentElement.scrollHeight'));
          if (width >= 500) await page.setViewportSize({ width, height });
          await samples.check(page, view.name);
          return await page.screenshot();
        } finally {
          await page.close();
        }
      },
    });
    service.press('ctrl-c');
    await service.exited;
  } finally {
    await browser?.close();
    service.close();
    await removeFolder(home);
  }
}

const openContext = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ locale: 'en-GB', timezoneId: timeZone });

/** Everything is read and drawn. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  // A function that the page itself repeats would be refused by its policy.
  while (
    await page.evaluate(
      "document.querySelector('.loading, .plot:empty') || [...document.images].some(({ complete }) => !complete)",
    )
  )
    await page.waitForTimeout(50);
  // The cursor of a field blinks.
  await page
    .addStyleTag({ content: '* { caret-color: transparent !important; }' })
    .catch(() => undefined);
}

/** Signs in, adds what a team has after some weeks, and returns the id of the key that is looked at. */
async function prepare(
  context: BrowserContext,
  { url, token, data, samples }: { url: string; token: string; data: string; samples: Samples },
): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/link#${token}`);
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('The same again').fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
  const add = (path: string, body: object): Promise<{ id: string; secret?: string }> =>
    ask(page, 'POST', path, body);
  const inDays = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
  const website = await add('keys', {
    name: 'Website',
    scopes: ['read:forms', 'write:forms', 'read:locations'],
    expiresAt: inDays(12),
  });
  const report = await add('keys', {
    name: 'Weekly report',
    scopes: scopes.filter((scope) => scope.startsWith('read:')),
    expiresAt: inDays(300),
  });
  const old = await add('keys', { name: 'Old site', scopes });
  const revoked = await add('keys', { name: 'Trial', scopes: ['read:cars'] });
  await ask(page, 'PATCH', `keys/${revoked.id}`, { revoked: true });
  await add('admins', { email: 'ingrid@garage.example', name: 'Ingrid' });
  await add('screens', { name: 'Hall A, above the gate' });
  const keys: { id: string; name: string; key: string }[] = await ask(
    page,
    'GET',
    'keys?limit=200',
  );
  samples.know(keys);
  const counter = keys.find(({ name }) => name === 'demo') as (typeof keys)[number];
  await useKeys(data, { website: website.id, report: report.id, old: old.id, counter: counter.id });
  await page.close();
  return website.id;
}

/** Requests of the last 90 days, and cars that came and went. */
async function useKeys(
  data: string,
  keys: { website: string; report: string; old: string; counter: string },
): Promise<void> {
  const { database } = await openStores({ data });
  try {
    const { id: teamId } = await database.read
      .selectFrom('teams')
      .select('id')
      .executeTakeFirstOrThrow();
    for (let day = 90; day >= 1; day -= 1) {
      const time = new Date(now.getTime() - day * dayMs);
      const usage = countKeyUsage(database, () => time);
      const isWorkday = ![0, 6].includes(time.getUTCDay());
      const wave = (most: number, seed: number) =>
        Math.round(most * (0.6 + 0.4 * Math.sin(day * 1.7 + seed)));
      const count = (keyId: string, requests: number, status = 200) => {
        for (let request = 0; request < requests; request += 1)
          usage.count({ teamId, keyId, status, upload: false });
      };
      count(keys.website, wave(80, 1));
      count(keys.website, wave(5, 2), 422);
      count(keys.counter, isWorkday ? wave(120, 3) : 0);
      count(keys.report, time.getUTCDay() === 1 ? 60 : 0);
      if (day > 41) count(keys.old, wave(20, 4));
      await usage.stop();
    }
    const used = async (id: string, at: Date) =>
      database.write
        .updateTable('apiKeys')
        .set({ lastUsedAt: at.toISOString() })
        .where('teamId', '=', teamId)
        .where('id', '=', id)
        .execute();
    await used(keys.website, new Date(now.getTime() - 2 * 60_000));
    await used(keys.report, now);
    await used(keys.old, new Date(now.getTime() - 41 * dayMs));
  } finally {
    await database.close();
  }
}

const newLink = async (context: BrowserContext, url: string): Promise<string> => {
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/settings/admins`);
  const admins = await ask(page, 'GET', 'admins?limit=200');
  const { link } = await ask(
    page,
    'POST',
    `admins/${admins.find(({ name }: { name: string }) => name === 'Ingrid').id}/links`,
    {},
  );
  await page.close();
  return String(link).split('#')[1] ?? '';
};

async function firstCarWithPhotos(context: BrowserContext, url: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/cars`);
  const cars: { id: string }[] = await askAt(page, 'GET', 'cars?limit=200');
  for (const { id } of cars)
    if ((await askAt(page, 'GET', `cars/${id}/photos`)).length > 0) {
      await page.close();
      return id;
    }
  throw new Error('No car of the demonstration has photos');
}

const ask = (page: Page, method: string, path: string, body?: object) =>
  askAt(page, method, `team/${path}`, body);

/** A request of the page itself, with its session. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of whatever the path names
const askAt = async (page: Page, method: string, path: string, body?: object): Promise<any> => {
  const init = {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  };
  const { data, error } = (await page.evaluate(
    `fetch('/dashboard/api/v1/${path}', ${JSON.stringify(init)}).then((answer) => answer.json())`,
  )) as { data?: unknown; error?: string };
  if (data === undefined) throw new Error(`${method} ${path}: ${error}`);
  return data;
};
