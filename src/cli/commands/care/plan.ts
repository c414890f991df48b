/** The plan of a file, and the series that the stored cars lack. */
import { createHash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import type { Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import type { RecurrenceFrequency } from '../../../contract/appointments.ts';
import { contract, type RecordFor } from '../../../contract/contract.ts';
import { isCare, running } from '../../../facility/care.ts';
import type { Context } from '../../context.ts';
import { missingFieldError } from '../../errors/missing-path.ts';
import { fold, isSameReading } from '../../input/matching.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import { bodyIssues } from '../../resources/fields.ts';
import { gather } from '../../resources/methods.ts';
import { operationFor } from '../../resources/operation.ts';
import { joinList } from '../../terminal/text.ts';
import { timeInZone } from '../counter/time-zones.ts';
import type { PlannedChange } from '../plan-file/carry-out.ts';
import { type PlanFile, readPlanFile } from '../plan-file/yaml.ts';
import { readSeries } from './series.ts';

type EventType = RecordFor<'eventTypes'>;
type Appointment = RecordFor<'appointments'>;
type Time = Temporal.PlainDateTime;

interface Kind {
  readonly type: EventType;
  readonly cars: Row;
  readonly start: Time;
  readonly end: Time;
  /** The last day, in local time as the others. */
  readonly last: Temporal.PlainDate | undefined;
  /** The other fields of the appointment. */
  readonly body: Row;
}

const bodyFields = new Set(
  Object.keys(contract.appointments.fields).filter(
    (name) =>
      ['title', 'notes'].includes(name) ||
      (name.startsWith('recurrence') &&
        !['recurrenceSeriesId', 'recurrenceEndDate'].includes(name)),
  ),
);
const anyTimes = { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-01T01:00:00Z' };

/** Exit 3 with the line of each problem. */
function kindsOf({ content, lineOf, wrong, check }: PlanFile, types: readonly EventType[]): Kind[] {
  for (const name of Object.keys(content)) if (name !== 'care') wrong([name], 'is unknown');
  const entries: unknown[] = Array.isArray(content.care) ? content.care : [];
  if (entries.length === 0) wrong(['care'], 'must be a list of kinds of care');
  const met = new Map<string, number>();
  const read = (entry: unknown, at: number): Kind[] => {
    const path = ['care', at];
    if (!isObject(entry)) wrong(path, 'must be a record with a type');
    if (!isObject(entry)) return [];
    const { type: name, cars = {}, startAt, endAt, recurrenceEndDate = null, ...body } = entry;
    const bad = (field: string, message: string) => wrong([...path, field], message);
    const [type, other] = types.filter((one) =>
      [one.id, one.value, one.name].some((text) => text && isSameReading(text, String(name))),
    );
    const known = joinList(types.map(({ value }) => value)) || 'none';
    if (!type) bad('type', `must be an event type for care of a car; known: ${known}`);
    else if (other) bad('type', 'is the name of several event types: give its value');
    else if (met.has(type.id)) bad('type', `is already on line ${met.get(type.id)}`);
    else met.set(type.id, lineOf([...path, 'type']));
    for (const field of Object.keys(body)) if (!bodyFields.has(field)) bad(field, 'is unknown');
    const own = Object.entries(body).filter(([field]) => bodyFields.has(field));
    const given = { ...Object.fromEntries(own), ...anyTimes };
    const found = bodyIssues(operationFor('appointments', 'create'), given, new Set());
    for (const { path: where, message } of found) bad(where.split('.')[0] ?? '', message);
    if (!body.recurrenceFrequency) bad('recurrenceFrequency', 'is required');
    if (Number(body.recurrenceInterval) > 1000) bad('recurrenceInterval', 'must be at most 1000');
    if (!isObject(cars)) bad('cars', 'must be fields of cars, such as { make: Porsche }');
    else
      for (const field of Object.keys(cars))
        if (field !== 'id' && !(field in contract.cars.fields))
          wrong([...path, 'cars', field], 'is no field of a car');
    const [start, end] = [timeIn(startAt), timeIn(endAt)];
    const form = 'must be a local time such as 2026-12-01 09:00';
    if (!start) bad('startAt', form);
    if (!end) bad('endAt', form);
    if (start && end && Temporal.PlainDateTime.compare(start, end) >= 0)
      bad('endAt', 'must be after startAt');
    const last = recurrenceEndDate === null ? undefined : dayIn(recurrenceEndDate);
    if (!last && recurrenceEndDate !== null)
      bad('recurrenceEndDate', 'must be a local date such as 2027-12-31');
    if (!start || !end || !type || !isObject(cars)) return [];
    return [{ type, cars, start, end, last, body }];
  };
  const kinds = entries.flatMap(read);
  check();
  return kinds;
}

/** A day, also with a time, as startAt has one. */
const dayIn = (value: unknown) => (timeIn(value) ?? timeIn(`${value} 00:00`))?.toPlainDate();

function timeIn(value: unknown): Time | undefined {
  const text = String(value).replace(' ', 'T');
  try {
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return Temporal.PlainDateTime.from(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

/** The series that stored cars lack. Reads only. */
export async function planFor(
  context: Context,
  text: string,
  name: string,
): Promise<PlannedChange[]> {
  const file = readPlanFile(text, {
    name,
    kind: 'a plan of care',
    hint: '`cs care apply --help` has an example; `cs event-types list` shows the types',
  });
  const client = await context.client();
  const types = await gather(client.eventTypes.all());
  const kinds = kindsOf(
    file,
    types.filter((type) => isCare(type) && type.isActive !== false),
  );
  const { cars, series, siteOf } = await readSeries(client, types);
  const now = context.io.now();
  return kinds.flatMap((kind) => {
    const { type, body, start, end, last } = kind;
    const chosen = cars.filter((car) => isFor(kind.cars, car, cars));
    if (chosen.length === 0) context.note(`No stored car is meant by ${type.value}.`);
    const others: string[] = [];
    const changes = chosen.flatMap((car): PlannedChange[] => {
      const own = series
        .filter((one) => one.car === car && one.type.id === type.id)
        .map(({ appointment }) => appointment);
      const [runs] = running(own, now);
      const { row, timeZone, locationId } = siteOf(car);
      if (runs && !isSameRhythm(runs, body)) others.push(row.car);
      const first = nextStart(kind, timeZone, now);
      const isOver = last && Temporal.PlainDate.compare(first.toPlainDate(), last) > 0;
      if (runs || isOver) return [];
      const [startAt, endAt, recurrenceEndDate] = [
        first,
        first.toPlainDateTime().add(start.until(end)).toZonedDateTime(timeZone),
        // The whole day counts, also for a server that compares times.
        last?.toZonedDateTime({ timeZone, plainTime: '23:59' }),
      ].map((time) => time && new Date(time.epochMilliseconds).toISOString());
      const at = timeInZone(timeZone, startAt as string);
      const { recurrenceFrequency } = body;
      const shown = { type: type.value, ...row, at, startAt, recurrenceFrequency, id: null };
      const fields = {
        // The 31st again after a shorter month.
        ...(['monthly', 'quarterly', 'yearly'].includes(body.recurrenceFrequency) && {
          recurrenceDayOfMonth: start.day,
        }),
        ...body,
        eventTypeId: type.id,
        carId: car.id,
        locationId,
        startAt,
        endAt,
        ...(recurrenceEndDate && { recurrenceEndDate }),
      };
      return [{ row: { change: 'create', ...shown }, store: () => create(client, fields, own) }];
    });
    if (others.length > 0)
      context.warn(
        `Another series of ${type.value} runs than that of the plan, and stays, for ${joinList(others)}. Cancel what is left of it, then run this again.`,
      );
    return changes;
  });
}

/** Whether every field of the filter has one of its values, in any case. */
function isFor(filter: Row, car: Row, cars: readonly Row[]): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    if (cars.every((one) => one[field] === undefined))
      throw missingFieldError(`the ${field} of cars`, 'the plan is for unknown cars');
    return [wanted].flat().some((one) => fold(String(one)) === fold(String(car[field] ?? '')));
  });
}

const isSameRhythm = (runs: Appointment, body: Row): boolean =>
  runs.recurrenceFrequency === body.recurrenceFrequency &&
  (runs.recurrenceInterval ?? 1) === (body.recurrenceInterval ?? 1);

const steps: Readonly<Record<RecurrenceFrequency, Temporal.DurationLike>> = {
  daily: { days: 1 },
  weekly: { days: 7 },
  biweekly: { days: 14 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  yearly: { months: 12 },
};

/** The start of the plan, or its next date where that has passed. */
function nextStart({ start, body }: Kind, timeZone: string, now: Date): Temporal.ZonedDateTime {
  const [[unit, count] = ['days', 1]] = Object.entries(
    steps[body.recurrenceFrequency as RecurrenceFrequency],
  );
  const interval = count * Number(body.recurrenceInterval ?? 1);
  for (let at = 0; ; at += interval) {
    const next = start.add({ [unit]: at }).toZonedDateTime(timeZone);
    if (next.epochMilliseconds > now.getTime()) return next;
  }
}

/** `before`: of this car and type. Two runs that know the same send the same key, so a server that takes keys stores one series. */
async function create(client: Client, body: Row, before: readonly Appointment[]): Promise<string> {
  const known = [body.carId, body.eventTypeId, ...before.map(({ id }) => id).sort()].join();
  const created = await client.appointments.create(body as never, {
    idempotencyKey: `care-${createHash('sha256').update(known).digest('hex').slice(0, 32)}`,
  });
  const { id, appointmentTypeId, recurrenceFrequency } = created;
  if (isSameId(appointmentTypeId, body.eventTypeId) && recurrenceFrequency) return id;
  throw missingFieldError(
    `the type and the recurrence of the appointment ${id} that it stored`,
    `the next run would plan it again: cancel it with \`cs appointments cancel ${id}\``,
  );
}
