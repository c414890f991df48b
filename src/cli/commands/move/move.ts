/** `cs move`: an assignment of another spot or zone ends the one before. No event is logged. */
import type { Client } from '../../../client/client.ts';
import { wasReplayed } from '../../../client/replays.ts';
import { ifParkedIn } from '../../../contract/preconditions.ts';
import { operationFor, planned } from '../../crud/operation.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parsePast } from '../../input/when.ts';
import { type Car, type CarIdentity, identityOf, titleOf } from '../../lookup/car.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import { resultView } from '../../output/view.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { handleCancel } from '../../prompts/run.ts';
import { sanitize } from '../../terminal/text.ts';
import { findCar, requireParked } from '../counter/car.ts';
import { isStop, isUncertain, reasonOf, wrapFailure } from '../counter/failures.ts';
import { asParkingChanged, expectParkedIn, logUncheckedParking, otherwiseReadAgain, shownHere } from '../counter/parked-in.ts';
import {
  addPlaceFlags,
  asPlaceConflict,
  currentPlace,
  describePlace,
  findPlace,
  type Place,
  type PlaceFlags,
  placeFields,
  placeResult,
  requireFree,
  requireOnePlace,
} from '../counter/place.ts';
import type { MoveResult } from './shape.ts';

interface MoveFlags extends PlaceFlags {
  /** The argument. */
  readonly car?: string;
  readonly notes?: string;
  readonly at?: string;
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
}

interface MovePlan {
  readonly car: Car;
  /** Undefined without the scope to read parking. */
  readonly from?: Place;
  readonly to: Place;
  /** ISO 8601 (default: now). */
  readonly at?: string;
  readonly notes?: string;
}

const moveView = resultView('move', ['car', 'from', 'to', 'moved', 'assignment', 'replayed'] satisfies (keyof MoveResult)[]);

export const move: CommandBuilder = (command) => {
  command
    .description(
      'Move a parked car to another spot or zone. No event is logged; use `cs cars events log` for that.\nIn a terminal, prompts for a free place, the nearest first.',
    )
    .addArgument(suggestRecords(command.createArgument('[car]', 'id, plate, VIN or nickname of the car'), 'cars'));
  addPlaceFlags(command)
    .option('--notes <text>', 'free text, stored with the parking assignment')
    .option('--at <when>', 'time of the move (default: now)');
  addCreateFlags(command);
  command.argumentFlags = ['--spot', '--zone'];
  command.nameFlags({ parkingSpotId: '--spot', parkingZoneId: '--zone', startedAt: '--at' });
  command.needs(
    { part: 'parkingAssignments.create', otherwise: 'log an event with a spot or zone: `cs cars events log`' },
    { part: 'parkingSpots.list', otherwise: 'spots are given by their ids' },
    { part: 'parkingZones.list', otherwise: 'zones are given by their ids' },
    { part: ifParkedIn.header, otherwise: otherwiseReadAgain },
  );
  command.examples([
    '# prompts for the car and the place',
    'cs move',
    'cs move "HH-E 61H" --spot A3',
    'cs move Emma --zone "Hall A" --location Harbour --notes "makes room for the lift"',
  ]);
  command.declareOutput(moveView).handle((context, { args: [car], options }) => run(context, { ...options, car }));
};

async function run(context: Context, flags: MoveFlags): Promise<ExitCode | undefined> {
  requireOnePlace(flags);
  if (!context.interactive) {
    const placeGiven = flags.spot !== undefined || flags.zone !== undefined;
    const missing = [flags.car === undefined && 'CAR', !placeGiven && '--spot or --zone'].filter((name) => name !== false);
    if (missing.length > 0) throw missingInput(missing);
  }
  const plan = await handleCancel(context, () => makePlan(context, flags));
  if (typeof plan === 'number') return plan;
  if (flags.dryRun) return void (await context.output.request(planned(operationFor('parkingAssignments', 'create'), [], moveBody(plan))));
  const executed = await handleCancel(context, () => executeMove(context, plan, flags));
  if (typeof executed === 'number') return executed;
  await printMove(context, ...executed);
  return undefined;
}

async function makePlan(context: Context, flags: MoveFlags): Promise<MovePlan> {
  const at = flags.at === undefined ? undefined : parsePast(flags.at, context.io.now(), '--at');
  const car = await findOrAskCar(context, flags.car);
  await requireParked(context, car, { hint: 'drop it off first:', command: (name) => ['dropoff', '--car', name] });
  const from = await currentPlace(context, car);
  const place = await findPlace(context, flags, from?.record);
  if (place) await requireFree(context, place, car);
  return { car, from, to: place ?? (await askPlace(context, car, from)), at, notes: flags.notes };
}

async function findOrAskCar(context: Context, text: string | undefined): Promise<Car> {
  const found = text === undefined ? undefined : await findCar(context, text);
  if (found) return found;
  const { askParkedCar } = await import('../counter/ask-car.ts');
  return askParkedCar(context, text);
}

async function askPlace(context: Context, car: Car, from: Place | undefined): Promise<Place> {
  const [{ askPlace: ask }, { labelled }] = await Promise.all([import('../counter/ask-place.ts'), import('../../output/labelled.ts')]);
  if (!context.settings.quiet) context.io.stderr.write(`${labelled(context, [['Parked in', from && describePlace(from)]])}`);
  return ask(context, car, from);
}

/** Prompts for another place after a conflict. */
async function executeMove(context: Context, plan: MovePlan, flags: MoveFlags): Promise<[MovePlan, MoveResult]> {
  const { idempotencyKey } = flags;
  const { signal } = context.io;
  try {
    const client = await context.client();
    logUncheckedParking(context, client);
    return [plan, await performMove(client, plan, { idempotencyKey, signal, globalFlags: connectionFlags(context) })];
  } catch (error) {
    const conflict = await asPlaceConflict(context, plan.to, error);
    if (!conflict) throw error;
    if (!context.interactive || context.settings.yes) throw conflict;
    context.warn(`${conflict.message.replace(/\.?$/, '.')} Choose another place.`);
    return executeMove(context, { ...plan, to: await askPlace(context, plan.car, plan.from) }, flags);
  }
}

interface RequestOptions {
  readonly idempotencyKey?: string;
  readonly globalFlags: readonly string[];
  readonly signal: AbortSignal;
}

const moveBody = ({ car, to, at, notes }: MovePlan) => ({
  carId: car.id,
  ...placeFields(to),
  ...(at && { startedAt: at }),
  ...(notes && { notes }),
});

/** Throws the client's error, or the signal's reason, if nothing was stored; otherwise a CliError that says the move is uncertain. */
async function performMove(client: Client, plan: MovePlan, { idempotencyKey, globalFlags, signal }: RequestOptions): Promise<MoveResult> {
  const { car, from, to } = plan;
  signal.throwIfAborted();
  const parkedIn = shownHere(car, from);
  const precondition = await expectParkedIn(client, { car, parkedIn, mayBeRepeat: idempotencyKey !== undefined, globalFlags, signal });
  const assignment = await client.parkingAssignments.create(moveBody(plan), { idempotencyKey, signal, ...precondition }).catch((error) => {
    const stopped = isStop(error, signal);
    if (!stopped && !isUncertain(error)) throw asParkingChanged(error, car, globalFlags) ?? error;
    throw wrapFailure(error, {
      message: `${reasonOf(error, stopped)} The car may have been moved.`,
      hint: `check where it is parked: \`${nextCommand(['cars', 'get', car.id], globalFlags)}\``,
    });
  });
  return {
    car: identityOf(car),
    from: placeResult(from),
    to: placeResult(to),
    moved: (car.parkingSpotId ?? car.parkingZoneId ?? from?.record.id) !== to.record.id,
    assignment,
    ...(wasReplayed(assignment) && { replayed: true }),
  };
}

/** The command that moves the car back. */
async function undoCommand(context: Context, car: CarIdentity, { from, to }: { from: Place; to: Place }): Promise<string> {
  const words = ['move', await shortestUniqueRef(context, 'cars', car), `--${from.kind}`, from.record.name];
  // Names at the car's own location need no --location.
  if (from.record.locationId === to.record.locationId) return nextCommand(words, connectionFlags(context));
  const { locationId } = from.record;
  const names = await findLabels(context, new Map([['locations', new Set([locationId])]]), { bestEffort: true });
  return nextCommand([...words, '--location', names.get('locations')?.get(locationId) ?? locationId], connectionFlags(context));
}

async function printMove(context: Context, { from, to }: MovePlan, result: MoveResult): Promise<void> {
  const { output, styles } = context;
  const { labelled } = await import('../../output/labelled.ts');
  const car = titleOf(result.car);
  const headline = result.moved
    ? `${car} is parked in ${describePlace(to)}`
    : `${car} is already parked in ${describePlace(to)}; nothing was changed`;
  const facts = labelled(
    context,
    from && result.moved && output.forPeople
      ? [
          ['Before', describePlace(from)],
          ['Undo', await undoCommand(context, result.car, { from, to })],
        ]
      : [],
  );
  await output.styled(
    output.format === 'id' ? result.assignment : result,
    `${styles.success('✓')} ${styles.title(sanitize(headline))}\n${facts && `\n${facts}`}`,
  );
}
