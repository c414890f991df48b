import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { gather } from '../../methods.ts';
import { sanitize } from '../../text.ts';
import { askOption } from '../prompts.ts';
import { isDropoffType } from './checks.ts';

type EventType = RecordFor<'eventTypes'>;

/** The event types that a drop-off can be, the likeliest first. Fails when there are none. */
export async function fittingTypes(context: Context): Promise<EventType[]> {
  const client = await context.client();
  const fitting = (await gather(client.eventTypes.all({ scope: 'vehicle', isActive: true }))).filter(isDropoffType).sort(byUse);
  if (fitting.length > 0) return fitting;
  throw new CliError({
    code: 'no_event_type',
    message: 'The team has no event type that a drop-off could be. Nothing was stored.',
    hint: 'make one on the machine of the service: `cs admin event-type create`',
    exitCode: 6,
  });
}

/** What kind of drop-off it is. Where only one fits there is nothing to ask. */
export async function askType(context: Context, fitting: readonly EventType[]): Promise<EventType> {
  const [first, second] = fitting;
  if (first && !second) return first;
  return askOption(context, {
    label: 'Event',
    options: fitting.map((type) => {
      const name = sanitize(type.name ?? type.value);
      return { name, short: name, value: type, about: sanitize(type.description ?? '') || undefined };
    }),
  });
}

/** The drop-off itself first, then what parks a car, then the rest by name. */
function byUse(a: EventType, b: EventType): number {
  const rank = (type: EventType) => (type.value === 'drop_off' ? 0 : type.config?.requiresParkingSpot ? 1 : 2);
  return rank(a) - rank(b) || String(a.name).localeCompare(String(b.name));
}
