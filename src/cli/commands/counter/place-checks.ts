/** What can be known to be refused of a place, before anything is stored. The codes are those that the service would answer. */

import { ApiError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import type { Place } from './place.ts';
import { refusal } from './refusal.ts';

/** Free means free for this car: the spot that it stands on already may be named again. Tells who is in the way. */
export async function requireFree(
  context: Context,
  { kind, record }: Place,
  car: Pick<RecordFor<'cars'>, 'id' | 'parkingZoneId'> | undefined,
): Promise<void> {
  const hint = freeHint(kind, connectionFlags(context));
  if (record.isActive === false) throw refusal('parking_inactive', `The ${kind} ${record.name} is not in use.`, hint);
  if (kind === 'spot' && record.occupiedByCarId && record.occupiedByCarId !== car?.id)
    throw await occupied(context, record.name, record.occupiedByCarId);
  if (kind === 'zone' && record.available === 0 && record.id !== car?.parkingZoneId)
    throw refusal('parking_zone_full', `${record.name} is full: ${record.occupied} of ${record.capacity}.`, hint);
}

/** What to say when somebody else took the place before it was stored, with the car that stands there. Nothing for other errors. */
export async function asPlaceConflict(context: Context, { record }: Place, error: unknown): Promise<CliError | ApiError | undefined> {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'parking_zone_full') return error;
  if (error.code !== 'parking_spot_occupied') return undefined;
  const who = (error.details as { occupiedByCarId?: unknown } | null)?.occupiedByCarId;
  const { status, requestId } = error;
  return typeof who === 'string' ? occupied(context, record.name, who, { status, requestId }) : error;
}

/** The refusal of a spot that is taken, with the car that stands there. */
async function occupied(context: Context, spot: string, carId: string, answer: object = {}): Promise<CliError> {
  const labels = await findLabels(context, new Map([['cars', new Set([carId])]]), { comfort: true });
  const label = labels.get('cars')?.get(carId);
  return refusal(
    'parking_spot_occupied',
    `Another car stands on ${spot}${label && label !== carId ? `: ${label}` : ''}.`,
    freeHint('spot', connectionFlags(context)),
    { details: { occupiedByCarId: carId, ...answer } },
  );
}

function freeHint(kind: Place['kind'], flags: readonly string[]): string {
  const [what, noun] = kind === 'spot' ? ['free spots', 'spots'] : ['zones with a place left', 'zones'];
  return `${what}: \`${nextCommand(['parking', noun, 'list', '--available'], flags)}\``;
}
