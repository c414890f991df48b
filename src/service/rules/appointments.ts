import type { CreateFor, RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { ApiProblem, invalid } from '../problem.ts';
import { find, newId } from '../records.ts';
import { toUtc } from '../values.ts';
import { type EventType, eventTypeByValue, requireTypeInUse } from './event-types.ts';
import { requireLocationInUse } from './locations.ts';
import { type Occurrence, occurrencesOf } from './recurrence.ts';
import type { RulesOf } from './rule.ts';
import { followAppointment, makeSession } from './sessions.ts';
import { issuesOfSpan } from './times.ts';

type Body = CreateFor<'appointments'>;
type Given = Partial<RecordFor<'appointments'>>;

/** Each gives the event type. */
const typeFields = ['appointmentTypeId', 'eventTypeId', 'eventType'] as const;

export const appointments: RulesOf<'appointments'> = {
  async create(context, { body }, proceed) {
    requireConsistent(body);
    const type = await findType(context, body);
    if (type)
      requireTypeInUse(
        type,
        typeFields.find((name) => body[name]),
      );
    requireSubject(type, body);
    requireOption(type, body.optionId);
    const location = await requireLocationInUse(context, body.locationId);

    const times = await occurrencesOfBody(body, location?.timezone ?? context.team.timezone);
    const recurrenceSeriesId =
      body.recurrenceSeriesId ?? (body.recurrenceFrequency ? newId() : null);
    const made = [];
    for (const occurrence of times) {
      const appointment = await proceed({
        ...occurrence,
        appointmentTypeId: type?.id ?? null,
        recurrenceSeriesId,
      });
      await makeSession(context, appointment);
      made.push(appointment);
    }
    return made[0] as RecordFor<'appointments'>;
  },
  async update(context, { record, body }, proceed) {
    const given: Given = { ...record, ...body };
    requireConsistent(given);
    const type = given.appointmentTypeId
      ? await find(context, 'eventTypes', given.appointmentTypeId)
      : undefined;
    const retyped = given.appointmentTypeId !== record.appointmentTypeId;
    if (type && retyped) requireTypeInUse(type, 'appointmentTypeId');
    requireSubject(type, given);
    // Options can be removed from a type later; an appointment keeps its option.
    if (retyped || given.optionId !== record.optionId) requireOption(type, given.optionId);
    if (given.locationId !== record.locationId)
      await requireLocationInUse(context, given.locationId);

    const appointment = await proceed();
    await followAppointment(context, appointment);
    return appointment;
  },
};

/** Specification: one way to give the type. Decision: an id together with its own value is allowed. */
async function findType(
  context: Context,
  { appointmentTypeId, eventTypeId, eventType }: Body,
): Promise<EventType | undefined> {
  const asEvent = { eventTypeId, eventType };
  const fields = Object.entries(asEvent).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  if (appointmentTypeId && fields.length > 0) {
    throw new ApiProblem(
      'conflicting_fields',
      `Give appointmentTypeId or ${fields.join(' and ')}, not both`,
      {
        fields: ['appointmentTypeId', ...fields],
      },
    );
  }
  const id = appointmentTypeId ?? eventTypeId;
  const byId = id ? await find(context, 'eventTypes', id) : undefined;
  if (eventType === undefined) return byId;
  const byValue = await eventTypeByValue(context, eventType, 'eventType');
  if (byId && byId.id !== byValue.id)
    throw new ApiProblem(
      'conflicting_fields',
      `eventTypeId and eventType are different types: ${byId.value} and ${byValue.value}`,
      {
        fields,
      },
    );
  return byValue;
}

/** Checks that hold for all types. */
function requireConsistent({ startAt, endAt, carId, secondaryCarId }: Given): void {
  const issues = issuesOfSpan({ startAt, endAt });
  if (secondaryCarId && secondaryCarId === carId)
    issues.push({ path: 'secondaryCarId', rule: 'distinct', message: 'must differ from carId' });
  if (issues.length > 0) throw invalid(issues);
}

/** Specification: the scope of the event type decides what is required. */
function requireSubject(type: EventType | undefined, { carId, customerId }: Given): void {
  if (type?.scope === 'vehicle' && !carId)
    throw new ApiProblem(
      'car_required',
      `An appointment of the type ${type.value} needs a car: give carId`,
      {
        field: 'carId',
        eventTypeId: type.id,
      },
    );
  if (type?.scope === 'customer' && !customerId)
    throw new ApiProblem(
      'customer_required',
      `An appointment of the type ${type.value} needs a customer: give customerId`,
      {
        field: 'customerId',
        eventTypeId: type.id,
      },
    );
}

function requireOption(type: EventType | undefined, optionId: string | null | undefined): void {
  if (!optionId || type?.options.some((option) => option.id === optionId)) return;
  const message = type
    ? `The event type ${type.value} doesn't have this option`
    : 'optionId needs an event type with this option';
  throw new ApiProblem('option_mismatch', message, {
    field: 'optionId',
    optionId,
    eventTypeId: type?.id ?? null,
  });
}

/** One occurrence, or those of the requested series. With a series id the caller creates the series (decision). */
async function occurrencesOfBody(body: Body, timezone: string): Promise<Occurrence[]> {
  const first = { startAt: toUtc(body.startAt), endAt: toUtc(body.endAt) };
  const { recurrenceFrequency } = body;
  return recurrenceFrequency && !body.recurrenceSeriesId
    ? occurrencesOf(first, { ...body, recurrenceFrequency }, timezone)
    : [first];
}
