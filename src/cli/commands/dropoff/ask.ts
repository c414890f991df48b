/** The questions of `cs dropoff` for what the flags leave open, and their summary. Nothing is stored. */
import type { Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import { type Car, titleOf } from '../../../facility/car-names.ts';
import { requiresPlace } from '../../../facility/event-type.ts';
import type { Context } from '../../context.ts';
import { askFound, type Found } from '../../prompts/ask-found.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import type { Option } from '../../prompts/options.ts';
import { sanitize } from '../../terminal/text.ts';
import { askFulfilled } from '../counter/appointment.ts';
import {
  carOptions,
  carSearchHint,
  carsByState,
  carTexts,
  findCarsAndOwners,
  listCars,
  searchLimit,
  withoutArchived,
} from '../counter/ask-car.ts';
import {
  askType,
  matchingTypes,
  notesQuestion,
  readScopes,
  usualType,
} from '../counter/ask-event.ts';
import {
  answersOfNewCar,
  isUnknown,
  type NewCarAnswers,
  newCarOf,
  newCarQuestions,
  type UnknownCar,
} from '../counter/ask-new-car.ts';
import { askPlace, requireFreePlace } from '../counter/ask-place.ts';
import { isParked } from '../counter/car.ts';
import type { EventType } from '../counter/event.ts';
import { keepAnswers } from '../counter/keep-answers.ts';
import type { Place } from '../counter/place.ts';
import { askPhotos } from '../photos/ask.ts';
import {
  type DropoffFlags,
  type DropoffPlan,
  dropoffRank,
  isDropoffType,
  isNew,
  type PartialPlan,
} from './plan.ts';
import { planSummary } from './summary.ts';

interface Answers extends NewCarAnswers {
  readonly car: Car | UnknownCar;
  readonly eventType: EventType;
  /** Undefined for an event type that parks nothing. */
  readonly place: Place | undefined;
  readonly appointment: DropoffPlan['appointment'];
  readonly notes: string | undefined;
  readonly photos: DropoffPlan['photos'];
}

/** What is already decided. */
interface Decided {
  /** The given plan was complete, and these answers of it were refused. */
  readonly wrong?: readonly (keyof Answers)[] | undefined;
  /** The person approved it already (default: the summary is asked). */
  readonly isApproved?: boolean;
  /** Stored by an earlier try, so that no other new one is. */
  readonly stored?: { readonly car?: boolean; readonly owner?: boolean };
}

/** With --yes asks for required values alone. Missing scopes and places fail before the first question. */
export async function askPlan(
  context: Context,
  given: PartialPlan,
  flags: DropoffFlags,
  { wrong, isApproved = false, stored = {} }: Decided = {},
): Promise<DropoffPlan> {
  const { yes } = context.settings;
  const scopes = await readScopes(context, 'drop-off');
  scopes.require('read:cars', 'write:cars');
  const readTypes = () =>
    matchingTypes(context, { what: 'drop-off', matches: isDropoffType, rank: dropoffRank });
  // A type that doesn't say that it parks may still take the place of a flag.
  const takesGiven = (type: EventType) =>
    given.place !== undefined && (!wrong || isSameId(type.id, given.eventType?.id));
  const parks = (type: EventType) => requiresPlace(type) === true || takesGiven(type);
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

  const questions: Question<Answers>[] = [
    {
      name: 'car',
      part: 'Car',
      isOffered: () => !stored.car,
      async ask(asking, { earlier }) {
        const car = await askCar(asking, { initial: flags.car, earlier });
        if (isUnknown(car) && flags.appointment)
          asking.warn('A new car has no appointments, so --appointment is left out.');
        return car;
      },
    },
    ...newCarQuestions({
      part: 'Car',
      mayAddOwner: scopes.allow('write:customers') && !stored.owner,
      onlyRequired: yes,
    }),
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
      ask: (asking, { answers: { car }, earlier }) =>
        askPlace(asking, { car: isUnknown(car) ? undefined : car, earlier }),
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
    notesQuestion<Answers>(context),
    {
      name: 'photos',
      part: 'Photos',
      preset: () => (yes && !flags.phone ? { answer: [] } : undefined),
      ask: (asking, { answers, earlier }) =>
        askPhotos(asking, flags, { title: `${carTitle(answers)} · drop-off`, earlier }),
    },
  ];
  const planOf = (answers: Answers): DropoffPlan => {
    const { car, eventType, place, appointment, notes, photos } = answers;
    return {
      ...given,
      car: isUnknown(car) ? newCarOf(answers) : car,
      eventType,
      place,
      appointment,
      notes,
      photos,
    };
  };
  const summary = (answers: Answers) => planSummary(context, planOf(answers));
  const answers = await askForm(context, {
    questions,
    given: wrong ? {} : answersOf(given),
    correcting: wrong && { answers: answersOf(given), wrong },
    review:
      yes || flags.dryRun || isApproved ? undefined : { summary, question: 'Store this drop-off?' },
    recover: keepAnswers(context, { command: 'dropoff', flags }),
  });
  return planOf(answers);
}

const carTitle = ({ car, ...answers }: Partial<Answers>): string =>
  car === undefined ? '' : titleOf(isUnknown(car) ? newCarOf(answers).values : car);

/** Undefined where it is open. In a complete plan it is an answer too. */
const answersOf = ({ car, eventType, place, appointment, notes, photos }: PartialPlan) =>
  ({
    ...(car && isNew(car) ? answersOfNewCar(car) : { car }),
    eventType,
    place,
    appointment,
    notes,
    photos,
  }) as Partial<Answers>;

/** Few enough to keep the option for a new car on the screen. */
const shownCars = 8;

const statusNames: Partial<Record<Car['status'], string>> = {
  expected: 'expected',
  stored: 'stored',
  checked_out: 'picked up',
};

interface CarQuestion {
  /** What is searched for at first. */
  readonly initial: string | undefined;
  readonly earlier: Car | UnknownCar | undefined;
}

/** A car, expected ones first, or a new one. */
async function askCar(
  context: Context,
  { initial, earlier }: CarQuestion,
): Promise<Car | UnknownCar> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const latest = await readAbsentCars(client);
  return askFound<Car, UnknownCar>(context, {
    label: 'Car',
    hint: carSearchHint,
    initial,
    earlier,
    latest,
    find: (typed, signal) => findCarsAndOwners(client, typed, { signal }),
    listed: () => listCars(client),
    textsOf: carTexts,
    shown: shownCars,
    optionsOf: (cars) => carOptions(context, cars, ({ status }) => statusNames[status] ?? ''),
    others: ({ typed, notFound }) => ({ below: [newCarOption(typed, notFound)] }),
  });
}

function newCarOption(searched: string, notFound: string | undefined): Option<UnknownCar> {
  const name =
    notFound === undefined
      ? '＋ Add a new car'
      : `＋ Add a new car (“${sanitize(notFound)}” not found)`;
  return { name, short: 'new', value: { kind: 'new', searched }, deliberate: true };
}

/** Cars that aren't here, expected ones first. A car that is here is found by typing. */
async function readAbsentCars(client: Client): Promise<Found<Car>> {
  const absent = await carsByState(client, ['expected', 'checked_out']);
  if (absent) return absent;
  // Another server may have states of its own: there the place of a car tells.
  const all = withoutArchived((await client.cars.list({ limit: searchLimit })).data).filter(
    (car) => !isParked(car),
  );
  return { records: all, total: all.length };
}
