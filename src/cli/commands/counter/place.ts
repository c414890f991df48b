/** A spot or a zone that a car stands on or in, or is to. */

import { ApiError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../framework/context.ts';
import { locationLabels } from '../../lookup/find-labels.ts';

export type Place = (
  | { readonly kind: 'spot'; readonly record: RecordFor<'parkingSpots'> }
  | { readonly kind: 'zone'; readonly record: RecordFor<'parkingZones'> }
) & {
  /** Where it lies, such as `Hall A · Harbour`; empty when that is not known. */
  readonly within?: string;
};

export type PlaceIdentity = Pick<Place['record'], 'id' | 'name' | 'locationId'>;

/** `A3 · Hall A · Harbour` */
export const describePlace = ({ record, within }: Place): string => [record.name, within].filter(Boolean).join(' · ');

/** `on A3 · Hall A · Harbour`, `in Yard · Harbour` */
export const standingOn = (place: Place): string => `${place.kind === 'spot' ? 'on' : 'in'} ${describePlace(place)}`;

/** A place as results name it: under its kind, the other one null. */
export function placeFields(place: Place | undefined): { spot: PlaceIdentity | null; zone: PlaceIdentity | null } {
  const identity = place ? { id: place.record.id, name: place.record.name, locationId: place.record.locationId } : null;
  return { spot: place?.kind === 'spot' ? identity : null, zone: place?.kind === 'zone' ? identity : null };
}

/** Adds where it lies. Only a person reads that, so a script does not pay for it. */
export async function located(context: Context, place: Place): Promise<Place> {
  if (context.output.format !== 'table' && !context.interactive) return place;
  return { ...place, within: (await locationLabels(context, [place.record]))(place.record) };
}

/** Where a car stands. Nothing when it stands nowhere, or when the key may not know. */
export async function placeOf(
  context: Context,
  car: Pick<RecordFor<'cars'>, 'parkingSpotId' | 'parkingZoneId'>,
): Promise<Place | undefined> {
  const client = await context.client();
  try {
    if (car.parkingSpotId) return await located(context, { kind: 'spot', record: await client.parkingSpots.get(car.parkingSpotId) });
    if (car.parkingZoneId) return await located(context, { kind: 'zone', record: await client.parkingZones.get(car.parkingZoneId) });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
  }
  return undefined;
}
