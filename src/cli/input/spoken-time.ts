/**
 * Days and times of day as people say them: `tomorrow 9`, `mon 9:00`, `24.12. 9am`, in the time
 * zone of this machine.
 */

/** Where a day without a year or a week lies: ahead of now, or before it. */
export type Direction = 'ahead' | 'past';

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const midnight: Clock = { hour: 0, minute: 0, second: 0 };

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const shifts: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/**
 * The time that a text names; undefined for any other text. A day without a time means its start.
 */
export function readSpokenTime(
  text: string,
  now: Date,
  direction: Direction = 'ahead',
): Date | undefined {
  const onlyClock = readClock(text, { bareHour: false });
  if (onlyClock) return at(now, 0, onlyClock);
  // The clock is the shortest end of the text that leaves a day before it.
  for (const split of splits(text)) {
    const clock = split.clock === '' ? midnight : readClock(split.clock, { bareHour: true });
    const time = clock && readDay(split.day, clock, { now, direction });
    if (time) return time;
  }
  return undefined;
}

/** `9:00`, `9:00:30`, `9am`, `9:30 pm`; the hour alone after a day. */
function readClock(text: string, { bareHour }: { readonly bareHour: boolean }): Clock | undefined {
  const match = /^(?:at )?(\d{1,2})(?::(\d\d)(?::(\d\d))?)?(?: ?(am|pm))?$/.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, seconds, half] = match;
  if (minutes === undefined && half === undefined && !bareHour) return undefined;
  const hour = Number(hours);
  const clock = {
    hour: half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour,
    minute: Number(minutes ?? 0),
    second: Number(seconds ?? 0),
  };
  const isValid =
    (half ? hour >= 1 && hour <= 12 : hour <= 23) && clock.minute <= 59 && clock.second <= 59;
  return isValid ? clock : undefined;
}

/** The text as a day and the time of day after it. */
function* splits(text: string): Generator<{ readonly day: string; readonly clock: string }> {
  yield { day: text, clock: '' };
  const words = text.split(' ');
  for (let count = 1; count <= Math.min(3, words.length - 1); count++)
    yield { day: words.slice(0, -count).join(' '), clock: words.slice(-count).join(' ') };
}

interface Around {
  readonly now: Date;
  readonly direction: Direction;
}

function readDay(text: string, clock: Clock, around: Around): Date | undefined {
  const { now } = around;
  const shift = shifts[text];
  if (shift !== undefined) return at(now, shift, clock);
  return readWeekday(text, clock, around) ?? readDate(text, clock, around);
}

/** `mon`, `on monday`, `next friday`, `last friday`. */
function readWeekday(text: string, clock: Clock, { now, direction }: Around): Date | undefined {
  const match = /^(?:on |this |(next|last) )?([a-z]{3,9})$/.exec(text);
  const name = match?.[2] ?? '';
  const weekday = weekdays.findIndex(
    (day) => day === name || day.slice(0, 3) === name || (name.length >= 4 && day.startsWith(name)),
  );
  if (!match || weekday === -1) return undefined;
  const towards = match[1] === 'next' ? 'ahead' : match[1] === 'last' ? 'past' : direction;
  const shift = (weekday - now.getDay() + 7) % 7;
  const today = at(now, 0, clock);
  // Today's name is today where its time fits, and a week away otherwise, as with `next` and
  // `last`.
  const isAway =
    shift === 0 &&
    (match[1] !== undefined ||
      (towards === 'ahead' ? today < now && clock !== midnight : today > now));
  const ahead = shift === 0 && isAway ? 7 : shift;
  return at(now, towards === 'ahead' ? ahead : shift === 0 && !isAway ? 0 : shift - 7, clock);
}

/** `24.12.`, `24.12.2026`, and with slashes in the order of the locale. */
function readDate(text: string, clock: Clock, { now, direction }: Around): Date | undefined {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)?$/.exec(text);
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d))?$/.exec(text);
  const monthFirst = slashed && isMonthFirst();
  const match = dotted ?? (monthFirst === undefined ? null : slashed);
  if (!match) return undefined;
  const [first, second] = [Number(match[1]), Number(match[2])];
  const [day, month] = monthFirst ? [second, first] : [first, second];
  const inYear = (year: number) => exactDate(year, month, day, clock);
  if (match[3] !== undefined)
    return inYear(match[3].length === 2 ? 2000 + Number(match[3]) : Number(match[3]));
  const year = now.getFullYear();
  const [nearest, other] =
    direction === 'ahead' ? [inYear(year), inYear(year + 1)] : [inYear(year), inYear(year - 1)];
  const startOfToday = at(now, 0, midnight);
  const isRight = nearest && (direction === 'ahead' ? nearest >= startOfToday : nearest <= now);
  return isRight ? nearest : other;
}

/** Undefined for a day that doesn't exist, which would quietly be another. */
function exactDate(
  year: number,
  month: number,
  day: number,
  { hour, minute, second }: Clock,
): Date | undefined {
  const time = new Date(year, month - 1, day, hour, minute, second);
  return time.getMonth() === month - 1 && time.getDate() === day ? time : undefined;
}

const at = (now: Date, shift: number, { hour, minute, second }: Clock) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + shift, hour, minute, second);

/**
 * How the locale of this machine writes dates with slashes; undefined where it uses other signs.
 */
function isMonthFirst(): boolean | undefined {
  const { locale } = new Intl.DateTimeFormat().resolvedOptions();
  const parts = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
  }).formatToParts(0);
  if (!parts.some(({ type, value }) => type === 'literal' && value === '/')) return undefined;
  return (
    parts.findIndex(({ type }) => type === 'month') < parts.findIndex(({ type }) => type === 'day')
  );
}
