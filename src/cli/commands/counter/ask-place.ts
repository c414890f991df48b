/** The prompt for a free spot or zone. */
import { ApiError, type Client, type RecordFor } from '../../../client/client.ts';
import { gather } from '../../crud/methods.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { askSearch, type Heading, type Option } from '../../prompts/prompts.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { describePlace, type Place } from './place.ts';

type Spot = RecordFor<'parkingSpots'>;
type Zone = RecordFor<'parkingZones'>;
type Location = Pick<RecordFor<'locations'>, 'id' | 'name' | 'isActive'>;

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
  const places = [client.parkingSpots, client.parkingZones].map((kind) => kind.list({ isActive: true, limit: 1 }));
  if ((await Promise.all(places)).some(({ data }) => data.length > 0)) return;
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
  const [zones, spots, locations] = await Promise.all([
    gather(client.parkingZones.all()),
    gather(client.parkingSpots.all({ available: true })),
    readLocations(client),
  ]);
  const known = new Map(locations.map((location) => [location.id, location]));
  const ids = new Set([...zones, ...spots].map(({ locationId }) => locationId));
  const all = Array.from(ids, (id) => known.get(id) ?? { id, name: `location ${id}`, isActive: true });
  return all
    .filter(({ isActive }) => isActive)
    .sort((a, b) => preferredFirst(near.locationId)(a, b) || natural.compare(a.name, b.name))
    .map((location) => ({ location, options: optionsOf(context, { location, zones, spots, near }) }));
}

/** Empty without the scope: headings then show ids. */
async function readLocations(client: Client): Promise<Location[]> {
  try {
    return await gather(client.locations.all());
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}

interface PlacesOf {
  readonly location: Location;
  readonly zones: readonly Zone[];
  readonly spots: readonly Spot[];
  readonly near: PlacePreference;
}

function optionsOf({ styles }: Context, { location, zones, spots, near }: PlacesOf): Option<Place>[] {
  const inZone = preferredFirst(near.zoneId);
  const here = zones
    .filter(({ locationId, isActive }) => locationId === location.id && isActive)
    .sort((a, b) => inZone(a, b) || byName(a, b));
  const closed = new Set(zones.filter(({ isActive }) => !isActive).map(({ id }) => id));
  const spotsIn = (zoneId: string | null) =>
    spots.filter((spot) => spot.locationId === location.id && spot.zoneId === zoneId && !closed.has(spot.zoneId ?? '')).sort(byName);
  const spotOption = (spot: Spot, zone?: Zone): Option<Place> => {
    const place: Place = { kind: 'spot', record: spot, within: [zone?.name, location.name].filter(Boolean).join(' · ') };
    const lift = spot.kind === 'lift' ? styles.dim('  lift') : '';
    return { name: `${zone ? '  ' : ''}${sanitize(spot.name)}${lift}`, short: sanitize(describePlace(place)), value: place };
  };
  return [
    ...here.flatMap((zone) => {
      const place: Place = { kind: 'zone', record: zone, within: location.name };
      const free = zone.available === null ? 'no limit' : `${pluralize(zone.available, 'place', 'places')} free`;
      const option = { name: `${sanitize(zone.name)} ${styles.dim(`· ${free}`)}`, short: sanitize(describePlace(place)), value: place };
      const offered = zone.available !== 0 && zone.id !== near.exclude;
      return [...(offered ? [option] : []), ...spotsIn(zone.id).map((spot) => spotOption(spot, zone))];
    }),
    ...spotsIn(null).map((spot) => spotOption(spot)),
  ];
}

const natural = new Intl.Collator('en', { numeric: true });
const byName = (a: { name: string }, b: { name: string }) => natural.compare(a.name, b.name);
const preferredFirst = (id: string | null | undefined) => (a: { id: string }, b: { id: string }) =>
  Number(b.id === id) - Number(a.id === id);

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
