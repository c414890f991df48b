/** The entries of the audit log in words. */
import type { AuditAction } from '../contract/dashboard/audit-actions.ts';
import type { AccountRole } from '../contract/dashboard/roles.ts';
import { formatBytes } from '../contract/limits.ts';
import { type AuditEntry, actorText } from './team.ts';
import { dateText, plural, timeText } from './times.ts';

interface Change<T> {
  readonly from: T;
  readonly to: T;
}

/** What an entry may tell. One of an earlier version tells less. */
interface Details {
  readonly name?: string;
  readonly prefix?: string;
  readonly scopes?: readonly string[];
  readonly expiresAt?: string | null;
  readonly changes?: { readonly name?: Change<string>; readonly expiresAt?: Change<string | null> };
  readonly email?: string;
  readonly sessions?: number;
  readonly device?: string;
  readonly address?: string;
  /** Who made the link that was opened. */
  readonly linkBy?: string;
  readonly value?: string;
  readonly kind?: string;
  readonly attempts?: number;
  readonly quotaBytes?: number | null;
  readonly role?: AccountRole;
  /** Its plate. */
  readonly car?: string;
  readonly activityType?: string;
  readonly filename?: string;
  readonly status?: string;
  readonly startAt?: string | null;
}

interface Words {
  /** In the list of actions. */
  readonly title: string;
  readonly sentence: (details: Details) => string;
}

const joined = (...parts: readonly (string | false | undefined)[]) =>
  parts.filter(Boolean).join(' ');
const quoted = (name: string | undefined) => name && `“${name}”`;
const from = (address: string | undefined) => address && `from ${address}`;
/** Whoever made a link may have opened it too. */
const byLink = ({ linkBy }: Details) =>
  linkBy === undefined
    ? undefined
    : linkBy === 'e-mail'
      ? 'with a link from an e-mail'
      : `with a link that ${actorText(linkBy)} made`;

/** `the key “Website” (csk_ab12cd34ef56)`. */
const keyOf = ({ name, prefix }: Details) =>
  joined('the key', quoted(name), prefix && `(csk_${prefix})`);
const endOf = (expiresAt: string | null, text = dateText) =>
  expiresAt === null ? 'never expires' : `expires ${text(expiresAt)}`;
const thatEnds = (sentence: string, expiresAt: string | null | undefined) =>
  expiresAt === undefined ? sentence : `${sentence}; it ${endOf(expiresAt)}`;

const words: Readonly<Record<AuditAction, Words>> = {
  'key.create': {
    title: 'Key created',
    sentence: ({ scopes, expiresAt, ...key }) =>
      thatEnds(
        joined(`Created ${keyOf(key)}`, scopes && `with ${plural(scopes.length, 'scope')}`),
        expiresAt,
      ),
  },
  'key.update': { title: 'Key changed', sentence: keyChange },
  'key.revoke': { title: 'Key revoked', sentence: (key) => `Revoked ${keyOf(key)}` },
  'integration.on': {
    title: 'Integration turned on',
    sentence: () => 'Turned the API integration on',
  },
  'integration.off': {
    title: 'Integration turned off',
    sentence: () => 'Turned the API integration off, so every key was refused',
  },
  'admin.add': {
    title: 'Account added',
    sentence: ({ email, role = 'admin' }) => joined(`Added the ${role} account`, email),
  },
  'admin.remove': {
    title: 'Account removed',
    sentence: ({ email }) => joined('Removed the account', email),
  },
  'admin.link': {
    title: 'Link for an account',
    sentence: ({ email }) => joined('Made a new link for the account', email),
  },
  'password.set': {
    title: 'Password set',
    sentence: (details) => joined('Set a new password', byLink(details)),
  },
  'password.forgotten': {
    title: 'Password forgotten',
    sentence: ({ address }) =>
      joined('Asked for an e-mail with a link to a new password', from(address)),
  },
  'screen.add': {
    title: 'Screen added',
    sentence: ({ name }) => joined('Added the screen', quoted(name)),
  },
  'screen.link': {
    title: 'Link for a screen',
    sentence: ({ name }) => joined('Made a new link for the screen', quoted(name)),
  },
  'screen.end': {
    title: 'Screen ended',
    sentence: ({ name }) => joined('Ended the screen', quoted(name)),
  },
  'session.start': {
    title: 'Sign-in',
    sentence: ({ device, address, ...link }) =>
      joined('Signed in', device && `on ${device}`, from(address), byLink(link)),
  },
  'session.refused': {
    title: 'Sign-in refused',
    sentence: ({ address }) => joined('Refused a sign-in with a wrong password', from(address)),
  },
  'session.end': { title: 'Session ended', sentence: sessionEnd },
  'car.event': {
    title: 'Event of a car',
    sentence: ({ activityType = 'event', car }) =>
      joined('Logged', activityType.replaceAll('_', ' '), car && `of ${car}`),
  },
  'car.move': { title: 'Car moved', sentence: ({ car = 'a car' }) => `Moved ${car}` },
  'car.photo': {
    title: 'Photo added',
    sentence: ({ car, filename }) => joined('Added a photo', filename, car && `of ${car}`),
  },
  'appointment.change': {
    title: 'Appointment changed',
    sentence: ({ car, status, startAt }) =>
      joined(
        'Changed the appointment',
        startAt ? `of ${timeText(startAt)}` : undefined,
        car && `for ${car}`,
        status && `(${status.replaceAll('_', ' ')})`,
      ),
  },
  'place.add': {
    title: 'Place added',
    sentence: ({ name }) => joined('Added the place', quoted(name)),
  },
  'team.create': {
    title: 'Team created',
    sentence: ({ name }) => joined('Created the team', name),
  },
  'team.quota': {
    title: 'Limit for files changed',
    sentence: ({ quotaBytes }) =>
      typeof quotaBytes === 'number'
        ? `Limited photos and assets to ${formatBytes(quotaBytes)}`
        : 'Set the limit for photos and assets to that of the service',
  },
  'event-type.create': {
    title: 'Event type created',
    sentence: ({ value }) => joined('Created the event type', value),
  },
  'sender.add': {
    title: 'Sender allowed',
    sentence: ({ address }) => joined('Allowed campaigns', from(address)),
  },
  'sender.remove': {
    title: 'Sender removed',
    sentence: ({ address }) => joined('No longer allowed campaigns', from(address)),
  },
  'outbox.retry': {
    title: 'Message sent again',
    sentence: (details) => `Had ${outgoing(details)} sent again`,
  },
  'outbox.drop': {
    title: 'Message given up',
    sentence: (details) => `Gave up ${outgoing(details)}`,
  },
};

/** For a list of actions. */
export const actionTitle = (action: AuditAction): string => words[action].title;

/** What was done. An action that another version has recorded is told by its name. */
export function auditText({ action, details }: Pick<AuditEntry, 'action' | 'details'>): string {
  const known = Object.hasOwn(words, action) ? words[action as AuditAction] : undefined;
  return known ? known.sentence((details ?? {}) as Details) : action.replace(/[.-]/g, ' ');
}

function keyChange({ changes, ...key }: Details): string {
  // An entry of an earlier version has the name and the end after the change, whichever it was.
  if (!changes) return thatEnds(`Changed the name or the expiry of ${keyOf(key)}`, key.expiresAt);
  const { name, expiresAt } = changes;
  const renamed = name && `Renamed ${keyOf(key)} to “${name.to}”`;
  if (!expiresAt) return renamed ?? `Changed ${keyOf(key)}`;
  const { from: before, to } = expiresAt;
  // Two ends of one day differ by the hour.
  const text =
    before !== null && to !== null && dateText(before) === dateText(to) ? timeText : dateText;
  const moved = `${endOf(to, text)} (was: ${before === null ? 'never' : text(before)})`;
  return renamed ? `${renamed}; it ${moved}` : `${keyOf(key).replace('the', 'The')} ${moved}`;
}

function sessionEnd({ sessions, email, name, device }: Details): string {
  if (sessions !== undefined)
    return joined(`Ended ${plural(sessions, 'session')}`, email && `of ${email}`);
  return name ? joined(`Ended the session of ${name}`, device && `on ${device}`) : 'Signed out';
}

const outgoingKinds: Readonly<Record<string, string>> = {
  message: 'a message',
  send: 'a message of a campaign',
  post: 'a social post',
  adminLink: 'an e-mail with a link to a new password',
};

const outgoing = ({ kind, attempts }: Details) =>
  joined(
    outgoingKinds[kind ?? ''] ?? 'a message',
    attempts !== undefined && `after ${plural(attempts, 'attempt')}`,
  );
