import { gather } from '../../crud/methods.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { askOption } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { typeName } from './plan.ts';
import type { EventType } from './types.ts';

/** A team's event types in use that fit, the likeliest first. Fails when there are none. */
export async function fittingTypes(context: Context, { what, fits, likeliest }: Fitting): Promise<EventType[]> {
  const client = await context.client();
  const fitting = (await gather(client.eventTypes.all({ scope: 'vehicle', isActive: true })))
    .filter(fits)
    .sort((a, b) => likeliest(a) - likeliest(b) || typeName(a).localeCompare(typeName(b)));
  if (fitting.length > 0) return fitting;
  throw new CliError({
    code: 'no_event_type',
    message: `The team has no event type that a ${what} could be. Nothing was stored.`,
    hint: 'make one on the machine of the service: `cs admin event-type create`',
  });
}

interface Fitting {
  /** `drop-off` */
  readonly what: string;
  readonly fits: (type: EventType) => boolean;
  /** The lower, the sooner it is shown. */
  readonly likeliest: (type: EventType) => number;
}

/** Which of them it is. Where only one fits there is nothing to ask. */
export async function askType(context: Context, fitting: readonly EventType[]): Promise<EventType> {
  const [first, second] = fitting;
  if (first && !second) return first;
  return askOption(context, {
    label: 'Event',
    options: fitting.map((type) => {
      const name = sanitize(typeName(type));
      return { name, short: name, value: type, about: sanitize(type.description ?? '') || undefined };
    }),
  });
}
