/** What happens to the answers of a counter's questions when the server goes away: they are kept, or become a command line. */

import type { RecordFor } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isServerAway } from '../../errors/final.ts';
import { isRefused, refusalText } from '../../errors/refusal.ts';
import { reasonOf, reportOf, wrapFailure } from '../../errors/report.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { isSameReading } from '../../input/matching.ts';
import { askWhatNow } from '../../prompts/what-now.ts';
import { createLine, flagWords } from '../../resources/create-line.ts';
import { quote } from '../../terminal/text.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import type { Action, ActionFlags } from './action.ts';
import { carBody, isUnknown, type NewCarAnswers } from './ask-new-car.ts';
import { customerBody, isUnknownCustomer } from './ask-owner.ts';
import type { EventType } from './event.ts';
import { settingNames } from './facility.ts';
import { isSignedOut } from './failures.ts';
import { knownNames } from './known-names.ts';
import { isUnreachable } from './offline.ts';
import { type Place, placeFlags } from './place.ts';

/** The person goes on without the server. The answers given so far are kept as flags. */
export class WorkOffline extends Error {
  readonly flags: ActionFlags;

  constructor(flags: ActionFlags) {
    super('Work offline.');
    this.flags = flags;
  }
}

/** Answers of a drop-off, a pick-up or a move. */
export interface CounterAnswers extends NewCarAnswers {
  readonly eventType?: EventType;
  readonly place?: Place | undefined;
  readonly appointment?: RecordFor<'appointments'> | undefined;
  readonly mileage?: number | undefined;
  readonly notes?: string | undefined;
  readonly photos?: readonly PhotoFacts[];
}

interface Kept {
  readonly command: Action['command'];
  /** As they were typed. */
  readonly flags: { readonly car?: string | undefined };
}

/** For the questions of a form: asks again after the server came back, or leaves with the command that goes on. */
export function keepAnswers(
  context: Context,
  kept: Kept,
): (
  error: unknown,
  failed: { readonly answers: CounterAnswers; readonly prompted: boolean },
) => Promise<void> {
  return async (error, { answers, prompted }) => {
    if (error instanceof CliError && isRefused(error) && prompted) {
      context.warn(refusalText(error));
      return;
    }
    const isOut = isSignedOut(error);
    if ((!isServerAway(error) && !isOut) || (!prompted && !hasAnswers(answers))) throw error;
    const leaving = () => {
      const { hint } = reportOf(error);
      const line = commandLine(context, kept, { answers, typed: typedFlags(answers, kept.flags) });
      return wrapFailure(error, {
        message: `${reasonOf(error)} Nothing was stored.`,
        hint: [isOut && hint, `go on ${isOut ? 'then' : 'later'} with \`${line}\``]
          .filter(Boolean)
          .join('; '),
      });
    };
    // Another key is read by another run.
    if (isOut) throw leaving();
    const canQueue =
      !isUnknown(answers.car) && isUnreachable(error) && (await knownNames(context)) !== undefined;
    const next = await askWhatNow<'offline' | 'leave'>(
      context,
      `${reasonOf(error)} Your answers are kept.`,
      [
        ...(canQueue ? ([workOffline] as const) : []),
        { name: 'Leave, with the command that goes on from here', short: 'Leave', value: 'leave' },
      ],
    );
    if (next === 'again') return;
    if (next === 'offline') throw new WorkOffline(typedFlags(answers, kept.flags));
    throw leaving();
  };
}

const workOffline = {
  name: 'Work offline: queue it, and send it when the server is back',
  short: 'Work offline',
  value: 'offline',
} as const;

const hasAnswers = (answers: object) =>
  Object.values(answers).some((answer) => answer !== undefined);

/** The answers as flags, for a queue. */
export function typedFlags(answers: CounterAnswers, flags: object): ActionFlags {
  const { car, eventType, place, appointment, notes, mileage, photos } = answers;
  return {
    ...flags,
    ...(car && !isUnknown(car) && { car: car.licensePlate ?? car.vin ?? car.id }),
    ...(eventType && { type: eventType.value }),
    ...(place && { spot: undefined, zone: undefined, ...placeFlags(place) }),
    // An answer that was erased isn't what the flags gave.
    ...('appointment' in answers && { appointment: appointment?.id ?? false }),
    ...('notes' in answers && { notes }),
    ...(mileage !== undefined && { mileage }),
    ...(photos && { photo: photos.map(({ path }) => path) }),
  };
}

interface Line {
  readonly answers: CounterAnswers;
  readonly typed: ActionFlags;
}

/** The command line with these answers; `$(…)` creates what isn't stored yet. */
function commandLine(
  context: Context,
  { command, flags: given }: Kept,
  { answers, typed: { car: _, ...flags } }: Line,
): string {
  return flagLine(context, [command], flags, carWord(context, answers, given.car));
}

function carWord(
  context: Context,
  answers: CounterAnswers,
  typed: string | undefined,
): string | undefined {
  const { car } = answers;
  if (car === undefined) return typed && quote(typed);
  // Another car can have the same plate: only what found this one is sure to find it again.
  if (!isUnknown(car)) return quote(typed !== undefined && isNameOf(car, typed) ? typed : car.id);
  const isWhole = answers.make && answers.model && answers.year;
  if (isWhole) return `"$(${newCarLine(context, answers)} -o id)"`;
  return answers.licensePlate && quote(answers.licensePlate);
}

const isNameOf = (car: Car, text: string): boolean =>
  [car.id, car.licensePlate, car.vin, car.nickname].some(
    (name) => typeof name === 'string' && isSameReading(name, text),
  );

/** The command that creates the car, and its owner before it. */
export function newCarLine(
  context: Context,
  answers: NewCarAnswers,
  body: Readonly<Record<string, unknown>> = carBody(answers),
): string {
  const line = createLine(context, { words: ['cars', 'create'], resource: 'cars', body });
  const isNamed = [answers.firstName, answers.lastName, answers.phone, answers.email].some(Boolean);
  if (!isUnknownCustomer(answers.owner) || !isNamed) return line;
  const owner = createLine(context, {
    words: ['customers', 'create'],
    resource: 'customers',
    body: customerBody(answers),
  });
  return `${line} --customer "$(${owner} -o id)"`;
}

/** A command line from flags by their attribute names. `argument` is quoted for a shell. */
export function flagLine(
  context: Context,
  words: readonly string[],
  flags: object,
  argument?: string,
): string {
  const own = Object.entries(flags).flatMap(([name, value]) =>
    settingNames.has(name) ? [] : flagWords(name, value),
  );
  return [nextCommand(words), argument, ...[...own, ...connectionFlags(context)].map(quote)]
    .filter(Boolean)
    .join(' ');
}
