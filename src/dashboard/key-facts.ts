/** What is to be said about a key. */
import { scopes } from '../contract/scopes.ts';
import type { ApiKey, UsageRow } from './read.ts';
import { dateText, dayKey, dayMs, hourMs, relativeText, shiftDay, timeText } from './times.ts';

export interface Remark {
  readonly kind: 'warn' | 'bad';
  readonly text: string;
}

export const isOver = ({ revokedAt, expiresAt }: ApiKey, now = Date.now()): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now);

/** With its first letters, where another key has the same name, such as the key that it replaced. */
export const nameAmong = (key: ApiKey, keys: readonly ApiKey[]): string =>
  keys.some(({ id, name }) => id !== key.id && name === key.name)
    ? `${key.name} (${key.key}…)`
    : key.name;

/** The newest key in force that takes the place of this one. */
export const replacementOf = ({ id }: ApiKey, keys: readonly ApiKey[]): ApiKey | undefined =>
  keys.findLast((key) => key.replacesId === id && !isOver(key));

/** The newest key that took the place of this one, whether or not it is still in force. */
export const successorOf = (key: ApiKey, keys: readonly ApiKey[]): ApiKey | undefined =>
  replacementOf(key, keys) ?? keys.findLast(({ replacesId }) => replacesId === key.id);

/** What the owner should look at. Nothing for a key that is over. */
export function remarksOn(key: ApiKey, keys: readonly ApiKey[], now = Date.now()): Remark[] {
  if (isOver(key, now)) return [];
  const { expiresAt, lastUsedAt, createdAt, scopes: held } = key;
  const left = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
  const silentSince = Date.parse(lastUsedAt ?? createdAt);
  const replacedAt = replacementOf(key, keys)?.createdAt;
  return [
    ...(replacedAt ? [replacementRemark(Date.parse(replacedAt), now)] : []),
    ...(left < 14 * dayMs
      ? [{ kind: 'bad', text: `expires ${relativeText(expiresAt as string, now)}` } as const]
      : []),
    ...(expiresAt === null ? [{ kind: 'warn', text: 'never expires' } as const] : []),
    ...(now - silentSince > 30 * dayMs
      ? [{ kind: 'warn', text: 'unused for 30 days' } as const]
      : []),
    ...(held.length === scopes.length
      ? [{ kind: 'warn', text: `all ${scopes.length} scopes` } as const]
      : []),
  ];
}

/** After a day, programs that run once a day have the new key too. */
const replacementRemark = (since: number, now: number): Remark =>
  now - since > dayMs
    ? {
        kind: 'bad',
        text: `replaced ${relativeText(new Date(since).toISOString(), now)}, not revoked yet`,
      }
    : { kind: 'warn', text: 'being replaced' };

/** Whether the program has changed over: the new key was used, and the old one not since then, nor in the last hour. */
export const isReplaced = (old: ApiKey, { lastUsedAt }: ApiKey): boolean =>
  lastUsedAt !== null && lastUsedAt > (old.lastUsedAt ?? '') && !usedWithin(old, hourMs);

/** The old key falls silent when the program has the new one. Nothing is revoked by itself. */
export function replacementText(old: ApiKey, replacement: ApiKey): string {
  if (usedWithin(old, hourMs))
    return Date.now() - Date.parse(replacement.createdAt) > dayMs
      ? 'This key is still in use a day after its replacement was made: look for the program without the new one.'
      : 'This key is still in use. Give the new one to the program; this page shows when the old one falls silent.';
  const silence = old.lastUsedAt
    ? 'This key has been silent for an hour'
    : 'This key was never used';
  if (isReplaced(old, replacement))
    return `${silence}, and the new one is in use: this one can be revoked.`;
  return `${silence}. The new one ${replacement.lastUsedAt ? 'was last used even earlier' : 'was not used yet'}: give it to the program.`;
}

export function stateOf(key: ApiKey, now = Date.now()): string {
  const { revokedAt, expiresAt } = key;
  if (revokedAt) return `revoked ${timeText(revokedAt)}`;
  if (isOver(key, now)) return `expired ${dateText(expiresAt as string)}`;
  return 'active';
}

export const lastUseText = ({ lastUsedAt }: ApiKey): string =>
  lastUsedAt ? relativeText(lastUsedAt) : 'never';

export const sumOf = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Requests of a key on each of the last days, oldest first. */
export function dailyRequests(
  rows: readonly UsageRow[],
  days: number,
): (keyId: string) => number[] {
  const today = dayKey(new Date());
  const lastDays = Array.from({ length: days }, (_, index) => shiftDay(today, index + 1 - days));
  const counts = new Map<string, number>();
  for (const { keyId, at, requests } of rows) {
    const place = `${keyId} ${dayKey(at)}`;
    counts.set(place, (counts.get(place) ?? 0) + requests);
  }
  return (keyId) => lastDays.map((day) => counts.get(`${keyId} ${day}`) ?? 0);
}

export const usedWithin = ({ lastUsedAt }: ApiKey, ms: number): boolean =>
  lastUsedAt !== null && Date.now() - Date.parse(lastUsedAt) < ms;

/** Requests are counted a minute late, and the last use is noted at once. */
export const lateCountText = 'The last minute may be missing.';
