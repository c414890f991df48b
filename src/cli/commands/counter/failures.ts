/** What is told of a request that failed: what is stored, what may be, and the command that finishes it. */
import { ApiError } from '../../../client/errors.ts';
import { type Car, describeCar } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isFinalError, isServerAway } from '../../errors/final.ts';
import { isRefused, refusedFields } from '../../errors/refusal.ts';
import { reasonOf, reportOf, sentence, wrapFailure } from '../../errors/report.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Trouble, Work } from '../../state/work.ts';
import type { ActionRequest, Journal, Shown } from './action.ts';
import { plateOf } from './car.ts';
import { isAlreadyRunning, pendingCommand, type StepFailed, stepWords } from './journal.ts';
import { asPlaceConflict } from './place.ts';
import { asRefusedTime, causeOf } from './refusal.ts';

interface Failed {
  readonly failure: StepFailed;
  readonly work: Work;
  readonly requests: readonly ActionRequest[];
  readonly shown: Shown;
  readonly journal: Journal;
  /** Whether the server recognises what is sent again. */
  readonly knowsKeys: boolean;
}

/** The error to show. The code and exit code are those of the cause. */
export async function describeFailure(context: Context, failed: Failed): Promise<unknown> {
  const { failure, work, requests, shown, journal, knowsKeys } = failed;
  const { cause, step, uncertain } = failure;
  if (cause instanceof CliError && cause.code === 'outcome_unknown') return cause;
  const stopped = context.io.signal.aborted && cause === context.io.signal.reason;
  const done = requests.filter(({ name }) => journal.step(name)?.answer !== undefined);
  const storedBefore = done.map(({ name }) => describeStored(name, shown, journal));
  const before = storedBefore.length > 0 ? `${sentence(storedBefore.join(', '))} ` : '';
  const thing = stepName(step, shown);
  const names = shown.car ? plateOf(shown.car) : {};
  const resume = pendingCommand(context, 'resume', work.id);
  if (uncertain) {
    const noPhoto = requests.some(({ file }) => file) ? '; no photo was sent' : '';
    return wrapFailure(cause, {
      message: `${reasonOf(cause, stopped)} ${before}The ${thing} may be stored${noPhoto}.`,
      hint: knowsKeys
        ? `finish it with \`${resume}\`, or run the same line again`
        : `look on the server whether it is stored. If it isn't: \`${resume} --send\`; if it is: \`${pendingCommand(context, 'discard', work.id)}\``,
      names,
    });
  }
  const worded =
    asParkingChanged(cause, shown.car, context) ??
    (shown.place && before === '' && (await asPlaceConflict(context, shown.place.name, cause))) ??
    (before === '' ? asRefusedTime(cause) : undefined);
  if (worded) return worded;
  if (before !== '')
    return wrapFailure(cause, {
      message: `${reasonOf(cause, stopped)} ${before}The ${thing} isn't stored.`,
      hint: `fix the cause, then \`${resume}\`; or forget the rest with \`${pendingCommand(context, 'discard', work.id)}\``,
      names,
    });
  return cause;
}

/** `the car HH-RS 73 is stored` */
function describeStored(step: string, shown: Shown, journal: Journal): string {
  if (step === 'car')
    return `the new car ${describeCar(journal.step('car')?.answer as Car)} is stored`;
  return `the ${stepName(step, shown)} is stored`;
}

const stepName = (step: string, { what }: Shown): string =>
  step === 'event' || step === 'assignment'
    ? what
    : step === 'owner' || step === 'car'
      ? `new ${step}`
      : stepWords(step);

/** The refusal of `If-Parked-In` in words, with who did what and when. */
export function asParkingChanged(
  error: unknown,
  car: Car | undefined,
  context: Context,
): CliError | undefined {
  if (!car || !isParkingChanged(error)) return undefined;
  const { expected, parkedIn, change } = isObject(error.details) ? error.details : {};
  const place = isObject(parkedIn) ? String(parkedIn.name ?? 'another place') : undefined;
  const state =
    place === undefined
      ? "isn't parked here any more"
      : expected === 'none'
        ? `is already parked in ${place}`
        : `has been moved to ${place}`;
  const inEvents = !isObject(change) || typeof change.eventId === 'string';
  const words = inEvents
    ? ['cars', 'events', 'list', car.id]
    : ['parking', 'assignments', 'list', '--car', car.id];
  return wrapFailure(error, {
    message: `${describeCar(car)} ${state}${causeOf(change)}. Nothing was stored.`,
    hint: `see what happened: \`${nextCommand(words, connectionFlags(context))}\``,
    names: plateOf(car),
  });
}

export const isParkingChanged = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'parking_changed';

/** The answer to correct, by the field or the code of a refusal. */
const answers = {
  car: ['carId', 'car_archived'],
  eventType: [
    'activityType',
    'event_type_inactive',
    'event_type_scope_mismatch',
    'parking_not_allowed',
  ],
  place: [
    'parkingSpotId',
    'parkingZoneId',
    'parking_inactive',
    'parking_required',
    'parking_spot_occupied',
    'parking_zone_full',
  ],
  appointment: ['appointmentId', 'session_mismatch'],
  notes: ['notes'],
} as const;

/** Undefined where another answer may not help. The codes are beyond the specification: a server may have others. */
export function questionAbout(error: unknown): keyof typeof answers | undefined {
  if (!isRefused(error)) return undefined;
  const about = [error.code, ...refusedFields(error)];
  const names = Object.keys(answers) as (keyof typeof answers)[];
  return names.find((name) => answers[name].some((one) => about.includes(one)));
}

/** Whether the key was refused: the work is kept, as after a lost connection. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

const originOf = (error: unknown): unknown =>
  error instanceof CliError && error.cause ? error.cause : error;

/**
 * Whether a failure says nothing of other work: a name that fits two records, a missing flag, a
 * fault of the server with this request, another process that sends this work. A server that is
 * away, a limit or a refused key stops all.
 */
export const isAboutOneWork = (error: unknown): boolean =>
  isAlreadyRunning(error) ||
  ([2, 10, 14].includes(reportOf(error).exitCode) && !isServerAway(originOf(error)));

/** Why work stays open, in the words of the list. */
export function troubleOf(error: unknown, isStopped: boolean): Trouble {
  const cause = originOf(error);
  const { message, code } = reportOf(asRefusedTime(cause) ?? cause);
  return { kind: kindOf(), message: sentence(message) };

  function kindOf(): Trouble['kind'] {
    if (isStopped || code === 'interrupted') return 'stopped';
    if (isServerAway(cause)) return 'unreachable';
    if (isSignedOut(cause)) return 'signed_out';
    return isFinalError(cause) ? 'refused' : 'failed';
  }
}
