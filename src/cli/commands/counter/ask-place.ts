/** The prompt for a free spot or zone. */
import { ApiError, type Client, type RecordFor } from '../../../client/client.ts';
import { gather } from '../../crud/methods.ts';
import { CliError } from '../../errors/exit.ts';
import { isMissing, isUntold } from '../../errors/missing-path.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { askSearch, type Heading, type Option } from '../../prompts/prompts.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { occupancyOf, saysUnknownByNull } from './occupancy.ts';
import { describePlace, type Place } from './place.ts';

type Spot = RecordFor<'parkingSpots'>;
type Zone = RecordFor<'parkingZones'>;
type Location = Pick<RecordFor<'locations'>, 'name' | 'isActive'> & { readonly id: string | null };

/** The free places of a location: each zone, then its spots. */
interface Group {
  readonly location: Location;
  readonly options: readonly Option<Place>[];
}

/** A free spot, or a zone with free places. `from` is where the car is now: it isn't offered, places near it come first. */
export async function askPlace(context: Context, car: RecordFor<'cars'> | undefined, from?: Place): Promise<Place> {
  const client = await context.client();
  const near = { locationId: from?.record.locationId ?? car?.locationId, zoneId: zoneOf(from), exclude: from?.record.id };
  const [groups, last] = await Promise.all([readGroups(context, client, near), from ? undefined : lastSpotId(client, car)]);
  const all = groups.flatMap(({ options }) => options.map(({ value }) => value));
  if (all.length === 0)
    throw new CliError({
      code: 'no_parking_free',
      message: 'No free spots and no zones with free places. Nothing was stored.',
      hint: `all parked cars: \`${nextCommand(['parking', 'assignments', 'list', '--active'], connectionFlags(context))}\``,
    });
  return askSearch(context, {
    label: 'Place',
    hint: 'a spot, or anywhere in a zone',
    // The car's last spot if it is free, otherwise the first spot: zones come second for facilities that have spots.
    first: all.find(({ record }) => record.id === last) ?? all.find(({ kind }) => kind === 'spot'),
    find: async (term) => matching(groups, term),
  });
}

/** Fails before prompting if no spot and no zone exists. */
export async function requirePlaces(context: Context): Promise<void> {
  const client = await context.client();
  const places = [client.parkingSpots, client.parkingZones].map((kind) =>
    kind.list({ isActive: true, limit: 1 }).then(({ data }) => data.length > 0, orIfUntold(true)),
  );
  if ((await Promise.all(places)).some(Boolean)) return;
  const create = ['parking', 'spots', 'create', '--location', 'LOCATION', '--name', 'A1'];
  throw new CliError({
    code: 'no_parking',
    message: 'No parking spots or zones exist yet. Nothing was stored.',
    hint: `create one: \`${nextCommand(create, connectionFlags(context))}\``,
  });
}

function matching(groups: readonly Group[], term: string): (Option<Place> | Heading)[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  const found = groups.map(({ location, options }) => ({
    location,
    options: options.filter(({ value, name }) => {
      const text = `${describePlace(value)} ${name}`.toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  }));
  return found
    .filter(({ options }) => options.length > 0)
    .flatMap(({ location, options }) => [{ heading: sanitize(location.name) }, ...options]);
}

interface PlacePreference {
  readonly locationId: string | null | undefined;
  readonly zoneId: string | null | undefined;
  /** Id of a place that isn't offered. */
  readonly exclude: string | undefined;
}

const zoneOf = (place: Place | undefined) => (place?.kind === 'spot' ? place.record.zoneId : place?.record.id);

async function readGroups(context: Context, client: Client, near: PlacePreference): Promise<Group[]> {
  const [zones, locations] = await Promise.all([gather(client.parkingZones.all()), readLocations(client)]);
  const spots = await readFreeSpots(client, zones);
  const known = new Map(locations.map((location) => [location.id, location]));
  const ids = new Set([...zones, ...spots.map(({ spot }) => spot)].map(locationOf));
  const all = Array.from(
    ids,
    (id) => known.get(id ?? '') ?? { id, name: id === null ? 'Location unknown' : `location ${id}`, isActive: true },
  );
  return all
    .filter(isUsable)
    .sort((a, b) => preferredFirst(near.locationId)(a, b) || natural.compare(a.name, b.name))
    .map((location) => ({ location, options: optionsOf(context, { location, zones, spots, near }) }));
}

/** `isFree`: undefined where nothing tells. */
interface FreeSpot {
  readonly spot: Spot;
  readonly isFree: true | undefined;
}

/** The free spots. Where the spots don't tell, the open assignments may; a spot that nothing tells about is offered as such. */
async function readFreeSpots(client: Client, zones: readonly Zone[]): Promise<FreeSpot[]> {
  const free = await gather(client.parkingSpots.all({ available: true }, { strict: true })).catch(orIfUntold(undefined));
  if (free) return free.map((spot) => ({ spot, isFree: true }));
  const [spots, assignments] = await Promise.all([
    gather(client.parkingSpots.all()),
    gather(client.parkingAssignments.all({ active: true }, { strict: true })).catch(undefinedIfUnreadable),
  ]);
  const { onSpot } = occupancyOf({
    zones: byId(zones),
    spots: byId(spots),
    cars: undefined,
    assignments: assignments && byId(assignments),
  });
  return spots.filter(isUsable).flatMap((spot): FreeSpot[] => {
    const carId = onSpot(spot);
    return typeof carId === 'string' ? [] : [{ spot, isFree: carId === null || undefined }];
  });
}

const byId = <T extends { readonly id: string }>(records: readonly T[]) => new Map(records.map((record) => [record.id, record]));

const orIfUntold =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (isUntold(error)) return otherwise;
    throw error;
  };

function undefinedIfUnreadable(error: unknown): undefined {
  if (!isUntold(error) && !isMissing(error) && !(error instanceof ApiError && error.status === 403)) throw error;
}

/** Another server may not tell. */
const isUsable = ({ isActive }: { readonly isActive?: boolean | null }) => isActive !== false;
const locationOf = ({ locationId }: { readonly locationId?: string | null }) => locationId ?? null;

/** Empty without the scope, and on a server without the list: headings then show ids. */
const readLocations = async (client: Client): Promise<Location[]> =>
  (await gather(client.locations.all()).catch(undefinedIfUnreadable)) ?? [];

interface PlacesOf {
  readonly location: Location;
  readonly zones: readonly Zone[];
  readonly spots: readonly FreeSpot[];
  readonly near: PlacePreference;
}

function optionsOf({ styles }: Context, { location, zones, spots, near }: PlacesOf): Option<Place>[] {
  const inZone = preferredFirst(near.zoneId);
  const here = zones.filter((zone) => locationOf(zone) === location.id && isUsable(zone)).sort((a, b) => inZone(a, b) || byName(a, b));
  const known = new Map(zones.map((zone) => [zone.id, zone]));
  // A spot of a zone that isn't listed stands alone.
  const zoneIdOf = ({ zoneId }: Spot) => (known.has(zoneId ?? '') ? zoneId : null);
  const spotsIn = (zoneId: string | null) =>
    spots.filter(({ spot }) => locationOf(spot) === location.id && zoneIdOf(spot) === zoneId).sort((a, b) => byName(a.spot, b.spot));
  const within = location.id === null ? [] : [location.name];
  const spotOption = ({ spot, isFree }: FreeSpot, zone?: Zone): Option<Place> => {
    const place: Place = { kind: 'spot', record: spot, within: [zone?.name, ...within].filter(Boolean).join(' · ') };
    const notes = [spot.kind === 'lift' && 'lift', !isFree && 'may be taken'].filter(Boolean).join(', ');
    const name = `${zone ? '  ' : ''}${sanitize(nameOf(spot))}${notes && styles.dim(`  ${notes}`)}`;
    return { name, short: sanitize(describePlace(place)), value: place };
  };
  return [
    ...here.flatMap((zone) => {
      const place: Place = { kind: 'zone', record: zone, within: within.join('') };
      const option = {
        name: `${sanitize(nameOf(zone))} ${styles.dim(`· ${placesLeft(zone)}`)}`,
        short: sanitize(describePlace(place)),
        value: place,
      };
      const offered = zone.available !== 0 && zone.id !== near.exclude;
      return [...(offered ? [option] : []), ...spotsIn(zone.id).map((free) => spotOption(free, zone))];
    }),
    ...spotsIn(null).map((free) => spotOption(free)),
  ];
}

const natural = new Intl.Collator('en', { numeric: true });
const nameOf = ({ id, name }: { readonly id: string; readonly name?: string | null }) => name ?? id;
const byName = (a: Spot | Zone, b: Spot | Zone) => natural.compare(nameOf(a), nameOf(b));
const preferredFirst = (id: string | null | undefined) => (a: { id: string | null }, b: { id: string | null }) =>
  Number(b.id === id) - Number(a.id === id);

function placesLeft(zone: Zone): string {
  if (typeof zone.available === 'number') return `${pluralize(zone.available, 'place', 'places')} free`;
  return zone.available === null && !saysUnknownByNull(zone) ? 'no limit' : 'free places unknown';
}

/** Best effort: it only decides where the cursor starts. */
async function lastSpotId(client: Client, car: RecordFor<'cars'> | undefined): Promise<string | undefined> {
  if (!car) return undefined;
  try {
    const { data } = await client.parkingAssignments.list({ carId: car.id, limit: 1 }, { retries: 0 });
    return data[0]?.parkingSpotId ?? undefined;
  } catch {
    return undefined;
  }
}
