/** What happens to the answers of a counter's questions when the server goes away: they are kept, or become a command line. */

import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { isServerAway } from '../../errors/final.ts';
import { isRefused, refusalText } from '../../errors/refusal.ts';
import { reasonOf, reportOf, wrapFailure } from '../../errors/report.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { askWhatNow } from '../../prompts/what-now.ts';
import { createLine, flagWords } from '../../resources/create-line.ts';
import { isNew } from '../../resources/record-form.ts';
import { quote } from '../../terminal/text.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import type { Action, ActionFlags } from './action.ts';
import type { EventType } from './event.ts';
import { settingNames } from './facility.ts';
import { isSignedOut } from './failures.ts';
import { knownNames } from './known-names.ts';
import { carBody, customerBody, type NewCarAnswers } from './new-car.ts';
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
type CounterAnswers = NewCarAnswers & {
  readonly eventType?: EventType;
  readonly place?: Place | undefined;
  readonly appointment?: RecordFor<'appointments'> | undefined;
  readonly mileage?: number | undefined;
  readonly notes?: string | undefined;
  readonly photos?: readonly PhotoFacts[];
};

interface Kept {
  readonly command: Action['command'];
  /** As they were typed. */
  readonly flags: ActionFlags;
}

/** For the questions of a form: asks again after the server came back, or leaves with the command that goes on. */
export function keepAnswers(
  context: Context,
  { command, flags }: Kept,
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
    const leaving = () => {
      const { car, ...typed } = typedFlags(answers, flags);
      const line = flagLine(context, [command], typed, carWord(context, answers, car));
      const { hint } = reportOf(error);
      return wrapFailure(error, {
        message: `${reasonOf(error)} Nothing was stored.`,
        hint: isOut ? `${hint}; go on then with \`${line}\`` : `go on later with \`${line}\``,
      });
    };
    // Another key is read by another run.
    if (isOut) throw leaving();
    const canQueue =
      !isNew(answers.car) && isUnreachable(error) && (await knownNames(context)) !== undefined;
    const next = await askWhatNow<'offline' | 'leave'>(
      context,
      `${reasonOf(error)} Your answers are kept.`,
      [
        ...(canQueue ? ([workOffline] as const) : []),
        { name: 'Leave, with the command that goes on from here', short: 'Leave', value: 'leave' },
      ],
    );
    if (next === 'offline') {
      const { car } = answers;
      const name = car && !isNew(car) ? (car.licensePlate ?? car.vin ?? car.id) : flags.car;
      throw new WorkOffline({ ...typedFlags(answers, flags), car: name });
    }
    if (next === 'leave') throw leaving();
  };
}

const workOffline = {
  name: 'Work offline: queue it, and send it when the server is back',
  short: 'Work offline',
  value: 'offline',
} as const;

/** The answers as flags. Another car can have the same plate: the id is sure to find this one again. */
function typedFlags(answers: CounterAnswers, flags: ActionFlags): ActionFlags {
  const { car, eventType, place, appointment, notes, mileage, photos } = answers;
  return {
    ...flags,
    ...(car && !isNew(car) && { car: car.id }),
    ...(eventType && { type: eventType.value }),
    ...(place && { spot: undefined, zone: undefined, ...placeFlags(place) }),
    // An answer that was erased isn't what the flags gave.
    ...('appointment' in answers && { appointment: appointment?.id ?? false }),
    ...('notes' in answers && { notes }),
    ...(mileage !== undefined && { mileage }),
    ...(photos && { photo: photos.map(({ path }) => path) }),
  };
}

/** The car of a command line; `$(…)` creates what isn't stored yet. */
function carWord(
  context: Context,
  answers: CounterAnswers,
  typed: string | undefined,
): string | undefined {
  const { car, licensePlate, make, model, year } = answers;
  if (!isNew(car)) return typed && quote(typed);
  if (make && model && year) return `"$(${newCarLine(context, answers)} -o id)"`;
  return licensePlate ? quote(licensePlate) : undefined;
}

/** The command that creates the car, and its owner before it. */
export function newCarLine(
  context: Context,
  answers: NewCarAnswers,
  body: Readonly<Record<string, unknown>> = carBody(answers),
): string {
  const line = createLine(context, { words: ['cars', 'create'], resource: 'cars', body });
  return `${line}${newCustomer(context, answers)}`;
}

/** The flag that creates a customer who isn't stored yet. */
export function newCustomer(context: Context, answers: NewCarAnswers): string {
  const body = customerBody(answers);
  if (!isNew(answers.owner) || Object.keys(body).length === 0) return '';
  const words = ['customers', 'create'];
  const line = createLine(context, { words, resource: 'customers', body: { ...body } });
  return ` --customer "$(${line} -o id)"`;
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
