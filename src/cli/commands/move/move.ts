import { operationFor, planned } from '../../crud/operation.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parsePast } from '../../input/when.ts';
import { type Car, titleOf } from '../../lookup/car.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import { resultView } from '../../output/view.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { handleCancel } from '../../prompts/run.ts';
import { sanitize } from '../../terminal/text.ts';
import { findCar as findNamedCar } from '../counter/find-car.ts';
import { describePlace, type Place, placeOf, standingOn } from '../counter/place.ts';
import { asPlaceConflict, requireFree } from '../counter/place-checks.ts';
import { addPlaceFlags, findPlace, type PlaceFlags, requireOnePlace } from '../counter/place-flags.ts';
import { requireHere } from '../pickup/plan.ts';
import { type MovePlan, type MoveResult, moveBody, performMove } from './perform.ts';

interface MoveFlags extends PlaceFlags {
  /** The argument. */
  readonly car?: string;
  readonly notes?: string;
  readonly at?: string;
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
}

const moveView = resultView('move', ['car', 'from', 'to', 'moved', 'assignment', 'replayed'] satisfies (keyof MoveResult)[]);

export const move: CommandBuilder = (command) => {
  command
    .description(
      'Move a car that is here to another spot or zone. No event is logged; for that, use `cs cars events log`.\nOn a terminal you choose among what is free, the nearest first.',
    )
    .addArgument(suggestRecords(command.createArgument('[car]', 'id of the car, or its plate, VIN or nickname'), 'cars'));
  addPlaceFlags(command)
    .option('--notes <text>', 'free text, kept with the parking')
    .option('--at <when>', 'when it was moved; now unless given');
  addCreateFlags(command);
  command.nameFlags({ parkingSpotId: '--spot', parkingZoneId: '--zone', startedAt: '--at' });
  command.examples([
    '# asks which car, and where to',
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
    const gaps = [flags.car === undefined && 'CAR', !placeGiven && '--spot or --zone'].filter((gap) => gap !== false);
    if (gaps.length > 0) throw missingInput(gaps);
  }
  const plan = await handleCancel(context, () => makePlan(context, flags));
  if (typeof plan === 'number') return plan;
  if (flags.dryRun) return void (await context.output.request(planned(operationFor('parkingAssignments', 'create'), [], moveBody(plan))));
  const outcome = await handleCancel(context, () => attempt(context, plan, flags));
  if (typeof outcome === 'number') return outcome;
  await print(context, ...outcome);
  return undefined;
}

async function makePlan(context: Context, flags: MoveFlags): Promise<MovePlan> {
  const at = flags.at === undefined ? undefined : parsePast(flags.at, context.io.now(), '--at');
  const car = await findCar(context, flags.car);
  await requireHere(context, car, { verb: 'moved', hint: 'take it in with', command: (name) => ['dropoff', '--car', name] });
  const from = await placeOf(context, car);
  const given = await findPlace(context, flags, from?.record);
  if (given) await requireFree(context, given, car);
  return { car, from, to: given ?? (await askPlace(context, car, from)), at, notes: flags.notes };
}

async function findCar(context: Context, text: string | undefined): Promise<Car> {
  const found = text === undefined ? undefined : await findNamedCar(context, text);
  if (found) return found;
  const { askStoredCar } = await import('../counter/ask-stored-car.ts');
  return askStoredCar(context, text);
}

/** Says where the car stands, and asks where it is to stand. */
async function askPlace(context: Context, car: Car, from: Place | undefined): Promise<Place> {
  const [{ askPlace: ask }, { labelled }] = await Promise.all([import('../counter/ask-place.ts'), import('../../output/labelled.ts')]);
  if (!context.settings.quiet) context.io.stderr.write(`${labelled(context, [['Stands', from && describePlace(from)]])}`);
  return ask(context, car, from);
}

async function attempt(context: Context, plan: MovePlan, flags: MoveFlags): Promise<[MovePlan, MoveResult]> {
  const { idempotencyKey } = flags;
  const { signal } = context.io;
  try {
    return [plan, await performMove(await context.client(), plan, { idempotencyKey, signal, globalFlags: connectionFlags(context) })];
  } catch (error) {
    const taken = await asPlaceConflict(context, plan.to, error);
    if (!taken) throw error;
    if (!context.interactive || context.settings.yes) throw taken;
    // Somebody was faster, between the question and the answer.
    context.warn(`${taken.message.replace(/\.?$/, '.')} Choose another place.`);
    return attempt(context, { ...plan, to: await askPlace(context, plan.car, plan.from) }, flags);
  }
}

/** The command that moves the car back. */
async function undo(context: Context, car: MoveResult['car'], { from, to }: { from: Place; to: Place }): Promise<string> {
  const words = ['move', await shortestUniqueRef(context, 'cars', car), `--${from.kind}`, from.record.name];
  // At the location where the car stands now, a name is looked for first.
  if (from.record.locationId === to.record.locationId) return nextCommand(words, connectionFlags(context));
  const { locationId } = from.record;
  const names = await findLabels(context, new Map([['locations', new Set([locationId])]]), { comfort: true });
  return nextCommand([...words, '--location', names.get('locations')?.get(locationId) ?? locationId], connectionFlags(context));
}

async function print(context: Context, { from, to }: MovePlan, result: MoveResult): Promise<void> {
  const { output, paint } = context;
  const { labelled } = await import('../../output/labelled.ts');
  const car = titleOf(result.car);
  const headline = `${car} stands ${standingOn(to)}${result.moved ? '' : ' already; nothing was changed'}`;
  const facts = labelled(
    context,
    from && result.moved && output.format === 'table'
      ? [
          ['Before', describePlace(from)],
          ['Undo', await undo(context, result.car, { from, to })],
        ]
      : [],
  );
  await output.painted(
    output.format === 'id' ? result.assignment : result,
    `${paint.good('✓')} ${paint.title(sanitize(headline))}\n${facts && `\n${facts}`}`,
  );
}
