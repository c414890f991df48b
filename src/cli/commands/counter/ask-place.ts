/** The prompt for a free spot or zone. */
import { ApiError, type Client, type RecordFor } from '../../../client/client.ts';
import { byId, idKey, isSameId } from '../../../client/ids.ts';
import { byName } from '../../../facility/natural.ts';
import { occupancyOf } from '../../../facility/occupancy.ts';
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

/** A line of the list: a place to choose, or the heading of a zone. */
type Line =
  | PlaceLine
  | (Heading & { readonly text: string; readonly zone: Zone; readonly of: readonly PlaceLine[] });
type PlaceLine = Option<Place> & { readonly text: string };

/** The free places of a location. */
interface Group {
  readonly location: Location;
  readonly lines: readonly Line[];
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
  const groups = await readGroups(context, client, near);
  const all = groups.flatMap(({ lines }) =>
    lines.flatMap((line) => ('value' in line ? [line.value] : [])),
  );
  if (all.length === 0) throw noneFree(context);
  const isFirst = (id: string | null | undefined) => all.find(({ record }) => record.id === id);
  const taken = once(() => readTaken(context, client));
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
      const found = linesWith(groups, ({ text }) => hasWords(text, term));
      if (term === '') return found;
      const isFound = found.some((item) => 'value' in item);
      const isNamed = (place: { readonly id: string; readonly name?: string | null }) =>
        nameOf(place).toLowerCase() === term.toLowerCase();
      const named = (await taken()).filter((spot) =>
        isFound ? isNamed(spot) : hasWords(spot.text, term),
      );
      const headings = named.slice(0, shownTaken).map(({ heading }) => ({ heading }));
      const exact = linesNamed(groups, isNamed);
      // A name that is typed in full is that place: Enter must not take another one that contains it.
      return exact.length > 0 || named.some(isNamed)
        ? [...headings, ...exact]
        : [...headings, ...found];
    },
  });
}

export const placeHint = 'a spot, or anywhere in a zone';
const shownTaken = 5;

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}

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

/** A heading stays above each place that is found, and alone where a full zone is. */
function linesWith(
  groups: readonly Group[],
  isFound: (line: Line) => boolean,
): (Option<Place> | Heading)[] {
  return groups.flatMap(({ location, lines }) => {
    const found = new Set(lines.filter(isFound));
    const shown = lines.filter(
      (line) => found.has(line) || ('of' in line && line.of.some((place) => found.has(place))),
    );
    return shown.length > 0 ? [{ heading: sanitize(location.name) }, ...shown] : [];
  });
}

/** The places of a name. A zone of that name comes first, then its free spots. */
function linesNamed(
  groups: readonly Group[],
  isNamed: (place: Spot | Zone) => boolean,
): (Option<Place> | Heading)[] {
  const found = groups.map(({ location, lines }) => {
    const named = lines.flatMap((line): readonly Line[] => {
      if ('value' in line) return isNamed(line.value.record) ? [line] : [];
      return isNamed(line.zone) ? [line, ...line.of.toSorted(zoneFirst)] : [line];
    });
    return { location, lines: [...new Set(named)] };
  });
  return linesWith(found, (line) => 'value' in line || isNamed(line.zone));
}

const zoneFirst = (a: PlaceLine, b: PlaceLine) =>
  Number(b.value.kind === 'zone') - Number(a.value.kind === 'zone');

interface PlacePreference {
  readonly locationId: string | null | undefined;
  readonly zoneId: string | null | undefined;
  /** Id of a place that isn't offered. */
  readonly exclude: string | undefined;
}

const zoneOf = (place: Place | undefined) =>
  place?.kind === 'spot' ? place.record.zoneId : place?.record.id;

async function readGroups(
  context: Context,
  client: Client,
  near: PlacePreference,
): Promise<Group[]> {
  const [zones, locations] = await Promise.all([
    gather(client.parkingZones.all()),
    readLocations(client),
  ]);
  const spots = await readFreeSpots(client, zones);
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
    .map((location) => ({ location, lines: linesOf(context, { location, zones, spots, near }) }));
}

/** `isFree`: undefined where nothing tells. */
interface FreeSpot {
  readonly spot: Spot;
  readonly isFree: true | undefined;
}

/** The free spots. Where the spots don't tell, the cars do; a spot that nothing tells about is offered as unknown. */
async function readFreeSpots(client: Client, zones: readonly Zone[]): Promise<FreeSpot[]> {
  const known = byId(zones);
  const located = (spot: Spot): Spot => ({
    ...spot,
    locationId: spot.locationId ?? (known.get(spot.zoneId ?? '')?.locationId as string),
  });
  const free = await gather(client.parkingSpots.all({ available: true })).catch(
    orIfUntold(undefined),
  );
  if (free) return free.map((spot) => ({ spot: located(spot), isFree: true }));
  const [spots, cars] = await Promise.all([
    gather(client.parkingSpots.all()),
    gather(client.cars.all()).catch(orIfUnreadable(undefined)),
  ]);
  const { onSpot } = occupancyOf(cars);
  return spots.filter(isUsable).flatMap((spot): FreeSpot[] => {
    const carId = onSpot(spot);
    const isFree = carId === null || undefined;
    return typeof carId === 'string' ? [] : [{ spot: located(spot), isFree }];
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
function linesOf({ styles }: Context, { location, zones, spots, near }: PlacesOf): Line[] {
  const inZone = preferredFirst(near.zoneId);
  const here = zones
    .filter((zone) => isSameId(locationOf(zone), location.id) && isUsable(zone))
    .sort((a, b) => inZone(a, b) || byName(a, b));
  const known = byId(zones);
  // A spot of a zone that isn't listed stands alone.
  const zoneIdOf = ({ zoneId }: Spot) => (known.has(zoneId) ? zoneId : null);
  const spotsIn = (zoneId: string | null) =>
    spots
      .filter(
        ({ spot }) => isSameId(locationOf(spot), location.id) && isSameId(zoneIdOf(spot), zoneId),
      )
      .sort((a, b) => byName(a.spot, b.spot));
  const isNamed = location.id !== null;
  const within = isNamed ? [location.name] : [];
  const at = isNamed ? { location: location.name } : {};
  const spotLine = ({ spot, isFree }: FreeSpot, zone?: Zone) => {
    const place: Place = {
      kind: 'spot',
      record: spot,
      within: [zone && nameOf(zone), ...within].filter(Boolean).join(' · '),
      ...at,
    };
    const notes = [spot.kind === 'lift' && 'lift', !isFree && 'unknown whether free']
      .filter(Boolean)
      .join(', ');
    const name = `${sanitize(nameOf(spot))}${notes && styles.dim(`  ${notes}`)}`;
    return lineOf(place, name, { notes, inZone: zone !== undefined });
  };
  const zoneLines = (zone: Zone): Line[] => {
    const name = nameOf(zone);
    const place: Place = { kind: 'zone', record: zone, within: within.join(''), ...at };
    const spotsHere = spotsIn(zone.id);
    const unknown = spotsHere.filter(({ isFree }) => !isFree).length;
    const free = spotsHere.map((spot) => spotLine(spot, zone));
    const isOffered = zone.available !== 0 && !isSameId(zone.id, near.exclude);
    const room = styles.dim(`· ${roomIn(zone)}`);
    if (free.length === 0 && isOffered) return [lineOf(place, `${sanitize(name)} ${room}`)];
    const anywhere = isOffered
      ? [lineOf(place, `${sanitize(`anywhere in ${name}`)} ${room}`, { inZone: true })]
      : [];
    const of = [...free, ...anywhere];
    const count =
      free.length > 0
        ? unknown > 0
          ? `${pluralize(unknown, 'spot', 'spots')} unknown`
          : `${pluralize(free.length, 'spot', 'spots')} free`
        : isSameId(zone.id, near.exclude)
          ? 'here now'
          : 'full';
    return [
      { heading: ` ${name} · ${count}`, depth: 1, text: describePlace(place), zone, of },
      ...of,
    ];
  };
  return [...here.flatMap(zoneLines), ...spotsIn(null).map((free) => spotLine(free))];
}

const lineOf = (place: Place, name: string, { notes = '', inZone = false } = {}): PlaceLine => ({
  name: inZone ? `  ${name}` : name,
  depth: inZone ? 2 : 1,
  short: sanitize(describePlace(place)),
  value: place,
  text: `${describePlace(place)} ${notes}`,
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
