/** A drop-off: a new car and its owner where it isn't known, the event that parks it, its mileage, its photos. */
import { isSameId } from '../../../client/ids.ts';
import { type Car, describeCar, titleOf } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import type { Context } from '../../context.ts';
import { declined } from '../../errors/exit.ts';
import { isRefused, refusedFields } from '../../errors/refusal.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { isSameReading } from '../../input/matching.ts';
import { dayText } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import type { Question } from '../../prompts/form.ts';
import { askOption, missingInput } from '../../prompts/prompts.ts';
import { print } from '../../prompts/run.ts';
import { isNew, type NewRecord, newOption } from '../../resources/record-form.ts';
import {
  type Action,
  type ActionFlags,
  type ActionRequest,
  RunInstead,
} from '../counter/action.ts';
import { describeAppointment, findAppointment } from '../counter/appointment.ts';
import { askCarToDropOff } from '../counter/ask-car.ts';
import { askKnown, needsServer } from '../counter/ask-known.ts';
import { askPlace, type LastPlace, lastPlace, requireFreePlace } from '../counter/ask-place.ts';
import { isParked, plateOf, readOwner } from '../counter/car.ts';
import {
  describeEvent,
  type EventKind,
  type EventPlan,
  eventQuestions,
  eventRequests,
  matchingTypes,
  readEvent,
  readScopes,
  shownEvent,
  typeName,
} from '../counter/event.ts';
import type { KnownNames } from '../counter/known-names.ts';
import {
  carBody,
  customerBody,
  type NewCarAnswers,
  newCarQuestions,
  ownerText,
} from '../counter/new-car.ts';
import {
  currentPlace,
  describePlace,
  findPlace,
  type Place,
  placeResult,
  requireFree,
  requireOnePlace,
  shownIn,
} from '../counter/place.ts';
import { refusal } from '../counter/refusal.ts';
import { missingIn, missingText } from '../photos/checklist.ts';
import { photoSummary } from '../photos/describe.ts';

export interface DropoffPlan extends EventPlan, Omit<NewCarAnswers, 'car'> {
  readonly car: Car | NewRecord;
  /** Looked up of a known car, and shown before the first question. */
  readonly known?: Known | undefined;
  /** The person logs another one for a car that is here. */
  readonly isAnother?: boolean | undefined;
}

interface Known {
  readonly owner?: string | undefined;
  readonly last?: LastPlace | undefined;
  /** Where the car is already. */
  readonly from?: Place | undefined;
}

const kind: EventKind = {
  what: 'drop-off',
  value: 'drop_off',
  matches: (type) => !freesPlace(type),
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
    const checkCar = async (found: Car) => requireNotArchived(context, found);
    const event = await readEvent(context, flags, { ...kind, find, checkCar });
    const place = await find('place', async () => {
      const found = await findPlace(context, flags);
      if (found) await requireFree(context, found, event.car);
      return found;
    });
    return { ...event, place };
  },
  async complete(context, given, flags) {
    const { car, eventType, place } = given;
    if (!car || !eventType) throw missingInput(['CAR', '--type']);
    if (requiresPlace(eventType) && !place) throw missingInput(['--spot or --zone']);
    const plan = { ...given, car, eventType };
    if (isNew(car)) {
      await requireNoneLike(context, plan);
      return plan;
    }
    const appointment = await findAppointment(context, { car, eventType, flag: flags.appointment });
    const from = isParked(car) && place ? await currentPlace(context, car) : undefined;
    return { ...plan, appointment, known: { from } };
  },
  questions: dropoffQuestions,
  summary(context, plan) {
    const { car, place, known, appointment, mileage } = plan;
    const isNewCar = isNew(car);
    return [
      ['Car', isNewCar ? `${describeCar(carBody(plan))} (new)` : describeCar(car)],
      ['Colour', isNewCar ? plan.color : undefined],
      ['Owner', isNewCar ? ownerText(plan) : known?.owner],
      ['Event', describeEvent(plan, kind)],
      ['Place', place && describePlace(place)],
      ['Moves from', place && known?.from && describePlace(known.from)],
      ['Mileage', mileage?.toString()],
      ['Fulfils', appointment && describeAppointment(appointment, context.io.now())],
      ['Notes', plan.notes || undefined],
      ['Photos', photoSummary(plan.photos ?? [], plan)],
      ['Missing', missingText(missingIn(context, plan))],
    ];
  },
  requests(plan) {
    const { car, place } = plan;
    if (!isNew(car))
      return eventRequests(plan, {
        carId: car.id,
        ifParkedIn: place && !plan.isQueued ? shownIn(car) : undefined,
        parksIn: place,
      });
    const { mileage, ...event } = plan;
    const create = { verb: 'create', ids: [] } as const;
    const owner: ActionRequest[] = isNew(plan.owner)
      ? [{ ...create, name: 'owner', resource: 'customers', body: { ...customerBody(plan) } }]
      : [];
    const body = {
      ...carBody(plan),
      ...(owner.length > 0 && { customerId: '{owner.id}' }),
      ...(mileage !== undefined && { mileage }),
    };
    return [
      ...owner,
      { ...create, name: 'car', resource: 'cars', body },
      ...eventRequests(event, { carId: '{car.id}', ifParkedIn: undefined, parksIn: place }),
    ];
  },
  async shown(context, plan) {
    const { car, known, place } = plan;
    const from = place && known?.from;
    const own = {
      what: 'drop-off',
      headline: place
        ? `{car} is parked in ${describePlace(place)}`
        : `${typeName(plan.eventType)} logged for {car}`,
      facts: [['Moved from', from && describePlace(from)]] as const,
      json: { ...placeResult(place), wasParkedIn: from ? placeResult(from) : null },
      ...(place && { place: { kind: place.kind, name: place.record.name ?? null } }),
    };
    if (!isNew(car)) return shownEvent(context, { car, name: titleOf(car), plan, own });
    const body = carBody(plan);
    const newRef = body.licensePlate ?? body.nickname ?? body.vin ?? undefined;
    return shownEvent(context, { car: undefined, newRef, name: titleOf(body), plan, own });
  },
  about(plan, error, done) {
    if (!isNew(plan.car) || done.has('car') || !isRefused(error)) return undefined;
    const fields = refusedFields(error);
    if (fields.includes('customerId')) return 'owner';
    const isOwner = isNew(plan.owner) && !done.has('owner');
    const known = Object.keys(isOwner ? customerBody(plan) : carBody(plan));
    // What people look at first, where the server names no field.
    return (known.find((name) => fields.includes(name)) ??
      (isOwner ? 'firstName' : 'licensePlate')) as keyof DropoffPlan;
  },
  again: ({ known: _, ...given }, car) => ({
    given: { ...given, car, isAnother: true },
    wrong: ['place'],
  }),
  warnings(_context, { car, place, known }) {
    if (!known?.from || !place || isNew(car)) return [];
    const moves = isSameId(known.from.record.id, place.record.id)
      ? ''
      : `; this drop-off moves it to ${describePlace(place)}`;
    return [`${titleOf(car)} was already parked in ${describePlace(known.from)}${moves}.`];
  },
  queues: true,
};

async function dropoffQuestions(
  context: Context,
  flags: ActionFlags,
  given: Partial<DropoffPlan>,
  names?: KnownNames,
): Promise<Question<DropoffPlan>[]> {
  const { yes } = context.settings;
  const parks = (type: EventPlan['eventType']) =>
    (requiresPlace(type) ?? names !== undefined) || given.place !== undefined;
  const { types, mayAddOwner, asksOwner } = names
    ? { types: [], mayAddOwner: false, asksOwner: false }
    : await readAllowed(context, given, parks);
  const [askedType, ...others] = eventQuestions<DropoffPlan>(context, {
    kind,
    flags,
    types,
    names,
  });
  const isKnown = ({ car }: Partial<DropoffPlan>) => car !== undefined && !isNew(car);
  return [
    {
      name: 'car',
      part: 'Car',
      // A new car that is stored by an earlier try stays.
      isOffered: () => !isKnown(given) || given.make === undefined,
      async ask(asking, { earlier }) {
        const chosen = { initial: flags.car, earlier };
        if (names)
          return askKnown<'car', NewRecord>(asking, 'car', {
            ...chosen,
            names,
            added: (typed) => newOption('car', typed),
          });
        const car = await askCarToDropOff(asking, chosen);
        if (isNew(car) && flags.appointment)
          asking.warn('A new car has no appointments, so --appointment is left out.');
        return car;
      },
    },
    needsServer<DropoffPlan>(names, {
      name: 'known',
      part: 'Car',
      dependsOn: ['car'],
      applies: isKnown,
      isOffered: () => false,
      ask: (asking, { answers }) => tellKnown(asking, answers.car as Car, given.car !== undefined),
    }),
    needsServer<DropoffPlan>(names, {
      name: 'isAnother',
      part: 'Car',
      dependsOn: ['car'],
      applies: ({ car }) => car !== undefined && !isNew(car) && isParked(car) === true,
      isOffered: () => false,
      preset: () => (yes ? { answer: true } : undefined),
      ask: (asking, { answers }) => askWhereParked(asking, answers),
    }),
    ...(newCarQuestions({
      part: 'Car',
      mayAddOwner,
      asksOwner,
      onlyRequired: yes,
    }) as Question<DropoffPlan>[]),
    askedType as Question<DropoffPlan>,
    {
      name: 'place',
      part: 'Place',
      applies: ({ eventType }) => eventType !== undefined && parks(eventType),
      ask: (asking, { answers: { car, known }, earlier }) =>
        names
          ? askKnown(asking, 'place', { names, earlier })
          : askPlace(asking, {
              car: isNew(car) ? undefined : car,
              ...known,
              earlier,
              dryRun: flags.dryRun,
            }),
    },
    ...others,
  ];
}

/** Fails before the first question where a scope or a place is missing. */
async function readAllowed(
  context: Context,
  given: Partial<DropoffPlan>,
  parks: (type: EventPlan['eventType']) => boolean,
) {
  const scopes = await readScopes(context, 'drop-off');
  scopes.require('read:cars', 'write:cars');
  const types = given.eventType ? [given.eventType] : await matchingTypes(context, kind);
  if (types.some(parks)) {
    scopes.require('write:parking');
    if (!given.place) {
      scopes.require('read:parking');
      await requireFreePlace(context);
    }
  }
  const [mayAddOwner, asksOwner] = [
    scopes.allow('write:customers'),
    scopes.allow('read:customers'),
  ];
  return { types, mayAddOwner, asksOwner };
}

/** What is known of the car, above the first question. */
async function tellKnown(context: Context, car: Car, isGiven: boolean): Promise<Known> {
  const client = await context.client();
  const [owner, last, from] = await Promise.all([
    readOwner(client, car),
    lastPlace(client, car),
    isParked(car) ? currentPlace(context, car) : undefined,
  ]);
  if (!context.settings.quiet)
    print(
      context,
      labelled(context, [
        ['Car', isGiven ? describeCar(car) : undefined],
        ['Owner', owner],
        ['Last place', isParked(car) ? undefined : last?.name],
      ]),
    );
  return { owner, last, from };
}

/** A car that is here already: the first question. */
async function askWhereParked(
  context: Context,
  { car, known }: Partial<DropoffPlan>,
): Promise<true> {
  const { id, ...named } = car as Car;
  const since = known?.last?.since ? ` since ${dayText(known.last.since, context.io.now())}` : '';
  const next = await askOption<'move' | 'another' | 'stop'>(context, {
    label: `${titleOf(named)} is parked in ${known?.from?.record.name ?? 'a place'}${since}:`,
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
function requireNotArchived(context: Context, car: Car): void {
  if (car.status !== 'archived') return;
  const words = ['cars', 'update', car.id, '--status', 'checked_out'];
  throw refusal(
    'car_archived',
    `The car ${describeCar(car)} is archived.`,
    `unarchive it with \`${nextCommand(words, connectionFlags(context))}\``,
    { names: plateOf(car) },
  );
}

/** A new car that was queued: another counter may have added it meanwhile. */
async function requireNoneLike(context: Context, { licensePlate }: NewCarAnswers): Promise<void> {
  if (!licensePlate) return;
  const { data } = await (await context.client()).cars.list({ licensePlate });
  const same = data.find((car) => isSameReading(car.licensePlate ?? '', licensePlate));
  if (!same) return;
  const see = nextCommand(['cars', 'get', same.id], connectionFlags(context));
  throw refusal('duplicate', `The car ${describeCar(same)} exists by now.`, `see it: \`${see}\``);
}
