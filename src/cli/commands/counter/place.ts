/** A spot or a zone: the flags that name one, whether a car can be parked there, and how it is described. */
import { ApiError } from '../../../client/errors.ts';
import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { ifParkedIn } from '../../../contract/preconditions.ts';
import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { type Command, type Need, suggestRecords } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { fold } from '../../input/matching.ts';
import { isObject } from '../../input/plain-object.ts';
import { findLabels, locationLabels } from '../../resources/find-labels.ts';
import { idIn, type LookupRequest, resolveId, resolveRecord } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { lookupInScope } from '../../resources/scope.ts';
import { sanitize } from '../../terminal/text.ts';
import { isParked } from './car.ts';
import { causeOf, refusal } from './refusal.ts';
import type { PlaceResult } from './shape.ts';

export type Place = (
  | { readonly kind: 'spot'; readonly record: RecordFor<'parkingSpots'> }
  | { readonly kind: 'zone'; readonly record: RecordFor<'parkingZones'> }
) & {
  /** Zone and location, such as `Hall A · Harbour`; empty when unknown. */
  readonly within?: string;
  /** Name of the location; undefined when unknown. */
  readonly location?: string;
};

/** The flags that name the place: by its id where its name could be another location's. */
export function placeFlags({ kind, record, location }: Place): PlaceFlags {
  const isNamed = record.name && location !== undefined;
  return { [kind]: isNamed ? record.name : record.id, ...(isNamed && { location }) };
}

export function placeResult(place: Place | undefined): PlaceResult {
  const { id = '', name = null, locationId = null } = place?.record ?? {};
  const result: PlaceResult = { spot: null, zone: null };
  return place ? { ...result, [place.kind]: { id, name, locationId } } : result;
}

/** The fields of a request that parks a car there. */
export const placeFields = ({
  kind,
  record,
}: Place): { parkingSpotId?: string; parkingZoneId?: string } =>
  kind === 'spot' ? { parkingSpotId: record.id } : { parkingZoneId: record.id };

/** `A3 · Hall A · Harbour` */
export const describePlace = ({ record, within }: Place): string =>
  [record.name ?? record.id, within].filter(Boolean).join(' · ');

export interface PlaceFlags {
  readonly spot?: string;
  readonly zone?: string;
  readonly location?: string;
}

export function addPlaceFlags(command: Command): Command {
  const add = (flag: string, text: string, resource: Parameters<typeof suggestRecords>[1]) =>
    command.addOption(suggestRecords(command.createOption(`--${flag} <id|name>`, text), resource));
  add('spot', 'park on this spot', 'parkingSpots');
  add('zone', 'park anywhere in this zone', 'parkingZones');
  return add(
    'location',
    'location of the spot or zone, for an ambiguous name',
    'locations',
  ).nameFlags({ parkingSpotId: '--spot', parkingZoneId: '--zone' });
}

/** Before any lookup, prompt or dry run. */
export function requireOnePlace({ spot, zone }: PlaceFlags): void {
  if (spot !== undefined && zone !== undefined)
    throw usage("--spot and --zone can't be used together. Nothing was stored.", 'use one of them');
}

/** The place that the flags name, for this car. `near` decides between places of the same name: the car's current location comes first. */
export async function findPlace(
  context: Context,
  flags: PlaceFlags,
  near?: { readonly locationId: string },
): Promise<Place | undefined> {
  const wanted = await wantedPlace(context, flags);
  if (!wanted) return undefined;
  const prefer = near && [
    ({ locationId }: { locationId?: unknown }) => isSameId(locationId, near.locationId),
  ];
  const kind = wanted.resource === 'parkingSpots' ? 'spot' : 'zone';
  const id = idIn(wanted.text);
  const { transport } = await context.client();
  const record = await resolveRecord(context, { ...wanted, prefer }).catch(
    async (error: unknown) => {
      // The specification has no paths of spots and zones, only their ids in an event.
      if (id !== undefined && isUnreadable(error) && !transport.promisesLists()) {
        context.warn(`Couldn't check the ${kind} ${id}: ${error.message} The server decides.`);
        return { id, name: null, locationId: null };
      }
      throw kind === 'spot' && (await isZoneName(context, wanted.text, error))
        ? zoneInstead(wanted.text)
        : error;
    },
  );
  return withLocation(context, { kind, record } as Place);
}

/** Whether the text, which names no spot, names a zone. */
async function isZoneName(context: Context, text: string, error: unknown): Promise<boolean> {
  if (!(error instanceof CliError) || error.code !== 'not_found') return false;
  const zones = await gather((await context.client()).parkingZones.all()).catch(() => []);
  return zones.some(({ name }) => fold(name ?? '') === fold(text));
}

function zoneInstead(text: string): CliError {
  const zone = sanitize(text);
  return new CliError({
    code: 'not_found',
    message: `"${zone}" is a zone, not a spot.`,
    hint: `use --zone "${zone}"`,
  });
}

/** The same as fields of a request. An id isn't looked up. */
export async function findPlaceFields(
  context: Context,
  flags: PlaceFlags,
): Promise<{ parkingSpotId?: string; parkingZoneId?: string }> {
  const wanted = await wantedPlace(context, flags);
  if (!wanted) return {};
  const id = await resolveId(context, wanted);
  return wanted.resource === 'parkingSpots' ? { parkingSpotId: id } : { parkingZoneId: id };
}

async function wantedPlace(
  context: Context,
  { spot, zone, location }: PlaceFlags,
): Promise<LookupRequest | undefined> {
  const text = spot ?? zone;
  if (text === undefined) return undefined;
  const locationId =
    location === undefined
      ? undefined
      : await resolveId(context, { resource: 'locations', text: location });
  return lookupInScope(spot === undefined ? 'parkingZones' : 'parkingSpots', text, {
    locationId,
    locationFlag: '--location',
  });
}

/** Adds zone and location for people; a script doesn't pay for the request. A plan that a script made has none. */
async function withLocation(context: Context, place: Place): Promise<Place> {
  if (!context.output.forPeople && !context.interactive) return place;
  const labels = await locationLabels(context, [place.record], { bestEffort: true });
  return { ...place, within: labels(place.record) };
}

/** The place where a car is parked; undefined when it isn't, and where the server doesn't tell. Only for people to see. */
export async function currentPlace(
  context: Context,
  car: Pick<Car, 'id' | 'parkingSpotId' | 'parkingZoneId'>,
): Promise<Place | undefined> {
  const client = await context.client();
  try {
    const open =
      isParked(car) === undefined &&
      (await client.parkingAssignments.list({ carId: car.id, active: true, limit: 1 })).data[0];
    const { parkingSpotId: spot, parkingZoneId: zone } = open || car;
    const place: Place | undefined = spot
      ? { kind: 'spot', record: await client.parkingSpots.get(spot) }
      : zone
        ? { kind: 'zone', record: await client.parkingZones.get(zone) }
        : undefined;
    return place && (await withLocation(context, place));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return undefined;
  }
}

/** The value of `If-Parked-In`: where the screen showed a car. Undefined where the server doesn't tell. */
export const shownIn = (
  car: Pick<Car, 'parkingSpotId' | 'parkingZoneId'>,
  place?: Place,
): string | undefined =>
  place?.record.id ??
  car.parkingSpotId ??
  car.parkingZoneId ??
  (isParked(car) === false ? 'none' : undefined);

/** The same for a command that needs a parked car. */
export function shownHere(car: Car, place: Place | undefined): string {
  const shown = shownIn(car, place);
  return shown === undefined || shown === 'none' ? 'any' : shown;
}

/** What the commands do on servers without `If-Parked-In`. */
export const placeNeed: Need = {
  part: ifParkedIn.header,
  otherwise: 'a change that another counter makes meanwhile goes unnoticed',
};

/**
 * Refuses a place that can't take this car. The service refuses it too, but only after all prompts,
 * and a dry run sends nothing that it could refuse. The car's own spot counts as free.
 */
export async function requireFree(
  context: Context,
  { kind, record }: Place,
  car: Pick<Car, 'id' | 'parkingZoneId'> | undefined,
): Promise<void> {
  const hint = freePlacesHint(context, kind);
  if (record.isActive === false)
    throw refusal('parking_inactive', `The ${kind} ${record.name} is inactive.`, hint);
  if (kind === 'spot' && record.occupiedByCarId && !isSameId(record.occupiedByCarId, car?.id))
    throw await occupiedSpot(context, record.name, record.occupiedByCarId);
  if (kind === 'zone' && record.available === 0 && !isSameId(record.id, car?.parkingZoneId))
    throw refusal(
      'parking_zone_full',
      `The zone ${record.name} is full: ${record.occupied} of ${record.capacity} places taken.`,
      hint,
    );
}

/** The error to show when the spot was taken after it had been checked; undefined for every other error. */
export async function asPlaceConflict(
  context: Context,
  name: string | null | undefined,
  error: unknown,
): Promise<CliError | undefined> {
  if (!(error instanceof ApiError) || error.code !== 'parking_spot_occupied') return undefined;
  const { occupiedByCarId: carId, change } = isObject(error.details) ? error.details : {};
  return typeof carId === 'string'
    ? occupiedSpot(context, name ?? 'chosen', carId, { change, cause: error })
    : undefined;
}

/** Names the car that is parked there. */
async function occupiedSpot(
  context: Context,
  spot: string,
  carId: string,
  { change, cause }: { readonly change?: unknown; readonly cause?: unknown } = {},
): Promise<CliError> {
  const wanted = new Map([['cars', new Set([carId])]]);
  const label = (await findLabels(context, wanted, { bestEffort: true })).get('cars')?.get(carId);
  return refusal(
    'parking_spot_occupied',
    `The spot ${spot} is taken by ${label && label !== carId ? label : 'another car'}${causeOf(change)}.`,
    freePlacesHint(context, 'spot'),
    { details: { occupiedByCarId: carId, ...(change !== undefined && { change }) }, cause },
  );
}

function freePlacesHint(context: Context, kind: Place['kind']): string {
  const list = nextCommand(
    ['parking', `${kind}s`, 'list', '--available'],
    connectionFlags(context),
  );
  return `${kind === 'spot' ? 'free spots' : 'zones with free places'}: \`${list}\``;
}
