/** A move: one assignment of another spot or zone, which ends the one before. No event is logged. */

import { isSameId } from '../../../client/ids.ts';
import { type Car, describeCar, titleOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { labelled } from '../../output/labelled.ts';
import type { Question } from '../../prompts/form.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { print } from '../../prompts/run.ts';
import {
  type Action,
  type ActionFlags,
  type ActionPlan,
  type ActionRequest,
  orAskInstead,
} from '../counter/action.ts';
import { askParkedCar } from '../counter/ask-car.ts';
import { askKnown, needsServer } from '../counter/ask-known.ts';
import { askPlace } from '../counter/ask-place.ts';
import { findCar, isParked, requireParked } from '../counter/car.ts';
import { readScopes } from '../counter/event.ts';
import type { KnownNames } from '../counter/known-names.ts';
import {
  currentPlace,
  describePlace,
  findPlace,
  type Place,
  placeFields,
  placeResult,
  requireFree,
  requireOnePlace,
  shownHere,
} from '../counter/place.ts';

export interface MovePlan extends ActionPlan {
  readonly car: Car;
  /** Looked up. Undefined without the scope to read parking. */
  readonly from?: Place | undefined;
  readonly place: Place;
}

export const moveAction: Action<ActionFlags, MovePlan> = {
  command: 'move',
  what: 'move',
  missing: ({ car, spot, zone }) => [
    car === undefined && 'CAR',
    spot === undefined && zone === undefined && '--spot or --zone',
  ],
  async read(context, flags, find) {
    requireOnePlace(flags);
    const car = await find('car', async () => {
      const isShown = flags.spot === undefined && flags.zone === undefined;
      const found = await findCar(context, flags.car, isShown);
      if (found) await requireHere(context, found);
      return found;
    });
    if (!car) return {};
    const from = await currentPlace(context, car);
    return {
      car,
      from,
      place: await find('place', () => findFreePlace(context, flags, { car, from })),
    };
  },
  async complete(_context, { car, place, ...given }) {
    if (!car || !place) throw missingInput(['CAR', '--spot or --zone']);
    return { ...given, car, place };
  },
  questions: moveQuestions,
  summary: (_context, { car, from, place, notes }) => [
    ['Car', describeCar(car)],
    ['Parked in', from && describePlace(from)],
    ['Place', describePlace(place)],
    ['Notes', notes],
  ],
  requests: ({ car, from, place, isQueued, ...plan }) =>
    moveRequests({
      ...plan,
      carId: car.id,
      to: place,
      ifParkedIn: isQueued ? undefined : shownHere(car, from),
    }),
  async shown(context, { car, from, place: to }) {
    const { forPeople } = context.output;
    const known = car.parkingSpotId ?? car.parkingZoneId ?? from?.record.id;
    const moved = !isSameId(known, to.record.id);
    return {
      what: 'move',
      headline: moved
        ? `{car} is parked in ${describePlace(to)}`
        : `{car} is already parked in ${describePlace(to)}; nothing was changed`,
      facts:
        from && moved && forPeople
          ? [
              ['Before', describePlace(from)],
              ['Undo', nextCommand(['undo'], connectionFlags(context))],
            ]
          : [],
      next: [],
      json: { from: placeResult(from), to: placeResult(to), moved },
      answer: 'assignment',
      name: titleOf(car),
      car,
      place: { kind: to.kind, name: to.record.name ?? null },
    };
  },
  again: ({ from: _, ...given }, car) => ({
    given: { ...given, car },
    wrong: [isParked(car) === false ? 'car' : 'place'],
  }),
  queues: true,
};

interface Moving extends Pick<ActionPlan, 'at' | 'notes' | 'idempotencyKey'> {
  readonly carId: string;
  readonly to: Place;
  readonly ifParkedIn: string | undefined;
}

export const moveRequests = ({ carId, to, at, notes, ...how }: Moving): ActionRequest[] => [
  {
    name: 'assignment',
    resource: 'parkingAssignments',
    verb: 'create',
    ids: [],
    body: { carId, ...placeFields(to), ...(at && { startedAt: at }), ...(notes && { notes }) },
    ifParkedIn: how.ifParkedIn,
    idempotencyKey: how.idempotencyKey,
  },
];

/** The car and a free place, each where the flags leave it open. Stored without a summary: `Undo` takes it back. */
async function moveQuestions(
  context: Context,
  flags: ActionFlags,
  given: Partial<MovePlan>,
  names?: KnownNames,
): Promise<Question<MovePlan>[]> {
  const isGiven = given.car !== undefined;
  if (!given.place && !names)
    (await readScopes(context, 'move')).require('read:cars', 'write:parking', 'read:parking');
  return [
    {
      name: 'car',
      part: 'Car',
      async ask(asking, { earlier }) {
        const how = { initial: flags.car, earlier };
        if (names) return askKnown(asking, 'car', { ...how, names });
        const chosen = await askParkedCar(asking, how);
        await requireHere(asking, chosen);
        return chosen;
      },
    },
    needsServer<MovePlan>(names, {
      name: 'from',
      part: 'Car',
      dependsOn: ['car'],
      ask: (asking, { answers }) => currentPlace(asking, answers.car as Car),
    }),
    {
      name: 'place',
      part: 'Place',
      async ask(asking, { answers: { car, from }, earlier, isCorrection }) {
        if (names) return askKnown(asking, 'place', { names, earlier });
        const moved = { car: car as Car, from };
        // A place that was refused isn't looked up again.
        const isOpen = !isCorrection && !isGiven;
        const named = isOpen
          ? await orAskInstead(asking)('place', () => findFreePlace(asking, flags, moved))
          : undefined;
        if (named) return named;
        // The answer is stored at once, so the car of an argument is shown before it.
        const shown = isGiven && !isCorrection ? describeCar(moved.car) : undefined;
        const place = from && describePlace(from);
        if (!asking.settings.quiet)
          print(
            asking,
            labelled(asking, [
              ['Car', shown],
              ['Parked in', place],
            ]),
          );
        return askPlace(asking, { ...moved, earlier, dryRun: flags.dryRun });
      },
    },
  ] as Question<MovePlan>[];
}

/** Fails for a car that isn't parked. */
const requireHere = (context: Context, car: Car): Promise<void> =>
  requireParked(context, car, { hint: 'drop it off first:', command: (name) => ['dropoff', name] });

/** The place of the flags; fails where it isn't free. */
async function findFreePlace(
  context: Context,
  flags: ActionFlags,
  { car, from }: Pick<MovePlan, 'car' | 'from'>,
): Promise<Place | undefined> {
  const place = await findPlace(context, flags, from?.record);
  if (place) await requireFree(context, place, car);
  return place;
}
