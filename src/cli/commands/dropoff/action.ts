/** A drop-off: a new car and its owner where it isn't known, the event that parks it, its mileage, its photos. */
import { isSameId } from '../../../client/ids.ts';
import { type Car, describeCar, titleOf } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import type { Context } from '../../context.ts';
import { declined } from '../../errors/exit.ts';
import { isRefused, refusedFields } from '../../errors/refusal.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { dayText } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import type { Question } from '../../prompts/form.ts';
import { askOption, missingInput } from '../../prompts/prompts.ts';
import { print } from '../../prompts/run.ts';
import { shortestUniqueRef } from '../../resources/lookup.ts';
import {
  type Action,
  type ActionFlags,
  type ActionRequest,
  type Facts,
  RunInstead,
} from '../counter/action.ts';
import { describeAppointment, findAppointment } from '../counter/appointment.ts';
import { askCarToDropOff } from '../counter/ask-car.ts';
import { eventQuestions, matchingTypes, readScopes, usualType } from '../counter/ask-event.ts';
import {
  isUnknown,
  type NewCarAnswers,
  newCarOf,
  newCarQuestions,
  ownerText,
  type UnknownCar,
} from '../counter/ask-new-car.ts';
import { askPlace, type LastPlace, lastPlace, requireFreePlace } from '../counter/ask-place.ts';
import { isParked, readOwner } from '../counter/car.ts';
import {
  describeEvent,
  type EventKind,
  type EventPlan,
  type EventType,
  eventRequests,
  readEvent,
  shownEvent,
  typeName,
} from '../counter/event.ts';
import { shownIn } from '../counter/parked-in.ts';
import {
  currentPlace,
  describePlace,
  findPlace,
  type Place,
  placeResult,
  requireFree,
  requireOnePlace,
  withLocation,
} from '../counter/place.ts';
import { refusal } from '../counter/refusal.ts';
import { photoSummary } from '../photos/describe.ts';

export interface DropoffPlan extends EventPlan, Omit<NewCarAnswers, 'car'> {
  readonly car: Car | UnknownCar;
  /** Looked up of a known car, and shown before the first question. */
  readonly known?: Known | undefined;
  /** The person logs another one for a car that is here. */
  readonly isAnother?: boolean | undefined;
  /** Where the car is already. */
  readonly from?: Place | undefined;
}

interface Known {
  readonly owner: string | undefined;
  readonly last: LastPlace | undefined;
}

const kind: EventKind = {
  what: 'drop-off',
  matches: (type) => !freesPlace(type),
  // The type of the command first, then types that park.
  rank: (type) => (type.value === 'drop_off' ? 0 : requiresPlace(type) ? 1 : 2),
  does: requiresPlace,
  refusal: ['parking_not_allowed', 'it ends the parking'],
};

export const dropoffAction: Action<ActionFlags, DropoffPlan> = {
  command: 'dropoff',
  what: 'drop-off',
  approval: 'Store this drop-off?',
  missing: ({ car, type, dryRun }, yes) => [
    car === undefined && 'CAR',
    type === undefined && '--type',
    !yes && !dryRun && '--yes',
  ],
  async read(context, flags, find) {
    requireOnePlace(flags);
    const event = await readEvent(context, flags, {
      ...kind,
      find,
      checkCar: (found) => requireNotArchived(context, found),
    });
    const place = await find('place', async () => {
      const found = await findPlace(context, flags);
      if (found) await requireFree(context, found, event.car);
      return found;
    });
    return { ...event, place };
  },
  async complete(context, given, flags) {
    const { car, eventType } = given;
    if (!car || !eventType) throw missingInput(['CAR', '--type']);
    if (requiresPlace(eventType) && !given.place) throw missingInput(['--spot or --zone']);
    const plan = { ...given, car, eventType };
    if (isUnknown(car)) return plan;
    const appointment = await findAppointment(context, { car, eventType, flag: flags.appointment });
    const from = isParked(car) && given.place ? await currentPlace(context, car) : undefined;
    return { ...plan, appointment, from };
  },
  questions: dropoffQuestions,
  summary(context, plan) {
    const { car, place } = plan;
    const isNew = isUnknown(car);
    const { values } = newCarOf(plan);
    return [
      ['Car', isNew ? `${describeCar(values)} (new)` : describeCar(car)],
      ['Colour', isNew ? values.color : undefined],
      ['Owner', isNew ? ownerText(newCarOf(plan)) : plan.known?.owner],
      ['Event', describeEvent(plan)],
      ['Place', place && describePlace(place)],
      ['Moves from', !isNew && place && plan.from && describePlace(plan.from)],
      ['Mileage', plan.mileage?.toString()],
      ['Fulfils', plan.appointment && describeAppointment(plan.appointment, context.io.now())],
      ['Notes', plan.notes],
      ['Photos', photoSummary(plan.photos ?? [], plan)],
    ].map(([label, value]) => [label, value || undefined]) as unknown as Facts;
  },
  requests(plan) {
    const { car, place } = plan;
    if (!isUnknown(car))
      return eventRequests(plan, {
        carId: car.id,
        ifParkedIn: place && !plan.isQueued ? shownIn(car) : undefined,
        parksIn: place,
      });
    const { values, newOwner } = newCarOf(plan);
    const { mileage, ...event } = plan;
    const owner: ActionRequest[] = newOwner
      ? [{ name: 'owner', resource: 'customers', verb: 'create', ids: [], body: newOwner }]
      : [];
    const body = {
      ...values,
      ...(newOwner && { customerId: '{owner.id}' }),
      ...(mileage !== undefined && { mileage }),
    };
    return [
      ...owner,
      { name: 'car', resource: 'cars', verb: 'create', ids: [], body },
      ...eventRequests(event, { carId: '{car.id}', ifParkedIn: undefined, parksIn: place }),
    ];
  },
  async shown(context, plan) {
    const { car, appointment } = plan;
    const isNew = isUnknown(car);
    const place = plan.place && (await withLocation(context, plan.place));
    const from = isNew ? undefined : plan.from;
    const own = {
      what: 'drop-off',
      headline: place
        ? `{car} is parked in ${describePlace(place)}`
        : `${typeName(plan.eventType)} logged for {car}`,
      facts: [['Moved from', from && place && describePlace(from)]] as const,
      json: { ...placeResult(place), wasParkedIn: from ? placeResult(from) : null },
      ...(place && { place: { kind: place.kind, name: place.record.name ?? null } }),
    };
    const name = titleOf(isNew ? newCarOf(plan).values : car);
    return shownEvent(context, { car: isNew ? undefined : car, name, appointment, own });
  },
  about(plan, error, done) {
    if (!isUnknown(plan.car) || done.has('car') || !isRefused(error)) return undefined;
    const fields = refusedFields(error);
    if (fields.includes('customerId')) return 'owner';
    // What people look at first, where the server names no field.
    const [known, first] =
      newCarOf(plan).newOwner && !done.has('owner')
        ? [ownerFields, 'firstName' as const]
        : [carFields, 'licensePlate' as const];
    return known.find((name) => fields.includes(name)) ?? first;
  },
  again: ({ known: _, ...given }, car) => ({
    given: { ...given, car, isAnother: true },
    wrong: ['place'],
  }),
  warnings(_context, { car, place, from }) {
    if (!from || !place || isUnknown(car)) return [];
    const moves = isSameId(from.record.id, place.record.id)
      ? ''
      : `; this drop-off moves it to ${describePlace(place)}`;
    return [`${titleOf(car)} was already parked in ${describePlace(from)}${moves}.`];
  },
  offline: { asks: ['car', 'type', 'place', 'notes', 'photo'], usualType: 'drop_off' },
};

const ownerFields = ['firstName', 'lastName', 'phone', 'email'] as const;
const carFields = ['licensePlate', 'make', 'model', 'year', 'color', 'nickname'] as const;

async function dropoffQuestions(
  context: Context,
  flags: ActionFlags,
  given: Partial<DropoffPlan>,
): Promise<Question<DropoffPlan>[]> {
  const { yes } = context.settings;
  const scopes = await readScopes(context, 'drop-off');
  scopes.require('read:cars', 'write:cars');
  // A type that doesn't say that it parks may still take the place of a flag.
  const parks = (type: EventType) => requiresPlace(type) === true || given.place !== undefined;
  const requireParking = async () => {
    scopes.require('write:parking');
    if (given.place) return;
    scopes.require('read:parking');
    await requireFreePlace(context);
  };
  const all = given.eventType ? [given.eventType] : await matchingTypes(context, kind);
  const mayPark =
    scopes.allow('write:parking') && (given.place !== undefined || scopes.allow('read:parking'));
  const isPossible = (type: EventType) => mayPark || !parks(type);
  const usual = usualType(all, kind.does);
  if (usual ? parks(usual) : all.every(parks)) await requireParking();
  const isKnown = ({ car }: Partial<DropoffPlan>) => car !== undefined && !isUnknown(car);
  const [askedType, ...others] = eventQuestions<DropoffPlan>(context, {
    ...{ kind, flags, usual, isPossible },
    onType: async (type) => {
      if (parks(type)) await requireParking();
    },
  });
  return [
    {
      name: 'car',
      part: 'Car',
      // A car that is stored by an earlier try stays.
      isOffered: () => !isStoredNew(given),
      async ask(asking, { earlier }) {
        const car = await askCarToDropOff(asking, { initial: flags.car, earlier });
        if (isUnknown(car) && flags.appointment)
          asking.warn('A new car has no appointments, so --appointment is left out.');
        return car;
      },
    },
    {
      name: 'known',
      part: 'Car',
      dependsOn: ['car'],
      applies: isKnown,
      isOffered: () => false,
      ask: (asking, { answers: { car } }) => tellKnown(asking, car as Car, given.car !== undefined),
    },
    {
      name: 'from',
      part: 'Car',
      dependsOn: ['car'],
      applies: ({ car }) => !isUnknown(car) && car !== undefined && isParked(car) === true,
      isOffered: () => false,
      ask: (asking, { answers: { car } }) => currentPlace(asking, car as Car),
    },
    {
      name: 'isAnother',
      part: 'Car',
      dependsOn: ['car'],
      applies: ({ car }) => !isUnknown(car) && car !== undefined && isParked(car) === true,
      isOffered: () => false,
      preset: () => (yes ? { answer: true } : undefined),
      ask: (asking, { answers }) => askWhereParked(asking, answers),
    },
    ...(newCarQuestions({
      part: 'Car',
      mayAddOwner: scopes.allow('write:customers'),
      onlyRequired: yes,
    }) as Question<DropoffPlan>[]),
    askedType as Question<DropoffPlan>,
    {
      name: 'place',
      part: 'Place',
      applies: ({ eventType }) => eventType !== undefined && parks(eventType),
      ask: (asking, { answers: { car, known, from }, earlier }) =>
        askPlace(asking, {
          car: isUnknown(car) ? undefined : car,
          from,
          earlier,
          last: known?.last,
        }),
    },
    ...others,
  ];
}

const isStoredNew = ({ car, make }: Partial<DropoffPlan>): boolean =>
  car !== undefined && !isUnknown(car) && make !== undefined;

/** What is known of the car, above the first question. */
async function tellKnown(context: Context, car: Car, isGiven: boolean): Promise<Known> {
  const client = await context.client();
  const [owner, last] = await Promise.all([readOwner(client, car), lastPlace(client, car)]);
  if (!context.settings.quiet) {
    const facts = labelled(context, [
      ['Car', isGiven ? describeCar(car) : undefined],
      ['Owner', owner],
      ['Last place', isParked(car) ? undefined : last?.name],
    ]);
    print(context, facts);
  }
  return { owner, last };
}

/** A car that is here already: the first question. */
async function askWhereParked(
  context: Context,
  { car, from, known }: Partial<DropoffPlan>,
): Promise<true> {
  const { id, ...named } = car as Car;
  const since = known?.last?.since && ` since ${dayText(known.last.since, context.io.now())}`;
  const next = await askOption<'move' | 'another' | 'stop'>(context, {
    label: `${titleOf(named)} is parked in ${from?.record.name ?? 'a place'}${since ?? ''}:`,
    options: [
      { name: 'Move it', value: 'move' },
      { name: 'Log another drop-off', value: 'another' },
      { name: 'Stop', value: 'stop' },
    ],
  });
  if (next === 'stop') throw declined('Nothing was stored.');
  if (next === 'move') throw new RunInstead('move', { car: id });
  return true;
}

/** The service refuses an archived car too, but only after all prompts, and a dry run sends nothing that it could refuse. */
async function requireNotArchived(context: Context, car: Car): Promise<void> {
  if (car.status !== 'archived') return;
  const ref = await shortestUniqueRef(context, 'cars', car);
  const words = ['cars', 'update', ref, '--status', 'checked_out'];
  throw refusal(
    'car_archived',
    `The car ${describeCar(car)} is archived.`,
    `unarchive it with \`${nextCommand(words, connectionFlags(context))}\``,
  );
}
