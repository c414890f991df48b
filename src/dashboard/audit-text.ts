/** The entries of the audit log in words: what was done, then what is noted about it. */
import type { AuditAction } from '../contract/dashboard/audit-actions.ts';
import { formatBytes } from '../contract/limits.ts';
import { dateText, plural, spaced, timeText } from './times.ts';

/** Who did something, without the kind of account: `admin:boss@garage.example` as the address. */
export const actorText = (actor: string): string => actor.replace(/^(admin|screen):/, '');

const titles: Readonly<Record<AuditAction, string>> = {
  'key.create': 'Key created',
  'key.update': 'Key changed',
  'key.revoke': 'Key revoked',
  'integration.on': 'Integration turned on',
  'integration.off': 'Integration turned off',
  'admin.add': 'Account added',
  'admin.remove': 'Account removed',
  'admin.link': 'Link for an account',
  'password.set': 'Password set',
  'password.forgotten': 'Password forgotten',
  'screen.add': 'Screen added',
  'screen.link': 'Link for a screen',
  'screen.end': 'Screen ended',
  'session.start': 'Sign-in',
  'session.refused': 'Sign-in refused',
  'session.end': 'Session ended',
  'car.event': 'Event of a car',
  'car.move': 'Car moved',
  'car.photo': 'Photo added',
  'appointment.change': 'Appointment changed',
  'place.add': 'Place added',
  'team.create': 'Team created',
  'team.quota': 'Limit for files changed',
  'event-type.create': 'Event type created',
  'event-type.photos': 'Photos of an event type changed',
  'sender.add': 'Sender allowed',
  'sender.remove': 'Sender removed',
  'outbox.retry': 'Message sent again',
  'outbox.drop': 'Message given up',
};

/** For a list of actions. */
export const actionTitle = (action: AuditAction): string => titles[action];

interface Change {
  readonly from: string | null;
  readonly to: string | null;
}

const endText = (end: string | null) => (end === null ? 'never' : dateText(end));
/** Two ends of one day differ by the hour. */
const endsOf = ({ from, to }: Change) => {
  const isOneDay = from !== null && to !== null && dateText(from) === dateText(to);
  return isOneDay
    ? `expires ${timeText(to)} (was ${timeText(from)})`
    : `expires ${endText(to)} (was ${endText(from)})`;
};

/** What an entry may note, in the order in which it is told. An earlier version noted less. */
const tellers: Readonly<Record<string, (value: never) => string | undefined>> = {
  name: (name: string) => `“${name}”`,
  prefix: (prefix: string) => `csk_${prefix}`,
  car: String,
  email: String,
  role: String,
  activityType: spaced,
  filename: String,
  value: String,
  photos: (names: readonly string[]) => names.join(', ') || 'any photos',
  status: spaced,
  startAt: (at: string) => timeText(at),
  kind: (kind: string) => (kind === 'adminLink' ? 'e-mail with a link' : kind),
  attempts: (count: number) => plural(count, 'attempt'),
  scopes: (scopes: readonly string[]) => plural(scopes.length, 'scope'),
  expiresAt: (end: string | null) => `expires ${endText(end)}`,
  changes: ({ name, expiresAt }: { readonly name?: Change; readonly expiresAt?: Change }) =>
    [name && `now “${name.to}”`, expiresAt && endsOf(expiresAt)].filter(Boolean).join(' · '),
  quotaBytes: (bytes: number | null) =>
    bytes === null ? 'that of the service' : formatBytes(bytes),
  sessions: (count: number) => plural(count, 'session'),
  device: String,
  address: (address: string) => `from ${address}`,
  /** Whoever made a link may have opened it too. */
  linkBy: (by: string) =>
    by === 'e-mail' ? 'link from an e-mail' : `link made by ${actorText(by)}`,
};

/** `Key created: “Website” · csk_ab12cd34ef56 · 2 scopes`. An action that another version has recorded is told by its name. */
export function auditText(action: string, details: unknown): string {
  const title = Object.hasOwn(titles, action)
    ? titles[action as AuditAction]
    : action.replace(/[.-]/g, ' ');
  const noted = (details ?? {}) as Readonly<Record<string, never>>;
  const parts = Object.entries(tellers).map(([name, tell]) =>
    // Only a key and a limit may be without an end.
    noted[name] === undefined || (noted[name] === null && !/^(expiresAt|quotaBytes)$/.test(name))
      ? undefined
      : tell(noted[name]),
  );
  return [title, parts.filter(Boolean).join(' · ')].filter(Boolean).join(': ');
}
