/** What takes back the last drop-off, pick-up or move of this machine: events stay, so another one follows, and its notes name the first. */
import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { type Car, describeCar, titleOf } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import { takesBack } from '../../../facility/taken-back.ts';
import type { Context } from '../../context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTimeWithDay } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { shortestUniqueRef } from '../../resources/lookup.ts';
import { lastDone, openWorkOn, readSteps, type Work } from '../../state/work.ts';
import { stateWords } from '../../terminal/text.ts';
import type { Action, ActionFlags, ActionPlan, Shown } from '../counter/action.ts';
import { appointmentRef, describeAppointment } from '../counter/appointment.ts';
import { plateOf, undefinedIfUnreadable } from '../counter/car.ts';
import {
  type EventType,
  eventRequests,
  readVehicleTypes,
  typeName,
  usualType,
} from '../counter/event.ts';
import { facilityOf } from '../counter/facility.ts';
import { unfinished } from '../counter/journal.ts';
import {
  currentPlace,
  describePlace,
  findPlace,
  type Place,
  placeResult,
  requireFree,
  shownIn,
} from '../counter/place.ts';
import { causeOf, latestAssignment, refusal } from '../counter/refusal.ts';
import type { PlaceResult } from '../counter/shape.ts';
import { moveRequests } from '../move/action.ts';

interface UndoPlan extends ActionPlan {
  readonly car: Car;
  readonly undone: Undone;
  /** Where the car was before, and is again; undefined where it wasn't parked. */
  readonly to: Place | undefined;
  /** Undefined for a move. */
  readonly eventType: EventType | undefined;
  /** That the event fulfilled, which no other event takes back. */
  readonly appointment: RecordFor<'appointments'> | undefined;
}

/** What is taken back. */
interface Undone {
  readonly work: Work;
  /** `drop-off` */
  readonly kind: string;
  /** Of its event or assignment. */
  readonly id: string;
  readonly at: string | undefined;
  /** Where it left the car: the id of a spot or zone, or `none`. */
  readonly left: string;
}

export const undoAction: Action<ActionFlags, UndoPlan> = {
  command: 'undo',
  what: 'undo',
  approval: 'Take it back?',
  missing: ({ dryRun }, yes) => [!yes && !dryRun && '--yes'],
  read: async (context) => readLast(context),
  complete: async (_context, given) => given as UndoPlan,
  queues: false,
  questions: async () => [],
  summary: (context, { undone, to, eventType, car, appointment }) => [
    ['Take back', `${undone.work.what}${undone.at ? ` · ${localTimeWithDay(undone.at)}` : ''}`],
    ['Car', describeCar(car)],
    ['By', eventType ? `${typeName(eventType)} · now` : 'Move · now'],
    ['Place', to ? describePlace(to) : 'none: it leaves'],
    ['Appointment', appointment && unchangedAppointment(context, appointment)],
  ],
  warnings: (context, { appointment }) =>
    appointment ? [`The appointment ${unchangedAppointment(context, appointment)}.`] : [],
  requests({ car, undone, to, eventType }) {
    const notes = `${takesBack} ${undone.kind} ${undone.id}`;
    // Two windows that take back the same store it once.
    const idempotencyKey = `${undone.work.keyBase}-undo`;
    if (eventType)
      return eventRequests(
        { car, eventType, notes, idempotencyKey },
        { carId: car.id, ifParkedIn: undone.left, parksIn: to },
      );
    return moveRequests({
      carId: car.id,
      to: to as Place,
      notes,
      idempotencyKey,
      ifParkedIn: undone.left,
    });
  },
  async shown(context, { car, undone: { work, id, at }, to, eventType, appointment }) {
    const { forPeople } = context.output;
    const ref = forPeople ? await shortestUniqueRef(context, 'cars', car) : car.id;
    return {
      what: 'undo',
      headline: to ? `{car} is parked in ${describePlace(to)} again` : "{car} isn't parked here",
      facts: [
        ['Undone', work.what],
        ['Appointment', appointment && unchangedAppointment(context, appointment)],
      ],
      next: [
        ...(appointment && forPeople ? [await appointmentCommand(context, appointment)] : []),
        eventsCommand(context, ref),
      ],
      json: {
        undone: { command: work.command, what: work.what, id, at: at ?? null },
        ...placeResult(to),
        event: null,
        assignment: null,
      },
      answer: eventType ? 'event' : 'assignment',
      name: titleOf(car),
      car,
      ...(to && { place: { kind: to.kind, name: to.record.name ?? null } }),
    };
  },
};

async function readLast(context: Context): Promise<UndoPlan> {
  const { io } = context;
  const here = await facilityOf(context);
  const work = lastDone(io, here.id);
  if (!work || work.command === 'undo') {
    const why = work
      ? 'The last one is taken back already.'
      : 'This machine remembers no drop-off, pick-up or move.';
    throw refusal(
      'not_found',
      `There is nothing to take back. ${why}`,
      `to correct an earlier one, see \`${eventsCommand(context, 'CAR')}\``,
    );
  }
  const { before, undone, carId, appointmentId } = read(context, work);
  const client = await context.client();
  const car: Car = await client.cars.get(carId);
  const open = openWorkOn(io, here.id, car);
  if (open) {
    const message = `The ${open.what} is unfinished, so it isn't clear what came last.`;
    throw unfinished(context, open, message);
  }
  await requireUnchanged(context, car, undone);
  const to = before && (await findPlace(context, before));
  if (to) await requireFree(context, to, car);
  const isMove = to !== undefined && undone.left !== 'none';
  const eventType = isMove ? undefined : await counterType(context, car, to !== undefined);
  const appointment =
    appointmentId && (await client.appointments.get(appointmentId).catch(undefinedIfUnreadable));
  return { car, undone, to, eventType, appointment: appointment || undefined };
}

/** The parking before and after, as the journal kept it. */
function read(context: Context, work: Work) {
  const { what: kind, json, answer: name, car, appointmentId } = work.shown as Shown;
  const answers = new Map(readSteps(context.io, work.id).map((step) => [step.name, step.answer]));
  const answer = answers.get(name) as Row;
  const named = car ?? (answers.get('car') as Car);
  const [before, after] = (
    {
      pickup: [json, undefined],
      move: [json.from, json.to],
      dropoff: [json.wasParkedIn, json],
    } as Readonly<Record<string, (PlaceResult | null | undefined)[]>>
  )[work.command] as (PlaceResult | null | undefined)[];
  const idIn = (place: PlaceResult | null | undefined) => (place?.spot ?? place?.zone)?.id;
  const [from, left] = [idIn(before), idIn(after)];
  // The place couldn't be read before, such as without the scope read:parking.
  const isUnknown = from === undefined && work.command !== 'dropoff';
  if (isUnknown || isSameId(from, left))
    throw refusal(
      'not_found',
      isUnknown
        ? `It isn't known where the car was before the ${work.what}, so it can't be taken back.`
        : `The ${work.what} didn't change where the car is parked, so there is nothing to take back.`,
      history(context, named.id),
      { names: plateOf(named) },
    );
  const at = (answer.occurredAt ?? answer.startedAt) as string | undefined;
  return {
    before: from === undefined ? undefined : before?.spot ? { spot: from } : { zone: from },
    undone: { work, kind, id: String(answer.id), at, left: left ?? 'none' },
    carId: named.id,
    appointmentId,
  };
}

/** The server refuses a car that is elsewhere; this also finds one that left and came back, and says so before a dry run ends. */
async function requireUnchanged(context: Context, car: Car, { work, id, left }: Undone) {
  const latest = await latestAssignment(await context.client(), car.id);
  const place = await currentPlace(context, car);
  const isHere = (shownIn(car, place) ?? left) === left;
  const { id: last, startedByEventId, endedByEventId, endedAt, endedByKey } = latest ?? {};
  if (
    isHere &&
    (!latest || [last, startedByEventId, endedByEventId].some((one) => isSameId(one, id)))
  )
    return;
  const state = place ? `is parked in ${describePlace(place)}` : "isn't parked here";
  throw refusal(
    'parking_changed',
    `The parking of ${describeCar(car)} changed after the ${work.what}: it ${state}${causeOf({ at: endedAt, key: endedByKey, kind: 'released' })}.`,
    history(context, car.id),
    { names: plateOf(car) },
  );
}

/** The type that the commands would choose themselves. */
async function counterType(context: Context, car: Car, parks: boolean): Promise<EventType> {
  const does = parks ? requiresPlace : freesPlace;
  const types = (await readVehicleTypes(await context.client())).filter(
    (type) => does(type) !== false,
  );
  const [command, value] = parks ? ['dropoff', 'drop_off'] : ['pickup', 'pick_up'];
  const found = types.find((type) => type.value === value) ?? usualType(types, does);
  if (found) return found;
  const words = [command as string, car.id, '--type', 'TYPE'];
  throw refusal(
    'not_found',
    'No event type of this server is sure to take it back.',
    `choose one: \`${nextCommand(words, connectionFlags(context))}\``,
    { names: plateOf(car) },
  );
}

const eventsCommand = (context: Context, car: string): string =>
  nextCommand(['cars', 'events', 'list', car], connectionFlags(context));

const history = (context: Context, carId: string): string =>
  `see what happened: \`${eventsCommand(context, carId)}\``;

/** `today 09:00–09:45 · Winter pick-up stays in progress` */
const unchangedAppointment = ({ io }: Context, appointment: RecordFor<'appointments'>): string =>
  `${describeAppointment(appointment, io.now())} stays ${stateWords(appointment.status)}`;

const appointmentCommand = async (
  context: Context,
  appointment: RecordFor<'appointments'>,
): Promise<string> =>
  nextCommand(
    ['appointments', 'get', await appointmentRef(context, appointment)],
    connectionFlags(context),
  );
