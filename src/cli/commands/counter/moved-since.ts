/** The error of a command whose earlier run parked a car that stands elsewhere by now: it is stored, and its result is no longer true. */
import type { RecordFor } from '../../../contract/contract.ts';
import { isOpenAssignment } from '../../../contract/parking.ts';
import { type Car, titleOf } from '../../../facility/car-names.ts';
import { CliError } from '../../errors/exit.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localMoment } from '../../input/when.ts';
import { isSamePlace, shownIn } from './parked-in.ts';
import { currentPlace, describePlace, type Place } from './place.ts';

interface Parked {
  /** In a sentence: `move`. */
  readonly what: string;
  readonly carId: string;
  readonly place: Place;
  /** When it was stored, ISO 8601. */
  readonly at: string | null | undefined;
  /** Whether its parking has ended, where that is known. */
  readonly hasEnded?: boolean;
}

/** Undefined while the car stands there, and where the server doesn't tell. */
export async function movedSince(context: Context, { what, carId, place, at, hasEnded = false }: Parked): Promise<CliError | undefined> {
  const car = await (await context.client()).cars.get(carId);
  const latest = await latestAssignment(context, carId);
  const hasLeft = latest && isOpenAssignment(latest, context.io.now().getTime()) === false;
  const now = shownIn(car) ?? (hasLeft ? 'none' : latest && shownIn(latest));
  if (now === undefined ? !hasEnded : isSamePlace(now, { kind: place.kind, id: place.record.id })) return undefined;
  const stored = at ? ` at ${localMoment(at)}` : '';
  return new CliError({
    code: 'moved_since',
    message: `The ${what} of ${titleOf(car)} (${describePlace(place)}) was stored${stored}, but the car ${await whereNow(context, car, { now, latest })}. Nothing was sent again.`,
    hint: `see what happened: \`${nextCommand(['parking', 'assignments', 'list', '--car', carId], connectionFlags(context))}\``,
    details: { carId },
  });
}

interface Now {
  readonly now: ReturnType<typeof shownIn>;
  readonly latest: RecordFor<'parkingAssignments'> | undefined;
}

async function whereNow(context: Context, car: Car, { now, latest }: Now): Promise<string> {
  if (now === undefined) return 'has left since';
  if (now === 'none') return `isn't parked here any more${cause(latest?.endedAt, latest?.endedByKey)}`;
  const place = await currentPlace(context, car);
  return `has been moved to ${place ? describePlace(place) : 'another place'}${cause(latest?.startedAt, latest?.startedByKey)}`;
}

const cause = (at: string | null | undefined, key: string | null | undefined): string =>
  at ? ` (${localMoment(at)}${key ? `, with the key ${key}` : ''})` : '';

/** The one that is open, or that ended last; undefined where the server has no such list. */
async function latestAssignment(context: Context, carId: string): Promise<RecordFor<'parkingAssignments'> | undefined> {
  try {
    const { data } = await (await context.client()).parkingAssignments.list({ carId }, { strict: true });
    return data.toSorted((one, other) => endOf(other) - endOf(one))[0];
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

const endOf = ({ endedAt }: RecordFor<'parkingAssignments'>): number => (endedAt ? Date.parse(endedAt) : Number.POSITIVE_INFINITY);
