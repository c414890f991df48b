/** A facility on the other server, made through the interface. Each record has a name, which stands for its id in command lines and in the log of writes. */
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cs } from './cli.ts';
import { base64Of, png } from './facility.ts';
import type { Row } from './other-records.ts';
import { type OtherServer, otherKey, startOtherServer, type Ways } from './other-server.ts';
import { send } from './service.ts';

/** Noon in local time, so that no test runs around midnight. */
export const noon = new Date(2026, 4, 5, 12, 0);

export interface NamedFacility {
  /** The variables of `cs` for this server. */
  readonly env: Record<string, string>;
  readonly now: Date;
  /** Puts everything back. */
  reset(): Promise<void>;
  /** The id of a named record, `{Emma}` in a command line. */
  fill(text: string): string;
  /** The writes, with names in place of ids: `PATCH /cars/{Emma} {"notes":"x"}`. */
  writes(): string[];
  close(): Promise<void>;
}

export interface OtherFacility extends NamedFacility {
  readonly server: OtherServer;
  /** The named records that changed, added or deleted ones too; without those that the server made. */
  changed(): string[];
  /** Takes fields away from the records of a list. */
  hide(collection: string, ...fields: string[]): void;
}

/** The facility on the second server, which has no abilities unless `ways` give it some. */
export async function openOther(
  ways: Ways = {},
  clock: () => Date = () => noon,
): Promise<OtherFacility> {
  const server = await startOtherServer(clock);
  const { records } = server;
  const config = { requiresParkingSpot: false, releasesParkingSpot: false };
  for (const [value, scope, more] of [
    ['drop_off', 'vehicle', { requiresParkingSpot: true }],
    ['pick_up', 'vehicle', { releasesParkingSpot: true }],
    ['interior_cleaning', 'vehicle', {}],
    ['customer_visit', 'customer', {}],
  ] as const)
    records.add('/event-types', {
      value,
      scope,
      name: null,
      isActive: true,
      config: { ...config, ...more },
    });
  const names = await furnish(caller(server.url, otherKey), noon);
  const used = { Receipt: '2025-03-01', Reminder: '2026-05-04', Winter: '2025-02-01' };
  for (const [name, day] of Object.entries(used))
    records.change('/marketing/templates', names.idOf(name), {
      lastUsedAt: `${day}T08:00:00.000Z`,
      updatedAt: '2025-01-01T08:00:00.000Z',
    });
  records.add('/marketing/calendar', {
    type: 'campaign',
    title: 'Spring',
    status: 'draft',
    startAt: at(noon, 9, 1),
    endAt: null,
  });
  const furnished = records.snapshot();
  server.ways = ways;
  const reset = async () => {
    records.restore(furnished);
    server.writes.length = 0;
    server.spoil = undefined;
  };
  const env = {
    CS_BASE_URL: server.url,
    CS_API_KEY: otherKey,
    CS_RETRIES: '0',
    CS_CONFIG_DIR: '/nowhere/cs',
    CS_STATE_DIR: join(homedir(), 'state', randomUUID()),
  };
  // What the server announces is known, as it is after a sign-in.
  await cs(['doctor'], { env, now: noon });
  await reset();
  return {
    server,
    env,
    now: noon,
    reset,
    fill: names.fill,
    writes: () => server.writes.map(names.write),
    changed: () => records.changedSince(furnished).flatMap((path) => names.of(path) ?? []),
    hide(collection, ...fields) {
      const nothing = Object.fromEntries(fields.map((field) => [field, undefined]));
      for (const { id, updatedAt } of records.list(collection))
        records.change(collection, id, { ...nothing, updatedAt });
    },
    close: () => server.close(),
  };
}

type Call = (method: string, path: string, body?: Row) => Promise<Row>;

const caller =
  (url: string, key: string): Call =>
  async (method, path, body) => {
    const answer = await send(`${url}/api/v1${path}`, method, body, { 'x-api-key': key });
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };

const at = (day: Date, hour: number, later = 0) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + later, hour).toISOString();

interface Names {
  fill(text: string): string;
  idOf(name: string): string;
  of(path: string): string | undefined;
  write(request: {
    readonly method: string;
    readonly path: string;
    readonly body: Row | undefined;
  }): string;
}

async function furnish(call: Call, day: Date): Promise<Names> {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const note = (collection: string, name: string, { id }: Row): string => {
    ids.set(name, String(id));
    names.set(`${collection}/${id}`, name);
    return String(id);
  };
  const add = async (collection: string, name: string, fields: Row) =>
    note(collection, name, await call('POST', collection, fields));

  for (const type of (await call('GET', '/event-types')) as unknown as Row[])
    note('/event-types', String(type.value), type);
  const harbour = await add('/locations', 'Harbour', { name: 'Harbour' });
  const depot = await add('/locations', 'Depot', { name: 'Depot' });
  const zone = (name: string, locationId: string, capacity: number) =>
    add('/parking/zones', name, { locationId, name, capacity, notes: null });
  const hall = await zone('Hall A', harbour, 10);
  await zone('Hall B', depot, 1);
  const spot = (name: string, isActive = true) =>
    add('/parking/spots', name, {
      locationId: harbour,
      zoneId: hall,
      name,
      kind: 'standard',
      isActive,
      notes: null,
    });
  const [a1, a2] = [await spot('A1'), await spot('A2')];
  await spot('A3');
  await spot('A4', false);

  const person = (name: string, lastName: string, more: Row) =>
    add('/customers', name, {
      firstName: name,
      lastName,
      email: `${name.toLowerCase()}@example.com`,
      ...more,
    });
  const ann = await person('Ann', 'Lee', { status: 'active', externalId: null });
  const bob = await person('Bob', 'Ray', { status: 'lead', externalId: 'B-7' });
  const car = (nickname: string, licensePlate: string, customerId: string | null) =>
    add('/cars', nickname, {
      year: 1973,
      make: 'Porsche',
      model: '911',
      licensePlate,
      nickname,
      customerId,
      vin: null,
      color: null,
      locationId: harbour,
    });
  const greta = await car('Greta', 'WN-AB 123', ann);
  const otto = await car('Otto', 'B-OT 7', null);
  const ferdi = await car('Ferdi', 'HH-F 12', bob);
  const emma = await car('Emma', 'HH-E 61', ann);
  const log = (id: string, name: string, activityType: string, daysAgo: number, place: Row = {}) =>
    add(`/cars/${id}/events`, name, {
      activityType,
      ...place,
      occurredAt: at(day, 9, -daysAgo),
    });
  await log(greta, "Greta's old drop-off", 'drop_off', 6, { parkingSpotId: a1 });
  await log(greta, "Greta's old pick-up", 'pick_up', 5);
  await log(otto, "Otto's drop-off", 'drop_off', 4, { parkingZoneId: hall });
  await log(ferdi, "Ferdi's drop-off", 'drop_off', 4, { parkingSpotId: a2 });
  await log(emma, "Emma's drop-off", 'drop_off', 4, { parkingSpotId: a1 });
  for (const assignment of (await call('GET', '/parking/assignments')) as unknown as Row[]) {
    const owner = [...ids].find(([, id]) => id === assignment.carId)?.[0];
    note('/parking/assignments', `${owner}'s parking`, assignment);
  }
  const base64 = base64Of(png(1));
  await add(`/cars/${emma}/photos`, "Emma's photo", {
    sessionId: null,
    filename: 'front.png',
    contentType: 'image/png',
    base64,
  });

  const visit = (name: string, type: string, hour: number, later: number, fields: Row) =>
    add('/appointments', name, {
      eventType: type,
      startAt: at(day, hour, later),
      endAt: at(day, hour + 1, later),
      ...fields,
    });
  await visit("Otto's pick-up", 'pick_up', 9, 4, { carId: otto });
  await visit("Ferdi's pick-up", 'pick_up', 15, 0, { carId: ferdi, customerId: bob });
  await visit("Greta's drop-off", 'drop_off', 14, 0, {
    carId: greta,
    customerId: ann,
    locationId: harbour,
  });
  await visit("Ann's visit", 'customer_visit', 9, 2, {
    customerId: ann,
    status: 'pending_approval',
  });
  await visit("Emma's pick-up", 'pick_up', 14, 0, { carId: emma, customerId: ann });

  for (const [name, channel] of [
    ...([['Receipt', 'sms'] as const, ['Reminder', 'sms']] as const),
    ...([['Winter', 'email'] as const, ['Welcome', 'email'], ['Post', 'social']] as const),
  ])
    await add('/marketing/templates', name, { name, channel, subject: null, body: 'Hello.' });
  const contact = (firstName: string, lastName: string, customerId: string) =>
    add('/contacts', firstName, {
      firstName,
      lastName,
      email: `${firstName.toLowerCase()}@example.com`,
      customerId,
    });
  await contact('Cy', 'Doe', bob);
  await contact('Max', 'Orr', ann);
  for (const [subject, customerId] of [
    ['Winter storage', ann],
    ['Keys', bob],
  ] as const) {
    const id = await add('/communications/threads', subject, {
      subject,
      channel: 'email',
      customerId,
    });
    await add(`/communications/threads/${id}/messages`, `${subject} 1`, {
      direction: 'inbound',
      body: `About ${subject}`,
    });
  }

  for (const [name, ...states] of [
    ['Summer', 'sending'],
    ['Spring'],
    ['Autumn', 'sending', 'paused'],
  ] as const) {
    const id = await add('/marketing/campaigns', name, { name, channel: 'email' });
    const path = `/marketing/campaigns/${id}`;
    await add(`${path}/audiences`, `${name} audience`, {
      name: 'Everyone',
      filter: { customerStatus: ['active'] },
    });
    await add(`${path}/content`, `${name} step`, { subject: 'Hello', body: 'Hello.', position: 1 });
    for (const status of states) await call('PATCH', path, { status });
  }
  const account = await add('/marketing/social-accounts', 'Our page', {
    ...{ platform: 'instagram', displayName: 'Our page', externalId: '1', handle: '@cars' },
  });
  await add('/marketing/social-posts', 'Soon', { body: 'Soon.', socialAccountIds: [account] });
  const form = await add('/marketing/forms', 'Feedback', {
    name: 'Feedback',
    slug: 'feedback',
    status: 'published',
    fields: [{ key: 'rating', label: 'Rating', type: 'number' }],
  });
  await add(`/marketing/forms/${form}/submissions`, 'Feedback answer', { data: { rating: 5 } });
  for (const title of ['Autumn drive', 'Open day']) {
    const id = await add('/marketing/social-events', title, {
      title,
      startAt: '2090-06-01T18:00:00.000Z',
      status: 'published',
    });
    const path = `/marketing/social-events/${id}`;
    const rsvpOptionId = await add(`${path}/rsvp-options`, `${title} sure`, {
      label: 'Sure',
      kind: 'going',
    });
    await add(`${path}/rsvp-options`, `${title} late`, { label: 'Late', kind: 'maybe' });
    await add(`${path}/invites`, `${title} invite`, { email: 'guest@example.com' });
    await add(`${path}/rsvps`, `${title} reply`, {
      rsvpOptionId,
      guestName: 'Ada King',
      partySize: 1,
    });
  }
  const folder = await add('/marketing/asset-folders', 'Pictures', { name: 'Pictures' });
  await add('/marketing/asset-folders', 'Empty', { name: 'Empty' });
  await add('/marketing/assets', 'hall.png', {
    folderId: folder,
    filename: 'hall.png',
    contentType: 'image/png',
    base64,
  });

  const braced = (name: string | undefined) => name && `{${name}}`;
  const nameIn = (list: string, id: unknown) =>
    braced([...names].find(([path]) => path.endsWith(`/${list}/${id}`))?.[1]) ?? id;
  const idOf = (name: string) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`no record is called ${name}`);
    return id;
  };
  return {
    idOf,
    fill: (text) => text.replace(/\{([^{}"]+)\}/g, (_, name: string) => idOf(name)),
    of: (path) => names.get(path),
    write({ method, path, body }) {
      const parts = path.split('/');
      const named = parts.map(
        (part, index) => braced(names.get(parts.slice(0, index + 1).join('/'))) ?? part,
      );
      const text = JSON.stringify(body, (field, value: unknown) => {
        const list = listOf[field.replace(/s$/, '')];
        if (list === undefined) return value;
        return Array.isArray(value) ? value.map((id) => nameIn(list, id)) : nameIn(list, value);
      });
      return [`${method} ${named.join('/')}`, text].filter(Boolean).join(' ');
    },
  };
}

/** The list of the records that a field names, by the end of its path. */
const listOf: Readonly<Record<string, string>> = {
  ...{ carId: 'cars', customerId: 'customers', contactId: 'contacts', locationId: 'locations' },
  ...{ parkingSpotId: 'spots', parkingZoneId: 'zones', zoneId: 'zones' },
  ...{ appointmentId: 'appointments', eventTypeId: 'event-types', templateId: 'templates' },
  ...{ socialAccountId: 'social-accounts', folderId: 'asset-folders', parentId: 'asset-folders' },
  ...{ rsvpOptionId: 'rsvp-options', inviteId: 'invites', sessionId: 'sessions' },
};
