/** A facility on the other server. Each record has a name, which stands for its id in command lines and in the log of writes. */
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Id, OtherRecords, Row } from './other-records.ts';
import { type Logged, type OtherServer, otherKey, type Ways } from './other-server.ts';
import { emptyAppointment, ownTypeOf } from './other-writes.ts';

/** Noon in local time, so that no test runs around midnight. */
export const noon = new Date(2026, 4, 5, 12, 0);
const at = (hour: number, day = 5) => new Date(2026, 4, day, hour, 0).toISOString();

export interface OtherFacility {
  readonly server: OtherServer;
  /** The variables of `cs` for this server. */
  readonly env: Record<string, string>;
  /** Puts everything back. */
  reset(): void;
  /** The id of a named record, `{Emma}` in a command line. */
  fill(word: string): string;
  /** The writes, with names in place of ids: `PATCH /cars/{Emma} {"notes":"x"}`. */
  writes(): string[];
  /** The named records that changed, added or deleted ones too; without those that the server made. */
  changed(): string[];
}

/** The states in words of the server's own, where the specification states none. */
export interface Words {
  readonly own?: boolean;
}

export function furnish(server: OtherServer, { own = false }: Words = {}): OtherFacility {
  let ids = new Map<string, Id>();
  let names = new Map<string, string>();
  const reset = () => {
    ids = new Map();
    names = new Map();
    server.reset((records) => seed(records, { ids, names, ways: server.ways, own }));
  };
  reset();
  const namedPath = (path: string) => {
    const parts = path.split('/');
    return parts
      .map((part, index) => braced(names.get(parts.slice(0, index + 1).join('/'))) ?? part)
      .join('/');
  };
  /** With names in place of ids, and every other value as text, since ids in bodies may be numbers. */
  const namedBody = (body: Row) =>
    JSON.stringify(body, (field, value: unknown) => {
      const list = listOf[field.replace(/s$/, '')];
      if (Array.isArray(value)) return value.map((one) => (list ? nameIn(list, one) : one));
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
        return value;
      return list ? nameIn(list, value) : String(value);
    });
  const nameIn = (list: string, id: unknown) =>
    braced([...names].find(([path]) => path.endsWith(`/${list}/${id}`))?.[1]) ?? String(id);
  return {
    server,
    env: {
      ...{
        CS_BASE_URL: server.url,
        CS_API_KEY: otherKey,
        CS_CONFIG_DIR: '/nowhere/cs',
        CS_RETRIES: '0',
      },
      // The ids are the same on each of these servers: in one folder, the same line on two of them would be refused.
      CS_STATE_DIR: join(homedir(), 'state', randomUUID()),
    },
    reset,
    fill: (word) =>
      word.replace(/\{(.+?)\}/g, (_, name: string) => String(ids.get(name) ?? `unknown ${name}`)),
    writes: () =>
      server.writes.map(({ method, path, body }: Logged) =>
        [`${method} ${namedPath(path)}`, body && namedBody(body)].filter(Boolean).join(' '),
      ),
    changed: () =>
      [
        ...new Set(
          server.writes.flatMap(({ changed }) => changed.flatMap((path) => names.get(path) ?? [])),
        ),
      ].sort(),
  };
}

const braced = (name: string | undefined) => name && `{${name}}`;

/** The list of the records that a field names, by the end of its path. */
const listOf: Readonly<Record<string, string>> = {
  ...{
    carId: 'cars',
    secondaryCarId: 'cars',
    customerId: 'customers',
    contactId: 'contacts',
    locationId: 'locations',
  },
  ...{
    parkingSpotId: 'spots',
    parkingZoneId: 'zones',
    zoneId: 'zones',
    appointmentId: 'appointments',
  },
  ...{
    eventTypeId: 'event-types',
    appointmentTypeId: 'event-types',
    templateId: 'templates',
    socialAccountId: 'social-accounts',
  },
  ...{
    folderId: 'asset-folders',
    parentId: 'asset-folders',
    rsvpOptionId: 'rsvp-options',
    inviteId: 'invites',
    assetId: 'assets',
  },
};

interface Seed {
  readonly ids: Map<string, Id>;
  /** By path: `/cars/17`. */
  readonly names: Map<string, string>;
  readonly ways: Ways;
  readonly own: boolean;
}

function seed(records: OtherRecords, { ids, names, ways, own }: Seed): void {
  const add = (collection: string, name: string, fields: Row = {}): Id => {
    const row = records.add(collection, fields);
    ids.set(name, row.id as Id);
    names.set(`${collection}/${row.id}`, name);
    return row.id as Id;
  };
  const word = (ours: string, theirs: string) => (own ? theirs : ours);
  const value = (text: string) => text.replaceAll('_', ways.wordBreak ?? '_');
  const type = (name: string, scope: string, config: object = {}) =>
    add('/event-types', name, {
      value: value(name),
      scope,
      name: null,
      isActive: true,
      config: { requiresParkingSpot: false, releasesParkingSpot: false, ...config },
    });
  const types = {
    drop_off: type('drop_off', 'vehicle', { requiresParkingSpot: true }),
    pick_up: type('pick_up', 'vehicle', { releasesParkingSpot: true }),
    cleaning: type('interior_cleaning', 'vehicle'),
    visit: type('customer_visit', 'customer'),
  };

  const harbour = add('/locations', 'Harbour', { name: 'Harbour', isActive: true });
  const depot = add('/locations', 'Depot', { name: 'Depot', isActive: true });
  const hall = add('/parking/zones', 'Hall A', {
    locationId: harbour,
    name: 'Hall A',
    capacity: 10,
    occupied: 1,
    available: 9,
    isActive: true,
  });
  add('/parking/zones', 'Hall B', {
    locationId: depot,
    name: 'Hall B',
    capacity: 1,
    occupied: 0,
    available: 1,
    isActive: true,
  });
  const spot = (name: string, more: Row = {}) =>
    add('/parking/spots', name, {
      ...{
        locationId: harbour,
        zoneId: hall,
        name,
        kind: word('standard', 'covered'),
        isActive: true,
        occupiedByCarId: null,
        ...more,
      },
    });
  const [a1, a2] = [spot('A1'), spot('A2')];
  spot('A3');
  spot('A4', { isActive: false });

  const ann = add('/customers', 'Ann', {
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.com',
    status: word('active', 'vip'),
  });
  const bob = add('/customers', 'Bob', {
    firstName: 'Bob',
    lastName: 'Ray',
    email: 'bob@example.com',
    externalId: 'B-7',
    status: word('lead', 'prospect'),
  });
  const car = (name: string, licensePlate: string, more: Row) =>
    add('/cars', name, {
      ...{
        year: 1973,
        make: 'Porsche',
        model: '911',
        licensePlate,
        nickname: name,
        vin: null,
        customerId: null,
        locationId: harbour,
      },
      ...{
        status: word('expected', 'on_the_way'),
        parkingSpotId: null,
        parkingZoneId: null,
        ...more,
      },
    });
  const stored = word('stored', 'in_the_hall');
  const greta = car('Greta', 'WN-AB 123', { customerId: ann });
  const otto = car('Otto', 'B-OT 7', { status: stored, parkingZoneId: hall });
  const ferdi = car('Ferdi', 'HH-F 12', { customerId: bob, status: stored, parkingSpotId: a2 });
  const emma = car('Emma', 'HH-E 61', { customerId: ann, status: stored, parkingSpotId: a1 });
  records.change('/parking/spots', a1, { occupiedByCarId: emma });
  records.change('/parking/spots', a2, { occupiedByCarId: ferdi });
  const assignment = (name: string, carId: Id, place: Row, endedAt: string | null = null) =>
    add('/parking/assignments', name, {
      ...{
        carId,
        parkingSpotId: null,
        parkingZoneId: null,
        ...place,
        startedAt: at(9, 1),
        endedAt,
        notes: null,
      },
    });
  assignment("Greta's old parking", greta, { parkingSpotId: a1 }, at(10, 1));
  assignment("Otto's parking", otto, { parkingZoneId: hall });
  assignment("Ferdi's parking", ferdi, { parkingSpotId: a2 });
  assignment("Emma's parking", emma, { parkingSpotId: a1 });

  const typeId = (id: Id) => (ways.appointmentTypes === 'own' ? ownTypeOf({ id }) : id);
  const visit = (name: string, fields: Row) =>
    add('/appointments', name, {
      ...emptyAppointment,
      status: 'scheduled',
      startAt: at(14),
      endAt: at(15),
      ...fields,
    });
  visit("Otto's pick-up", {
    carId: otto,
    appointmentTypeId: typeId(types.pick_up),
    startAt: at(9, 9),
    endAt: at(10, 9),
  });
  visit("Ferdi's pick-up", {
    carId: ferdi,
    customerId: bob,
    appointmentTypeId: typeId(types.pick_up),
    startAt: at(15),
    endAt: at(16),
  });
  visit("Greta's drop-off", {
    carId: greta,
    customerId: ann,
    appointmentTypeId: typeId(types.drop_off),
    locationId: harbour,
  });
  visit("Ann's visit", {
    customerId: ann,
    appointmentTypeId: typeId(types.visit),
    status: 'pending_approval',
    startAt: at(9, 7),
    endAt: at(10, 7),
  });
  visit("Emma's pick-up", {
    carId: emma,
    customerId: ann,
    appointmentTypeId: typeId(types.pick_up),
  });

  add(`/cars/${emma}/events`, "Emma's drop-off", {
    activityType: value('drop_off'),
    occurredAt: at(9, 1),
    notes: null,
    sessionId: records.newSessionId(),
  });
  add(`/cars/${emma}/photos`, "Emma's photo", {
    sessionId: null,
    filename: 'front.jpg',
    contentType: 'image/jpeg',
  });

  const template = (name: string, channel: string, lastUsedAt: string | null, updatedAt: string) =>
    add('/marketing/templates', name, {
      name,
      channel,
      subject: null,
      body: 'Hello.',
      lastUsedAt,
      updatedAt,
    });
  template('Receipt', 'sms', at(9, 1), '2025-01-01T08:00:00.000Z');
  template('Reminder', 'sms', '2025-02-01T08:00:00.000Z', '2025-01-02T08:00:00.000Z');
  template('Winter', 'email', '2025-03-01T08:00:00.000Z', '2025-01-03T08:00:00.000Z');
  template('Welcome', 'email', at(9, 4), '2025-01-04T08:00:00.000Z');
  template('Post', word('social', 'billboard'), at(9, 4), '2025-01-05T08:00:00.000Z');

  add('/contacts', 'Cy', {
    firstName: 'Cy',
    lastName: 'Doe',
    email: 'cy@example.com',
    customerId: bob,
    role: word('assistant', 'driver'),
  });
  add('/contacts', 'Max', {
    firstName: 'Max',
    lastName: 'Orr',
    email: 'max@example.com',
    customerId: ann,
    role: null,
  });
  const thread = (subject: string, channel: string, customerId: Id) => {
    const id = add('/communications/threads', subject, {
      subject,
      channel,
      customerId,
      carId: null,
      status: word('open', 'unread'),
    });
    add(`/communications/threads/${id}/messages`, `${subject} 1`, {
      threadId: id,
      direction: 'inbound',
      body: `About ${subject}`,
      status: word('received', 'seen'),
    });
  };
  thread('Winter storage', 'email', ann);
  thread('Keys', word('sms', 'telegram'), bob);

  const campaign = (name: string, status: string) => {
    const id = add('/marketing/campaigns', name, {
      name,
      channel: 'email',
      status,
      scheduledAt: null,
    });
    const below = `/marketing/campaigns/${id}`;
    add(`${below}/audiences`, `${name} audience`, { campaignId: id, name: 'Everyone', filter: {} });
    add(`${below}/content`, `${name} step`, {
      campaignId: id,
      position: 1,
      subject: 'Hello',
      body: 'Hello.',
    });
    add(`${below}/sends`, `${name} send`, {
      campaignId: id,
      recipient: 'ann@example.com',
      status: word('sent', 'handed_over'),
    });
  };
  campaign('Summer', word('sending', 'running'));
  campaign('Spring', 'draft');
  campaign('Autumn', word('paused', 'halted'));
  const account = add('/marketing/social-accounts', 'Our page', {
    platform: word('instagram', 'mastodon'),
    displayName: 'Our page',
    handle: '@cars',
  });
  add('/marketing/social-posts', 'Soon', {
    body: 'Soon.',
    status: word('draft', 'idea'),
    socialAccountIds: [account],
    scheduledAt: null,
  });
  add('/marketing/calendar', 'Item', {
    type: word('campaign', 'birthday'),
    title: 'Spring',
    status: 'draft',
    startAt: at(9, 6),
    endAt: null,
  });

  const question = {
    key: 'rating',
    label: 'Rating',
    type: word('number', 'stars'),
    required: false,
    options: [],
  };
  const form = (name: string, slug: string) => {
    const id = add('/marketing/forms', name, {
      name,
      slug,
      status: word('published', 'live'),
      fields: [question],
    });
    add(`/marketing/forms/${id}/submissions`, `${name} answer`, {
      formId: id,
      data: { rating: 5 },
      status: 'new',
      submittedAt: at(9, 2),
    });
  };
  form('Feedback', 'feedback');
  form('Waiting list', 'waiting');
  const evening = (title: string, startAt: string) => {
    const id = add('/marketing/social-events', title, {
      title,
      startAt,
      endAt: null,
      status: word('published', 'announced'),
    });
    const below = `/marketing/social-events/${id}`;
    const option = add(`${below}/rsvp-options`, `${title} yes`, {
      socialEventId: id,
      label: 'Yes',
      kind: 'going',
      position: 1,
    });
    add(`${below}/invites`, `${title} invite`, {
      socialEventId: id,
      email: 'guest@example.com',
      status: word('sent', 'mailed'),
    });
    add(`${below}/rsvps`, `${title} reply`, {
      socialEventId: id,
      rsvpOptionId: option,
      guestName: 'Ada King',
      partySize: 1,
    });
  };
  evening('Autumn drive', at(18, 20));
  evening('Open day', at(18, 21));
  const folder = add('/marketing/asset-folders', 'Pictures', { name: 'Pictures', parentId: null });
  add('/marketing/asset-folders', 'Empty', { name: 'Empty', parentId: null });
  add('/marketing/assets', 'hall.png', {
    folderId: folder,
    filename: 'hall.png',
    contentType: 'image/png',
    sizeBytes: 4,
    tags: [],
  });
}
