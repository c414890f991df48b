/** An appointment as the flags and --input say, before anything is asked. */

import type { RecordFor } from '../../../contract/contract.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { readInput } from '../../input/input.ts';
import { parseSpan, parseWhen } from '../../input/when.ts';
import { resolveId, resolveRecord } from '../../lookup/lookup.ts';
import { fold } from '../../lookup/matching.ts';
import { sanitize } from '../../terminal/text.ts';
import { type RepeatFlags, readRepeat } from './repeat.ts';

export type EventType = RecordFor<'eventTypes'>;

export interface AppointmentFlags extends RepeatFlags {
  /** `false`: none. */
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
  /** `false` with --no-input. */
  readonly input?: string | false;
}

export interface AppointmentPlan {
  /** The fields of the appointment, as far as they are known. */
  readonly body: Record<string, unknown>;
  /** The record of the type that --type names. */
  type?: EventType;
  /** Whether it is settled of what type it is: also that it has none, or what --input says. */
  typed: boolean;
  /** When it begins, as a person typed it; nothing where --input says it. */
  at?: string;
  /** How long it takes, in milliseconds, where that is known and its end is not. */
  length?: number;
}

const ways = ['appointmentTypeId', 'eventTypeId', 'eventType'];

export async function planFromFlags(context: Context, flags: AppointmentFlags): Promise<AppointmentPlan> {
  if (flags.for !== undefined && flags.until !== undefined) throw usage('--for and --until exclude each other.', 'leave one of them out');
  const now = context.io.now();
  const startAt = flags.at === undefined ? undefined : parseWhen(flags.at, now, '--at');
  const length = flags.for === undefined ? undefined : parseSpan(flags.for, '--for');
  const endAt = flags.until === undefined ? undefined : parseUntil(flags.until, startAt, now);

  const body: Record<string, unknown> = typeof flags.input !== 'string' ? {} : await readInput(context, flags.input);
  // One way to name the type: that of the flag wins.
  if (flags.type !== undefined) for (const way of ways) delete body[way];
  const type = typeof flags.type === 'string' ? await typeNamed(context, flags.type) : undefined;
  const id = (resource: 'cars' | 'customers' | 'locations', text: string | undefined) =>
    text === undefined ? undefined : resolveId(context, { resource, text });
  const locationId = (await id('locations', flags.location)) ?? body.locationId;
  const fields = {
    appointmentTypeId: type?.id,
    optionId: flags.option === undefined ? undefined : optionNamed(type, flags.option),
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
  Object.assign(body, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  if (length !== undefined) delete body.endAt;
  // Who gives the record as JSON has said in it what there is to say.
  return { body, type, typed: flags.type !== undefined || typeof flags.input === 'string', at: flags.at, length };
}

/** A clock time is one of the day on which it begins. */
function parseUntil(text: string, startAt: string | undefined, now: Date): string {
  const clock = /^\d{1,2}:\d\d$/.test(text.trim());
  return parseWhen(text, clock && startAt ? new Date(startAt) : now, '--until');
}

const typeNamed = async (context: Context, text: string): Promise<EventType> =>
  (await resolveRecord(context, { resource: 'eventTypes', text })) as EventType;

function optionNamed(type: EventType | undefined, text: string): string {
  if (!type) throw usage('--option names a variant of a type, and needs --type.', 'give --type too');
  const options = type.options ?? [];
  const found = options.find(({ id, name }) => id === text.toLowerCase() || fold(name) === fold(text));
  if (found) return found.id;
  throw new CliError({
    code: 'not_found',
    message: `${type.value} has no option called "${sanitize(text)}".`,
    hint: options.length > 0 ? `choose one of ${options.map(({ name }) => sanitize(name)).join(', ')}` : 'leave --option out: it has none',
  });
}

/** How long it usually takes, in milliseconds: as its option says, or its type. */
export function usualLength({ type, body }: Pick<AppointmentPlan, 'type' | 'body'>): number | undefined {
  const option = type?.options?.find(({ id }) => id === body.optionId);
  const minutes = option?.durationMinutes ?? type?.durationMinutes;
  return minutes ? minutes * 60_000 : undefined;
}

/** The flags that are missing, by what the type needs as far as that is known. */
export function missingFlags(plan: AppointmentPlan): string[] {
  const { body, type, typed, length } = plan;
  return [
    ...(typed ? [] : ['--type']),
    ...(body.startAt === undefined ? ['--at'] : []),
    ...(body.endAt === undefined && length === undefined && usualLength(plan) === undefined ? ['--for or --until'] : []),
    ...(type?.scope === 'vehicle' && body.carId === undefined ? ['--car'] : []),
    ...(type?.scope === 'customer' && body.customerId === undefined ? ['--customer'] : []),
  ];
}

/** The body as it is sent: with its end, where so far only its length is known. */
export function completeBody(plan: AppointmentPlan): Record<string, unknown> {
  const { body } = plan;
  const length = plan.length ?? usualLength(plan);
  const start = typeof body.startAt === 'string' ? Date.parse(body.startAt) : Number.NaN;
  if (body.endAt !== undefined || length === undefined || Number.isNaN(start)) return body;
  return { ...body, endAt: new Date(start + length).toISOString() };
}
