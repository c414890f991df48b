/** A drop-off: a new car and its owner where it isn't known, the event that parks it, its mileage, its photos. */
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
import {
  appointmentRef,
  askFulfilled,
  describeAppointment,
  findAppointment,
} from '../counter/appointment.ts';
import { askCarToDropOff } from '../counter/ask-car.ts';
import {
  askType,
  matchingTypes,
  notesQuestion,
  readScopes,
  usualType,
} from '../counter/ask-event.ts';
import {
  isUnknown,
  type NewCarAnswers,
  newCarOf,
  newCarQuestions,
  ownerText,
  type UnknownCar,
} from '../counter/ask-new-car.ts';
import { askPlace, type LastPlace, lastPlace, requireFreePlace } from '../counter/ask-place.ts';
import { findCar, isParked, readOwner } from '../counter/car.ts';
import {
  describeEvent,
  type EventPlan,
  type EventType,
  eventRequests,
  findEventType,
  logHint,
  mileageQuestion,
  photosOf,
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
import { askPhotos } from '../photos/ask.ts';
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
    const photos = await photosOf(context, flags);
    const car = await find('car', async () => {
      const found = flags.car === undefined ? undefined : await findCar(context, flags.car);
      if (found) await requireNotArchived(context, found);
      return found;
    });
    const eventType =
      flags.type === undefined ? undefined : await findEventType(context, flags.type);
    if (eventType) requireDropoffType(context, eventType, flags.car);
    const place = await find('place', async () => {
      const found = await findPlace(context, flags);
      if (found) await requireFree(context, found, car);
      return found;
    });
    const { mileage } = flags;
    return { photos, car, eventType, place, ...(mileage !== undefined && { mileage }) };
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
    const forPeople = context.output.forPeople;
    const name = isNew ? titleOf(newCarOf(plan).values) : titleOf(car);
    const ref =
      forPeople && !isNew ? await shortestUniqueRef(context, 'cars', car) : isNew ? name : car.id;
    const flags = connectionFlags(context);
    const fulfilled = forPeople && appointment && (await appointmentRef(context, appointment));
    const from = isNew ? undefined : plan.from;
    return {
      what: 'drop-off',
      headline: place
        ? `{car} is parked in ${describePlace(place)}`
        : `${typeName(plan.eventType)} logged for {car}`,
      facts: [['Moved from', from && place && describePlace(from)]],
      next: [
        nextCommand(['cars', 'events', 'list', ref], flags),
        ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], flags)] : []),
      ],
      ref,
      json: { ...placeResult(place), wasParkedIn: from ? placeResult(from) : null },
      answer: 'event',
      name,
      ...(!isNew && { car }),
      ...(place && { place: { kind: place.kind, name: place.record.name ?? null } }),
      ...(appointment && { appointmentId: appointment.id }),
    };
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
  warnings: (_context, { car, place, from }) =>
    from && place && !isUnknown(car)
      ? [
          `${titleOf(car)} was already parked in ${describePlace(from)}; this drop-off moves it to ${describePlace(place)}.`,
        ]
      : [],
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
  const readTypes = () =>
    matchingTypes(context, { what: 'drop-off', matches: isDropoffType, rank: dropoffRank });
  // A type that doesn't say that it parks may still take the place of a flag.
  const parks = (type: EventType) => requiresPlace(type) === true || given.place !== undefined;
  const requireParking = async () => {
    scopes.require('write:parking');
    if (given.place) return;
    scopes.require('read:parking');
    await requireFreePlace(context);
  };
  const all = given.eventType ? [given.eventType] : await readTypes();
  const mayPark =
    scopes.allow('write:parking') && (given.place !== undefined || scopes.allow('read:parking'));
  const isPossible = (type: EventType) => mayPark || !parks(type);
  const usual = usualType(all, requiresPlace);
  if (usual ? parks(usual) : all.every(parks)) await requireParking();
  const isKnown = ({ car }: Partial<DropoffPlan>) => car !== undefined && !isUnknown(car);
  const questions: Question<DropoffPlan>[] = [
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
    {
      name: 'eventType',
      part: 'Event',
      preset: () => usual && { answer: usual },
      async ask(asking, { earlier }) {
        const type = await askType(asking, (await readTypes()).filter(isPossible), earlier);
        if (parks(type)) await requireParking();
        return type;
      },
    },
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
    {
      name: 'appointment',
      part: 'Fulfils',
      dependsOn: ['car', 'eventType'],
      applies: ({ car }) => !isUnknown(car),
      isOffered: ({ appointment }) => appointment !== undefined,
      ask: (asking, { answers: { car, eventType }, earlier, isCorrection }) =>
        askFulfilled(asking, {
          car: car as Car,
          eventType: eventType as EventType,
          flag: flags.appointment,
          earlier,
          isChange: isCorrection,
        }),
    },
    notesQuestion(context) as Question<DropoffPlan>,
    {
      name: 'photos',
      part: 'Photos',
      preset: () => (yes && !flags.phone ? { answer: [] } : undefined),
      ask: (asking, { answers, earlier }) =>
        askPhotos(asking, flags, { title: `${titleIn(answers)} · drop-off`, earlier }),
    },
    mileageQuestion<DropoffPlan>(),
  ];
  return questions;
}

const isStoredNew = ({ car, make }: Partial<DropoffPlan>): boolean =>
  car !== undefined && !isUnknown(car) && make !== undefined;

const titleIn = (answers: Partial<DropoffPlan>): string =>
  answers.car === undefined
    ? ''
    : titleOf(isUnknown(answers.car) ? newCarOf(answers as NewCarAnswers).values : answers.car);

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

/** Whether an event of this type can be a drop-off. */
const isDropoffType = (type: EventType): boolean => !freesPlace(type);

/** The type of the command first, then types that park. */
const dropoffRank = (type: EventType): number =>
  type.value === 'drop_off' ? 0 : requiresPlace(type) ? 1 : 2;

/** The service would store it, as a pick-up. */
function requireDropoffType(context: Context, type: EventType, car: string | undefined): void {
  if (!isDropoffType(type))
    throw refusal(
      'parking_not_allowed',
      `${type.value} can't be a drop-off: it ends the parking.`,
      logHint(type, car, connectionFlags(context)),
    );
}
