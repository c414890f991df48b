/** What admins and staff do with the cars in the dashboard: the rules of the public interface, told by name. */
import { expect, test } from 'vitest';
import { newId } from '../../../src/service/records.ts';
import { type Browser, openBrowser, password, signInAdmin } from '../../helpers/dashboard.ts';
import { base64Of, facility, png } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const admin = await signInAdmin(service);
const staff = await signInAdmin(service, 'first', 'staff');
const records = facility(service);
const { id: locationId } = await records.location();

const spot = (name: string) => records.spot(locationId, { name });
const dropOff = (parkingSpotId: string, more = {}) => ({
  activityType: 'drop_off',
  parkingSpotId,
  ...more,
});

test('a drop-off, a move and a pick-up of staff are in the history and the log with their name', async () => {
  const [a, b] = [await spot('W1'), await spot('W2')];
  const { id } = await records.car({ licensePlate: 'HH-W 1' });
  const parked = await staff.ask('POST', `/api/v1/cars/${id}/events`, dropOff(a.id), {
    'if-parked-in': 'none',
  });
  expect(parked).toMatchObject({ status: 201 });
  const outdated = await staff.ask(
    'POST',
    '/api/v1/parking/assignments',
    { carId: id, parkingSpotId: b.id },
    { 'if-parked-in': 'none' },
  );
  expect(outdated).toMatchObject({ status: 422, body: { code: 'parking_changed' } });
  await staff.ask('POST', '/api/v1/parking/assignments', { carId: id, parkingSpotId: b.id });
  await admin.ask('POST', `/api/v1/cars/${id}/events`, { activityType: 'pick_up' });
  const { body } = await service.call('GET', `/parking/assignments?carId=${id}`);
  expect(body.data).toMatchObject([
    { startedByKey: `admin:${staff.email}`, endedByKey: `admin:${admin.email}` },
    { startedByKey: `admin:${staff.email}`, endedByKey: `admin:${staff.email}` },
  ]);
  const log = await admin.ask('GET', `/api/v1/team/audit?subject=${id}`);
  expect(log.body.data).toMatchObject([
    { action: 'car.event', details: { car: 'HH-W 1', activityType: 'pick_up' } },
    { action: 'car.move', actor: `admin:${staff.email}`, details: { car: 'HH-W 1' } },
    { action: 'car.event', actor: `admin:${staff.email}`, details: { activityType: 'drop_off' } },
  ]);
});

test('a changed appointment, a photo and new places are in the log with their name', async () => {
  const { id: carId } = await records.car({ licensePlate: 'HH-W 2' });
  const { id } = await records.appointment({ carId });
  const write = async (method: string, path: string, body: object) => {
    const answer = await staff.ask(method, `/api/v1${path}`, body);
    expect(answer.status).toBeLessThan(300);
    return answer.body.data.id;
  };
  await write('PATCH', `/appointments/${id}`, { status: 'checked_in' });
  await write('POST', `/cars/${carId}/photos`, { filename: 'front.png', base64: base64Of(png(1)) });
  const site = await write('POST', '/locations', { name: 'Harbour' });
  const hall = await write('POST', '/parking/zones', { locationId: site, name: 'Hall' });
  const place = await write('POST', '/parking/spots', { locationId: site, name: 'H1' });
  const { data } = (await admin.ask('GET', '/api/v1/team/audit?limit=5')).body;
  const entry = (action: string, subject: string, details: object) => ({
    actor: `admin:${staff.email}`,
    action,
    subject,
    details,
  });
  expect(data).toMatchObject([
    entry('place.add', place, { name: 'H1' }),
    entry('place.add', hall, { name: 'Hall' }),
    entry('place.add', site, { name: 'Harbour' }),
    entry('car.photo', carId, { car: 'HH-W 2', filename: 'front.png' }),
    entry('appointment.change', id, { car: 'HH-W 2', status: 'checked_in' }),
  ]);
});

test('a request that is repeated after another sign-in stores nothing twice', async () => {
  const place = await spot('W3');
  const { id } = await records.car();
  const headers = { 'idempotency-key': newId() };
  const again = openBrowser(service);
  await again.ask('POST', '/session', { email: staff.email, password });
  const path = `/api/v1/cars/${id}/events`;
  const first = await staff.ask('POST', path, dropOff(place.id), headers);
  const repeat = await again.ask('POST', path, dropOff(place.id), headers);
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  expect(repeat.body).toEqual(first.body);
  expect((await service.call('GET', `/cars/${id}/events`)).body.total).toBe(1);
  expect((await admin.ask('GET', `/api/v1/team/audit?subject=${id}`)).body.total).toBe(1);
});

test('a session of staff ends after 12 hours, whatever they do', async () => {
  const { endsAt, role } = (await staff.ask('GET', '/session')).body.data;
  expect(role).toBe('staff');
  expect(Date.parse(endsAt) - Date.now()).toBeLessThanOrEqual(12 * 3_600_000);
});

test('a photo is refused as strictly as on the public interface', async () => {
  const { id } = await records.car();
  const path = `/api/v1/cars/${id}/photos`;
  const pdf = Buffer.from('%PDF-1.7 not a picture').toString('base64');
  expect(await staff.ask('POST', path, { base64: pdf })).toMatchObject({
    status: 422,
    body: { code: 'photo_type_unsupported' },
  });
  const large = Buffer.alloc(5_000_000, 1).toString('base64');
  expect(await staff.ask('POST', path, { base64: large })).toMatchObject({
    body: { code: 'photo_too_large' },
  });
});

test('a phone is signed in by a link once, as staff with the name of its maker, and out with the link', async () => {
  const make = async (browser = admin) =>
    (await browser.ask('POST', '/api/v1/team/phone-links')).body.data;
  const open = async (link: string) => {
    const phone = openBrowser(service);
    const token = link.split('#')[1];
    return { phone, ...(await phone.ask('POST', '/link/use', { token })) };
  };
  const { id, link } = await make();
  const { phone, body } = await open(link);
  expect(body.data).toMatchObject({ role: 'staff', email: admin.email });
  const leftOf = (endsAt: string) => Date.parse(endsAt) - Date.now();
  expect(leftOf(body.data.endsAt)).toBeLessThanOrEqual(2 * 60_000);
  expect(await open(link)).toMatchObject({ status: 422, body: { code: 'link_invalid' } });
  const place = await spot('W5');
  const car = await records.car();
  await phone.ask('POST', `/api/v1/cars/${car.id}/events`, dropOff(place.id));
  const { body: parked } = await service.call('GET', `/parking/assignments?carId=${car.id}`);
  expect(parked.data).toMatchObject([{ startedByKey: `admin:${admin.email}` }]);
  // Neither what an admin may, nor a link after this one.
  for (const path of ['team/keys', 'team/phone-links'])
    expect(await phone.ask('POST', `/api/v1/${path}`)).toMatchObject({ status: 403 });
  expect(await staff.ask('DELETE', `/api/v1/team/phone-links/${id}`)).toMatchObject({
    status: 404,
  });
  // It lasts as long as the panel asks for it, which the phone can't do itself, and doesn't come back.
  const ends = async (endsAt: string) => {
    const { write } = service.admin.database;
    for (const table of ['oneTimeLinks', 'browserSessions'] as const)
      await write.updateTable(table).set({ endsAt }).where('id', '=', id).execute();
  };
  const keep = async (browser: Browser) =>
    (await browser.ask('GET', `/api/v1/team/phone-links/${id}`)).status;
  await ends(new Date(Date.now() + 20_000).toISOString());
  expect([await keep(phone), await keep(staff), await keep(admin)]).toEqual([403, 404, 200]);
  expect(leftOf((await phone.ask('GET', '/session')).body.data.endsAt)).toBeGreaterThan(60_000);
  await ends(new Date().toISOString());
  expect([(await phone.ask('GET', '/api/v1/cars')).status, await keep(admin)]).toEqual([401, 404]);
  // The account is still shown as one with a password, without a link that waits.
  const other = await make();
  const { data } = (await admin.ask('GET', '/api/v1/team/admins')).body;
  expect(data).toContainEqual(expect.objectContaining({ id: admin.id, linkEndsAt: null }));
  const third = await make();
  const { phone: closed } = await open(third.link);
  await admin.ask('DELETE', `/api/v1/team/phone-links/${third.id}`);
  expect(await closed.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });
  await admin.ask('DELETE', `/api/v1/team/phone-links/${other.id}`);
  expect(await open(other.link)).toMatchObject({ body: { code: 'link_invalid' } });
  // A removed account takes its links along.
  const gone = await signInAdmin(service, 'first', 'staff');
  const left = await make(gone);
  await admin.ask('DELETE', `/api/v1/team/admins/${gone.id}`);
  expect(await open(left.link)).toMatchObject({ body: { code: 'link_invalid' } });
});
