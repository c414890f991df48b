/** Event types, and which of them can be performed on a car. */

import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../framework/context.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { resolveRecord } from '../../lookup/lookup.ts';
import { refusal } from './refusal.ts';

export type EventType = RecordFor<'eventTypes'>;

/** The event type that is called so. Refused when it is no longer used, or not performed on a car. */
export async function findType(context: Context, text: string, flags: readonly string[]): Promise<EventType> {
  const type = (await resolveRecord(context, { resource: 'eventTypes', text })) as EventType;
  if (type.isActive === false)
    throw refusal(
      'event_type_inactive',
      `The event type ${type.value} is no longer used.`,
      `types in use: \`${nextCommand(['event-types', 'list', '--is-active'], flags)}\``,
    );
  if (type.scope !== 'vehicle')
    throw refusal(
      'event_type_scope_mismatch',
      `${type.value} is not performed on a car: its scope is ${type.scope}.`,
      `types for cars: \`${nextCommand(['event-types', 'list', '--scope', 'vehicle'], flags)}\``,
    );
  return type;
}

/** How to log an event of a type that is not the command's own. */
export const logHint = ({ value }: EventType, car: string | undefined, flags: readonly string[]): string =>
  `log it with \`${nextCommand(['cars', 'events', 'log', car ?? 'CAR', '--type', value], flags)}\``;
