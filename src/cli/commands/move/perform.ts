/** Performs a move: the request and the printed result. */
import { isSameId } from '../../../client/ids.ts';
import { wasReplayed } from '../../../client/replays.ts';
import { isOpenAssignment } from '../../../contract/parking.ts';
import { type CarIdentity, identityOf, titleOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { isUncertain } from '../../errors/final.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { reasonOf, wrapFailure } from '../../errors/report.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { shortestUniqueRef } from '../../resources/lookup.ts';
import { sanitize } from '../../terminal/text.ts';
import { isAnyCarHere } from '../counter/ask-car.ts';
import { isParked, plateOf } from '../counter/car.ts';
import { finishHint, isStop } from '../counter/failures.ts';
import { movedSince } from '../counter/moved-since.ts';
import {
  asParkingChanged,
  expectParkedIn,
  isSamePlace,
  noteUncheckedParking,
  type ReadAgain,
  serverChecks,
  shownHere,
  shownIn,
} from '../counter/parked-in.ts';
import {
  asPlaceConflict,
  currentPlace,
  describePlace,
  type Place,
  placeResult,
  withLocation,
} from '../counter/place.ts';
import {
  canCorrect,
  canLookAgain,
  questionAbout,
  refusedBy,
  tellRefusal,
} from '../counter/question-about.ts';
import { asRefusedTime } from '../counter/refusal.ts';
import { findStoredAssignment } from '../journal/find.ts';
import type { Journal, Journaled, Performed } from '../journal/journal.ts';
import type { FindOptions } from '../journal/steps.ts';
import { makePlan } from './make-plan.ts';
import { type MoveFlags, type MovePlan, moveBody } from './plan.ts';
import type { MoveResult } from './shape.ts';

export const journaledMove: Journaled<MovePlan, MoveResult> = {
  command: 'move',
  what: ({ car }) => `move of ${titleOf(car)}`,
  files: () => [],
  requests: () => ['move'],
  planQueued: (context, flags: MoveFlags) => makePlan(context, flags),
  findLast: (client, plan, how) => findStoredAssignment(client, moveBody(plan), how),
  perform: performMove,
};

/** Returns to the question that the server's refusal is about. */
async function performMove(
  context: Context,
  plan: MovePlan,
  journal: Journal,
): Promise<Performed<MoveResult>> {
  const isOfEarlierRun = journal.steps.mayBeStored('move');
  try {
    const result = await storeMove(context, plan, journal);
    const { startedAt } = result.assignment;
    const hasEnded = isOpenAssignment(result.assignment, context.io.now().getTime()) === false;
    const parked = { what: 'move', carId: plan.car.id, place: plan.to, at: startedAt, hasEnded };
    const isOld = isOfEarlierRun || result.replayed === true || parked.hasEnded;
    const failure = isOld ? await movedSince(context, parked) : undefined;
    if (failure) return { result: null, failure, open: false, print: async () => {} };
    const elsewhere = result.moved && !isOld ? await shownElsewhere(context, plan) : undefined;
    if (elsewhere)
      return {
        result: { ...result, moved: false },
        open: false,
        print: () => printUnmoved(context, result, elsewhere),
      };
    return { result, open: false, print: () => printMove(context, plan, result, journal.resumed) };
  } catch (error) {
    if (canLookAgain(context, plan, error)) {
      const car = await (await context.client()).cars.get(plan.car.id);
      const wrong = isParked(car) === false ? 'car' : 'place';
      if (wrong === 'car' && !(await isAnyCarHere(context))) throw error;
      tellRefusal(context, error, 'Please check it.');
      const shown = { ...plan, car, from: await currentPlace(context, car), parkedIn: undefined };
      return askAgain(context, shown, journal, wrong);
    }
    const conflict = await asPlaceConflict(context, plan.to, error);
    const wrong = conflict ? 'place' : questionAbout(error);
    if ((wrong !== 'place' && wrong !== 'car') || !canCorrect(context)) throw conflict ?? error;
    tellRefusal(
      context,
      conflict ?? refusedBy(error),
      wrong === 'place' ? 'Choose another place.' : 'Please correct it.',
    );
    return askAgain(context, plan, journal, wrong);
  }
}

async function askAgain(
  context: Context,
  plan: MovePlan,
  journal: Journal,
  wrong: 'car' | 'place',
): Promise<Performed<MoveResult>> {
  const { askCarAndPlace } = await import('./ask.ts');
  const next = { ...plan, ...(await askCarAndPlace(context, plan, {}, [wrong])) };
  await journal.steps.change({ plan: next });
  return performMove(context, next, journal);
}

/** Throws the client's error, or the signal's reason, if nothing was stored; otherwise a CliError that says the move is uncertain. */
async function storeMove(
  context: Context,
  plan: MovePlan,
  { steps }: Journal,
): Promise<MoveResult> {
  const { car, from, to, parkedIn = shownHere(car, from) } = plan;
  const { signal } = context.io;
  signal.throwIfAborted();
  const client = await context.client();
  const body = moveBody(plan);
  const globalFlags = connectionFlags(context);
  const path = '/parking/assignments';
  let read: ReadAgain | undefined;
  const onReadAgain = (now: ReadAgain) => {
    read = now;
  };
  const step = {
    path,
    async send(key: string, mayBeStored: boolean) {
      const repeated = mayBeStored || plan.idempotencyKey !== undefined ? path : undefined;
      const precondition = await expectParkedIn(client, {
        car,
        parkedIn,
        repeated,
        globalFlags,
        signal,
        onReadAgain,
      });
      return client.parkingAssignments.create(body, {
        idempotencyKey: plan.idempotencyKey ?? key,
        signal,
        ...precondition,
      });
    },
    find: (how: FindOptions) => findStoredAssignment(client, body, how),
  };
  const assignment = await steps.once('move', step).catch((error: unknown) => {
    const stopped = isStop(error, signal);
    if (!stopped && !isUncertain(error))
      throw asParkingChanged(error, car, globalFlags) ?? asRefusedTime(error) ?? error;
    const check = `check where it is parked: \`${nextCommand(['cars', 'get', car.id], globalFlags)}\``;
    throw wrapFailure(error, {
      message: `${reasonOf(error, stopped)} The car may have been moved.`,
      hint: steps.resume ? finishHint(steps.resume) : check,
      names: plateOf(car),
    });
  });
  noteUncheckedParking(context, client, read);
  const moved = !isSameId(car.parkingSpotId ?? car.parkingZoneId ?? from?.record.id, to.record.id);
  // The result says that nothing was changed.
  if (!moved) {
    const { run } = context.io;
    run.notes = run.notes.filter(({ kind, about }) => kind !== 'not_shown' || !(about in body));
  }
  return {
    car: identityOf(car),
    from: placeResult(from),
    to: placeResult(to),
    moved,
    assignment,
    ...(wasReplayed(assignment) && { replayed: true }),
  };
}

/** Where the car still is by a server that stores the assignment and moves no car. Ours moves it, as it says by its preconditions. */
async function shownElsewhere(
  context: Context,
  { car, to }: MovePlan,
): Promise<string | undefined> {
  const client = await context.client();
  if (serverChecks(client)) return undefined;
  const now = await client.cars.get(car.id).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error;
  });
  const shown = now && shownIn(now);
  if (!now || !shown || isSamePlace(shown, { kind: to.kind, id: to.record.id })) return undefined;
  // The zone of the spot.
  if (
    now.parkingZoneId &&
    isSameId(now.parkingZoneId, to.kind === 'spot' ? to.record.zoneId : undefined)
  )
    return undefined;
  const place = await currentPlace(context, now);
  return `The server stored the assignment to ${describePlace(to)}, but it ${shown === 'none' ? 'shows the car parked nowhere' : `still shows the car in ${place ? describePlace(place) : 'another place'}`}.`;
}

async function printUnmoved(
  context: Context,
  result: MoveResult,
  elsewhere: string,
): Promise<void> {
  const { output } = context;
  const look = nextCommand(['cars', 'get', result.car.id], connectionFlags(context));
  await output.styled(output.format === 'id' ? result.assignment : { ...result, moved: false }, '');
  context.warn(
    `${elsewhere} Look again with \`${look}\`, or log an event with the place: \`cs cars events log\`.`,
  );
}

/** The command that moves the car back. */
async function undoCommand(
  context: Context,
  car: CarIdentity,
  { from, to }: { from: Place; to: Place },
): Promise<string> {
  const words = [
    'move',
    await shortestUniqueRef(context, 'cars', car),
    `--${from.kind}`,
    from.record.name,
  ];
  // Names at the car's own location need no --location.
  if (isSameId(from.record.locationId, to.record.locationId))
    return nextCommand(words, connectionFlags(context));
  const { locationId } = from.record;
  const names = await findLabels(context, new Map([['locations', new Set([locationId])]]), {
    bestEffort: true,
  });
  return nextCommand(
    [...words, '--location', names.get('locations')?.get(locationId) ?? locationId],
    connectionFlags(context),
  );
}

async function printMove(
  context: Context,
  plan: MovePlan,
  result: MoveResult,
  isResumed: boolean,
): Promise<void> {
  const { output, styles } = context;
  const { labelled } = await import('../../output/labelled.ts');
  const to = await withLocation(context, plan.to);
  const from = plan.from && (await withLocation(context, plan.from));
  const car = titleOf(result.car);
  const headline = result.moved
    ? `${car} is parked in ${describePlace(to)}`
    : `${car} is already parked in ${describePlace(to)}; nothing was changed`;
  const facts = labelled(
    context,
    from && result.moved && output.forPeople
      ? [
          ['Before', describePlace(from)],
          // Later work, such as of the queue, may follow what was begun before.
          ['Undo', isResumed ? undefined : await undoCommand(context, result.car, { from, to })],
        ]
      : [],
  );
  await output.styled(
    output.format === 'id' ? result.assignment : result,
    `${styles.success('✓')} ${styles.title(sanitize(headline))}\n${facts && `\n${facts}`}`,
  );
}
