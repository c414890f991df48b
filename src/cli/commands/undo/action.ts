/** What takes back the last drop-off, pick-up or move of this machine: events stay, so another one follows, and its notes name the first. */
import { isSameId } from '../../../client/ids.ts';
import { type Car, describeCar, titleOf } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTimeWithDay } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { shortestUniqueRef } from '../../resources/lookup.ts';
import { lastDone, openWork, readSteps, type Work } from '../../state/work.ts';
import type { Action, ActionFlags, ActionPlan, ActionRequest, Shown } from '../counter/action.ts';
import { readVehicleTypes, usualType } from '../counter/ask-event.ts';
import { type EventType, eventRequests, typeName } from '../counter/event.ts';
import { facilityOf } from '../counter/facility.ts';
import { pendingCommand } from '../counter/journal.ts';
import { latestAssignment } from '../counter/latest-change.ts';
import { shownIn } from '../counter/parked-in.ts';
import {
  currentPlace,
  describePlace,
  findPlace,
  type Place,
  placeFields,
  placeResult,
  requireFree,
} from '../counter/place.ts';
import { causeOf, refusal } from '../counter/refusal.ts';
import type { PlaceResult } from '../counter/shape.ts';

interface UndoPlan extends ActionPlan {
  readonly car: Car;
  readonly undone: Undone;
  /** Where the car was before, and is again; undefined where it wasn't parked. */
  readonly to: Place | undefined;
  /** Undefined for a move. */
  readonly eventType: EventType | undefined;
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
  questions: async () => [],
  summary: (_context, { undone, to, eventType, car }) => [
    ['Take back', `${undone.work.what}${undone.at ? ` · ${localTimeWithDay(undone.at)}` : ''}`],
    ['Car', describeCar(car)],
    ['By', eventType ? `${typeName(eventType)} · now` : 'Move · now'],
    ['Place', to ? describePlace(to) : 'none: it leaves'],
  ],
  requests({ car, undone, to, eventType }) {
    const notes = `Takes back the ${undone.kind} ${undone.id}`;
    // Two windows that take back the same store it once.
    const idempotencyKey = `${undone.work.keyBase}-undo`;
    if (eventType)
      return eventRequests(
        { car, eventType, notes, idempotencyKey },
        { carId: car.id, ifParkedIn: undone.left, parksIn: to },
      );
    const body = { carId: car.id, ...placeFields(to as Place), notes };
    const move: ActionRequest = {
      name: 'assignment',
      resource: 'parkingAssignments',
      verb: 'create',
      ids: [],
      body,
      ifParkedIn: undone.left,
      idempotencyKey,
    };
    return [move];
  },
  async shown(context, { car, undone: { work, id, at }, to, eventType }) {
    const { forPeople } = context.output;
    const ref = forPeople ? await shortestUniqueRef(context, 'cars', car) : car.id;
    return {
      what: 'undo',
      headline: to ? `{car} is parked in ${describePlace(to)} again` : "{car} isn't parked here",
      facts: [['Undone', work.what]],
      next: [nextCommand(['cars', 'events', 'list', ref], connectionFlags(context))],
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
  const [open] = openWork(io, here.id);
  if (open)
    throw new CliError({
      code: 'unfinished',
      message: `The ${open.what} is unfinished, so it isn't clear what came last. Nothing was sent.`,
      hint: `finish it with \`${pendingCommand(context, 'resume', open.id)}\`, or forget it with \`${pendingCommand(context, 'discard', open.id)}\``,
      details: { id: open.id },
    });
  const work = lastDone(io, here.id);
  if (!work) throw nothingLeft(context, 'This machine remembers no drop-off, pick-up or move.');
  if (work.command === 'undo') throw nothingLeft(context, 'The last one is taken back already.');
  const { before, undone } = read(context, work);
  const client = await context.client();
  const car: Car = await client.cars.get(undone.carId);
  await requireUnchanged(context, car, undone);
  const place = before.spot ?? before.zone;
  const to = place
    ? await findPlace(context, before.spot ? { spot: place.id } : { zone: place.id })
    : undefined;
  if (to) await requireFree(context, to, car);
  const isMove = to !== undefined && undone.left !== 'none';
  const eventType = isMove ? undefined : await counterType(context, car, to !== undefined);
  return { car, undone, to, eventType };
}

/** The parking before and after, as the journal kept it. */
function read(context: Context, work: Work) {
  const { what: kind, json, answer: name, car } = work.shown as Shown;
  const answers = new Map(readSteps(context.io, work.id).map((step) => [step.name, step.answer]));
  const answer = answers.get(name) as Row;
  const carId = String(car?.id ?? (answers.get('car') as Row).id);
  const none: PlaceResult = { spot: null, zone: null };
  const [before, after] =
    work.command === 'pickup'
      ? [json as PlaceResult, none]
      : work.command === 'move'
        ? [json.from as PlaceResult, json.to as PlaceResult]
        : [(json.wasParkedIn ?? none) as PlaceResult, json as PlaceResult];
  const idIn = ({ spot, zone }: PlaceResult) => (spot ?? zone)?.id;
  const at = (answer.occurredAt ?? answer.startedAt) as string | undefined;
  if (isSameId(idIn(before), idIn(after)) || (idIn(before) ?? idIn(after)) === undefined)
    throw refusal(
      'not_found',
      `The ${work.what} changed no parking, so there is nothing to take back.`,
      history(context, carId),
    );
  if (work.command !== 'dropoff' && idIn(before) === undefined)
    throw refusal(
      'not_found',
      `It isn't known where the car was before the ${work.what}.`,
      history(context, carId),
    );
  return {
    before,
    undone: { work, kind, id: String(answer.id), at, left: idIn(after) ?? 'none', carId },
  };
}

/** The server refuses a car that is elsewhere; this also finds one that left and came back, and says so before a dry run ends. */
async function requireUnchanged(context: Context, car: Car, { work, id, left }: Undone) {
  const latest = await latestAssignment(await context.client(), car.id);
  const place = await currentPlace(context, car);
  const isHere = (shownIn(car, place) ?? left) === left;
  const isLatest =
    !latest ||
    [latest.id, latest.startedByEventId, latest.endedByEventId].some((one) => isSameId(one, id));
  if (isHere && isLatest) return;
  const state = place ? `is parked in ${describePlace(place)}` : "isn't parked here";
  const ended = latest?.endedAt;
  throw refusal(
    'parking_changed',
    `The parking of ${describeCar(car)} changed after the ${work.what}: it ${state}${
      ended ? causeOf({ at: ended, key: latest.endedByKey, kind: 'released' }) : ''
    }.`,
    history(context, car.id),
  );
}

/** The type that the commands would choose themselves. */
async function counterType(context: Context, car: Car, parks: boolean): Promise<EventType> {
  const types = (await readVehicleTypes(await context.client())).filter((type) =>
    parks ? requiresPlace(type) !== false : freesPlace(type) !== false,
  );
  const [command, value] = parks ? ['dropoff', 'drop_off'] : ['pickup', 'pick_up'];
  const found =
    types.find((type) => type.value === value) ??
    usualType(types, parks ? requiresPlace : freesPlace);
  if (found) return found;
  throw refusal(
    'not_found',
    'No event type of this server is sure to take it back.',
    `choose one: \`${nextCommand([command as string, car.id, '--type', 'TYPE'], connectionFlags(context))}\``,
  );
}

const history = (context: Context, carId: string): string =>
  `see what happened: \`${nextCommand(['cars', 'events', 'list', carId], connectionFlags(context))}\``;

const nothingLeft = (context: Context, why: string): CliError =>
  refusal(
    'not_found',
    `There is nothing to take back. ${why}`,
    `to correct an earlier one, see \`${nextCommand(['cars', 'events', 'list', 'CAR'], connectionFlags(context))}\``,
  );
