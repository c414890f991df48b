/** The questions of `cs pickup`, and their summary: the car with its place, open appointments and owner. Nothing is stored. */
import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { type Car, describeCar, titleOf } from '../../../facility/car-names.ts';
import { freesPlace } from '../../../facility/event-type.ts';
import type { Context } from '../../context.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { localTime } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { personName } from '../../resources/labels.ts';
import { pluralize, stateWords } from '../../terminal/text.ts';
import {
  askFulfilled,
  describeAppointment,
  readOpenTodayIfAllowed,
} from '../counter/appointment.ts';
import { askParkedCar } from '../counter/ask-car.ts';
import {
  askType,
  matchingTypes,
  notesQuestion,
  readScopes,
  usualType,
} from '../counter/ask-event.ts';
import { describeEvent, type EventType } from '../counter/event.ts';
import { keepAnswers } from '../counter/keep-answers.ts';
import { currentPlace, describePlace, type Place } from '../counter/place.ts';
import { askPhotos } from '../photos/ask.ts';
import { photoSummary } from '../photos/describe.ts';
import {
  isPickupType,
  type PartialPlan,
  type PickupFlags,
  type PickupPlan,
  pickupRank,
  requireNotPickedUp,
} from './plan.ts';

interface Answers {
  readonly car: Car;
  /** Looked up, for the summary. */
  readonly parking: ParkingState;
  readonly eventType: EventType;
  readonly appointment: PickupPlan['appointment'];
  readonly notes: string | undefined;
  readonly photos: PickupPlan['photos'];
}

/** What is already decided. */
interface Decided {
  /** The given plan was complete, and these answers of it were refused. */
  readonly wrong?: readonly (keyof Answers)[] | undefined;
}

/** With --yes asks for required values alone. Missing scopes fail before the first question. */
export async function askPlan(
  context: Context,
  given: PartialPlan,
  flags: PickupFlags,
  { wrong }: Decided = {},
): Promise<PickupPlan> {
  const { yes } = context.settings;
  const scopes = await readScopes(context, 'pick-up');
  scopes.require('read:cars', 'write:cars');
  const readTypes = () =>
    matchingTypes(context, { what: 'pick-up', matches: isPickupType, rank: pickupRank });
  const usual = given.eventType ?? usualType(await readTypes(), freesPlace);
  /** The car of the answered question, which stays on the screen, above the summary. That of the command line isn't there. */
  let shownCar: Car | undefined;
  const questions: Question<Answers>[] = [
    {
      name: 'car',
      part: 'Car',
      async ask(asking, { earlier }) {
        shownCar = undefined;
        const car = await askParkedCar(asking, { initial: flags.car, earlier });
        await requireNotPickedUp(asking, car, flags);
        if (asking.asking?.prompted) shownCar = car;
        return car;
      },
    },
    {
      name: 'parking',
      part: 'Car',
      dependsOn: ['car'],
      ask: (asking, { answers: { car } }) => readParkingState(asking, car as Car),
    },
    {
      name: 'eventType',
      part: 'Event',
      preset: () => usual && { answer: usual },
      ask: async (asking, { earlier }) => askType(asking, await readTypes(), earlier),
    },
    {
      name: 'appointment',
      part: 'Fulfils',
      dependsOn: ['car', 'eventType'],
      isOffered: ({ appointment }) => appointment !== undefined,
      ask: (asking, { answers: { car, eventType, parking }, earlier, isCorrection }) =>
        askFulfilled(asking, {
          isChange: isCorrection,
          earlier,
          car: car as Car,
          eventType: eventType as EventType,
          flag: flags.appointment,
          ...(parking && { openToday: parking.openToday }),
        }),
    },
    notesQuestion<Answers>(context),
    {
      name: 'photos',
      part: 'Photos',
      // Few pick-ups have some: whoever wants them adds them at the summary.
      preset: () => (flags.phone ? undefined : { answer: [] }),
      ask: (asking, { answers: { car }, earlier }) =>
        askPhotos(asking, flags, { title: `${titleOf(car as Car)} · pick-up`, earlier }),
    },
  ];
  const planOf = ({ parking, ...answers }: Answers): PickupPlan => ({
    ...given,
    ...answers,
    place: parking.place,
  });
  const summary = (answers: Answers) =>
    planSummary(context, planOf(answers), {
      ...answers.parking,
      showsCar: answers.car === shownCar,
    });
  const { car, eventType, appointment, notes, photos } = given;
  const answers = await askForm(context, {
    questions,
    given: wrong ? {} : { car, eventType, notes, photos },
    correcting: wrong && {
      answers: { car, eventType, appointment, notes, photos } as Partial<Answers>,
      wrong,
    },
    review: yes || flags.dryRun ? undefined : { summary, question: 'Hand this car over?' },
    recover: keepAnswers(context, { command: 'pickup', flags }),
  });
  return planOf(answers);
}

interface ParkingState {
  readonly place: Place | undefined;
  readonly since: string | undefined;
  readonly openToday: readonly RecordFor<'appointments'>[];
  /** Name and phone. */
  readonly owner: string | undefined;
  /** Names of event types by id. */
  readonly typeNames: ReadonlyMap<string, string> | undefined;
}

/** Leaves out what the key's scopes don't cover, and what the server doesn't tell. */
async function readParkingState(context: Context, car: Car): Promise<ParkingState> {
  const client = await context.client();
  const [place, assignments, openToday, owner] = await Promise.all([
    currentPlace(context, car),
    client.parkingAssignments
      .list({ carId: car.id, active: true, limit: 1 })
      .catch(undefinedIfUnreadable),
    readOpenTodayIfAllowed(context, car),
    car.customerId ? client.customers.get(car.customerId).catch(undefinedIfUnreadable) : undefined,
  ]);
  const typeIds = new Set(
    openToday.map(({ appointmentTypeId }) => appointmentTypeId).filter((id) => id !== null),
  );
  const labels =
    typeIds.size > 0 ? await findLabels(context, new Map([['eventTypes', typeIds]])) : undefined;
  return {
    place,
    since: assignments?.data[0]?.startedAt,
    openToday,
    owner: owner && describeOwner(owner),
    typeNames: labels?.get('eventTypes'),
  };
}

function undefinedIfUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error;
}

function describeOwner(owner: RecordFor<'customers'>): string {
  const name = personName(owner) || owner.companyName || owner.email;
  return [name, owner.phone ?? 'no phone number'].filter(Boolean).join(' · ');
}

/** `showsCar`: it stands above already. */
function planSummary(
  context: Context,
  plan: PickupPlan,
  {
    place,
    since,
    openToday,
    owner,
    typeNames,
    showsCar,
  }: ParkingState & { readonly showsCar: boolean },
): string {
  const now = context.io.now();
  const others = openToday.filter(({ id }) => !isSameId(id, plan.appointment?.id));
  return `\n${labelled(context, [
    ['Car', showsCar ? undefined : describeCar(plan.car)],
    ['Owner', owner],
    ['Parked in', place && describePlace(place)],
    ['Since', since && `${localTime(since)}${daysSince(since, now)}`],
    ['Event', describeEvent(plan)],
    [
      'Fulfils',
      plan.appointment &&
        describeAppointment(
          plan.appointment,
          now,
          typeNames?.get(plan.appointment.appointmentTypeId ?? ''),
        ),
    ],
    ...others.map((one, index): [string, string] => [
      index === 0 ? 'Open' : '',
      `${describeAppointment(one, now, typeNames?.get(one.appointmentTypeId ?? ''))} (${stateWords(one.status)})`,
    ]),
    ['Notes', plan.notes],
    ['Photos', plan.photos.length === 0 ? 'none (n to add some)' : photoSummary(plan.photos, plan)],
  ])}\n`;
}

function daysSince(since: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(since)) / 86_400_000);
  return days >= 1 ? ` (${pluralize(days, 'day', 'days')})` : '';
}
