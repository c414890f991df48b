/** What admins and staff do with cars in the dashboard: by mouse, by keyboard, over cut connections and ended sessions. */
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { createEventType, setEventTypePhotos } from '../../src/service/admin.ts';
import { openPhone } from '../helpers/browser.ts';
import { password } from '../helpers/dashboard.ts';
import {
  heading,
  loaded,
  loseNextAnswer,
  setNoon,
  startDashboard,
  unexpected,
} from '../helpers/dashboard-pages.ts';
import { facility, inHours } from '../helpers/facility.ts';

const dashboard = await startDashboard();
const ahead = await setNoon(dashboard);
afterAll(() => dashboard.close());
const { service, make } = dashboard;
const { id: locationId } = await make.location({ name: 'Work' });

let made = 0;
/** A zone of its own with two spots, X1 and X2. */
async function spots() {
  made += 1;
  const { id: zone } = await make.zone(locationId, { name: `Zone ${made}` });
  const names = [`X${made}a`, `X${made}b`] as const;
  const [a, b] = await Promise.all(
    names.map(async (name) => (await make.spot(locationId, { zoneId: zone, name })).id),
  );
  /** As a panel names a place of it. */
  const within = (name: string) => `${name}, Zone ${made} · Work`;
  return { zone, a: a as string, b: b as string, names, within };
}

const newCar = (plate: string) => make.car({ licensePlate: plate, locationId });
const parkedCar = async (plate: string, parkingSpotId: string) => {
  const car = await newCar(plate);
  await make.event(car.id, { parkingSpotId });
  return car;
};
const carOf = async (id: string) => make.read(`/cars/${id}`);
const eventsOf = async (id: string) => (await service.call('GET', `/cars/${id}/events`)).body;

/** Larger than a photo may be sent, with a place. */
const jpeg = async (name: string, background: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 4000, height: 3000, channels: 3, background } })
    .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .jpeg()
    .toBuffer(),
});

const panel = (page: Page) => page.getByRole('dialog');
const says = (page: Page, text: string | RegExp) => panel(page).getByText(text).first().waitFor();
const isUnreached = (page: Page) => says(page, /^The service can't be reached/);
const choosePlace = (page: Page, place: string | { readonly label: string }) =>
  panel(page).getByLabel('Place').selectOption(place);
const submit = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true });
const told = (page: Page, text: string | RegExp) => page.locator('.done').getByText(text).waitFor();
/** Until the field of the panel has the focus: keys before that would go elsewhere. */
const focused = (page: Page, label: string) =>
  expect
    .poll(() =>
      panel(page)
        .getByLabel(label)
        .evaluate((field) => field.matches(':focus')),
    )
    .toBe(true);

describe('staff', () => {
  test('drop a car off, move it and pick it up by mouse, each in the history with their name', async () => {
    const { b, names, within } = await spots();
    const { id } = await newCar('WK-M 1');
    const opened = await dashboard.shared({ as: 'staff' });
    const { page, email } = opened;
    await dashboard.open(page, `cars/${id}`);
    await page.getByRole('link', { name: 'Drop off…' }).click();
    await choosePlace(page, { label: names[0] });
    await panel(page).getByLabel('Notes').fill('Two keys.');
    await submit(page, 'Drop off').click();
    await told(page, `WK-M 1 is parked in ${names[0]}.`);
    await page.getByRole('link', { name: 'Move…' }).click();
    await says(page, `WK-M 1 goes from ${within(names[0])} to`);
    await choosePlace(page, { label: names[1] });
    await submit(page, 'Move').click();
    await told(page, `WK-M 1 is in ${names[1]}.`);
    expect((await carOf(id)).parkingSpotId).toBe(b);
    await page.getByText(`Moved from ${names[0]}, Work`).waitFor();
    const back = page.getByRole('link', { name: 'Move back…' });
    await back.waitFor();
    await page.getByRole('link', { name: 'Pick up…' }).click();
    await submit(page, 'Pick up').click();
    await told(page, 'WK-M 1 was picked up.');
    expect((await carOf(id)).status).toBe('checked_out');
    await expect
      .poll(() => page.locator('#content .visits li').allInnerTexts())
      .toMatchObject([
        expect.stringMatching(`Pick-up[\\s\\S]*by ${email}`),
        expect.stringMatching(`Moved from[\\s\\S]*by ${email}`),
        expect.stringMatching(`Drop-off[\\s\\S]*Two keys. · by ${email}`),
      ]);
    expect(await back.count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test('a photo that the event should have has a button and its name, and Today says that it is missing', async () => {
    const { admin, team } = service;
    const set = (photos: string[]) =>
      setEventTypePhotos(admin, team, { value: 'drop_off', photos });
    await set(['front', 'rear']);
    try {
      await spots();
      const { id } = await newCar('WK-F 1');
      const { page } = await dashboard.shared({ as: 'staff' });
      await dashboard.open(page, `cars/${id}`);
      await page.getByRole('link', { name: 'Drop off…' }).click();
      await panel(page)
        .getByLabel('rear')
        .setInputFiles([await jpeg('IMG_7.jpg', '#060')]);
      await panel(page).getByRole('img', { name: 'rear.jpg' }).waitFor();
      expect(await panel(page).locator('.drop label').allInnerTexts()).toEqual([
        'Add photos',
        'front',
      ]);
      await submit(page, 'Drop off').click();
      await told(page, 'WK-F 1 is parked in');
      const photos = async () => make.read(`/cars/${id}/photos`);
      await expect.poll(photos).toMatchObject([{ filename: 'rear.jpg' }]);
      await dashboard.open(page, 'today');
      const line = page.locator('section', { hasText: 'Photos missing' }).getByRole('listitem');
      await expect.poll(() => line.filter({ hasText: 'WK-F 1' }).innerText()).toContain('· front');
      await make.photo(id, {
        filename: 'front.jpg',
        sessionId: (await eventsOf(id)).data[0].sessionId,
      });
      await line.filter({ hasText: 'WK-F 1' }).waitFor({ state: 'detached' });
    } finally {
      await set([]);
    }
  });

  test('drop a car off and move it with the keyboard alone', async () => {
    const { a, b, names, within } = await spots();
    const { id } = await newCar('WK-K 1');
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, 'board');
    await loaded(page);
    await page.getByRole('link', { name: `free: drop off in ${names[0]}` }).focus();
    await page.keyboard.press('Enter');
    await panel(page).getByLabel('Which car?').waitFor();
    await page.keyboard.type('WK-K');
    await panel(page)
      .getByRole('button', { name: /WK-K 1/ })
      .waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return page.evaluate<string>('document.activeElement.textContent');
      })
      .toMatch(/WK-K 1/);
    await page.keyboard.press('Enter');
    await says(page, `WK-K 1 goes to ${within(names[0])}, now.`);
    // From the place to the notes, where Enter sends.
    await focused(page, 'Place');
    await page.keyboard.press('Tab');
    await focused(page, 'Notes');
    await page.keyboard.press('Enter');
    await told(page, `WK-K 1 is parked in ${names[0]}.`);
    expect((await carOf(id)).parkingSpotId).toBe(a);
    const move = page.getByRole('link', { name: 'Move WK-K 1' });
    await move.focus();
    await page.keyboard.press('Enter');
    await says(page, `WK-K 1 goes from ${within(names[0])} to ${within(names[1])}, now.`);
    await focused(page, 'Place');
    await page.keyboard.press('Tab');
    await focused(page, 'Notes');
    await page.keyboard.press('Enter');
    await told(page, `WK-K 1 is in ${names[1]}.`);
    expect((await carOf(id)).parkingSpotId).toBe(b);
    // The focus follows the car to its new tile.
    await expect
      .poll(() => page.evaluate(`document.activeElement.closest('[data-place]')?.dataset.place`))
      .toBe(b);
  });

  test('move a car by one drag, take it back, and hear why a taken spot is refused', async () => {
    const { a, b, names } = await spots();
    const { id } = await parkedCar('WK-D 1', a);
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, 'board');
    await loaded(page);
    const tile = (name: string) =>
      page.locator('.tile').filter({ has: page.getByText(name, { exact: true }) });
    await tile(names[0]).dragTo(tile(names[1]));
    await told(page, `WK-D 1 is in ${names[1]}.`);
    expect((await carOf(id)).parkingSpotId).toBe(b);
    await page.getByRole('button', { name: 'Undo' }).click();
    await told(page, `WK-D 1 is in ${names[0]}.`);
    expect((await carOf(id)).parkingSpotId).toBe(a);
    const other = await parkedCar('WK-D 2', b);
    await tile(names[1]).getByText('WK-D 2', { exact: true }).waitFor();
    await tile(names[0]).dragTo(tile(names[1]));
    await told(page, `${names[1]} is taken by WK-D 2. Nothing was moved.`);
    expect([(await carOf(id)).parkingSpotId, (await carOf(other.id)).parkingSpotId]).toEqual([
      a,
      b,
    ]);
  });

  test('see that somebody else took the spot, and are refused at its field where they could not see it', async () => {
    const { a, b, names, within, zone } = await spots();
    const { id } = await parkedCar('WK-T 1', a);
    await make.event(id, { activityType: 'pick_up' });
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, `cars/${id}?do=drop-off&car=${id}`);
    // The panel suggests the spot where it was last.
    await says(page, `WK-T 1 goes to ${within(names[0])}, now.`);
    await parkedCar('WK-T 2', a);
    await says(page, 'Place: taken by WK-T 2 meanwhile.');
    expect(await submit(page, 'Drop off').isDisabled()).toBe(true);
    await choosePlace(page, { label: names[1] });
    // From now on it hears of no change.
    await page.route('**/dashboard/events', (route) => route.abort());
    await page.route('**/dashboard/session', (route) => route.abort());
    await page.route(/parking\/spots/, (route) => route.abort());
    await parkedCar('WK-T 3', b);
    await submit(page, 'Drop off').click();
    await says(page, `Place: Another car is parked in ${names[1]}.`);
    expect(await panel(page).getByLabel('Place').getAttribute('aria-invalid')).toBe('true');
    expect((await eventsOf(id)).total).toBe(2);
    await choosePlace(page, zone);
    await panel(page).getByText('Place: Another car').waitFor({ state: 'detached' });
  });

  test('lose nothing and double nothing when the connection is cut before, or after the service has stored it', async () => {
    const { a, names } = await spots();
    const { id } = await newCar('WK-C 1');
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, `cars/${id}?do=drop-off&car=${id}&place=${a}`);
    await panel(page).getByLabel('Notes').fill('Kept.');
    await page.route('**/events', (route) => route.abort(), { times: 1 });
    await submit(page, 'Drop off').click();
    await isUnreached(page);
    expect((await eventsOf(id)).total).toBe(0);
    await page.reload();
    expect(await panel(page).getByLabel('Notes').inputValue()).toBe('Kept.');
    await loseNextAnswer(page, '**/cars/*/events');
    await submit(page, 'Drop off').click();
    await isUnreached(page);
    expect((await eventsOf(id)).total).toBe(1);
    await page.reload();
    await panel(page).getByLabel('Notes').waitFor();
    await submit(page, 'Drop off').click();
    await told(page, `WK-C 1 is parked in ${names[0]}.`);
    expect((await eventsOf(id)).data).toMatchObject([{ notes: 'Kept.' }]);
  });

  test('send a pick-up anew after one that was cancelled without an answer', async () => {
    const { a } = await spots();
    const { id } = await parkedCar('WK-N 1', a);
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, `cars/${id}?do=pick-up&car=${id}`);
    await loseNextAnswer(page, '**/cars/*/events');
    await submit(page, 'Pick up').click();
    await isUnreached(page);
    await panel(page).getByText('WK-N 1 leaves its place').waitFor();
    await panel(page).getByText('Cancel', { exact: true }).click();
    await make.event(id, { parkingSpotId: a });
    await dashboard.open(page, `cars/${id}?do=pick-up&car=${id}`);
    await submit(page, 'Pick up').click();
    await told(page, 'WK-N 1 was picked up.');
    expect((await eventsOf(id)).total).toBe(4);
    expect((await carOf(id)).status).not.toBe('stored');
  });

  test('sign in again in the middle of it, and go on', async () => {
    const { a, names } = await spots();
    const { id } = await newCar('WK-S 1');
    const opened = await dashboard.openSignedIn({ as: 'staff' });
    const { page, context, email } = opened;
    await dashboard.open(page, `cars/${id}?do=drop-off&car=${id}&place=${a}`);
    await panel(page).getByLabel('Notes').fill('Through.');
    await context.clearCookies();
    await submit(page, 'Drop off').click();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await told(page, `WK-S 1 is parked in ${names[0]}.`);
    expect((await eventsOf(id)).data).toMatchObject([{ notes: 'Through.' }]);
    expect(email).toContain('@');
    expect(unexpected(opened)).toEqual([]);
  });

  test('click twice and store once; Back closes the panel and a reload opens it again', async () => {
    const { names } = await spots();
    const { id } = await newCar('WK-B 1');
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, `cars/${id}`);
    await page.getByRole('link', { name: 'Drop off…' }).click();
    await panel(page).getByLabel('Notes').fill('Back.');
    await page.goBack();
    await panel(page).waitFor({ state: 'detached' });
    await page.goForward();
    await page.reload();
    expect(await panel(page).getByLabel('Notes').inputValue()).toBe('Back.');
    await choosePlace(page, { label: names[0] });
    await submit(page, 'Drop off').dblclick();
    await told(page, `WK-B 1 is parked in ${names[0]}.`);
    expect((await eventsOf(id)).total).toBe(1);
  });

  test('the tile that is clicked last is the place, whatever was chosen before, and Cancel drops what was typed', async () => {
    const { a, b, names, within, zone } = await spots();
    const { id } = await newCar('WK-L 1');
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, `cars/${id}?do=drop-off&car=${id}&place=${a}`);
    await choosePlace(page, b);
    await panel(page).getByLabel('Notes').fill('Not today.');
    await page.reload();
    expect(await panel(page).getByLabel('Place').inputValue()).toBe(b);
    await panel(page).getByRole('button', { name: 'Cancel' }).click();
    await dashboard.open(page, 'board');
    await page.getByRole('link', { name: `free: drop off in ${names[0]}` }).click();
    await panel(page)
      .getByRole('button', { name: /WK-L 1/ })
      .click();
    await says(page, `WK-L 1 goes to ${within(names[0])}, now.`);
    expect(await panel(page).getByLabel('Notes').inputValue()).toBe('');
    await choosePlace(page, zone);
    await submit(page, 'Drop off').click();
    await told(page, /^WK-L 1 is parked in Zone/);
    expect((await carOf(id)).parkingZoneId).toBe(zone);
  });

  test('drop off from a line of Today: its appointment is linked', async () => {
    const { a, names } = await spots();
    const { id } = await newCar('WK-A 1');
    const appointment = await make.appointment({
      startAt: inHours(1 / 60),
      endAt: inHours(2 / 60),
      carId: id,
      eventType: 'drop_off',
      status: 'accepted',
    });
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, 'today');
    await page.getByRole('link', { name: 'Drop off… WK-A 1' }).click();
    await choosePlace(page, { label: names[0] });
    expect(await panel(page).getByLabel('Appointment').inputValue()).toBe(appointment.id);
    await submit(page, 'Drop off').click();
    await told(page, `WK-A 1 is parked in ${names[0]}.`);
    expect((await eventsOf(id)).data).toMatchObject([
      { appointmentId: appointment.id, parkingSpotId: a },
    ]);
  });

  test('drop off the late car of yesterday, whose type is another one: its appointment is linked', async () => {
    await spots();
    const { id } = await newCar('WK-Y 1');
    const { admin, team } = service;
    await createEventType(admin, team, {
      value: 'trailer_drop_off',
      name: 'Drop-off by trailer',
      scope: 'vehicle',
      requiresParkingSpot: true,
    });
    const appointment = await make.appointment({
      startAt: inHours(-25),
      endAt: inHours(-24),
      carId: id,
      eventType: 'trailer_drop_off',
      status: 'accepted',
    });
    const { page } = await dashboard.shared({ as: 'staff' });
    // Opened without it, the panel offers it, and doesn't link it by itself.
    await dashboard.open(page, `cars/${id}?do=drop-off&car=${id}`);
    await panel(page).getByLabel('What').selectOption('trailer_drop_off');
    const offered = panel(page).getByLabel('Appointment');
    expect(await offered.inputValue()).toBe('none');
    expect(await offered.locator('option').count()).toBe(2);
    await panel(page).getByRole('button', { name: 'Cancel' }).click();
    await dashboard.open(page, 'today');
    await page.getByText('Late from earlier days').click();
    await page.getByRole('link', { name: 'Drop off… WK-Y 1' }).click();
    await submit(page, 'Drop off').click();
    await told(page, 'WK-Y 1 is parked in');
    expect((await eventsOf(id)).data).toMatchObject([
      { activityType: 'trailer_drop_off', appointmentId: appointment.id },
    ]);
  });

  test('drop a car off with two photos in six clicks; the photos lose their place', async () => {
    const { names } = await spots();
    const { id } = await newCar('WK-P 1');
    const opened = await dashboard.shared({ as: 'staff' });
    const { page } = opened;
    await dashboard.open(page, 'board');
    await loaded(page);
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    await click(page.getByRole('link', { name: `free: drop off in ${names[0]}` }));
    await panel(page).getByLabel('Which car?').fill('WK-P 1');
    await click(panel(page).getByRole('button', { name: /WK-P 1/ }));
    const chooser = page.waitForEvent('filechooser');
    await click(panel(page).getByText('Add photos'));
    await (await chooser).setFiles([await jpeg('a.jpg', '#a00'), await jpeg('b.jpg', '#0a0')]);
    await click(submit(page, 'Drop off'));
    await page.getByText('WK-P 1: 2 of 2 photos sent').waitFor();
    expect(clicks).toBeLessThanOrEqual(6);
    const { data } = (await service.call('GET', `/cars/${id}/photos`)).body;
    const [event] = (await eventsOf(id)).data;
    expect(data).toMatchObject([
      { sessionId: event.sessionId, contentType: 'image/jpeg' },
      { sessionId: event.sessionId, contentType: 'image/jpeg' },
    ]);
    const content = await service.call('GET', `/cars/${id}/photos/${data[0].id}/content`);
    const { exif, width } = await sharp(content.bytes).metadata();
    expect([exif, width]).toEqual([undefined, 2560]);
    expect(opened.complaints).toEqual([]);
  });

  test('add photos on the page of a car by dropping them; what fails is named and tried again', async () => {
    const { a } = await spots();
    const { id } = await parkedCar('WK-P 2', a);
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, `cars/${id}`);
    await page.getByText('Add photos').waitFor();
    const good = await jpeg('good.jpg', '#00a');
    const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#00a' } })
      .png()
      .toBuffer();
    await page.route('**/photos', (route) => route.abort(), { times: 1 });
    await page.evaluate(`
      const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (done, ...how) {
        if (this.width === 1) done(new Blob([new Uint8Array(4_000_000)]));
        else toBlob.call(this, done, ...how);
      };
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytesOf('${good.buffer.toString('base64')}')], 'good.jpg', { type: 'image/jpeg' }));
      dataTransfer.items.add(new File([bytesOf('${dot.toString('base64')}')], 'large.png', { type: 'image/png' }));
      dataTransfer.items.add(new File(['%PDF-1.7'], 'bill.pdf', { type: 'application/pdf' }));
      dataTransfer.items.add(new File(['none'], 'IMG_7.HEIC'));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    `);
    await page.getByText('WK-P 2: 0 of 4 photos sent').waitFor();
    await page.getByText(/^good.jpg: The service can't be reached/).waitFor();
    await page
      .getByText(
        "IMG_7.HEIC: This browser can't read HEIC. Choose it on an iPhone, or save it as JPEG.",
      )
      .waitFor();
    await page.getByText('bill.pdf: This is no photo that the browser can read.').waitFor();
    await page.getByText("large.png: The photo can't be made small enough.").waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('WK-P 2: 1 of 4 photos sent').waitFor();
    const progress = page.getByRole('progressbar', { name: 'Photos sent' });
    expect(
      await progress.evaluate((bar) => {
        const { value, max } = bar as unknown as { value: number; max: number };
        return [value, max];
      }),
    ).toEqual([1, 4]);
    const [question] = await Promise.all([
      page.waitForEvent('dialog'),
      page.close({ runBeforeUnload: true }),
    ]);
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.getByRole('button', { name: 'Leave them out' }).click();
    await page.locator('.photos img').waitFor();
    expect((await service.call('GET', `/cars/${id}/photos`)).body.total).toBe(1);
  });

  test('answer, check in and move appointments where they are shown; a second answer is refused', async () => {
    const { id: carId } = await newCar('WK-V 1');
    const { id: bay } = await make.location({ name: 'Bay' });
    const { id, startAt, endAt } = await make.appointment({
      carId,
      locationId: bay,
      status: 'pending_approval',
      startAt: inHours(1 / 60),
      endAt: inHours(2 / 60),
    });
    const read = async () => make.read(`/appointments/${id}`);
    const [first, second] = [
      await dashboard.shared({ as: 'staff' }),
      await dashboard.openSignedIn({ as: 'staff' }),
    ];
    const button = ({ page }: typeof first, name: string) =>
      page.getByRole('button', { name: `${name} WK-V 1` });
    for (const { page } of [first, second]) await dashboard.open(page, 'today');
    await button(second, 'Decline').waitFor();
    // From now on the second one hears of no change.
    await second.page.route(/appointments\?/, (route) => route.abort());
    await button(first, 'Accept').dblclick();
    await told(first.page, 'WK-V 1: accepted.');
    await button(second, 'Decline').click();
    await second.page.locator('.done .notice.bad').waitFor();
    await button(first, 'Check in').waitFor();
    expect((await read()).status).toBe('accepted');
    // The second click of a double click, which found the button of the next state.
    await button(first, 'Check in').dispatchEvent('click', { detail: 2 });
    const { page } = first;
    await page.getByRole('link', { name: 'Another time for WK-V 1…' }).click();
    await focused(page, 'New time');
    await panel(page).getByLabel('New time').fill('2090-05-04T10:00');
    await page.keyboard.press('Enter');
    await told(page, /^WK-V 1: 4 May 2090/);
    const moved = await read();
    expect(moved.startAt).toBe(new Date(Date.UTC(2090, 4, 4, 10 - ahead)).toISOString());
    expect(Date.parse(moved.endAt) - Date.parse(moved.startAt)).toBe(
      Date.parse(String(endAt)) - Date.parse(String(startAt)),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await read()).startAt).toBe(startAt);
    await button(first, 'Check in').click();
    await told(page, 'WK-V 1: checked in.');
    await button(first, 'Complete').click();
    await told(page, 'WK-V 1: completed.');
    expect((await read()).status).toBe('completed');
    await page.getByLabel('Location').selectOption('Bay');
    await page.getByText('Nothing left to do on this day').waitFor();
    expect(first.complaints).toEqual([]);
  });

  test('take photos with a phone that a code signs in, until the panel is closed', async () => {
    const { a } = await spots();
    const { id } = await parkedCar('WK-F 1', a);
    const desk = await dashboard.shared({ as: 'staff' });
    await dashboard.open(desk.page, `cars/${id}`);
    await desk.page.getByRole('link', { name: 'From a phone…' }).click();
    // Without a public address there is none.
    await panel(desk.page).getByText('This link opens only on the computer').waitFor();
    expect(await panel(desk.page).getByText('Scan the code').count()).toBe(0);
    const link = await panel(desk.page).getByLabel('Link, works once').inputValue();
    const { page } = await openPhone();
    await page.route('**/link/use', async (route) => {
      await heading(page, 'One moment');
      await page.getByText('Opening the car …', { exact: true }).waitFor();
      await route.continue();
    });
    await page.goto(link);
    await heading(page, 'WK-F 1');
    await page.getByText('Add photos').waitFor();
    expect(await page.getByRole('link', { name: 'From a phone…' }).count()).toBe(0);
    const add = async (name: string) =>
      page.locator('input[type=file]').setInputFiles([await jpeg(name, '#0aa')]);
    await add('one.jpg');
    await page.getByText('WK-F 1: 1 of 1 photo sent').waitFor();
    await desk.page.locator('.newest img').waitFor();
    await panel(desk.page).getByRole('button', { name: 'Done' }).click();
    await panel(desk.page).waitFor({ state: 'detached' });
    await add('two.jpg');
    await page
      .getByText(
        'The panel on the computer was closed. Open it there again, and scan the new code. Or sign in here.',
      )
      .waitFor();
    expect((await service.call('GET', `/cars/${id}/photos`)).body.total).toBe(1);
    expect(desk.complaints).toEqual([]);
  });

  test('set an empty facility up: a location, a zone and a range of spots, none twice after a lost answer', async () => {
    const opened = await dashboard.shared({ as: 'staff', team: 'second' });
    const { page } = opened;
    await dashboard.open(page, 'board');
    await page.getByLabel('Name of the location').fill('Harbour');
    await page.getByRole('button', { name: 'Add the location' }).dblclick();
    await page.getByLabel('Name of the zone').fill('Hall A');
    await page.keyboard.press('Enter');
    await page.getByLabel('First spot').fill('A08');
    await page.getByLabel('Last spot').fill('B10');
    await page
      .getByText("A08 to B10 isn't a range of names: its ends begin differently.", { exact: false })
      .waitFor();
    await page.getByLabel('Last spot').fill('A10');
    let sent = 0;
    await page.route('**/parking/spots', async (route) => {
      if (route.request().method() !== 'POST' || ++sent !== 2) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Add 3 spots' }).click();
    await page.getByText(/^The service can't be reached/).waitFor();
    // One of them was stored without an answer.
    await page.getByRole('button', { name: /^Add \d spots?$/ }).click();
    await told(page, /^Added (A\d\d|\d spots)\./);
    await page.getByText('3 spots', { exact: true }).waitFor();
    await page.getByText('First car').waitFor();
    await facility(service, service.otherKey).car();
    await page.getByRole('heading', { name: 'Places' }).waitFor();
    expect(await page.getByText('First car').count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the board' }).click();
    await page.getByRole('link', { name: 'free: drop off in A10' }).waitFor();
    const { data } = (await service.call('GET', '/parking/spots', undefined, service.otherKey))
      .body;
    expect(data.map(({ name }: { name: string }) => name).sort()).toEqual(['A08', 'A09', 'A10']);
    expect(unexpected(opened).filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
  });

  test('send ten photos, one of 40 MB; a PDF among them is named and the others arrive', async () => {
    const { a } = await spots();
    const { id } = await parkedCar('WK-P 3', a);
    const { page } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, `cars/${id}`);
    await page.getByText('Add photos').waitFor();
    const small = await sharp({
      create: { width: 64, height: 48, channels: 3, background: '#c60' },
    })
      .jpeg()
      .toBuffer();
    // Each with other bytes, since a visit keeps equal ones once.
    await page.evaluate(`(async () => {
      const draw = (at) => new Promise((resolve) => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [64, 48];
        const pen = canvas.getContext('2d');
        pen.fillStyle = 'hsl(' + at * 40 + ' 80% 50%)';
        pen.fillRect(0, 0, 64, 48);
        canvas.toBlob(resolve, 'image/jpeg');
      });
      const dataTransfer = new DataTransfer();
      for (let at = 0; at < 8; at++) dataTransfer.items.add(new File([await draw(at)], at + '.jpg', { type: 'image/jpeg' }));
      const bytes = Uint8Array.from(atob('${small.toString('base64')}'), (one) => one.charCodeAt(0));
      dataTransfer.items.add(new File([bytes, new Uint8Array(40_000_000)], 'large.jpg', { type: 'image/jpeg' }));
      dataTransfer.items.add(new File(['%PDF-1.7'], 'bill.pdf', { type: 'application/pdf' }));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await page.getByText('WK-P 3: 9 of 10 photos sent').waitFor();
    await page.getByText('bill.pdf: This is no photo that the browser can read.').waitFor();
    expect((await service.call('GET', `/cars/${id}/photos`)).body.total).toBe(9);
  });
});
