/** Records for tests, made through the interface like everybody else's. */
import type { CreateFor, RecordFor } from '../../src/contract/contract.ts';
import type { TestService } from './service.ts';

type Given<T> = Partial<T>;

export interface Facility {
  location(given?: Given<CreateFor<'locations'>>): Promise<RecordFor<'locations'>>;
  zone(locationId: string, given?: Given<CreateFor<'parkingZones'>>): Promise<RecordFor<'parkingZones'>>;
  spot(locationId: string, given?: Given<CreateFor<'parkingSpots'>>): Promise<RecordFor<'parkingSpots'>>;
  customer(given?: CreateFor<'customers'>): Promise<RecordFor<'customers'>>;
  contact(given?: Given<CreateFor<'contacts'>>): Promise<RecordFor<'contacts'>>;
  /** An hour of an untyped appointment, unless more is given. */
  appointment(given?: Given<CreateFor<'appointments'>>): Promise<RecordFor<'appointments'>>;
  car(given?: Given<CreateFor<'cars'>>): Promise<RecordFor<'cars'>>;
  /** Logs an event; a drop-off unless another `activityType` is given. */
  event(carId: string, given: Given<CreateFor<'carEvents'>>): Promise<RecordFor<'carEvents'>>;
  photo(carId: string, given?: Given<CreateFor<'carPhotos'>>): Promise<RecordFor<'carPhotos'>>;
  assignment(given: CreateFor<'parkingAssignments'>): Promise<RecordFor<'parkingAssignments'>>;
  assetFolder(given?: Given<CreateFor<'assetFolders'>>): Promise<RecordFor<'assetFolders'>>;
  /** An asset; a picture unless other bytes are given. */
  asset(given?: Given<CreateFor<'assets'>>): Promise<RecordFor<'assets'>>;
  /** A published social event, far ahead. */
  socialEvent(given?: Given<CreateFor<'socialEvents'>>): Promise<RecordFor<'socialEvents'>>;
  option(eventId: string, given: CreateFor<'rsvpOptions'>): Promise<RecordFor<'rsvpOptions'>>;
  /** Invites an e-mail address, unless another person is given. */
  invite(eventId: string, given?: Given<CreateFor<'invites'>>): Promise<RecordFor<'invites'>>;
  /** A reply, of somebody who comes unless more is given. */
  rsvp(eventId: string, given?: Given<CreateFor<'rsvps'>>): Promise<RecordFor<'rsvps'>>;
  thread(given: Given<CreateFor<'threads'>>): Promise<RecordFor<'threads'>>;
  message(threadId: string, given: Given<CreateFor<'messages'>>): Promise<RecordFor<'messages'>>;
  /** Changes any record; its path is below `/api/v1`. */
  // biome-ignore lint/suspicious/noExplicitAny: a record of whatever the path names
  change(path: string, body: unknown): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: a record of whatever the path names
  read(path: string): Promise<any>;
}

let made = 0;

/** Makes records for a team: that of `key`, the service's first one when left out. Names are made up when not given. */
export function facility(service: Pick<TestService, 'call'>, key?: string): Facility {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, path, body, key);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const next = (what: string) => `${what} ${++made}`;
  return {
    location: (given) => ask('POST', '/locations', { name: next('Hall'), ...given }),
    zone: (locationId, given) => ask('POST', '/parking/zones', { locationId, name: next('Zone'), ...given }),
    spot: (locationId, given) => ask('POST', '/parking/spots', { locationId, name: next('Spot'), ...given }),
    customer: (given) => ask('POST', '/customers', given ?? { firstName: 'Ada', lastName: next('Lovelace') }),
    contact: (given) => ask('POST', '/contacts', { firstName: 'Grace', lastName: next('Hopper'), ...given }),
    appointment: (given) => ask('POST', '/appointments', { startAt: '2026-05-04T10:00:00Z', endAt: '2026-05-04T11:00:00Z', ...given }),
    car: (given) => ask('POST', '/cars', { year: 1973, make: 'Porsche', model: next('911'), ...given }),
    event: (carId, given) => ask('POST', `/cars/${carId}/events`, { activityType: 'drop_off', ...given }),
    photo: (carId, given) => ask('POST', `/cars/${carId}/photos`, { base64: base64Of(png(++made)), ...given }),
    assignment: (given) => ask('POST', '/parking/assignments', given),
    assetFolder: (given) => ask('POST', '/marketing/asset-folders', { name: next('Folder'), ...given }),
    asset: (given) => ask('POST', '/marketing/assets', { base64: base64Of(png(++made)), ...given }),
    socialEvent: (given) =>
      ask('POST', '/marketing/social-events', { title: next('Evening'), startAt: '2090-06-01T18:00:00Z', status: 'published', ...given }),
    option: (eventId, given) => ask('POST', `/marketing/social-events/${eventId}/rsvp-options`, given),
    invite: (eventId, given) => {
      const person = given?.customerId || given?.contactId || given?.phone ? {} : { email: `guest${++made}@example.com` };
      return ask('POST', `/marketing/social-events/${eventId}/invites`, { ...person, ...given });
    },
    async rsvp(eventId, given) {
      const [going] = await ask('GET', `/marketing/social-events/${eventId}/rsvp-options`);
      const name = given?.inviteId ? {} : { guestName: next('Guest') };
      return ask('POST', `/marketing/social-events/${eventId}/rsvps`, { rsvpOptionId: going.id, ...name, ...given });
    },
    thread: (given) => ask('POST', '/communications/threads', { channel: 'email', ...given }),
    message: (threadId, given) =>
      ask('POST', `/communications/threads/${threadId}/messages`, { direction: 'inbound', body: next('Hello'), ...given }),
    change: (path, body) => ask('PATCH', path, body),
    read: (path) => ask('GET', path),
  };
}

const onePixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** A real PNG of one pixel; another `seed` gives other bytes, and `size` (in bytes) a file as large as that. */
export function png(seed = 0, size = onePixel.length + 4): Buffer {
  const bytes = Buffer.alloc(size);
  onePixel.copy(bytes);
  // Behind the image's end, where no decoder looks.
  bytes.writeUInt32BE(seed, size - 4);
  return bytes;
}

export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
