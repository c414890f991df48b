/** The plan of an appointment, from the flags and --input. */

import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { readInput } from '../../input/input.ts';
import { fold } from '../../input/matching.ts';
import { parseSpan, parseWhen } from '../../input/when.ts';
import { resolveId, resolveRecord } from '../../resources/lookup.ts';
import { sanitize } from '../../terminal/text.ts';
import { type RepeatFlags, readRepeat } from './series.ts';

export type EventType = RecordFor<'eventTypes'>;

export interface AppointmentFlags extends RepeatFlags {
  /** False with --no-type. */
  readonly type?: string | false;
  readonly option?: string;
  readonly at?: string;
  readonly for?: string;
  readonly until?: string;
  readonly car?: string;
  readonly secondCar?: string;
  readonly customer?: string;
  readonly location?: string;
  readonly title?: string;
  readonly notes?: string;
  readonly status?: string;
  /** False with --no-input. */
  readonly input?: string | false;
}

export interface AppointmentPlan {
  /** The known fields of the appointment. */
  readonly body: Record<string, unknown>;
  /** The record of --type. */
  type?: EventType | undefined;
  /** Whether --type, --no-type or --input decides the type. */
  typeGiven: boolean;
  /** The start as text; undefined with --input. */
  at?: string;
  /** In milliseconds, if the end is unknown. */
  duration?: number;
}

const typeFields = ['appointmentTypeId', 'eventTypeId', 'eventType'];

export async function planFromFlags(
  context: Context,
  flags: AppointmentFlags,
): Promise<AppointmentPlan> {
  const now = context.io.now();
  const startAt = flags.at === undefined ? undefined : parseWhen(flags.at, now, '--at');
  const duration = flags.for === undefined ? undefined : parseSpan(flags.for, '--for');
  const endAt = flags.until === undefined ? undefined : parseUntil(flags.until, startAt, now);

  const body: Record<string, unknown> =
    typeof flags.input !== 'string' ? {} : await readInput(context, flags.input);
  // The flag overrides every field that names the type.
  if (flags.type !== undefined) for (const field of typeFields) delete body[field];
  const type = typeof flags.type === 'string' ? await findType(context, flags.type) : undefined;
  const id = (resource: 'cars' | 'customers' | 'locations', text: string | undefined) =>
    text === undefined ? undefined : resolveId(context, { resource, text });
  const locationId = (await id('locations', flags.location)) ?? body.locationId;
  const fields = {
    // An event type, as `GET /event-types` lists it; an appointment type can be something else on another server.
    eventTypeId: type?.id,
    optionId: flags.option === undefined ? undefined : findOptionId(type, flags.option),
    startAt,
    endAt,
    carId: await id('cars', flags.car),
    secondaryCarId: await id('cars', flags.secondCar),
    customerId: await id('customers', flags.customer),
    locationId,
    title: flags.title,
    notes: flags.notes,
    status: flags.status,
    ...(await readRepeat(context, flags, locationId)),
  };
  Object.assign(
    body,
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  );
  if (duration !== undefined) delete body.endAt;
  return {
    body,
    type,
    typeGiven: flags.type !== undefined || typeof flags.input === 'string',
    at: flags.at,
    duration,
  };
}

/** A time without a date is on the day of the start. */
function parseUntil(text: string, startAt: string | undefined, now: Date): string {
  const clock = /^\d{1,2}:\d\d$/.test(text.trim());
  return parseWhen(text, clock && startAt ? new Date(startAt) : now, '--until');
}

const findType = async (context: Context, text: string): Promise<EventType> =>
  (await resolveRecord(context, { resource: 'eventTypes', text })) as EventType;

function findOptionId(type: EventType | undefined, text: string): string {
  if (!type) throw usage('--option requires --type.', 'add --type');
  const options = type.options ?? [];
  const found = options.find(({ id, name }) => isSameId(id, text) || fold(name) === fold(text));
  if (found) return found.id;
  throw new CliError({
    code: 'not_found',
    message: `No option "${sanitize(text)}" found for ${type.value}.`,
    hint:
      options.length > 0
        ? `choose one of ${options.map(({ name }) => sanitize(name)).join(', ')}`
        : 'leave --option out: this type has no options',
  });
}

/** The duration of the option or the type, in milliseconds. */
export function defaultDuration({
  type,
  body,
}: Pick<AppointmentPlan, 'type' | 'body'>): number | undefined {
  const option = type?.options?.find(({ id }) => isSameId(id, body.optionId));
  const minutes = option?.durationMinutes ?? type?.durationMinutes;
  return minutes ? minutes * 60_000 : undefined;
}

/** The missing flags, by the needs of the type if it is known. */
export function missingFlags(plan: AppointmentPlan): string[] {
  const { body, type, typeGiven, duration } = plan;
  return [
    ...(typeGiven ? [] : ['--type']),
    ...(body.startAt === undefined ? ['--at'] : []),
    ...(body.endAt === undefined && duration === undefined && defaultDuration(plan) === undefined
      ? ['--for or --until']
      : []),
    ...(type?.scope === 'vehicle' && body.carId === undefined ? ['--car'] : []),
    ...(type?.scope === 'customer' && body.customerId === undefined ? ['--customer'] : []),
  ];
}

/** The body of the request: the end follows from start and duration. */
export function completeBody(plan: AppointmentPlan): Record<string, unknown> {
  const { body } = plan;
  const duration = plan.duration ?? defaultDuration(plan);
  const start = typeof body.startAt === 'string' ? Date.parse(body.startAt) : Number.NaN;
  if (body.endAt !== undefined || duration === undefined || Number.isNaN(start)) return body;
  return { ...body, endAt: new Date(start + duration).toISOString() };
}
