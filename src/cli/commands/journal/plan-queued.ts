/**
 * The plan of work that was queued without the server. When it is sent, the server may have its car elsewhere, or another car by its name:
 * that is refused, and a person decides.
 */
import { isSameId } from '../../../client/ids.ts';
import { type Car, describeCar } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import type { ErrorCode } from '../../errors/exit.ts';
import { isFinalError } from '../../errors/final.ts';
import { reportOf, sentence, wrapFailure } from '../../errors/report.ts';
import { isSameReading } from '../../input/matching.ts';
import { isObject } from '../../input/plain-object.ts';
import { idIn, resolveRecord } from '../../resources/lookup.ts';
import { maxSkewMs } from '../connection/server-clock.ts';
import { flagLine } from '../counter/flag-line.ts';
import { type ParkedIn, shownIn } from '../counter/parked-in.ts';
import { findPlace } from '../counter/place.ts';
import { refusal, timeInFuture } from '../counter/refusal.ts';
import { carIdIn } from './car-id.ts';
import type { CommandName, Entry, KnownCar, QueuedFlags } from './entry.ts';
import { eventTime } from './event-order.ts';
import { laterEvent } from './later-event.ts';
import { serverTimeOf } from './moment.ts';
import { discardCommand, resumeCommand } from './resume-command.ts';
import { askedInTerminal, correctedLine, withoutItsCar } from './ways-out.ts';

interface Planning<P extends object> {
  readonly command: CommandName;
  readonly planQueued?: (context: Context, flags: QueuedFlags) => Promise<P>;
}

/** Expects the car where it was known to be. */
export async function planQueued<P extends object>(
  context: Context,
  { command, planQueued: makePlan }: Planning<P>,
  entry: Entry & { readonly queued: QueuedFlags },
): Promise<P> {
  if (!makePlan) throw new Error(`cs ${command} queues nothing`);
  const { queued, known = {} } = entry;
  await requireSameCar(context, entry, known);
  const { at, ...flags } = queued;
  const made = await makePlan(context, flags);
  const plan = typeof at === 'string' ? { ...made, at } : made;
  if (typeof at === 'string') requirePast(context, at);
  const parkedIn = await expectedIn(context, { command, queued, known }, plan);
  return parkedIn === undefined ? plan : { ...plan, parkedIn };
}

/** The clock of this machine may have run ahead. */
function requirePast({ io }: Context, at: string): void {
  const now = serverTimeOf(io);
  if (Date.parse(at) > Date.parse(now) + maxSkewMs)
    throw refusal('occurred_at_in_future', timeInFuture(at, now), 'see `cs doctor`');
}

/** The name of the car may have gone to another one since. */
async function requireSameCar(
  context: Context,
  entry: Entry,
  { id, title }: KnownCar,
): Promise<void> {
  const { queued = {}, command, what } = entry;
  const name = String(queued.car);
  if (id === undefined || queued.car === undefined || idIn(name) !== undefined) return;
  const car = (await resolveRecord(context, { resource: 'cars', text: name }).catch(
    () => undefined,
  )) as Car | undefined;
  if (!car || isSameId(car.id, id)) return;
  const flags = Object.fromEntries(
    Object.entries(queued).filter(
      ([flag, value]) => flag !== 'car' && flag !== 'offline' && value !== '',
    ),
  );
  throw refusal(
    'other_car',
    `${name} is another car by now: ${describeCar(car)} (${car.id}). When the ${what} was queued, it was ${title} (${id}).`,
    `if that one is meant: \`${discardCommand(entry)}\`, then \`${flagLine(context, [command], flags, id)}\``,
    { details: { before: id, now: car.id } },
  );
}

interface Queued {
  readonly command: CommandName;
  readonly queued: QueuedFlags;
  readonly known: KnownCar;
}

/** Undefined where the plan itself tells it: for a car that a person chose now, and where nothing was known of a car that must be parked. */
async function expectedIn(
  context: Context,
  { command, queued, known }: Queued,
  plan: object,
): Promise<ParkedIn | undefined> {
  const car = carIn(plan);
  if (!car || !isNamed(car, String(queued.car)) || known.parkedIn === 'any') return undefined;
  const now = shownIn(car);
  if (command === 'dropoff' && now === 'none') return now;
  const place = known.place && (await findPlace(context, known.place).catch(() => undefined));
  const before = place ? shownIn(car, place) : known.parkedIn;
  if (before !== undefined && before !== 'none') return before;
  // Who parks a car without knowing of it takes it in. An inspection moves no car.
  return command === 'dropoff' && 'place' in plan && plan.place ? 'none' : undefined;
}

/** Undefined for a car that isn't stored yet. */
function carIn(plan: object): Car | undefined {
  const car: unknown = 'car' in plan ? plan.car : undefined;
  return isObject(car) && typeof car.id === 'string' ? (car as Car) : undefined;
}

const isNamed = ({ id, licensePlate, vin, nickname }: Car, text: string): boolean =>
  isSameId(idIn(text) ?? text, id) ||
  [licensePlate, vin, nickname].some((name) => name && isSameReading(name, text));

/** How a script answers a refusal: a flag of `cs pending resume`. */
export const answerFlags = { anyway: '--anyway', presentTime: '--present-time' } as const;

export const answersByCode: Readonly<
  Partial<Record<ErrorCode, { readonly by: keyof typeof answerFlags; readonly words: string }>>
> = {
  parking_changed: { by: 'anyway', words: 'store it all the same' },
  other_car: { by: 'anyway', words: 'store it for this car' },
  occurred_at_in_future: { by: 'presentTime', words: 'store it with the present time' },
  occurred_at_conflict: { by: 'presentTime', words: 'store it with the present time' },
};

/** Whether the car has a later event: a script can't answer that, since the work would be stored as the newer one. */
export function needsPerson(entry: Entry, error: unknown): boolean {
  const { details } = reportOf(error);
  if (!isObject(details)) return false;
  const change = isObject(details.change) ? details.change.at : undefined;
  return (
    typeof details.later === 'string' || (typeof change === 'string' && eventTime(entry) < change)
  );
}

/** What a person or a script can do after this refusal, in a sentence; undefined where another try may succeed. */
export async function answerTo(
  context: Context,
  entry: Entry,
  error: unknown,
): Promise<string | undefined> {
  const { code } = reportOf(error);
  const answer = answersByCode[code as ErrorCode];
  if (code === 'car_not_here') return withoutItsCar(context, entry);
  if (!answer)
    return isFinalError(error) && !waits.has(code) ? correctedLine(context, entry) : undefined;
  if (needsPerson(entry, error)) return askedInTerminal(context, entry);
  return `${answer.words} with \`${resumeCommand(context, entry, [answerFlags[answer.by]])}\``;
}

/** Refusals that end by themselves, or that name what to do. */
const waits: ReadonlySet<string> = new Set([
  'already_running',
  'unfinished',
  'state_unusable',
  'changed_since',
]);

/** A refusal with what to do about it, and with the later event of the car that is the reason. */
export async function explainRefusal(
  context: Context,
  entry: Entry,
  { error, plan }: { error: unknown; plan: unknown },
): Promise<unknown> {
  const { message, hint, details, code } = reportOf(error);
  const carId = carIdIn(plan);
  const given = isObject(details) ? details : {};
  const later =
    code === 'occurred_at_conflict' && carId !== undefined
      ? await laterEvent(await context.client(), {
          carId,
          since: eventTime(entry),
          latest: given.latest,
        })
      : undefined;
  const told =
    later === undefined
      ? error
      : wrapFailure(error, { message, hint: hint ?? '', details: { ...given, later } });
  const answer = await answerTo(context, entry, told);
  if (answer === undefined) return told;
  // To drop the car off first is refused while this waits.
  const about = code === 'car_not_here' ? undefined : hint;
  const since = later === undefined ? '' : ` The car had a later event: ${later}.`;
  return wrapFailure(told, {
    message: `${sentence(message)}${since}`,
    hint: [about, answer].filter(Boolean).join('; '),
  });
}
