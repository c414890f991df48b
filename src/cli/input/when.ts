/** Reads and writes times for people. */
import { CliError, type ErrorCode } from '../errors/exit.ts';
import { pluralize } from '../terminal/text.ts';
import { type Direction, readSpokenTime } from './spoken-time.ts';

const units: Record<string, number> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 365 * 86_400,
};
const unitNames: Record<string, string> = {
  second: 's',
  sec: 's',
  minute: 'm',
  min: 'm',
  hour: 'h',
  hr: 'h',
  day: 'd',
  week: 'w',
  year: 'y',
};

/** Examples of future times, for prompts. */
export const timeExamples = 'tomorrow 9, fri 14:30, 24.12. 9am, in 2h';

/**
 * A point in time, as ISO 8601 in UTC. Takes an ISO time with an offset; `2026-03-01 14:30` and
 * `2026-03-01` in local time; `now`; `10 minutes ago`, `10m ago`, `-10m`; `in 30 days`, `in 1h
 * 30m`, `+45m`; `9:00`, `9am`; a day as people say it, alone or with a time: `today`, `tomorrow 9`,
 * `mon 9:00`, `next friday 10:00`, `24.12. 9:00`, `24.12.2026`, and `12/24 9am` in the order of the
 * locale. `what` is the flag's name, `direction` where a day without a year or a week lies
 * (default: ahead). Exit 2 for any other text.
 */
export function parseWhen(text: string, now: Date, what: string, direction?: Direction): string {
  const time = readTime(text, now, direction);
  if (time) return time;
  throw notATime(
    text,
    what,
    'write it like "2026-03-01 14:30", "tomorrow 9", "fri 14:30", "24.12. 9am", "10 minutes ago", "in 2 days", now, or 2026-03-01T14:30:00+01:00',
  );
}

/** The tolerance for clocks that run ahead, as in the service. */
const clockToleranceMs = 5 * 60_000;

/** A past time, as in `parseWhen`. Exit 3 for a future one. */
export function parseEventTime(text: string, now: Date, what: string): string {
  const time = parseWhen(text, now, what, 'past');
  if (Date.parse(time) <= now.getTime() + clockToleranceMs) return time;
  const hint = 'give a time that has passed, or leave it out for now';
  throw refused({
    text,
    what,
    hint,
    rule: 'in_past',
    why: 'is in the future',
    code: 'occurred_at_in_future',
  });
}

const notATime = (text: string, what: string, hint: string): CliError =>
  refused({ text, what, hint, rule: 'time', why: "isn't a time", code: 'usage' });

/** The error for an invalid value; `what` is the flag, and the details name its field. */
function refused({
  text,
  what,
  why,
  hint,
  rule,
  code = 'validation_failed',
}: Record<'text' | 'what' | 'why' | 'hint' | 'rule', string> & { code?: ErrorCode }): CliError {
  const path = what
    .replace(/^--/, '')
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return new CliError({
    code,
    message: `${what}: "${text}" ${why}.`,
    hint,
    details: { issues: [{ path, rule, message: why }] },
  });
}

function readTime(text: string, now: Date, direction?: Direction): string | undefined {
  const time = read(text.trim().toLowerCase().replace(/\s+/g, ' '), now, direction);
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined;
}

function read(text: string, now: Date, direction?: Direction): Date | undefined {
  if (text === 'now') return now;

  const ago = /^(?:-(.+)|(.+) ago)$/.exec(text);
  const ahead = /^(?:\+|in )(.+)$/.exec(text);
  const span = readSpan(ago?.[1] ?? ago?.[2] ?? ahead?.[1] ?? '');
  if (span !== undefined) return new Date(now.getTime() + (ago ? -span : span));

  const spoken = readSpokenTime(text, now, direction);
  if (spoken) return spoken;

  const date = /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?$/.exec(
    text,
  );
  if (date) {
    const [year, month, dayOfMonth] = [Number(date[1]), Number(date[2]), Number(date[3])];
    const made = local(year, month - 1, dayOfMonth, date.slice(4));
    // Otherwise 31 February would become 3 March.
    const exists =
      new Date(year, month - 1, dayOfMonth).getDate() === dayOfMonth && month >= 1 && month <= 12;
    return exists ? made : undefined;
  }

  const iso = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(z|[+-]\d\d:?\d\d)$/.exec(
    text,
  );
  if (!iso) return undefined;
  const offset = (iso[3] as string).toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const dayExists = read(iso[1] as string, now) !== undefined;
  return dayExists ? new Date(`${iso[1]}T${iso[2]}${offset}`) : undefined;
}

function readSpan(text: string): number | undefined {
  const part = /(\d{1,6}) ?([a-z]+) ?/y;
  let span = 0;
  while (part.lastIndex < text.length) {
    const [, count, word = ''] = part.exec(text) ?? [];
    const unit = units[word] ?? units[unitNames[word.replace(/s$/, '')] ?? ''];
    if (unit === undefined) return undefined;
    span += Number(count) * unit * 1_000;
  }
  return text === '' ? undefined : span;
}

/**
 * A duration in milliseconds, greater than 0: `45m`, `2 hours`, `1h 30m`, `90d`, `1y` (365 days).
 * Exit 2 for any other text.
 */
export function parseSpan(text: string, what: string): number {
  const span = readSpan(text.trim().toLowerCase().replace(/\s+/g, ' '));
  if (span) return span;
  const why = span === 0 ? 'must be greater than 0' : "isn't a duration";
  throw refused({
    text,
    what,
    why,
    hint: 'write it like 45m, "1h 30m", 12w, 90d or 1y',
    rule: 'time',
    code: 'usage',
  });
}

/** A day without a time means its start. */
function local(
  year: number,
  month: number,
  day: number,
  clock: (string | undefined)[],
): Date | undefined {
  const [hour, minute, second] = clock.map((part) => Number(part ?? 0)) as [number, number, number];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return new Date(year, month, day, hour, minute, second);
}

/** `2026-03-01 14:30` in the time zone of this machine; other text stays unchanged. */
export function localTime(iso: unknown): string {
  if (typeof iso !== 'string') return iso === null || iso === undefined ? '' : JSON.stringify(iso);
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/**
 * `2026-03-01 14:30:05`, for a time that is compared with another one: both may be in one minute.
 */
export function localMoment(iso: unknown): string {
  const minute = localTime(iso);
  const time = new Date(typeof iso === 'string' ? iso : Number.NaN);
  return Number.isNaN(time.getTime())
    ? minute
    : `${minute}:${String(time.getSeconds()).padStart(2, '0')}`;
}

/** Times further away say nothing that their date doesn't. */
const nearDays = 7;

/** `2 hours ago`, `in 35 min`, `now`; empty for a time that isn't near. */
export function relativeTime(iso: unknown, now: Date): string {
  const distance = typeof iso === 'string' ? Date.parse(iso) - now.getTime() : Number.NaN;
  const minutes = Math.round(Math.abs(distance) / 60_000);
  const span = nearSpan(minutes);
  if (span === undefined) return '';
  if (minutes === 0) return 'now';
  return distance < 0 ? `${span} ago` : `in ${span}`;
}

function nearSpan(minutes: number): string | undefined {
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return pluralize(hours, 'hour', 'hours');
  const passed = Math.round(hours / 24);
  return passed <= nearDays ? pluralize(passed, 'day', 'days') : undefined;
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `3 Nov`, `3 Nov 2024` of another year, `today 9:05`. */
export function dayText(iso: string, now: Date): string {
  const time = new Date(iso);
  if (time.toDateString() === now.toDateString()) return `today ${localTime(iso).slice(-5)}`;
  const day = `${time.getDate()} ${months[time.getMonth()]}`;
  return time.getFullYear() === now.getFullYear() ? day : `${day} ${time.getFullYear()}`;
}

/** `Sun 2026-03-01 14:30`: what a text for a person was read as. */
export const localTimeWithDay = (iso: string): string =>
  `${days[new Date(iso).getDay()] ?? ''} ${localTime(iso)}`.trim();

/**
 * A future time, as ISO 8601 in UTC: `30m`, `12h`, `90d`, `1y`, or a time as in `parseWhen`. Exit 2
 * for any other text, 3 for a past time.
 */
export function parseExpiry(text: string, now: Date, what: string): string {
  const span = readSpan(text.trim().toLowerCase());
  const expiry =
    span === undefined ? readTime(text, now) : new Date(now.getTime() + span).toISOString();
  const hint = 'write it like 90d, 12h, 2030-01-31, "tomorrow 18:00" or 2030-01-31T18:00:00+01:00';
  if (expiry === undefined) throw notATime(text, what, hint);
  if (Date.parse(expiry) > now.getTime()) return expiry;
  throw refused({ text, what, hint, rule: 'in_future', why: 'is in the past' });
}
