/** The error of a command whose earlier run parked a car, or handed it out, and the car is elsewhere by now: it is stored, and its result is no longer true. */
import type { RecordFor } from '../../../contract/contract.ts';
import { isOpenAssignment } from '../../../contract/parking.ts';
import { type Car, titleOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localMoment } from '../../input/when.ts';
import { latestAssignment } from './latest-change.ts';
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
export async function movedSince(
  context: Context,
  { what, carId, place, at, hasEnded = false }: Parked,
): Promise<CliError | undefined> {
  const car = await (await context.client()).cars.get(carId);
  const latest = await latestAssignment(await context.client(), carId);
  const hasLeft = latest && isOpenAssignment(latest, context.io.now().getTime()) === false;
  const now = shownIn(car) ?? (hasLeft ? 'none' : latest && shownIn(latest));
  if (now === undefined ? !hasEnded : isSamePlace(now, { kind: place.kind, id: place.record.id }))
    return undefined;
  const title = `${what} of ${titleOf(car)} (${describePlace(place)})`;
  return outdated(context, carId, {
    title,
    at,
    now: await whereNow(context, car, { now, latest }),
  });
}

/** The same for a car that was handed out. Undefined unless it was parked again after that. */
export async function parkedSince(
  context: Context,
  { what, carId, at }: Omit<Parked, 'place'>,
): Promise<CliError | undefined> {
  const client = await context.client();
  const [car, latest] = [await client.cars.get(carId), await latestAssignment(client, carId)];
  const isOpen = latest && isOpenAssignment(latest, context.io.now().getTime());
  // A server that keeps the place of a car that left shows nothing new.
  const isLater = at && latest?.startedAt && Date.parse(latest.startedAt) > Date.parse(at);
  if (!isOpen || !isLater) return undefined;
  const place = await currentPlace(context, car);
  const now = `is parked in ${place ? describePlace(place) : 'a place'} by now${cause(latest.startedAt, latest.startedByKey)}`;
  return outdated(context, carId, { title: `${what} of ${titleOf(car)}`, at, now });
}

interface Outdated extends Pick<Parked, 'at'> {
  readonly title: string;
  /** Of the car, in a sentence. */
  readonly now: string;
}

function outdated(context: Context, carId: string, { title, at, now }: Outdated): CliError {
  const stored = at ? ` at ${localMoment(at)}` : '';
  return new CliError({
    code: 'changed_since',
    message: `The ${title} was stored${stored}, but the car ${now}. Nothing was stored again.`,
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
  if (now === 'none')
    return `isn't parked here any more${cause(latest?.endedAt, latest?.endedByKey)}`;
  const place = await currentPlace(context, car);
  return `has been moved to ${place ? describePlace(place) : 'another place'}${cause(latest?.startedAt, latest?.startedByKey)}`;
}

const cause = (at: string | null | undefined, key: string | null | undefined): string =>
  at ? ` (${localMoment(at)}${key ? `, with the key ${key}` : ''})` : '';
