/** The page for the phone in a real browser: an iPhone's viewport, over this machine's own address. */
import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderWith, jpeg } from '../cli/commands/counter/counter.ts';
import { openPhone } from '../helpers/browser.ts';
import { textOf } from '../helpers/page-text.ts';
import { openPhoneCounter, ownAddress, phoneAt } from '../helpers/phone-counter.ts';

let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(400, 300, { gps: true });
});

/** The same picture under other bytes: what follows the end of a JPEG is ignored. */
const photos = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `IMG_${String(index + 1).padStart(4, '0')}.jpeg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([photo, Buffer.from(`photo ${index + 1}`)]),
  }));

describe('the page', () => {
  test('sends what is chosen, says so, and complains about nothing', async () => {
    const counter = await openPhoneCounter();
    const { page, complaints } = await openPhone();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(counter.url);
    await page.getByText('HH-RS 73 · drop-off').waitFor();
    if (ownAddress !== '127.0.0.1') expect(await page.evaluate('isSecureContext')).toBe(false);
    expect(await page.getAttribute('#camera', 'capture')).toBe('environment');
    expect(await page.getAttribute('#library', 'accept')).toBe('image/jpeg,image/png,image/webp');

    await page.setInputFiles('#camera', photos(1));
    await page.getByText('1 of 1 is at the counter. You can close this page.').waitFor();
    await page.setInputFiles('#library', photos(4).slice(1));
    await page.getByText('4 of 4 are at the counter.').waitFor();
    expect(await page.locator('li.received').count()).toBe(4);
    expect(counter.reception.state.phone).toEqual({
      id: expect.any(String),
      device: 'iPhone',
      address: ownAddress,
    });
    expect((await readdir(counter.folder)).sort()).toEqual(photos(4).map(({ name }) => name));
    expect(await readFile(join(counter.folder, 'IMG_0003.jpeg'))).toEqual(photos(3)[2]?.buffer);

    // Each with its picture.
    await page.waitForFunction(
      "[...document.querySelectorAll('li img')].every(({ naturalWidth }) => naturalWidth === 400)",
    );
    expect(complaints).toEqual([]);
    // The secret stays in the phone.
    expect(
      requests.filter((url) => !url.startsWith(`${counter.origin}/`) && !/^(data|blob):/.test(url)),
    ).toEqual([]);
    expect(
      requests.filter(
        (url) => new URL(url).pathname !== '/' && url.includes(counter.reception.secret),
      ),
    ).toEqual([]);
  });

  test('has a button for each photo of the list that is missing, and names what it sends', async () => {
    const counter = await openPhoneCounter({ checklist: ['front', 'rear', 'damage'] });
    const { page, complaints } = await openPhone();
    await page.goto(counter.url);
    const buttons = () => page.locator('#wanted .button:visible').allInnerTexts();
    await expect.poll(buttons).toEqual(['front', 'rear', 'damage']);
    const [one, other] = photos(2);
    await page
      .locator('#wanted')
      .getByLabel('rear')
      .setInputFiles([one as never]);
    await page.getByText('1 of 1 is at the counter.').waitFor();
    expect(await buttons()).toEqual(['front', 'damage']);
    expect(counter.reception.photos().map(({ filename }) => filename)).toEqual(['rear.jpeg']);
    expect(counter.reception.missing()).toEqual(['front', 'damage']);
    // From the library, under its own name.
    await page.setInputFiles('#library', [{ ...(other as object), name: 'front.jpeg' } as never]);
    await page.getByText('2 of 2 are at the counter.').waitFor();
    expect(await buttons()).toEqual(['damage']);
    await page.reload();
    await expect.poll(buttons).toEqual(['damage']);
    expect(complaints).toEqual([]);
  });

  test('a connection that is cut in the middle, then a reload: each photo arrives once, also one that is chosen again', async () => {
    const counter = await openPhoneCounter();
    const { page } = await openPhone();
    await page.goto(counter.url);
    await page.locator('#actions').waitFor();
    await page.setInputFiles('#library', photos(8));
    await counter.until(() => counter.reception.photos().length >= 3);
    await counter.cut();
    await page.getByText('8 of 8 are at the counter.').waitFor();
    const arrived = () => counter.reception.photos().map(({ filename }) => filename);
    const named = (count: number) => photos(count).map(({ name }) => name);
    expect(arrived()).toEqual(named(8));
    await page.reload();
    await page.getByText('8 of 8 are at the counter.').waitFor();
    await page.setInputFiles('#library', photos(9).slice(7));
    await page.getByText('9 of 9 are at the counter.').waitFor();
    expect(arrived()).toEqual(named(9));
    expect(await page.locator('li.copy').textContent()).toContain(
      'The same photo is at the counter already',
    );
  });

  test('what is no photo, and what is too large, is told and holds no other; without a counter a photo is kept', async () => {
    const counter = await openPhoneCounter();
    const { page } = await openPhone();
    await page.goto(counter.url);
    await page.locator('#actions').waitFor();
    const [good] = photos(1);
    const folder = await folderWith({
      'notes.jpeg': 'no photo',
      'huge.jpeg': '',
      'IMG_0001.jpeg': good?.buffer ?? '',
    });
    await truncate(join(folder, 'huge.jpeg'), 41_000_000);
    await page.setInputFiles(
      '#library',
      ['notes.jpeg', 'huge.jpeg', 'IMG_0001.jpeg'].map((name) => join(folder, name)),
    );
    await page.getByText('1 of 1 is at the counter. 2 were refused: see below.').waitFor();
    expect(await page.getAttribute('#status', 'class')).toBe('');
    expect(await page.locator('li', { hasText: 'huge.jpeg' }).textContent()).toContain(
      'Larger than 40 MB',
    );
    const notes = await page.locator('li', { hasText: 'notes.jpeg' }).textContent();
    expect(notes).toContain("It isn't a supported photo type");
    expect(notes).not.toContain(counter.folder);
    // Neither passes another time.
    expect(await page.locator('li.refused button:visible').count()).toBe(0);
    expect(counter.reception.photos()).toHaveLength(1);
    expect(await readdir(counter.folder)).toEqual(['IMG_0001.jpeg']);

    await counter.server.close();
    await page.setInputFiles('#library', photos(2).slice(1));
    await page
      .getByText('No connection to the counter. If it has gone on, close this page')
      .waitFor();
    expect(await page.locator('li.waiting').count()).toBe(1);
  });

  test('reads as texts/phone.txt has it, in each state', async () => {
    let isFull = false;
    const counter = await openPhoneCounter({
      checklist: ['front', 'damage'],
      keep: (usual) => async (name, bytes) =>
        isFull ? { refused: 'The disk is full', again: true } : usual(name, bytes),
    });
    const { page } = await openPhone();
    // No try comes by itself.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    const texts: string[] = [];
    const see = async (state: string, told: string | RegExp) => {
      await page.getByText(told).first().waitFor();
      texts.push(`# ${state}`, await page.title(), await textOf(page.locator('body')), '');
    };
    await page.route('**/hello', (route) => route.abort());
    await page.goto(counter.url);
    await see('not in the same network', /^No connection/);
    await page.unroute('**/hello');
    await page.evaluate("dispatchEvent(new Event('online'))");
    await see('connected', 'HH-RS 73');
    // Without a chooser, which nobody would close.
    await page.evaluate(
      "document.body.addEventListener('click', (event) => event.preventDefault(), { once: true }), document.getElementById('library').click()",
    );
    await see('photos are being chosen', /^Preparing/);
    await page.locator('#library').dispatchEvent('cancel');
    const [one, other, third] = photos(3);
    await page.setInputFiles('#library', [one as never, { ...one, name: 'again.jpeg' } as never]);
    await see('one photo twice', /^1 of 1/);
    const folder = await folderWith({ 'gone.jpeg': other?.buffer ?? '', 'notes.jpeg': 'none' });
    await counter.server.close();
    await page.setInputFiles('#library', [{ ...other, name: 'front.jpeg' } as never]);
    await see('the counter has gone', /^No connection/);
    await page.setInputFiles(
      '#library',
      ['gone.jpeg', 'notes.jpeg'].map((name) => join(folder, name)),
    );
    await rm(join(folder, 'gone.jpeg'));
    await counter.cut();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await see('it is back, and two were refused', /2 were refused/);
    isFull = true;
    await page.setInputFiles('#library', [third as never]);
    await see('one can be sent again', /3 were refused/);
    isFull = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await see('it was sent again', /^3 of 3/);
    await expect(texts.join('\n')).toMatchFileSnapshot('texts/phone.txt');
  });

  test('a wrong secret, a missing one and a second phone open nothing', async () => {
    const counter = await openPhoneCounter();
    const { page } = await openPhone({ device: 'Pixel 7' });
    for (const [hash, told] of [
      [`#${'A'.repeat(22)}`, 'This code is no longer valid. Scan the code at the counter.'],
      ['', "Scan the code at the counter with this phone's camera."],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${counter.origin}/${hash}`);
      await page.getByText(told, { exact: true }).waitFor();
      expect(counter.reception.state.phone).toBeUndefined();
    }
    await phoneAt(counter.url).hello();
    await page.goto('about:blank');
    await page.goto(counter.url);
    await page
      .getByText('Another phone uses this code. Start again at the counter for a code of your own.')
      .waitFor();
    expect(await page.locator('#actions').isVisible()).toBe(false);
    expect(await page.getAttribute('#library', 'accept')).toContain('image/heic');
    expect(counter.reception.state.phone?.device).toBe('iPhone');
  });

  test('fits a light phone of 320 pixels, and a dark one of 360', async () => {
    const counter = await openPhoneCounter();
    const { page } = await openPhone();
    await page.goto(counter.url);
    await page.locator('#actions').waitFor();
    const [photo] = photos(1);
    await page.setInputFiles('#library', [
      { ...(photo as object), name: `${'a-very-long-name'.repeat(6)}.jpeg` } as never,
    ]);
    await page.getByText('1 of 1 is at the counter.').waitFor();
    // As text: the policy of the page refuses a script of another file.
    await page.evaluate(axe.source);
    for (const [colorScheme, width] of [
      ['light', 320],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        width,
      );
      const heights = await page
        .locator('.button:visible')
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(48);
      const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
      expect(violations.map(({ id }) => id)).toEqual([]);
    }
  });
});

test('the page is small, and whole in one file', async () => {
  const html = await readFile(join(import.meta.dirname, '../../dist/phone/page.html'), 'utf8');
  expect(gzipSync(html, { level: 9 }).length).toBeLessThan(15 * 1024);
  expect(html.match(/<(script|style|link|img)[^>]*>/g)).toEqual([
    '<link rel="icon" href="data:,">',
    '<style>',
    '<img alt="">',
    '<script>',
  ]);
});
