/** What happens to the answers of a counter's questions when the server goes away: they are kept, queued, or become a command line. */

import { NetworkError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { isServerAway } from '../../errors/final.ts';
import { isRefused, refusalText } from '../../errors/refusal.ts';
import { reasonOf, reportOf, wrapFailure } from '../../errors/report.ts';
import { askWhatNow } from '../../prompts/what-now.ts';
import { isNew } from '../../resources/record-form.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import type { ActionFlags, AnyAction } from './action.ts';
import type { EventPlan, EventType } from './event.ts';
import { isSignedOut } from './failures.ts';
import { knownNames } from './known-names.ts';
import { linesInWords, type NewCarAnswers, newCarIn } from './new-car.ts';
import { type Place, placeFlags } from './place.ts';

/** Whether no request reaches the server, so that nothing was stored. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError &&
  !error.unknownOutcome &&
  ['connection_failed', 'connection_lost', 'timeout'].includes(error.code);

/** The person goes on without the server, with the answers given so far and the flags that weren't refused. */
export class WorkOffline extends Error {
  readonly answers: CounterAnswers;
  readonly flags: ActionFlags;

  constructor(answers: CounterAnswers, flags: ActionFlags) {
    super();
    this.answers = answers;
    this.flags = flags;
  }
}

/** Answers that are what their flags say, under the same name. Others are looked up first. */
type PlainAnswer = Exclude<
  keyof ActionFlags & keyof EventPlan,
  'car' | 'appointment' | 'at' | 'idempotencyKey'
>;
type PlainAnswers = Pick<ActionFlags, PlainAnswer>;
/** They go where the others go: into queued work, and into the line to type again. */
const plainAnswers: Readonly<Record<PlainAnswer, true>> = {
  notes: true,
  mileage: true,
  keepLocation: true,
  resize: true,
};

/** Those that are there, also as undefined: an answer that was erased isn't what the flag gave. */
export const plainAnswersOf = (from: PlainAnswers): PlainAnswers =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name in plainAnswers));

/** Answers of a drop-off, a pick-up or a move. */
export type CounterAnswers = NewCarAnswers &
  PlainAnswers & {
    readonly eventType?: EventType | undefined;
    readonly place?: Place | undefined;
    readonly appointment?: RecordFor<'appointments'> | undefined;
    readonly at?: string | undefined;
    readonly photos?: readonly PhotoFacts[] | undefined;
  };

/** For the questions of a form: asks again after the server came back, goes on without it, or leaves. `flags`: as they were typed. */
export function keepAnswers(
  context: Context,
  action: AnyAction,
  flags: ActionFlags,
): (
  error: unknown,
  failed: { readonly answers: CounterAnswers; readonly prompted: boolean },
) => Promise<void> {
  return async (error, { answers, prompted }) => {
    if (prompted && isRefused(error)) {
      context.warn(refusalText(error));
      return;
    }
    const isOut = isSignedOut(error);
    const isAnswered = prompted || Object.values(answers).some((answer) => answer !== undefined);
    if (!isAnswered || !(isServerAway(error) || isOut)) throw error;
    const typed = typedFlags(answers, flags);
    const leaving = () => {
      const lines = linesInWords(context, action.command, typed);
      return wrapFailure(error, {
        message: `${reasonOf(error)} Nothing was stored.`,
        hint: isOut
          ? `${reportOf(error).hint}; go on then with ${lines}`
          : `go on later with ${lines}`,
      });
    };
    // Another key is read by another run.
    if (isOut) throw leaving();
    const canQueue =
      action.queues && isUnreachable(error) && (await knownNames(context)) !== undefined;
    const next = await askWhatNow<'offline' | 'leave'>(
      context,
      `${reasonOf(error)} Your answers are kept.`,
      [
        ...(canQueue ? ([workOffline] as const) : []),
        { name: 'Leave, with the command that goes on from here', short: 'Leave', value: 'leave' },
      ],
    );
    if (next === 'offline') throw new WorkOffline(answers, flags);
    if (next === 'leave') throw leaving();
  };
}

export const offlineOption = 'Work offline: it is sent when the server is back';
const workOffline = {
  name: offlineOption,
  short: 'Work offline',
  value: 'offline',
} as const;

/** The answers as flags. Another car can have the same plate: the id is sure to find this one again. */
export function typedFlags(answers: CounterAnswers, flags: ActionFlags): ActionFlags {
  const { car, eventType, place, appointment, photos } = answers;
  return {
    ...flags,
    ...(car && { car: isNew(car) ? undefined : car.id, newCar: newCarIn(answers) }),
    ...(eventType && { type: eventType.value }),
    ...(place && {
      spot: undefined,
      zone: undefined,
      location: undefined,
      ...placeFlags(place),
    }),
    // An answer that was erased isn't what the flags gave.
    ...('appointment' in answers && { appointment: appointment?.id ?? false }),
    ...plainAnswersOf(answers),
    ...(photos && { photo: photos.map(({ path }) => path) }),
  };
}
