/** A pick-up: the event that frees the place of a car, its mileage, its photos. */
import type { Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { type Car, describeCar, titleOf } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import { withoutTakenBack } from '../../../facility/taken-back.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { localTime } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import type { Question } from '../../prompts/form.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { print } from '../../prompts/run.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { joinList, pluralize, stateWords } from '../../terminal/text.ts';
import type { Action, ActionFlags, Facts } from '../counter/action.ts';
import { describeAppointment, findAppointment, readOpen } from '../counter/appointment.ts';
import { askParkedCar } from '../counter/ask-car.ts';
import { askKnown, needsServer } from '../counter/ask-known.ts';
import { isParked, readOwner, requireParked, undefinedIfUnreadable } from '../counter/car.ts';
import {
  describeEvent,
  type EventKind,
  type EventPlan,
  type EventType,
  eventQuestions,
  eventRequests,
  matchingTypes,
  readEvent,
  readScopes,
  readVehicleTypes,
  shownEvent,
} from '../counter/event.ts';
import type { KnownNames } from '../counter/known-names.ts';
import {
  currentPlace,
  describePlace,
  type Place,
  placeResult,
  shownHere,
} from '../counter/place.ts';
import { missingIn, missingText } from '../photos/checklist.ts';
import { photoSummary } from '../photos/describe.ts';

export interface PickupPlan extends EventPlan {
  readonly car: Car;
  /** Where the car is, and what a person should know of it; looked up. */
  readonly parking?: ParkingState;
}

interface ParkingState {
  /** The car was named, not chosen: no question shows it. */
  readonly isNamed?: boolean;
  /** Stands on the screen, above the first question. */
  readonly isShown?: boolean;
  /** Undefined without the scope to read parking. */
  readonly place: Place | undefined;
  readonly since?: string | undefined;
  readonly open: readonly RecordFor<'appointments'>[];
  /** Name and phone. */
  readonly owner?: string | undefined;
  /** Of the last drop-off. */
  readonly notes?: string | undefined;
}

const kind: EventKind = {
  what: 'pick-up',
  value: 'pick_up',
  // The server says so, or doesn't tell.
  matches: (type) => freesPlace(type) ?? !requiresPlace(type),
  does: freesPlace,
  // The service would store it, and the car would stay parked.
  refusal: ['validation_failed', "it doesn't free the place"],
};

export const pickupAction: Action<ActionFlags, PickupPlan> = {
  command: 'pickup',
  what: 'pick-up',
  approval: 'Hand this car over?',
  missing: ({ car, dryRun }, yes) => [car === undefined && 'CAR', !yes && !dryRun && '--yes'],
  read: (context, flags, find) =>
    readEvent(context, flags, {
      ...kind,
      find,
      checkCar: (found) => requireNotPickedUp(context, found, flags),
    }),
  async complete(context, given, flags) {
    const { car } = given;
    if (!car) throw missingInput(['CAR']);
    const eventType = given.eventType ?? (await singlePickupType(context));
    const appointment = await findAppointment(context, { car, eventType, flag: flags.appointment });
    const place = await currentPlace(context, car);
    return { ...given, car, eventType, appointment, parking: { place, open: [] } };
  },
  questions: pickupQuestions,
  summary: pickupSummary,
  requests: (plan) =>
    eventRequests(plan, {
      carId: plan.car.id,
      ifParkedIn: plan.isQueued ? undefined : shownHere(plan.car, plan.parking?.place),
    }),
  async shown(context, plan) {
    const { car, parking: { place } = {} } = plan;
    const free = place?.kind === 'zone' ? 'a place in ' : '';
    const own = {
      what: 'pick-up',
      headline: '{car} has been picked up',
      facts: [['Free now', place && `${free}${describePlace(place)}`]] as const,
      json: placeResult(place),
    };
    return shownEvent(context, { car, name: titleOf(car), plan, own });
  },
  again: ({ parking: _, ...given }, car) => ({
    given: { ...given, car },
    wrong: isParked(car) === false ? ['car'] : [],
  }),
  queues: true,
};

async function pickupQuestions(
  context: Context,
  flags: ActionFlags,
  given: Partial<PickupPlan>,
  names?: KnownNames,
): Promise<Question<PickupPlan>[]> {
  if (!names) (await readScopes(context, 'pick-up')).require('read:cars', 'write:cars');
  const types = given.eventType
    ? [given.eventType]
    : names
      ? []
      : await matchingTypes(context, kind);
  return [
    {
      name: 'car',
      part: 'Car',
      async ask(asking, { earlier }) {
        const chosen = { initial: flags.car, earlier };
        if (names) return askKnown(asking, 'car', { ...chosen, names });
        const car = await askParkedCar(asking, chosen);
        await requireNotPickedUp(asking, car, flags);
        return car;
      },
    },
    needsServer<PickupPlan>(names, {
      name: 'parking',
      part: 'Car',
      dependsOn: ['car'],
      async ask(asking, { answers }) {
        const car = answers.car as Car;
        // A car that was chosen is on the screen.
        const isNamed = isSameId(given.car?.id, car.id);
        const { quiet, yes } = asking.settings;
        const isShown = flags.notes === undefined && !yes && !quiet;
        const state = { ...(await readParkingState(asking, car)), isNamed, isShown };
        const named = isNamed ? [['Car', describeCar(car)] as const] : [];
        if (!quiet)
          print(asking, labelled(asking, [...named, ...(isShown ? knownOf(asking, state) : [])]));
        return state;
      },
    }),
    ...eventQuestions<PickupPlan>(context, { kind, flags, types, names }),
  ] as Question<PickupPlan>[];
}

/** Leaves out what the key's scopes don't cover, and what the server doesn't tell. */
async function readParkingState(context: Context, car: Car): Promise<ParkingState> {
  const client = await context.client();
  const parked = { carId: car.id, active: true, limit: 1 } as const;
  const [place, assignments, open, owner, notes] = await Promise.all([
    currentPlace(context, car),
    client.parkingAssignments.list(parked).catch(undefinedIfUnreadable),
    readOpen(context, car),
    readOwner(client, car),
    lastNotes(client, car),
  ]);
  const types = new Set(open.flatMap(({ appointmentTypeId }) => appointmentTypeId ?? []));
  const names = (await findLabels(context, new Map([['eventTypes', types]]))).get('eventTypes');
  const titled = open.map(({ title, ...one }) => ({
    ...one,
    title: title ?? names?.get(one.appointmentTypeId ?? '') ?? null,
  }));
  return { place, since: assignments?.data[0]?.startedAt, open: titled, owner, notes };
}

/** What the last drop-off noted, such as "two keys". */
async function lastNotes(client: Client, car: Car): Promise<string | undefined> {
  const events = await client.carEvents.list(car.id, { limit: 20 }).catch(undefinedIfUnreadable);
  const [last] = withoutTakenBack(events?.data ?? [])
    .filter(({ parkingSpotId, parkingZoneId }) => parkingSpotId || parkingZoneId)
    .sort((a, b) => Date.parse(b.occurredAt) - Date.parse(a.occurredAt));
  return last?.notes ?? undefined;
}

/** What a person at the counter should know before the car leaves. */
const knownOf = ({ io }: Context, parking: Partial<ParkingState> = {}): Facts => {
  const { place, since, owner, notes } = parking;
  return [
    ['Owner', owner],
    ['Parked in', place && describePlace(place)],
    ['Since', since && `${localTime(since)}${daysSince(since, io.now())}`],
    ['Drop-off', notes],
  ];
};

function pickupSummary(context: Context, plan: PickupPlan): Facts {
  const { car, parking, appointment } = plan;
  const now = context.io.now();
  const { open = [] } = parking ?? {};
  const others = open.filter(({ id }) => !isSameId(id, appointment?.id));
  return [
    ['Car', !parking || parking.isNamed ? describeCar(car) : undefined],
    ...(parking?.isShown ? [] : knownOf(context, parking)),
    ['Odometer', plan.mileage === undefined ? car.mileage?.toString() : undefined],
    ['Mileage', plan.mileage?.toString()],
    ['Event', describeEvent(plan, kind)],
    ['Fulfils', appointment && describeAppointment(appointment, now)],
    ...others.map((one, index): [string, string] => [
      index === 0 ? 'Open' : '',
      `${describeAppointment(one, now)} (${stateWords(one.status)})`,
    ]),
    ['Notes', plan.notes],
    ['Photos', plan.photos?.length ? photoSummary(plan.photos, plan) : 'none (n to add some)'],
    ['Missing', missingText(missingIn(context, plan))],
  ];
}

function daysSince(since: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(since)) / 86_400_000);
  return days >= 1 ? ` (${pluralize(days, 'day', 'days')})` : '';
}

/** A repeat with the same idempotency key finds the car picked up by the first run: the service answers with that result. */
async function requireNotPickedUp(
  context: Context,
  car: Car,
  { idempotencyKey }: ActionFlags,
): Promise<void> {
  if (idempotencyKey === undefined)
    await requireParked(context, car, {
      hint: 'see its history:',
      command: (name) => ['cars', 'events', 'list', name],
    });
}

/** The one that says that it frees the place, which is beyond the specification. */
async function singlePickupType(context: Context): Promise<EventType> {
  const possible = (await readVehicleTypes(await context.client())).filter(kind.matches);
  const [only, second] = possible.filter(freesPlace);
  if (only && !second) return only;
  if (possible.length === 0) throw missingInput(['--type']);
  const types = possible.map(({ value }) => `--type ${value}`);
  throw usage(
    'Missing required flag: --type.',
    `give the type of a pick-up: ${joinList(types, 'or')}`,
  );
}
