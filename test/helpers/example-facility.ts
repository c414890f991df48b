/** The facility in the examples of the help. */

import { expect, vi } from 'vitest';
import { scopes } from '../../src/contract/scopes.ts';
import { addSender, createKey, createTeam } from '../../src/service/admin.ts';
import { base64Of, type Facility, facility, png } from './facility.ts';
import { send, type TestService } from './service.ts';
import { copyTeam } from './team-copy.ts';

export interface ExampleTeam {
  readonly key: string;
  /** Ids that the examples write as words in capitals: `EVENT`, `POST`. */
  readonly ids: Readonly<Record<string, string>>;
}

/** The photos of the examples: the stored ones and those in the folder are the same. */
export const examplePhotos: Readonly<Record<string, Uint8Array>> = {
  'front.jpg': png(1),
  'rear.jpg': png(2),
};

/** The asset of the examples, likewise. */
export const examplePicture = png(12);

interface Original extends Pick<ExampleTeam, 'ids'> {
  readonly slug: string;
}

/**
 * Separate teams with all records in the examples, in the state that the examples of a command need at the time `now`. They are copies
 * of one team per state.
 */
export function exampleTeams(
  service: TestService,
  now: Date,
): (command: string) => Promise<ExampleTeam> {
  const originals = new Map<State, Promise<Original>>();
  let made = 0;
  return async (command) => {
    const state = stateOf(command);
    const original = originals.get(state) ?? makeOriginal(service, state, now);
    originals.set(state, original);
    const { slug, ids } = await original;
    const team = `examples-${++made}`;
    await copyTeam(service, slug, team);
    return { key: await keyOf(service, team), ids };
  };
}

/** A team with the records of a state, made through the interface. */
export async function makeOriginal(
  service: TestService,
  state: State,
  now: Date,
): Promise<Original> {
  const { slug } = await createTeam(service.admin, { name: state, timezone: 'Europe/Berlin' });
  await addSender(service.admin, slug, 'office@example.com');
  const key = await keyOf(service, slug);
  // Without checks of every answer, which other tests have.
  const call: TestService['call'] = (method, path, body) =>
    send(`${service.url}/api/v1${path}`, method, body, { 'x-api-key': key });
  return {
    slug,
    ids: state === 'harbour' ? await harbour(call, now) : await garage(call, state, now),
  };
}

const keyOf = async ({ admin }: TestService, team: string): Promise<string> =>
  (await createKey(admin, { team, name: 'examples', scopes })).key;

const counters: ReadonlySet<string> = new Set([
  'labels',
  'dropoff',
  'pickup',
  'move',
  'undo',
  'today',
  'board',
  'audit',
  'care',
]);
/** The environment for the examples of a command. */
export const sceneOf = (command: string): 'harbour' | 'garage' =>
  counters.has(command.split(' ')[0] as string) ? 'harbour' : 'garage';

/** `garage` with an appointment to approve, or with a campaign that is scheduled, being sent or paused. */
type Garage = 'garage' | 'pending' | 'scheduled' | 'sending' | 'paused';
type State = 'harbour' | Garage;

function stateOf(command: string): State {
  if (/^appointments (approve|decline)/.test(command)) return 'pending';
  if (command === 'campaigns cancel') return 'scheduled';
  if (command === 'campaigns resume') return 'paused';
  if (/^campaigns (pause|sends)/.test(command)) return 'sending';
  return sceneOf(command);
}

// biome-ignore lint/suspicious/noExplicitAny: a record of whatever the path names
type Post = (path: string, body: unknown) => Promise<any>;

const hoursBefore = (now: Date, hours: number) =>
  new Date(now.getTime() - hours * 3_600_000).toISOString();

/** From 12:00 to 13:00 on the day of `now`. */
function middayOf(now: Date): { startAt: string; endAt: string } {
  const at = (hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour).toISOString();
  return { startAt: at(12), endAt: at(13) };
}

/** The records in the examples of the counter. */
async function harbour(call: TestService['call'], now: Date): Promise<Record<string, string>> {
  const make = facility({ call });
  const harbour = await make.location({ name: 'Harbour' });
  const hall = await make.zone(harbour.id, { name: 'Hall A', capacity: 10 });
  await make.zone(harbour.id, { name: 'Hall B', capacity: 10 });
  const a1 = await make.spot(harbour.id, { name: 'A1', zoneId: hall.id });
  await make.spot(harbour.id, { name: 'A3', zoneId: hall.id });
  const emma = await make.car({ nickname: 'Emma', licensePlate: 'HH-E 61H' });
  await make.event(emma.id, { parkingSpotId: a1.id, occurredAt: hoursBefore(now, 3) });
  await make.appointment({ carId: emma.id, eventType: 'pick_up', ...middayOf(now) });
  return {};
}

/** One after another: lists show the order in which they were made. */
async function inTurn(count: number, make: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 1) await make(index);
}

async function garage(
  call: TestService['call'],
  state: Garage,
  now: Date,
): Promise<Record<string, string>> {
  const make = facility({ call });
  const post: Post = async (path, body) => {
    const answer = await call('POST', path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const [main, ann] = await Promise.all([
    make.location({ name: 'Main' }),
    make.customer({ firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com' }),
    make.location({ name: 'Depot' }),
    inTurn(11, (index) =>
      post('/marketing/templates', { name: `ci/build ${index}`, channel: 'email', body: 'x' }),
    ),
    post('/marketing/templates', {
      name: 'Welcome',
      channel: 'email',
      subject: 'Welcome',
      body: 'Hello.',
    }),
    make.assetFolder({ name: 'Summer' }),
    make.assetFolder({ name: 'Empty' }),
    make.asset({ filename: 'hall.png', base64: base64Of(examplePicture) }),
  ]);
  const [car, message, draft] = await Promise.all([
    greta(make, { locationId: main.id, customerId: ann.id, state, now }),
    winterStorage(make, ann.id),
    socialPost(post),
    make.contact({
      firstName: 'Max',
      lastName: 'Ray',
      email: 'max@example.com',
      customerId: ann.id,
    }),
    campaign(post, make, state),
    autumnDrive(make),
    feedback(post),
  ]);
  return { EVENT: car.id, ID: car.sessionId as string, MESSAGE: message.id, POST: draft.id };
}

/** A car parked on A12, with two photos and an appointment today. Resolves with its drop-off event. */
async function greta(
  make: Facility,
  {
    locationId,
    customerId,
    state,
    now,
  }: { locationId: string; customerId: string; state: Garage; now: Date },
) {
  const zone = await make.zone(locationId, { name: 'Hall 1', capacity: 50 });
  const spot = await make.spot(locationId, { name: 'A12', zoneId: zone.id });
  const car = await make.car({
    licensePlate: 'WN AB 123',
    vin: 'WP0ZZZ91ZES100001',
    nickname: 'Greta',
    model: '911',
    customerId,
  });
  const event = await make.event(car.id, {
    parkingSpotId: spot.id,
    occurredAt: hoursBefore(now, 3),
  });
  for (const [filename, bytes] of Object.entries(examplePhotos))
    await make.photo(car.id, { sessionId: event.sessionId, filename, base64: base64Of(bytes) });
  const status = state === 'pending' ? 'pending_approval' : 'scheduled';
  await make.appointment({ carId: car.id, eventType: 'inspection', ...middayOf(now), status });
  return event;
}

async function winterStorage(make: Facility, customerId: string) {
  const thread = await make.thread({ subject: 'Winter storage', customerId });
  return make.message(thread.id, { externalId: 'mail-41', body: 'Is it dry?' });
}

async function autumnDrive(make: Facility): Promise<void> {
  const drive = await make.socialEvent({ title: 'Autumn drive' });
  await make.invite(drive.id, { email: 'guest@example.com' });
  await make.rsvp(drive.id, { guestName: 'Ada King' });
}

async function feedback(post: Post): Promise<void> {
  const fields = [{ key: 'rating', label: 'How was it?', type: 'number' }];
  const form = await post('/marketing/forms', {
    name: 'Feedback',
    slug: 'feedback',
    status: 'published',
    fields,
  });
  await post(`/marketing/forms/${form.id}/submissions`, {
    data: { rating: 5 },
    externalId: 'visit-17',
  });
}

async function socialPost(post: Post) {
  const given = {
    platform: 'instagram',
    displayName: 'Car storage',
    externalId: '1',
    handle: '@carstorage',
  };
  const account = await post('/marketing/social-accounts', given);
  return post('/marketing/social-posts', {
    body: 'Soon.',
    socialAccountIds: [account.id],
    scheduledAt: '2090-11-01T08:00:00Z',
  });
}

/** A campaign, in draft unless the state needs another one. */
async function campaign(post: Post, { change, read }: Facility, state: Garage): Promise<void> {
  const { id } = await post('/marketing/campaigns', { name: 'Spring letter', channel: 'email' });
  const path = `/marketing/campaigns/${id}`;
  await post(`${path}/audiences`, {
    name: 'Active customers',
    filter: { customerStatus: ['active'] },
  });
  await post(`${path}/content`, { subject: 'Spring', body: 'Spring is here.' });
  if (state === 'scheduled')
    await change(path, { status: 'scheduled', scheduledAt: '2090-06-01T08:00:00Z' });
  if (state !== 'sending' && state !== 'paused') return;
  await change(path, { status: 'sending' });
  // The service creates the sends asynchronously.
  await vi.waitFor(async () => expect(await read(`${path}/sends`)).not.toEqual([]), {
    timeout: 30_000,
  });
  if (state === 'paused') await change(path, { status: 'paused' });
}
