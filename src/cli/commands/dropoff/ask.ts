/** The questions of `cs dropoff` for what the flags leave open, and their summary. Nothing is stored. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../../client/client.ts';
import type { Context } from '../../framework/context.ts';
import { type Car, titleOf } from '../../lookup/car.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import { askSearch, moreHeading, type Option } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { carOptions, carsInState, findCarsAndOwners, searchLimit, typingPause, withoutArchived } from '../counter/ask-car.ts';
import { askNotes, askType, matchingTypes, readScopes } from '../counter/ask-event.ts';
import { type NewCarAnswers, newCarOf, newCarQuestions } from '../counter/ask-new-car.ts';
import { askPlace, requirePlaces } from '../counter/ask-place.ts';
import { isParked } from '../counter/car.ts';
import type { EventType } from '../counter/event.ts';
import { requiresPlace } from '../counter/event-type.ts';
import { keepAnswers } from '../counter/keep-answers.ts';
import type { Place } from '../counter/place.ts';
import type { Corrected } from '../counter/question-about.ts';
import { askPhotos } from '../photos/ask.ts';
import { type DropoffFlags, type DropoffPlan, dropoffRank, findFulfilled, isDropoffType, isNew, type PartialPlan } from './plan.ts';
import { planSummary } from './summary.ts';

export interface Answers extends NewCarAnswers {
  readonly car: Car | 'new';
  readonly eventType: EventType;
  /** Undefined for an event type that parks nothing. */
  readonly place: Place | undefined;
  readonly appointment: DropoffPlan['appointment'];
  readonly notes: string | undefined;
  readonly photos: DropoffPlan['photos'];
}

/** With --yes asks for required values alone. Missing scopes and places fail before the first question. */
export async function askPlan(
  context: Context,
  given: PartialPlan,
  flags: DropoffFlags,
  { again, isRefused = false }: { readonly again?: Corrected; readonly isRefused?: boolean } = {},
): Promise<DropoffPlan> {
  const { yes } = context.settings;
  const scopes = await readScopes(context, 'drop-off');
  scopes.require('read:cars', 'write:cars');
  const readTypes = () => matchingTypes(context, { what: 'drop-off', matches: isDropoffType, rank: dropoffRank });
  const types = given.eventType ? [given.eventType] : await readTypes();
  const requireParking = async () => {
    scopes.require('write:parking');
    if (given.place) return;
    scopes.require('read:parking');
    await requirePlaces(context);
  };
  const usualType = onlyParking(types);
  if (given.place || (usualType && requiresPlace(usualType))) await requireParking();

  let searched = flags.car ?? '';
  const isNewCar = ({ car }: Partial<Answers>) => car === 'new';
  const questions: Question<Answers>[] = [
    {
      name: 'car',
      part: 'Car',
      ask: (asking) => askCar(asking, searched, (term) => (searched = term)),
    },
    ...newCarQuestions({ applies: isNewCar, part: 'Car', mayAddOwner: scopes.allow('write:customers'), searched: () => searched }),
    {
      name: 'eventType',
      part: 'Event',
      preset: () => usualType && { answer: usualType },
      async ask(asking, { earlier }) {
        const type = await askType(asking, given.eventType ? await readTypes() : types, earlier);
        if (requiresPlace(type)) await requireParking();
        return type;
      },
    },
    {
      name: 'place',
      part: 'Place',
      // A type that doesn't say that it parks may still take the place of a flag.
      applies: ({ eventType }) => given.place !== undefined || (eventType !== undefined && requiresPlace(eventType) === true),
      ask: (asking, { answers: { car }, earlier }) => askPlace(asking, { car: car === 'new' ? undefined : car, earlier }),
    },
    {
      name: 'appointment',
      part: 'Fulfils',
      dependsOn: ['car', 'eventType'],
      applies: ({ car }) => car !== 'new',
      isOffered: ({ appointment }) => appointment !== undefined,
      ask: (asking, { answers: { car, eventType }, isCorrection }) =>
        findFulfilled(asking, { car: car as Car, eventType: eventType as EventType }, flags, isCorrection),
    },
    {
      name: 'notes',
      part: 'Notes',
      preset: () => (yes ? { answer: undefined } : undefined),
      ask: (asking, { earlier }) => askNotes(asking, earlier),
    },
    {
      name: 'photos',
      part: 'Photos',
      preset: () => (yes && !flags.phone ? { answer: [] } : undefined),
      ask: (asking, { answers, earlier }) => askPhotos(asking, flags, { title: `${carTitle(answers)} · drop-off`, earlier }),
    },
  ];
  const planOf = (answers: Answers): DropoffPlan => ({
    ...given,
    car: answers.car === 'new' ? newCarOf(answers) : answers.car,
    eventType: answers.eventType,
    place: answers.place,
    appointment: answers.appointment,
    notes: answers.notes,
    photos: answers.photos,
  });
  const answers = await askForm(context, {
    questions,
    given: isRefused ? answersOfRefused(given, again) : answersOf(given),
    ...(again && { again }),
    review:
      yes || flags.dryRun || again === 'place'
        ? undefined
        : { summary: (all) => planSummary(context, planOf(all)), question: 'Store this drop-off?' },
    recover: keepAnswers(context, { command: 'dropoff', flags }),
  });
  return planOf(answers);
}

const carTitle = ({ car, ...answers }: Partial<Answers>): string =>
  car === undefined ? '' : titleOf(car === 'new' ? newCarOf(answers).values : car);

/** A plan that was approved and refused: nothing in it is asked again, also where the answer was nothing. */
function answersOfRefused(
  { car, eventType, place, appointment, notes, photos }: PartialPlan,
  again: Corrected | undefined,
): Partial<Answers> {
  const known = { car: car && !isNew(car) ? car : 'new', eventType, place, notes, photos } as Partial<Answers>;
  // Another car or event has another appointment.
  return again === 'car' || again === 'eventType' ? known : { ...known, appointment };
}

/** What flags gave. */
function answersOf({ car, eventType, place, appointment, notes, photos }: PartialPlan): Partial<Answers> {
  const known = { car: car && !isNew(car) ? car : undefined, eventType, place, appointment, notes, photos };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** The type of a drop-off where a person would choose no other: the only one, or the only one that parks. */
function onlyParking(types: readonly EventType[]): EventType | undefined {
  if (types.length === 1) return types[0];
  const parking = types.filter((type) => requiresPlace(type) === true);
  return parking.length === 1 ? parking[0] : undefined;
}

/** Few enough to keep the option for a new car on the screen. */
const shownCars = 8;

const statusNames: Partial<Record<Car['status'], string>> = { expected: 'expected', stored: 'stored', checked_out: 'picked up' };

/** A car, expected ones first, or a new one. `initial` is the search term to start with. */
async function askCar(context: Context, initial: string, onSearch: (term: string) => void): Promise<Car | 'new'> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const absent = await readAbsentCars(client);
  return askSearch<Car | 'new'>(context, {
    label: 'Car',
    hint: 'plate, VIN, make, model, nickname or owner, or a part of it',
    ...(initial && { initial }),
    find: async (term, signal) => {
      onSearch(term);
      if (term !== '') await delay(typingPause, undefined, { signal });
      const { cars, total } = term === '' ? absent : await findCarsAndOwners(client, term, { signal });
      const notFound = cars.length === 0 && term !== '' ? term : undefined;
      const shown = cars.slice(0, shownCars);
      return [
        ...carOptions(context, shown, ({ status }) => statusNames[status] ?? ''),
        ...moreHeading(total - shown.length),
        newCarOption(notFound),
      ];
    },
  });
}

function newCarOption(notFound: string | undefined): Option<'new'> {
  const name = notFound === undefined ? '＋ Add a new car' : `＋ Add a new car (“${sanitize(notFound)}” not found)`;
  return { name, short: 'new', value: 'new', deliberate: true };
}

/** Cars that aren't here, expected ones first. A car that is here is found by typing. */
async function readAbsentCars(client: Client): Promise<{ cars: Car[]; total: number }> {
  const [expected, checkedOut] = await Promise.all((['expected', 'checked_out'] as const).map((status) => carsInState(client, status)));
  const lists = [expected, checkedOut].filter((list) => list !== undefined);
  const cars = lists.flatMap(({ data }) => data);
  if (cars.length > 0) return { cars, total: lists.reduce((sum, { data, total }) => sum + (total ?? data.length), 0) };
  // Another server may have states of its own: there the place of a car tells.
  const all = withoutArchived((await client.cars.list({ limit: searchLimit })).data).filter((car) => !isParked(car));
  return { cars: all, total: all.length };
}
