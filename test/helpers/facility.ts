/** Records for tests, created through the interface. */
import type { CreateFor, RecordFor } from '../../src/contract/contract.ts';
import type { TestService } from './service.ts';

type Given<T> = Partial<T>;

export interface Facility {
  location(given?: Given<CreateFor<'locations'>>): Promise<RecordFor<'locations'>>;
  zone(
    locationId: string,
    given?: Given<CreateFor<'parkingZones'>>,
  ): Promise<RecordFor<'parkingZones'>>;
  spot(
    locationId: string,
    given?: Given<CreateFor<'parkingSpots'>>,
  ): Promise<RecordFor<'parkingSpots'>>;
  customer(given?: CreateFor<'customers'>): Promise<RecordFor<'customers'>>;
  contact(given?: Given<CreateFor<'contacts'>>): Promise<RecordFor<'contacts'>>;
  /** Default: one hour, without a type. */
  appointment(given?: Given<CreateFor<'appointments'>>): Promise<RecordFor<'appointments'>>;
  car(given?: Given<CreateFor<'cars'>>): Promise<RecordFor<'cars'>>;
  /** Logs an event (default: a drop-off). */
  event(carId: string, given: Given<CreateFor<'carEvents'>>): Promise<RecordFor<'carEvents'>>;
  photo(carId: string, given?: Given<CreateFor<'carPhotos'>>): Promise<RecordFor<'carPhotos'>>;
  assignment(given: CreateFor<'parkingAssignments'>): Promise<RecordFor<'parkingAssignments'>>;
  assetFolder(given?: Given<CreateFor<'assetFolders'>>): Promise<RecordFor<'assetFolders'>>;
  /** An asset (default: a picture). */
  asset(given?: Given<CreateFor<'assets'>>): Promise<RecordFor<'assets'>>;
  /** A published social event, far in the future. */
  socialEvent(given?: Given<CreateFor<'socialEvents'>>): Promise<RecordFor<'socialEvents'>>;
  option(eventId: string, given: CreateFor<'rsvpOptions'>): Promise<RecordFor<'rsvpOptions'>>;
  /** Default: invites an e-mail address. */
  invite(eventId: string, given?: Given<CreateFor<'invites'>>): Promise<RecordFor<'invites'>>;
  /** A reply (default: going). */
  rsvp(eventId: string, given?: Given<CreateFor<'rsvps'>>): Promise<RecordFor<'rsvps'>>;
  thread(given: Given<CreateFor<'threads'>>): Promise<RecordFor<'threads'>>;
  message(threadId: string, given: Given<CreateFor<'messages'>>): Promise<RecordFor<'messages'>>;
  /** Adds any record; its path is below `/api/v1`. */
  // biome-ignore lint/suspicious/noExplicitAny: a record of whatever the path names
  add(path: string, body: object): Promise<any>;
  /** Changes any record. */
  // biome-ignore lint/suspicious/noExplicitAny: a record of whatever the path names
  change(path: string, body: unknown): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: a record of whatever the path names
  read(path: string): Promise<any>;
}

let made = 0;

/** A time from now on, or before. */
export const inHours = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString();

/** Creates records for the team of `key` (default: the first team), with generated names by default. */
export function facility(service: Pick<TestService, 'call'>, key?: string): Facility {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, path, body, key);
    if (answer.status >= 300)
      throw new Error(
        `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    return answer.body.data;
  };
  const next = (what: string) => `${what} ${++made}`;
  return {
    location: (given) => ask('POST', '/locations', { name: next('Hall'), ...given }),
    zone: (locationId, given) =>
      ask('POST', '/parking/zones', { locationId, name: next('Zone'), ...given }),
    spot: (locationId, given) =>
      ask('POST', '/parking/spots', { locationId, name: next('Spot'), ...given }),
    customer: (given) =>
      ask('POST', '/customers', given ?? { firstName: 'Ada', lastName: next('Lovelace') }),
    contact: (given) =>
      ask('POST', '/contacts', { firstName: 'Grace', lastName: next('Hopper'), ...given }),
    appointment: (given) =>
      ask('POST', '/appointments', {
        startAt: '2026-05-04T10:00:00Z',
        endAt: '2026-05-04T11:00:00Z',
        ...given,
      }),
    car: (given) =>
      ask('POST', '/cars', { year: 1973, make: 'Porsche', model: next('911'), ...given }),
    event: (carId, given) =>
      ask('POST', `/cars/${carId}/events`, { activityType: 'drop_off', ...given }),
    photo: (carId, given) =>
      ask('POST', `/cars/${carId}/photos`, { base64: base64Of(ownPicture()), ...given }),
    assignment: (given) => ask('POST', '/parking/assignments', given),
    assetFolder: (given) =>
      ask('POST', '/marketing/asset-folders', { name: next('Folder'), ...given }),
    asset: (given) =>
      ask('POST', '/marketing/assets', { base64: base64Of(ownPicture()), ...given }),
    socialEvent: (given) =>
      ask('POST', '/marketing/social-events', {
        title: next('Evening'),
        startAt: '2090-06-01T18:00:00Z',
        status: 'published',
        ...given,
      }),
    option: (eventId, given) =>
      ask('POST', `/marketing/social-events/${eventId}/rsvp-options`, given),
    invite: (eventId, given) => {
      const person =
        given?.customerId || given?.contactId || given?.phone
          ? {}
          : { email: `guest${++made}@example.com` };
      return ask('POST', `/marketing/social-events/${eventId}/invites`, { ...person, ...given });
    },
    async rsvp(eventId, given) {
      const [going] = await ask('GET', `/marketing/social-events/${eventId}/rsvp-options`);
      const name = given?.inviteId ? {} : { guestName: next('Guest') };
      return ask('POST', `/marketing/social-events/${eventId}/rsvps`, {
        rsvpOptionId: going.id,
        ...name,
        ...given,
      });
    },
    thread: (given) => ask('POST', '/communications/threads', { channel: 'email', ...given }),
    message: (threadId, given) =>
      ask('POST', `/communications/threads/${threadId}/messages`, {
        direction: 'inbound',
        body: next('Hello'),
        ...given,
      }),
    add: (path, body) => ask('POST', path, body),
    change: (path, body) => ask('PATCH', path, body),
    read: (path) => ask('GET', path),
  };
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A real PNG of one pixel. Each `seed` gives different bytes; `size` is the size of the file in bytes. */
export function png(seed = 0, size = onePixel.length + 4): Buffer {
  const bytes = Buffer.alloc(size);
  onePixel.copy(bytes);
  // After the end of the image, where decoders ignore it.
  bytes.writeUInt32BE(seed, size - 4);
  return bytes;
}

/** Other bytes than any picture that a test numbers itself: of equal ones, the service keeps the first. */
const ownPicture = (): Buffer => png(1_000_000 + ++made);

export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
