/** What to do about queued work that was refused and that no flag of `cs pending resume` stores. */
import type { Context } from '../../context.ts';
import { nextCommand } from '../../framework/next-command.ts';
import type { Entry } from './entry.ts';
import { eventTime, inEventOrder } from './event-order.ts';
import { isOfCar } from './known-car.ts';
import { queuedHere } from './read-journal.ts';
import { discardCommand, resumeCommand } from './resume-command.ts';

/** What a person does about a refusal that no flag answers. */
export const askedInTerminal = (context: Context, entry: Entry): string =>
  `run \`${resumeCommand(context, entry)}\` in a terminal to be asked, or forget it with \`${discardCommand(entry)}\``;

/** In a terminal it asks for another one; in a script the line is typed again, with the time at which it happened. */
export const correctedLine = (context: Context, entry: Entry): string =>
  `${askedInTerminal(context, entry)} and run the line again, corrected, with \`--at ${eventTime(entry)}\``;

/** Work on a car that isn't here: a drop-off before it was forgotten, or was never queued. What follows it would be refused, too. */
export async function withoutItsCar(context: Context, entry: Entry): Promise<string> {
  const car = String(entry.queued?.car);
  const queue = inEventOrder(await queuedHere(context)).map((stored) => stored.entry);
  const after = queue.slice(queue.findIndex(({ id }) => id === entry.id) + 1);
  const ids = after.filter((one) => isOfCar(one, { car, id: entry.known?.id })).map(({ id }) => id);
  const before = new Date(Date.parse(eventTime(entry)) - 1_000).toISOString();
  const dropOff = nextCommand(['dropoff', car, '--at', before, '--offline']);
  const rest = ids.length > 0 ? ' with what follows it' : '';
  return `forget it${rest}: \`${nextCommand(['pending', 'discard', entry.id, ...ids])}\`; or queue its drop-off, which is sent first: \`${dropOff}\``;
}
