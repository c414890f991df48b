/** What happens to the answers of a counter's questions when the server goes away: they are kept, or become a command line. */
import { ApiError, NetworkError } from '../../../client/errors.ts';
import { CliError } from '../../errors/exit.ts';
import { reportOf, sentence } from '../../errors/report.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Car } from '../../lookup/car.ts';
import { askOption, type Option } from '../../prompts/prompts.ts';
import { flagOf, quote } from '../../terminal/text.ts';
import { settingNames } from '../journal/journal.ts';
import { knownNames } from '../journal/known-names.ts';
import { LeftForLater } from '../journal/left-for-later.ts';
import { isUnreachable, WorkOffline } from '../journal/offline.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import { type NewCarAnswers, newCarOf } from './ask-new-car.ts';
import type { EventType } from './event.ts';
import { reasonOf, wrapFailure } from './failures.ts';
import { type Place, placeFlags } from './place.ts';

/** Answers of a drop-off, a pick-up or a move. */
export interface CounterAnswers extends NewCarAnswers {
  readonly car?: Car | 'new';
  readonly eventType?: EventType;
  readonly place?: Place | undefined;
  readonly notes?: string | undefined;
  readonly photos?: readonly PhotoFacts[];
}

interface Kept {
  readonly command: 'dropoff' | 'pickup' | 'move';
  /** As they were typed. */
  readonly flags: object;
}

/** For the questions of a form: asks again after the server came back, or leaves with the command that goes on. */
export function keepAnswers(
  context: Context,
  kept: Kept,
): (error: unknown, failed: { readonly answers: CounterAnswers; readonly prompted: boolean }) => Promise<void> {
  return async (error, { answers, prompted }) => {
    if (isRefused(error) && prompted) {
      context.warn([error.message, error.hint].filter(Boolean).join(' '));
      return;
    }
    if (!isAway(error) || (!prompted && !hasAnswers(answers))) throw error;
    const next = await askWhatNext(context, error, { answers });
    if (next === 'again') return;
    const typed = typedFlags(answers, kept.flags);
    if (next === 'offline') throw new WorkOffline(typed);
    throw wrapFailure(error, {
      message: `${reasonOf(error)} Nothing was stored.`,
      hint: `go on later with \`${commandLine(context, kept.command, { answers, typed })}\``,
    });
  };
}

const hasAnswers = (answers: object) => Object.values(answers).some((answer) => answer !== undefined);

/** A rule that an answer breaks, which another answer doesn't. */
const isRefused = (error: unknown): error is CliError => error instanceof CliError && [3, 7].includes(error.exitCode);

/** The server can't be reached, or what stands before it says so. */
const isAway = (error: unknown): boolean => isUnreachable(error) || (error instanceof ApiError && error.status >= 502);

/**
 * After the answers were approved: whether to send again what got no answer, which is looked up first. Throws `LeftForLater` where the
 * person leaves it: the journal keeps it.
 */
export async function wantsAnotherTry(context: Context, error: unknown, resume: string | undefined): Promise<boolean> {
  const cause = error instanceof CliError ? error.cause : error;
  const isLost = isAway(cause) || cause instanceof NetworkError;
  if (!context.interactive || context.settings.yes || context.io.signal.aborted || !isLost) return false;
  context.warn(sentence(reportOf(error).message));
  const again = await askOption(context, {
    label: 'What now?',
    options: [
      { name: 'Try again', value: true },
      { name: 'Leave, and finish it later', short: 'Leave', value: false },
    ],
  });
  if (!again && resume !== undefined) throw new LeftForLater(error, resume);
  return again;
}

async function askWhatNext(
  context: Context,
  error: unknown,
  { answers }: { readonly answers: CounterAnswers },
): Promise<'again' | 'offline' | 'leave'> {
  const isKnownCar = answers.car !== 'new';
  const canQueue = isKnownCar && isUnreachable(error) && (await knownNames(context)) !== undefined;
  context.warn(`${reasonOf(error)} Your answers are kept.`);
  const offline: Option<'offline'> = {
    name: 'Work offline: queue it, and send it when the server is back',
    short: 'Work offline',
    value: 'offline',
  };
  return askOption<'again' | 'offline' | 'leave'>(context, {
    label: 'What now?',
    options: [
      { name: 'Try again', value: 'again' },
      ...(canQueue ? [offline] : []),
      { name: 'Leave, with the command that goes on from here', short: 'Leave', value: 'leave' },
    ],
  });
}

/** The answers as flags, for a queue. */
export function typedFlags(answers: CounterAnswers, flags: object): Readonly<Record<string, unknown>> {
  const { car, eventType, place, notes, photos } = answers;
  return {
    ...flags,
    ...(car && car !== 'new' && { car: car.licensePlate ?? car.vin ?? car.id }),
    ...(eventType && { type: eventType.value }),
    ...(place && { spot: undefined, zone: undefined, ...placeFlags(place) }),
    // An answer that was erased isn't what the flags gave.
    ...('notes' in answers && { notes }),
    ...(photos && { photo: photos.map(({ path }) => path) }),
  };
}

interface Line {
  readonly answers: CounterAnswers;
  readonly typed: Readonly<Record<string, unknown>>;
}

/** The command line with these answers; `$(…)` creates what isn't stored yet. */
function commandLine(context: Context, command: Kept['command'], { answers, typed: { car, ...flags } }: Line): string {
  const own = Object.entries(flags).filter(([name]) => !settingNames.has(name));
  const words = own.flatMap(([name, value]) => flagWords(name, value));
  const [program, verb, ...rest] = [nextCommand([command]), carWord(context, answers, car), ...words.map(quote)].filter(Boolean);
  return [program, verb, ...rest, ...connectionFlags(context).map(quote)].join(' ');
}

function flagWords(name: string, value: unknown): string[] {
  // Photos are resized unless --no-resize is given.
  if (value === undefined || (name === 'resize' && value === true)) return [];
  if (Array.isArray(value)) return value.flatMap((one) => flagWords(name, one));
  if (value === false) return [`--no-${flagOf(name).slice(2)}`];
  return value === true ? [flagOf(name)] : [flagOf(name), String(value)];
}

function carWord(context: Context, answers: CounterAnswers, car: unknown): string | undefined {
  const known = answers.car === 'new' ? answers.licensePlate : car;
  const isWhole = answers.car === 'new' && answers.make && answers.model && answers.year;
  if (!isWhole) return known === undefined ? undefined : quote(String(known));
  const { values, newOwner } = newCarOf(answers);
  const create = (resource: string, fields: object) =>
    nextCommand(
      [resource, 'create', ...Object.entries(fields).flatMap(([name, value]) => flagWords(name, value)), '-o', 'id'],
      connectionFlags(context),
    );
  const owner = newOwner ? ` --customer "$(${create('customers', newOwner)})"` : '';
  const { customerId, ...own } = values;
  return `"$(${create('cars', { ...own, ...(customerId && { customer: customerId }) })}${owner})"`;
}
