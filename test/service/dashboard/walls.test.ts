/** What keeps the dashboard, the public interface, roles, teams and other sites apart. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/contract.ts';
import { dashboardContract } from '../../../src/contract/dashboard/dashboard.ts';
import { walk } from '../../../src/contract/operations.ts';
import { listParameters } from '../../../src/contract/schemas.ts';
import { openApiFile } from '../../../src/openapi/document.ts';
import { newId } from '../../../src/service/records.ts';
import { type Browser, openBrowser, signInAdmin, signInScreen } from '../../helpers/dashboard.ts';
import { facility } from '../../helpers/facility.ts';
import { send, startTestService, testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const admin = await signInAdmin(service);
const staff = await signInAdmin(service, 'first', 'staff');
const screen = await signInScreen(service);
const stranger = await signInAdmin(service, 'second');

const own = [...walk(dashboardContract)];
const pathOf = (path: string, id = newId()) => `/api/v1${path.replace(/\{\w+\}/g, id)}`;
const { url, key } = service;
/** Written from the decision (docs/dashboard.md), not from the code. */
const forStaffToo = [
  'covers.list',
  'photoNames.list',
  ...['phoneLinks.get', 'phoneLinks.create', 'phoneLinks.delete'],
];

test('nothing of the dashboard is part of the public interface', async () => {
  for (const { id, method, path } of own) {
    const body = method === 'GET' ? undefined : {};
    const answer = await send(url + pathOf(path), method, body, { 'x-api-key': key });
    expect([id, answer.status]).toEqual([id, 404]);
  }
  expect(openApiFile()).not.toContain('/team/');
});

test('it needs a session: a key opens nothing', async () => {
  const headers = { 'x-api-key': key, authorization: `Bearer ${key}` };
  for (const { id, method, path } of own) {
    const answer = await openBrowser(service).ask(method, pathOf(path), undefined, headers);
    expect([id, answer.status, answer.body.code]).toEqual([id, 401, 'sign_in_required']);
  }
});

test('it is refused to a screen, and to staff unless it is about photos', async () => {
  const refused = {
    status: 403,
    body: { code: 'role_needed', error: 'Only a team admin may do this' },
  };
  for (const { id, method, path } of own) {
    expect(await screen.ask(method, pathOf(path)), id).toMatchObject(refused);
    const answer = await staff.ask(method, pathOf(path));
    if (forStaffToo.includes(id)) expect(answer.status, id).not.toBe(403);
    else expect(answer, id).toMatchObject(refused);
  }
});

test('a cookie opens nothing of the public interface', async () => {
  for (const operation of walk(contract)) {
    const answer = await send(
      url + pathOf(operation.path),
      operation.method,
      operation.body ? {} : undefined,
      { cookie: admin.cookie },
    );
    expect([operation.id, answer.status, answer.body.code]).toEqual([
      operation.id,
      401,
      'missing_api_key',
    ]);
  }
});

/** Written from the decision (docs/dashboard.md), not from the code. */
const work = [
  ...['carEvents.create', 'parkingAssignments.create', 'carPhotos.create', 'appointments.update'],
  ...['locations.create', 'parkingZones.create', 'parkingSpots.create'],
];

test('of the public interface admins and staff write their work alone, and screens nothing', async () => {
  const { id: car } = await facility(service).car();
  for (const { id, method, path } of walk(contract)) {
    if (method === 'GET') continue;
    const answers = [admin, staff, screen, stranger, openBrowser(service)].map(async (browser) => {
      const { status, body } = await browser.ask(method, pathOf(path, car), { unknown: true });
      return `${status} ${body.code}`;
    });
    // A body that is refused was read: the record of another kind or team isn't there.
    const allowed = id === 'appointments.update' ? '404 not_found' : '422 validation_failed';
    const elsewhere = path.includes('{') ? '404 not_found' : '422 validation_failed';
    expect([id, ...(await Promise.all(answers))]).toEqual(
      work.includes(id)
        ? [id, allowed, allowed, '403 role_needed', elsewhere, '401 sign_in_required']
        : [id, ...Array(5).fill('404 route_not_found')],
    );
  }
});

const reads = [...walk(contract)].filter(({ method }) => method === 'GET');

/** All that a wall shows: fields, then filters. Written from the decision (docs/dashboard.md), not from the code. */
const onWall: Readonly<Record<string, readonly [fields: string, filters: string]>> = {
  locations: ['id isActive name updatedAt', ''],
  parkingZones: ['capacity id isActive locationId name occupied updatedAt', ''],
  parkingSpots: ['id isActive kind locationId name occupiedByCarId updatedAt zoneId', ''],
  cars: [
    'id licensePlate make model nickname parkingSpotId parkingZoneId status updatedAt year',
    'status',
  ],
  eventTypes: ['id name value', ''],
  appointments: [
    'appointmentTypeId carId endAt id locationId startAt status title',
    'startFrom startTo',
  ],
};

/** What staff read: cars, their owners, places and appointments. */
const forStaff =
  /^(me|cars|car(Events|Photos)|event(Types|Sessions)|appointments|customers|locations|parking(Zones|Spots|Assignments))\./;

test('an admin reads everything of the facility, staff the work, a screen the lists of a wall', async () => {
  const read = async (browser: Browser, path: string) => (await browser.ask('GET', path)).status;
  for (const { id, path, resource, verb } of reads) {
    const isShown = verb === 'list' && resource.name in onWall;
    expect([id, await read(screen, pathOf(path))]).toEqual([id, isShown ? 200 : 403]);
    expect([id, (await read(staff, pathOf(path))) !== 403]).toEqual([id, forStaff.test(id)]);
    // Most records aren't there, and the calendar needs its range.
    expect([200, 404, 422]).toContain(await read(admin, pathOf(path)));
  }
});

test('a screen gets the fields that a wall shows, and filters by nothing else', async () => {
  const records = facility(service);
  const location = await records.location();
  const zone = await records.zone(location.id, { notes: 'private' });
  const spot = await records.spot(location.id, { zoneId: zone.id, notes: 'private' });
  const car = await records.car({ vin: 'WP0ZZZ91ZFS100001', notes: 'private' });
  await records.event(car.id, { parkingSpotId: spot.id, notes: 'private' });
  const photo = await records.photo(car.id);
  const customer = await records.customer();
  await records.appointment({ carId: car.id, customerId: customer.id, notes: 'private' });
  for (const { path, resource, verb, parameters } of reads) {
    const [fields, filters] = onWall[resource.name] ?? [];
    if (verb !== 'list' || fields === undefined) continue;
    const { body } = await screen.ask('GET', `${pathOf(path)}?limit=1&page=1`);
    expect([path, Object.keys(body.data[0]).sort().join(' ')]).toEqual([path, fields]);
    expect(JSON.stringify(body)).not.toMatch(/private|WP0ZZZ/);
    const whole = (await admin.ask('GET', `${pathOf(path)}?limit=1`)).body;
    expect(whole).toMatchObject(body);
    for (const name of Object.keys(parameters)) {
      const known = name in listParameters || filters?.split(' ').includes(name);
      const { status, body } = await screen.ask('GET', `${pathOf(path)}?${name}=x`);
      expect([path, name, status === 403]).toEqual([path, name, !known]);
      if (!known) expect(body.error).toBe(`A screen doesn't read this list by ${name}`);
    }
  }
  expect((await screen.ask('GET', `/api/v1/cars/${car.id}`)).body).toMatchObject({
    code: 'role_needed',
    error: 'A screen shows the board and today, and reads no more',
  });
  const picture = `/photos/${photo.id}?width=320`;
  expect(await screen.ask('GET', picture)).toMatchObject({
    status: 403,
    body: { code: 'role_needed' },
  });
  expect(await admin.ask('GET', picture)).toMatchObject({ status: 200 });
});

test('the sheet of a car is for admins and staff of its team', async () => {
  const { id } = await facility(service).car();
  const path = `/sheets/${id}`;
  const answers = [admin, staff, screen, stranger].map((browser) => browser.ask('GET', path));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 403, 404]);
  expect(await admin.ask('GET', `${path}?event=${newId()}`)).toMatchObject({ status: 404 });
  const nobody = await fetch(`${url}/dashboard${path}`, { redirect: 'manual' });
  expect([nobody.status, nobody.headers.get('location')]).toEqual([302, `/dashboard/cars/${id}`]);
});

test('two teams see and change nothing of each other', async () => {
  const { body } = await admin.ask('POST', '/api/v1/team/keys', {
    name: 'ours',
    scopes: ['read:cars'],
  });
  const made = await admin.ask('POST', '/api/v1/team/screens', { name: 'our wall' });
  const phone = (await admin.ask('POST', '/api/v1/team/phone-links')).body.data;
  for (const list of ['keys', 'admins', 'screens', 'sessions', 'audit'])
    expect(
      JSON.stringify((await stranger.ask('GET', `/api/v1/team/${list}?limit=200`)).body),
    ).not.toMatch(new RegExp(`ours|our wall|${admin.email}|${body.data.id}`));
  const { id: sessionId } = (await admin.ask('GET', '/api/v1/team/sessions')).body.data[0];
  for (const [method, path, given] of [
    ['PATCH', `keys/${body.data.id}`, { revoked: true }],
    ['DELETE', `screens/${made.body.data.id}`, {}],
    ['POST', `screens/${made.body.data.id}/links`, {}],
    ['DELETE', `admins/${admin.id}`, {}],
    ['POST', `admins/${admin.id}/links`, {}],
    ['DELETE', `sessions/${sessionId}`, {}],
    ['DELETE', `phone-links/${phone.id}`, {}],
  ] as const)
    expect([path, (await stranger.ask(method, `/api/v1/team/${path}`, given)).status]).toEqual([
      path,
      404,
    ]);
  expect(await service.call('GET', '/me', undefined, body.data.secret)).toMatchObject({
    status: 200,
  });
  expect(await admin.ask('GET', '/api/v1/cars')).toMatchObject({ status: 200 });
});

describe('a write from another site is refused', () => {
  const write = (headers: Record<string, string>, body: unknown = { apiEnabled: true }) =>
    send(`${url}/dashboard/api/v1/team/integration`, 'PATCH', body, {
      cookie: admin.cookie,
      ...headers,
    });
  test.each([
    ['its origin', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['an origin without a host', { origin: 'null' }],
    ['what the browser says', { origin: url, 'sec-fetch-site': 'cross-site' }],
    ['a sister host', { origin: url, 'sec-fetch-site': 'same-site' }],
  ])('by %s', async (_name, headers) => {
    expect(await write(headers)).toMatchObject({
      status: 403,
      body: { code: 'origin_refused', error: 'The request comes from a page of another site' },
    });
  });
  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])(
    'as a form: %s',
    async (type) => {
      expect(await write({ origin: url, 'content-type': type }, 'apiEnabled=false')).toMatchObject({
        status: 415,
        body: { error: 'The body must be application/json' },
      });
    },
  );
  test('the page itself may write, with either header', async () => {
    expect((await write({ origin: url })).status).toBe(200);
    expect((await write({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });
});

describe('the address', () => {
  const at = (host: string, headers: Record<string, string> = {}, to = service) =>
    rawGet(to.url, '/dashboard/session', { host, ...headers });
  test('other names and addresses need https', async () => {
    const { port } = new URL(url);
    for (const host of [
      `garage.example:${port}`,
      `192.168.1.2:${port}`,
      `127.0.0.1.evil.example:${port}`,
    ])
      expect([host, await at(host)]).toMatchObject([
        host,
        {
          status: 403,
          code: 'insecure_address',
          body: {
            error: `Passwords would travel unencrypted to ${host}. Reach the dashboard over https, and start the service with --public-url https://…; or open it on the machine itself`,
          },
        },
      ]);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect([host, await at(host)]).toMatchObject([
        host,
        { status: 200, body: { data: null, mail: false } },
      ]);
  });
  test('a person who opens another address sees words, and a program a problem', async () => {
    const path = '/dashboard/board';
    const seen = await rawGet(url, path, { host: 'a<b.example', accept: 'text/html,*/*;q=0.8' });
    expect(seen).toMatchObject({
      status: 403,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    expect(seen.body).toMatchInlineSnapshot(`
      "<!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <title>The dashboard is closed at this address</title>
      <h1>The dashboard is closed at this address</h1>
      <p>Passwords would travel unencrypted to a&#60;b.example. Reach the dashboard over https, and start the service with --public-url https://…; or open it on the machine itself.</p>
      <p>If this is not your machine, ask its owner for the right address.</p>
      </html>
      "
    `);
    expect(seen.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'/),
    });
    expect(await rawGet(url, path, { host: 'garage.example' })).toMatchObject({
      status: 403,
      code: 'insecure_address',
    });
  });
  test('the public address is enough, the cookie is for it alone, and links lead to it', async () => {
    const behind = await startTestService({
      dashboard: { publicUrl: new URL('https://garage.example') },
    });
    try {
      expect(await at('garage.example', {}, behind)).toMatchObject({
        body: { data: null },
        headers: { 'strict-transport-security': 'max-age=31536000' },
      });
      const foreign = await at('other.example', {}, behind);
      expect(foreign).toMatchObject({
        code: 'insecure_address',
        body: {
          error:
            'The dashboard is at https://garage.example, and this request is for other.example. A proxy in front of the service must pass the Host header on as it came',
        },
      });
      // A proxy on the same machine that names itself.
      const write = await send(
        `${behind.url}/dashboard/session`,
        'POST',
        {},
        { origin: 'https://garage.example' },
      );
      expect(write).toMatchObject({
        status: 403,
        body: {
          code: 'origin_refused',
          error: `The page is at https://garage.example, and this request is for ${new URL(behind.url).host}. A proxy in front of the service must pass the Host header on as it came`,
        },
      });
      // Links for others lead there, whichever address this admin uses.
      const boss = await signInAdmin(behind);
      for (const [path, body] of [
        ['admins', { email: 'new@garage.example' }],
        ['screens', { name: 'Hall' }],
      ] as const)
        expect((await boss.ask('POST', `/api/v1/team/${path}`, body)).body.data.link).toMatch(
          /^https:\/\/garage\.example\/dashboard\/link#/,
        );
    } finally {
      await behind.close();
    }
  });
  test('the owner can allow http', async () => {
    const open = await startTestService({ dashboard: { allowInsecure: true } });
    try {
      expect(await at('192.168.1.2', {}, open)).toMatchObject({ body: { data: null } });
    } finally {
      await open.close();
    }
  });
});

test('without a dashboard there is none', async () => {
  const plain = await startTestService({ dashboard: false });
  try {
    expect(await send(`${plain.url}/dashboard/session`, 'GET')).toMatchObject({
      status: 404,
      body: { code: 'route_not_found' },
    });
  } finally {
    await plain.close();
  }
});

test('what is neither a page nor a file is not found', async () => {
  for (const path of ['/api/v1/nothing', '/api', '/main-OLD12345.js', '/theme-OLD12345.css?x=1'])
    expect([path, await admin.ask('GET', path)]).toMatchObject([
      path,
      { status: 404, body: { code: 'route_not_found' } },
    ]);
  expect((await admin.ask('GET', '/nothing/here?a=b.c')).status).not.toBe(404);
});

test('every answer keeps other sites, frames and code out', async () => {
  for (const path of ['/session', '/api/v1/cars', '/board', '/nothing/here']) {
    const { headers } = await admin.ask('GET', path);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*trusted-types 'none'$/,
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  }
});

/** `fetch` sets the Host header itself. */
async function rawGet(address: string, path: string, headers: Record<string, string>) {
  const { request } = await import('node:http');
  const { hostname, port } = new URL(address);
  return new Promise<{ status: number; code: string; body: unknown; headers: object }>(
    (resolve, reject) => {
      const sent = request({ host: hostname, port, path, headers }, async (response) => {
        const text = (await response.toArray()).join('');
        const body = response.headers['content-type']?.includes('json') ? JSON.parse(text) : text;
        resolve({
          status: response.statusCode ?? 0,
          code: body.code,
          body,
          headers: response.headers,
        });
      });
      sent.on('error', reject).end();
    },
  );
}
