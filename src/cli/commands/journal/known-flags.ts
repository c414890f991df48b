/** Names of places and types that this machine doesn't know: told when work is queued, since the server would refuse it later. */

import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isSameReading, normalizeName } from '../../input/matching.ts';
import { idIn } from '../../resources/lookup.ts';
import type { Candidate } from '../../state/names.ts';
import { joinList, nearest } from '../../terminal/text.ts';
import type { QueuedFlags } from './entry.ts';
import type { KnownNames, Named } from './known-names.ts';

const flags = [
  { name: 'spot', resource: 'parkingSpots', what: 'spot' },
  { name: 'zone', resource: 'parkingZones', what: 'zone' },
  { name: 'type', resource: 'eventTypes', what: 'event type' },
] as const satisfies readonly { name: string; resource: Named; what: string }[];

const namedAtMost = 3;

/** Refused in a script where a mirror has all of them; a person, and a script where some may be missing, is warned. */
export function checkNames(
  context: Context,
  typed: QueuedFlags,
  names: KnownNames | undefined,
): void {
  for (const { name, resource, what } of flags) {
    const text = typed[name];
    const known = names?.[resource] ?? [];
    if (
      !names ||
      typeof text !== 'string' ||
      idIn(text) !== undefined ||
      known.length === 0 ||
      isKnown(known, text)
    )
      continue;
    const message = `No ${what} "${text}" is known from ${names.source}.`;
    const near = nearestNames(known, text);
    const meant = near.length > 0 ? `did you mean ${joinList(near, 'or')}?` : undefined;
    if (!context.interactive && names.complete.has(resource))
      throw new CliError({
        code: 'not_found',
        message: `${message} Nothing was queued.`,
        hint: [
          meant,
          `if it is newer, give its id${name === 'type' ? '' : `, or update the mirror with \`cs sync\``}`,
        ]
          .filter(Boolean)
          .join(' '),
      });
    context.warn(`${message} It is checked when it is sent.${meant ? ` D${meant.slice(1)}` : ''}`);
  }
}

const isKnown = (known: readonly Candidate[], text: string): boolean =>
  known.some(
    ({ value, also = [], record }) =>
      record?.id === text || [value, ...also].some((one) => isSameReading(one, text)),
  );

function nearestNames(known: readonly Candidate[], text: string): string[] {
  const byName = new Map(known.map(({ value }) => [normalizeName(value), value]));
  const found = nearest(normalizeName(text), [...byName.keys()]);
  return found.slice(0, namedAtMost).map((name) => byName.get(name) as string);
}
