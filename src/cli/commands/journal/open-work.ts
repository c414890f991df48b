/**
 * Unfinished work of a car stops further work on it: otherwise what happened last would be stored first, or one event twice, where the
 * same car was named differently.
 */
import { isSameId } from '../../../client/ids.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isSameReading } from '../../input/matching.ts';
import { isObject } from '../../input/plain-object.ts';
import { localMoment } from '../../input/when.ts';
import { idIn, resolveRecord } from '../../resources/lookup.ts';
import { lockBeside } from '../files/lock.ts';
import { carIdIn } from './car-id.ts';
import { type CommandName, isBegun, readEntry, type StoredEntry } from './entry.ts';
import { eventTime, inEventOrder } from './event-order.ts';
import { alreadyRunning } from './journal.ts';
import { discardCommand, resumeCommand } from './resume-command.ts';

/** What tells cars apart. */
interface NamedCar {
  readonly id: string | undefined;
  readonly names: readonly string[];
}

/** Throws where other work of the car of a new plan is unfinished. A person is asked. */
export async function requireNoneOpen(
  context: Context,
  entries: readonly StoredEntry[],
  { command, plan }: { readonly command: CommandName; readonly plan: object },
): Promise<void> {
  const car = carOfPlan(plan);
  if (command === 'photos' || !car) return;
  for (const stored of inEventOrder(entries))
    await requireNotOpen(context, stored, { command, car });
}

/** Throws where work of the same car that happened before it is unfinished. What was sent already is only looked up. */
export async function requireNoneBefore(
  context: Context,
  entries: readonly StoredEntry[],
  { entry, lines }: StoredEntry,
): Promise<void> {
  if (entry.command === 'photos' || isBegun(lines)) return;
  const car = await carOf(context, { entry, lines });
  const ordered = inEventOrder(entries);
  const before = ordered.slice(
    0,
    ordered.findIndex((one) => one.entry.id === entry.id),
  );
  if (car)
    for (const stored of before)
      await requireNotOpen(context, stored, { command: entry.command, car });
}

async function requireNotOpen(
  context: Context,
  { path, entry }: StoredEntry,
  work: { command: CommandName; car: NamedCar },
): Promise<void> {
  if (entry.command === 'photos') return;
  const lock = await lockBeside(path).catch(() => undefined);
  try {
    const read = await readEntry(path);
    const current = read && !('damaged' in read) ? read : undefined;
    // Of another command, only photos are missing.
    if (current && current.entry.command !== work.command && isEventStored(current)) return;
    const car = await carOf(context, current ?? { entry, lines: new Map() });
    if (!car || !isSameCar(car, work.car)) return;
    const isAlone = !context.interactive || context.settings.yes;
    if (isAlone) throw current && lock ? unfinished(context, current) : alreadyRunning(entry);
    if (current) await askToGoOn(context, current, lock !== undefined);
  } finally {
    lock?.release();
  }
}

const isEventStored = ({ lines }: StoredEntry): boolean =>
  ['event', 'assignment'].some((step) => lines.get(step)?.state === 'done');

function unfinished(context: Context, { entry }: StoredEntry): CliError {
  return new CliError({
    code: 'unfinished',
    message: `The ${entry.what} (${localMoment(eventTime(entry))}) isn't finished. It is work on the same car. Nothing was sent.`,
    hint: `finish it with \`${resumeCommand(context, entry)}\`, or forget it with \`${discardCommand(entry)}\`; then run this command again if it is still needed`,
    details: { id: entry.id },
  });
}

async function askToGoOn(context: Context, stored: StoredEntry, isIdle: boolean): Promise<void> {
  const { askOption } = await import('../../prompts/prompts.ts');
  const { entry } = stored;
  const why = isIdle ? "isn't finished" : 'is being sent by another process';
  context.warn(
    `The ${entry.what} (${localMoment(eventTime(entry))}) ${why}. It is work on the same car.`,
  );
  const goesOn = await askOption<boolean>(context, {
    label: 'What now?',
    options: [
      { name: isIdle ? 'Stop, and finish that first' : 'Stop, and wait for it', value: false },
      { name: 'Store this all the same', value: true },
    ],
  });
  if (!goesOn) throw isIdle ? unfinished(context, stored) : alreadyRunning(entry);
}

/** Undefined where nothing tells. A name that was queued without the server may stand for one of its cars now. */
async function carOf(
  context: Context,
  { entry, lines }: Pick<StoredEntry, 'entry' | 'lines'>,
): Promise<NamedCar | undefined> {
  const { plan, queued, known } = entry;
  const stored = lines.get('car');
  const planned = plan && carOfPlan(plan, stored?.state === 'done' ? stored.answer : undefined);
  if (planned || typeof queued?.car !== 'string') return planned ?? undefined;
  const text = queued.car;
  const id =
    known?.id ??
    idIn(text) ??
    (await resolveRecord(context, { resource: 'cars', text }).catch(() => undefined))?.id;
  return { id: typeof id === 'string' ? id : undefined, names: [text] };
}

/** By its name, as the server reads it now, where nothing told the id before. */
export const carIdOf = async (context: Context, stored: StoredEntry): Promise<string | undefined> =>
  (await carOf(context, stored))?.id;

/** `stored`: the record of its new car. */
function carOfPlan(plan: object, stored?: unknown): NamedCar | undefined {
  const car = 'car' in plan && isObject(plan.car) ? plan.car : undefined;
  const values = isObject(car?.values) ? car.values : car;
  const names = values ? [values.licensePlate, values.vin, values.nickname] : [];
  const id = carIdIn({ car: stored }) ?? carIdIn(plan);
  const told = names.filter((name): name is string => typeof name === 'string' && name !== '');
  return id === undefined && told.length === 0 ? undefined : { id, names: told };
}

const isSameCar = (one: NamedCar, other: NamedCar): boolean =>
  one.id !== undefined && other.id !== undefined
    ? isSameId(one.id, other.id)
    : one.names.some((name) => other.names.some((same) => isSameReading(name, same)));
