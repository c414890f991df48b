/** Performs a drop-off, for `cs dropoff` and `cs demo`: the requests, the printed result. */
import type { Client, RecordFor } from '../../../client/client.ts';
import type { CreateFor } from '../../../contract/contract.ts';
import { carName, identityOf, titleOf } from '../../../facility/car-names.ts';
import { requiresPlace } from '../../../facility/event-type.ts';
import type { Context } from '../../context.ts';
import { isUncertain } from '../../errors/final.ts';
import { isRefused, refusedFields } from '../../errors/refusal.ts';
import { reasonOf, wrapFailure } from '../../errors/report.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { shortestUniqueRef } from '../../resources/lookup.ts';
import { appointmentRef } from '../counter/appointment.ts';
import type { NewCar, NewCarAnswers } from '../counter/ask-new-car.ts';
import { typeName } from '../counter/event.ts';
import { journaledEvent, printResult } from '../counter/execute.ts';
import { type FailureOptions, finishHint, isStop } from '../counter/failures.ts';
import { type ParkedIn, shownIn } from '../counter/parked-in.ts';
import { type EventOptions, type EventProgress, performEvent } from '../counter/perform.ts';
import { asPlaceConflict, describePlace, placeResult, withLocation } from '../counter/place.ts';
import {
  canCorrect,
  canLookAgain,
  questionAbout,
  refusedBy,
  tellRefusal,
} from '../counter/question-about.ts';
import { findStoredCar, findStoredCustomer } from '../journal/find.ts';
import { type Journal, noJournal } from '../journal/journal.ts';
import { countStored } from '../photos/upload-result.ts';
import {
  completePlan,
  type DropoffFlags,
  type DropoffPlan,
  eventBody,
  findFulfilled,
  isNew,
  readFlags,
} from './plan.ts';
import type { DropoffResult } from './shape.ts';

interface DropoffOptions {
  readonly client: Client;
  readonly plan: DropoffPlan;
  readonly options?: EventOptions;
  /** (default: none) */
  readonly journal?: Journal;
  readonly onProgress?: (progress: EventProgress) => void;
  readonly signal?: AbortSignal;
}

/** Undefined for a car that isn't stored yet, and for an event that parks nothing. */
const shownPlace = ({ car, place, parkedIn }: DropoffPlan): ParkedIn | undefined =>
  isNew(car) || !place ? undefined : (parkedIn ?? shownIn(car));

export const journaledDropoff = journaledEvent<DropoffPlan, DropoffResult>({
  command: 'dropoff',
  what: 'drop-off',
  carOf: ({ car }) => (isNew(car) ? car.values : car),
  shownIn: shownPlace,
  parksIn: ({ place }) => place,
  before: ({ car }) => (isNew(car) ? [...(car.newOwner ? ['owner'] : []), 'car'] : []),
  planQueued: planFromFlags,
  body: eventBody,
  perform: (_context, options) => performDropoff(options),
  print: printDropoff,
  replan: askAgain,
});

/** On a terminal prompts for what the flags leave open, such as another place. */
async function planFromFlags(context: Context, flags: DropoffFlags): Promise<DropoffPlan> {
  const given = await readFlags(context, flags);
  const { car, eventType, place } = given;
  const isComplete = car && eventType && (place || !requiresPlace(eventType));
  // It was approved when it was queued: only what is missing is asked.
  if (context.interactive && !isComplete)
    return (await import('./ask.ts')).askPlan(context, given, flags, { isApproved: true });
  const plan = completePlan(given);
  return { ...plan, appointment: await findFulfilled(context, plan, flags) };
}

/** Returns to the question that the server's refusal is about, and keeps the other answers, and what is stored of a new car. */
async function askAgain(
  context: Context,
  plan: DropoffPlan,
  error: unknown,
  { steps }: Journal,
): Promise<DropoffPlan> {
  if (!isNew(plan.car) && canLookAgain(context, plan, error)) {
    tellRefusal(context, error, 'Please check it.');
    const car = await (await context.client()).cars.get(plan.car.id);
    return (await import('./ask.ts')).askPlan(context, { ...plan, car }, {}, { wrong: ['place'] });
  }
  const cause = refusedBy(error);
  const conflict = plan.place && (await asPlaceConflict(context, plan.place, cause));
  const stored = {
    car: steps.answer('car') !== undefined,
    owner: steps.answer('owner') !== undefined,
  };
  const wrong = conflict
    ? 'place'
    : isNew(plan.car) && !stored.car
      ? wrongOfNewCar(plan.car, cause, stored.owner)
      : questionAbout(cause);
  if (!wrong || !canCorrect(context)) throw isNew(plan.car) ? error : (conflict ?? error);
  const isPlace = wrong === 'place';
  tellRefusal(context, conflict ?? cause, isPlace ? 'Choose another place.' : 'Please correct it.');
  const { askPlan } = await import('./ask.ts');
  return askPlan(
    context,
    { ...plan, car: withStored(plan.car, steps) },
    {},
    { wrong: [wrong], isApproved: isPlace, stored },
  );
}

/** What the refusal of a new car, or of its owner, is about (default: what people look at first). */
function wrongOfNewCar(
  car: NewCar,
  error: unknown,
  isOwnerStored: boolean,
): keyof NewCarAnswers | undefined {
  if (!isRefused(error)) return undefined;
  const fields = refusedFields(error);
  const isOfOwner = car.newOwner !== undefined && !isOwnerStored;
  const [known, first] = isOfOwner
    ? [ownerFields, 'firstName' as const]
    : [carFields, 'licensePlate' as const];
  if (fields.includes('customerId')) return 'owner';
  return known.find((name) => fields.includes(name)) ?? first;
}

const ownerFields = ['firstName', 'lastName', 'phone', 'email'] as const;
const carFields = ['licensePlate', 'make', 'model', 'year', 'color', 'nickname'] as const;

/** The car as far as it is stored, so that nothing of it is stored twice. */
function withStored(car: DropoffPlan['car'], steps: Journal['steps']): DropoffPlan['car'] {
  if (!isNew(car)) return car;
  const storedCar = steps.answer('car') as RecordFor<'cars'> | undefined;
  if (storedCar) return storedCar;
  const owner = steps.answer('owner') as RecordFor<'customers'> | undefined;
  return owner ? { kind: 'new', values: { ...car.values, customerId: owner.id }, owner } : car;
}

/** Stores a new car, then the event with its parking, then the photos. Throws as `performEvent` does. */
export async function performDropoff(dropoff: DropoffOptions): Promise<DropoffResult> {
  const { plan, ...options } = dropoff;
  options.signal?.throwIfAborted();
  const car = await storeCar(dropoff);
  const { event, ...stored } = await performEvent({
    ...options,
    car,
    isNewCar: isNew(plan.car),
    parkedIn: shownPlace(plan),
    what: 'drop-off',
    body: eventBody(plan),
    plan,
  });
  return { car: identityOf(car), event, ...placeResult(plan.place), ...stored };
}

async function storeCar({
  client,
  plan: { car },
  journal = noJournal,
  options,
  onProgress,
  signal,
}: DropoffOptions): Promise<RecordFor<'cars'>> {
  if (!isNew(car)) return car;
  const { newOwner } = car;
  const failure = (error: unknown, what: string) =>
    newCarFailure(error, {
      values: car.values,
      what,
      stopped: isStop(error, signal),
      globalFlags: options?.globalFlags,
      resume: journal.steps.resume,
    });
  onProgress?.({ of: 'car', phase: 'sending' });
  const owner =
    newOwner &&
    (await journal.steps
      .once('owner', {
        path: '/customers',
        send: (idempotencyKey) => client.customers.create(newOwner, { signal, idempotencyKey }),
        find: (how) => findStoredCustomer(client, newOwner, how),
      })
      .catch((error: unknown) => Promise.reject(failure(error, 'owner'))));
  const values = owner ? { ...car.values, customerId: owner.id } : car.values;
  const stored = await journal.steps
    .once('car', {
      path: '/cars',
      send: (idempotencyKey) => client.cars.create(values, { signal, idempotencyKey }),
      find: (how) => findStoredCar(client, values, how),
    })
    .catch((error: unknown) => Promise.reject(failure(error, 'car')));
  onProgress?.({ of: 'car', phase: 'stored' });
  return stored;
}

interface FailedCar extends FailureOptions {
  readonly values: CreateFor<'cars'>;
  /** `owner` or `car` */
  readonly what: string;
}

function newCarFailure(
  error: unknown,
  { values, what, stopped, globalFlags, resume }: FailedCar,
): unknown {
  if (!stopped && !isUncertain(error)) return error;
  const query = values.licensePlate ?? carName(values);
  return wrapFailure(error, {
    message: `${reasonOf(error, stopped)} The new ${what} may be stored; the drop-off isn't.`,
    hint: resume
      ? finishHint(resume)
      : `check before you add it again: \`${nextCommand(['cars', 'list', '--q', query], globalFlags)}\``,
  });
}

export async function printDropoff(
  context: Context,
  plan: DropoffPlan,
  result: DropoffResult,
  { globalFlags }: EventOptions,
): Promise<void> {
  const { car, photos } = result;
  const forPeople = context.output.forPeople;
  const carRef = forPeople ? await shortestUniqueRef(context, 'cars', car) : car.id;
  const place = plan.place && (await withLocation(context, plan.place));
  const fulfilled =
    forPeople && plan.appointment && (await appointmentRef(context, plan.appointment));
  await printResult(context, result, () => ({
    headline: place
      ? `${titleOf(car)} is parked in ${describePlace(place)}`
      : `${typeName(plan.eventType)} logged for ${titleOf(car)}`,
    nextCommands: [
      nextCommand(['cars', 'events', 'list', carRef], globalFlags),
      ...(countStored(photos) > 0
        ? [nextCommand(['cars', 'photos', 'list', carRef], globalFlags)]
        : []),
      ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], globalFlags)] : []),
    ],
  }));
}
