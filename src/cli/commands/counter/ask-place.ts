/** The prompt for a free spot or zone. */
import { ApiError, type Client, type RecordFor } from '../../../client/client.ts';
import { byId, idKey, isSameId } from '../../../client/ids.ts';
import { byName } from '../../../facility/natural.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isMissing, isUntold } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { fold } from '../../input/matching.ts';
import type { Heading, Option } from '../../prompts/options.ts';
import { askSearch } from '../../prompts/prompts.ts';
import { findLabels, locationLabels } from '../../resources/find-labels.ts';
import { gather } from '../../resources/methods.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { counterLocation } from './counter-location.ts';
import { describePlace, type Place } from './place.ts';

type Spot = RecordFor<'parkingSpots'>;
type Zone = RecordFor<'parkingZones'>;
type Location = Pick<RecordFor<'locations'>, 'name' | 'isActive'> & { readonly id: string | null };

/** A location, a zone with free spots or none, or a place to choose. */
interface Node {
  readonly item: Option<Place> | Heading;
  /** What a search looks at. */
  readonly text: string;
  /** Of a zone or a spot. */
  readonly record?: Spot | Zone;
  readonly of: readonly Node[];
}

interface PlaceQuestion {
  readonly car: RecordFor<'cars'> | undefined;
  /** Where the car is now: it isn't offered, places near it come first. */
  readonly from?: Place | undefined;
  /** The answer to change. */
  readonly earlier?: Place | undefined;
  /** Where the car stood before, if it is read already. */
  readonly last?: LastPlace | undefined;
}

/** A free spot, or a zone with room. */
export async function askPlace(
  context: Context,
  { car, from, earlier, last: known }: PlaceQuestion,
): Promise<Place> {
  const client = await context.client();
  const last = from ? undefined : (known ?? (await lastPlace(client, car)));
  const near = {
    locationId: from?.record.locationId ?? car?.locationId ?? last?.locationId,
    zoneId: from ? zoneOf(from) : last?.zoneId,
    exclude: from?.record.id,
  };
  const nodes = await readPlaces(context, client, near);
  const all = itemsOf(nodes, () => true).flatMap((item) => ('value' in item ? [item.value] : []));
  if (all.length === 0) throw noneFree(context);
  const isFirst = (id: string | null | undefined) => all.find(({ record }) => record.id === id);
  let taken: Promise<TakenSpot[]> | undefined;
  return askSearch(context, {
    label: 'Place',
    one: 'free spot or zone',
    hint: placeHint,
    // The car's last spot if it is free, otherwise the first spot: zones come second for facilities that have spots.
    first:
      isFirst(earlier?.record.id) ??
      isFirst(last?.spotId) ??
      all.find(({ kind }) => kind === 'spot'),
    find: async (term) => {
      const found = itemsOf(nodes, ({ text }) => hasWords(text, term));
      if (term === '') return found;
      const isFound = found.some((item) => 'value' in item);
      const isNamed = (place: { readonly id: string; readonly name?: string | null }) =>
        nameOf(place).toLowerCase() === term.toLowerCase();
      taken ??= readTaken(context, client);
      const named = (await taken).filter((spot) =>
        isFound ? isNamed(spot) : hasWords(spot.text, term),
      );
      const headings = named.slice(0, shownTaken).map(({ heading }) => ({ heading }));
      const exact = itemsNamed(nodes, isNamed);
      // A name that is typed in full is that place: Enter must not take another one that contains it.
      return [...headings, ...(exact.length > 0 || named.some(isNamed) ? exact : found)];
    },
  });
}

export const placeHint = 'a spot, or anywhere in a zone';
const shownTaken = 5;

interface TakenSpot {
  readonly id: string;
  readonly name: string;
  /** What a search looks at. */
  readonly text: string;
  readonly heading: string;
}

/** Spots with a car, so that a search for one tells why it isn't offered. Empty where the server doesn't tell. */
async function readTaken(context: Context, client: Client): Promise<TakenSpot[]> {
  const spots = await gather(client.parkingSpots.all({ available: false })).catch(
    orIfUnreadable<Spot[]>([]),
  );
  const ids = spots
    .map(({ occupiedByCarId }) => occupiedByCarId)
    .filter((id) => typeof id === 'string');
  const [cars, within] = await Promise.all([
    findLabels(context, new Map([['cars', new Set(ids)]]), { bestEffort: true }),
    locationLabels(context, spots, { bestEffort: true }),
  ]);
  return spots.map((spot) => {
    const text = describePlace({ kind: 'spot', record: spot, within: within(spot) });
    const car = cars.get('cars')?.get(spot.occupiedByCarId ?? '');
    const why = spot.occupiedByCarId ? `is taken by ${car ?? 'another car'}` : "isn't in use";
    return { id: spot.id, name: nameOf(spot), text, heading: `${text} ${why}` };
  });
}

/** Fails before prompting if no spot is free and no zone has room. */
export async function requireFreePlace(context: Context): Promise<void> {
  const { parkingSpots, parkingZones } = await context.client();
  const exists = async (query: { readonly available?: true; readonly isActive?: true }) => {
    const lists = [parkingSpots, parkingZones].map((kind) =>
      kind.list({ ...query, limit: 1 }).then(({ data }) => data.length > 0, orIfUntold(true)),
    );
    return (await Promise.all(lists)).some(Boolean);
  };
  if (await exists({ available: true })) return;
  if (await exists({ isActive: true })) throw noneFree(context);
  const create = ['parking', 'spots', 'create', '--location', 'LOCATION', '--name', 'A1'];
  throw new CliError({
    code: 'not_found',
    message: 'No parking spots or zones exist yet. Nothing was stored.',
    hint: `create one: \`${nextCommand(create, connectionFlags(context))}\``,
  });
}

const noneFree = (context: Context): CliError =>
  new CliError({
    code: 'parking_zone_full',
    message: 'No free spots and no zones with room. Nothing was stored.',
    hint: `all parked cars: \`${nextCommand(['parking', 'assignments', 'list', '--active'], connectionFlags(context))}\``,
  });

const hasWords = (text: string, term: string): boolean => {
  const known = text.toLowerCase();
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.includes(word));
};

/** What is found, below the headings of where it is. A full zone has its heading alone. */
const itemsOf = (nodes: readonly Node[], isFound: (node: Node) => boolean): Node['item'][] =>
  nodes.flatMap((node) => {
    const of = itemsOf(node.of, isFound);
    return of.length > 0 || isFound(node) ? [node.item, ...of] : [];
  });

/** The places of a name. A zone of that name comes first, then its free spots. */
const itemsNamed = (
  nodes: readonly Node[],
  isNamed: (place: Spot | Zone) => boolean,
): Node['item'][] =>
  nodes.flatMap(({ item, record, of: places }) => {
    const isThis = record !== undefined && isNamed(record);
    const of = isThis
      ? places.toSorted(zoneFirst).map((place) => place.item)
      : itemsNamed(places, isNamed);
    return isThis || of.length > 0 ? [item, ...of] : [];
  });

const zoneFirst = (a: Node, b: Node) => Number(isZone(b)) - Number(isZone(a));
const isZone = ({ item }: Node) => 'value' in item && item.value.kind === 'zone';

interface PlacePreference {
  readonly locationId: string | null | undefined;
  readonly zoneId: string | null | undefined;
  /** Id of a place that isn't offered. */
  readonly exclude: string | undefined;
}

const zoneOf = (place: Place | undefined) =>
  place?.kind === 'spot' ? place.record.zoneId : place?.record.id;

/** The free places, by location and zone. */
async function readPlaces(
  context: Context,
  client: Client,
  near: PlacePreference,
): Promise<Node[]> {
  const [zones, locations] = await Promise.all([
    gather(client.parkingZones.all()),
    readLocations(client),
  ]);
  const spots = await readSpots(client, zones);
  const known = byId(
    locations.filter((location): location is Location & { id: string } => location.id !== null),
  );
  const ids = new Set(
    [...zones, ...spots.map(({ spot }) => spot)]
      .map(locationOf)
      .map((id) => (id === null ? null : idKey(id))),
  );
  const all = Array.from(
    ids,
    (id) =>
      known.get(id) ?? {
        id,
        name: id === null ? 'Location unknown' : `location ${id}`,
        isActive: true,
      },
  );
  const usable = all.filter(isUsable).sort(byName);
  const counter = await counterLocation(
    context,
    usable.flatMap(({ id, name }) => (id === null ? [] : [name])),
  );
  const counterId = usable.find(({ name }) => fold(name) === fold(counter))?.id;
  return usable
    .sort((a, b) => preferredFirst(counterId)(a, b) || preferredFirst(near.locationId)(a, b))
    .map((location) => ({
      item: { heading: sanitize(location.name) },
      text: '',
      of: placesAt(context, { location, zones, spots, near }),
    }))
    .filter(({ of }) => of.length > 0);
}

interface FreeSpot {
  readonly spot: Spot;
  /** False where the server doesn't tell. */
  readonly isFree: boolean;
}

/** The free spots; where the server doesn't tell them, all of them as unknown. */
async function readSpots(client: Client, zones: readonly Zone[]): Promise<FreeSpot[]> {
  const known = byId(zones);
  const free = await gather(client.parkingSpots.all({ available: true })).catch(
    orIfUntold(undefined),
  );
  const spots = free ?? (await gather(client.parkingSpots.all())).filter(isUsable);
  return spots.map((spot) => {
    const locationId = spot.locationId ?? (known.get(spot.zoneId ?? '')?.locationId as string);
    return { spot: { ...spot, locationId }, isFree: free !== undefined };
  });
}

const orIfUntold =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (isUntold(error)) return otherwise;
    throw error;
  };

const orIfUnreadable =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (
      !isUntold(error) &&
      !isMissing(error) &&
      !(error instanceof ApiError && error.status === 403)
    )
      throw error;
    return otherwise;
  };

/** Another server may not tell. */
const isUsable = ({ isActive }: { readonly isActive?: boolean | null }) => isActive !== false;
const locationOf = ({ locationId }: { readonly locationId?: string | null }) => locationId ?? null;

/** Empty without the scope, and on a server without the list: headings then show ids. */
const readLocations = async (client: Client): Promise<Location[]> =>
  (await gather(client.locations.all()).catch(orIfUnreadable(undefined))) ?? [];

interface PlacesOf {
  readonly location: Location;
  readonly zones: readonly Zone[];
  readonly spots: readonly FreeSpot[];
  readonly near: PlacePreference;
}

/** Each zone with its free spots below it, then the spots without a zone. */
function placesAt({ styles }: Context, { location, zones, spots, near }: PlacesOf): Node[] {
  const known = byId(zones);
  const spotsIn = (zoneId: string | null) =>
    spots
      .filter(
        // A spot of a zone that isn't listed stands alone.
        ({ spot }) =>
          isSameId(locationOf(spot), location.id) &&
          isSameId(known.has(spot.zoneId) ? spot.zoneId : null, zoneId),
      )
      .sort((a, b) => byName(a.spot, b.spot));
  const isNamed = location.id !== null;
  const within = isNamed ? [location.name] : [];
  const at = isNamed ? { location: location.name } : {};
  const spotNode = ({ spot, isFree }: FreeSpot, zone?: Zone): Node => {
    const parts = [zone && nameOf(zone), ...within].filter(Boolean);
    const place: Place = { kind: 'spot', record: spot, within: parts.join(' · '), ...at };
    const notes = [spot.kind === 'lift' && 'lift', !isFree && 'unknown whether free']
      .filter(Boolean)
      .join(', ');
    const name = `${sanitize(nameOf(spot))}${notes && styles.dim(`  ${notes}`)}`;
    return nodeOf(place, name, { notes, inZone: zone !== undefined });
  };
  const zoneNode = (zone: Zone): Node => {
    const name = nameOf(zone);
    const place: Place = { kind: 'zone', record: zone, within: within.join(''), ...at };
    const free = spotsIn(zone.id);
    const isHere = isSameId(zone.id, near.exclude);
    const isOffered = zone.available !== 0 && !isHere;
    const room = styles.dim(`· ${roomIn(zone)}`);
    if (free.length === 0 && isOffered) return nodeOf(place, `${sanitize(name)} ${room}`);
    const anywhere = `${sanitize(`anywhere in ${name}`)} ${room}`;
    const isKnown = free.every(({ isFree }) => isFree);
    const count =
      free.length > 0
        ? `${pluralize(free.length, 'spot', 'spots')} ${isKnown ? 'free' : 'unknown'}`
        : isHere
          ? 'here now'
          : 'full';
    return {
      item: { heading: ` ${name} · ${count}`, depth: 1 },
      text: describePlace(place),
      record: zone,
      of: [
        ...free.map((spot) => spotNode(spot, zone)),
        ...(isOffered ? [nodeOf(place, anywhere, { inZone: true })] : []),
      ],
    };
  };
  const inZone = preferredFirst(near.zoneId);
  return [
    ...zones
      .filter((zone) => isSameId(locationOf(zone), location.id) && isUsable(zone))
      .sort((a, b) => inZone(a, b) || byName(a, b))
      .map(zoneNode),
    ...spotsIn(null).map((spot) => spotNode(spot)),
  ];
}

const nodeOf = (place: Place, name: string, { notes = '', inZone = false } = {}): Node => ({
  item: {
    name: inZone ? `  ${name}` : name,
    depth: inZone ? 2 : 1,
    short: sanitize(describePlace(place)),
    value: place,
  },
  text: `${describePlace(place)} ${notes}`,
  record: place.record,
  of: [],
});

const nameOf = ({ id, name }: { readonly id: string; readonly name?: string | null }) => name ?? id;
/** None is preferred where no id is given. */
const preferredFirst =
  (id: string | null | undefined) => (a: { id: string | null }, b: { id: string | null }) =>
    id ? Number(isSameId(b.id, id)) - Number(isSameId(a.id, id)) : 0;

/** Room for cars without a spot. */
function roomIn(zone: Zone): string {
  if (typeof zone.available === 'number')
    return `room for ${pluralize(zone.available, 'car', 'cars')}`;
  return zone.available === null ? 'no limit' : 'room unknown';
}

export interface LastPlace {
  readonly spotId?: string | null | undefined;
  readonly zoneId?: string | null | undefined;
  readonly locationId?: string | null | undefined;
  /** ISO 8601. */
  readonly since?: string | null | undefined;
  /** `A3 · Hall A`: undefined where it isn't read. */
  readonly name?: string | null | undefined;
}

/** Where the car stood before. Best effort: it only decides what comes first. */
export async function lastPlace(
  client: Client,
  car: RecordFor<'cars'> | undefined,
): Promise<LastPlace | undefined> {
  if (!car) return undefined;
  try {
    const { data } = await client.parkingAssignments.list(
      { carId: car.id, limit: 1 },
      { retries: 0 },
    );
    const [last] = data;
    if (!last) return undefined;
    const since = last.startedAt;
    if (!last.parkingSpotId) {
      const zone =
        last.parkingZoneId && (await client.parkingZones.get(last.parkingZoneId, { retries: 0 }));
      return { zoneId: last.parkingZoneId, since, ...(zone && { name: zone.name }) };
    }
    const { id, name, zoneId, locationId } = await client.parkingSpots.get(last.parkingSpotId, {
      retries: 0,
    });
    return { spotId: id, zoneId, locationId, since, name };
  } catch {
    return undefined;
  }
}
