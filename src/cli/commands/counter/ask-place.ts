/** The prompt for a free spot or zone. */
import { ApiError, type Client, type RecordFor } from '../../../client/client.ts';
import { IdMap, isSameId } from '../../../client/ids.ts';
import { byName } from '../../../facility/natural.ts';
import { readConfig } from '../../config/config.ts';
import { changeSettings, findProfile } from '../../config/connection.ts';
import type { Context } from '../../context.ts';
import { isFieldMissing, isMissing } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { fold, holdsSearch } from '../../input/matching.ts';
import type { Heading, Option } from '../../prompts/options.ts';
import { askOption, askSearch } from '../../prompts/prompts.ts';
import { findLabels, locationLabels } from '../../resources/find-labels.ts';
import { gather } from '../../resources/methods.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { describePlace, type Place } from './place.ts';
import { refusal } from './refusal.ts';

type Spot = RecordFor<'parkingSpots'>;
type Zone = RecordFor<'parkingZones'>;

/** A place to choose, or a zone without room, below the headings of where it is. */
interface Row {
  readonly headings: readonly Heading[];
  readonly option?: Option<Place>;
  /** Its name, and that of its zone. */
  readonly names: readonly string[];
  /** What a search looks at. */
  readonly text: string;
}

interface PlaceQuestion {
  readonly car: RecordFor<'cars'> | undefined;
  /** Where the car is now: it isn't offered, places near it come first. */
  readonly from?: Place | undefined;
  /** The answer to change. */
  readonly earlier?: Place | undefined;
  /** Where the car stood before, if it is read already. */
  readonly last?: LastPlace | undefined;
  /** Nothing is kept, so where this counter is isn't asked. */
  readonly dryRun?: boolean | undefined;
}

export const placeHint = 'a spot, or anywhere in a zone';
const shownTaken = 5;

/** A free spot, or a zone with room. */
export async function askPlace(
  context: Context,
  { car, from, earlier, last: known, dryRun }: PlaceQuestion,
): Promise<Place> {
  const client = await context.client();
  const last = from ? undefined : (known ?? (await lastPlace(client, car)));
  const rows = await readRows(context, client, {
    locationId: from?.record.locationId ?? car?.locationId ?? last?.locationId,
    zoneId: from?.kind === 'zone' ? from.record.id : (from?.record.zoneId ?? last?.zoneId),
    here: from?.record.id,
    dryRun,
  });
  const places = rows.flatMap(({ option }) => (option ? [option.value] : []));
  if (places.length === 0) throw noneFree(context);
  const placeOf = (id: string | null | undefined) => places.find(({ record }) => record.id === id);
  let reading: ReturnType<typeof readTaken> | undefined;
  return askSearch(context, {
    label: 'Place',
    one: 'free spot or zone',
    hint: placeHint,
    // The car's last spot if it is free, otherwise the first spot: zones come second for facilities that have spots.
    first:
      placeOf(earlier?.record.id) ??
      placeOf(last?.spotId) ??
      places.find(({ kind }) => kind === 'spot') ??
      (places[0] as Place),
    async find(term) {
      if (term === '') return itemsOf(rows);
      reading ??= readTaken(context, client);
      const isNamed = (name: string) => fold(name) === fold(term);
      const exact = rows.filter(({ names }) => names.some(isNamed));
      const found = rows.filter(({ text }) => holdsSearch([text], term));
      const taken = (await reading).filter(({ name, text }) =>
        found.some(({ option }) => option) ? isNamed(name) : holdsSearch([text], term),
      );
      const headings = taken.slice(0, shownTaken).map(({ heading }) => ({ heading }));
      // A name that is typed in full is that place: Enter must not take another one that contains it.
      const isOne = exact.length > 0 || taken.some(({ name }) => isNamed(name));
      return [...headings, ...itemsOf(isOne ? zoneFirst(exact, isNamed) : found)];
    },
  });
}

/** Each heading once, above what belongs to it. */
const itemsOf = (rows: readonly Row[]): (Option<Place> | Heading)[] =>
  rows.flatMap(({ headings, option }, at) => [
    ...headings.filter((heading) => !rows[at - 1]?.headings.includes(heading)),
    ...(option ? [option] : []),
  ]);

/** A zone of that name comes first, then its free spots. */
const zoneFirst = (rows: readonly Row[], isNamed: (name: string) => boolean): Row[] =>
  [...Map.groupBy(rows, ({ headings }) => headings.at(-1)).values()].flatMap((group) =>
    group.toSorted((a, b) => Number(isNamed(b.names[0] ?? '')) - Number(isNamed(a.names[0] ?? ''))),
  );

/** Spots with a car, so that a search for one tells why it isn't offered. Empty where the server doesn't tell. */
async function readTaken(context: Context, client: Client) {
  const spots = await gather(client.parkingSpots.all({ available: false })).catch(
    orIfUnreadable([]),
  );
  const ids = spots.flatMap(({ occupiedByCarId }) => occupiedByCarId ?? []);
  const [cars, within] = await Promise.all([
    findLabels(context, new Map([['cars', new Set(ids)]]), { bestEffort: true }),
    locationLabels(context, spots, { bestEffort: true }),
  ]);
  return spots.map((record) => {
    const text = describePlace({ kind: 'spot', record, within: within(record) });
    const car = cars.get('cars')?.get(record.occupiedByCarId ?? '') ?? 'another car';
    const why = record.occupiedByCarId ? `is taken by ${car}` : "isn't in use";
    return { name: nameOf(record), text, heading: `${text} ${why}` };
  });
}

/** Fails before prompting if no spot is free and no zone has room. */
export async function requireFreePlace(context: Context): Promise<void> {
  const { parkingSpots, parkingZones } = await context.client();
  const exists = async (query: { readonly available?: true; readonly isActive?: true }) => {
    const lists = [parkingSpots, parkingZones].map((kind) =>
      kind.list({ ...query, limit: 1 }).then(({ data }) => data.length > 0, orIfFieldMissing(true)),
    );
    return (await Promise.all(lists)).some(Boolean);
  };
  if (await exists({ available: true })) return;
  if (await exists({ isActive: true })) throw noneFree(context);
  const create = ['parking', 'spots', 'create', '--location', 'LOCATION', '--name', 'A1'];
  throw refusal(
    'not_found',
    'No parking spots or zones exist yet.',
    `create one: \`${nextCommand(create, connectionFlags(context))}\``,
  );
}

const noneFree = (context: Context) =>
  refusal(
    'parking_zone_full',
    'No free spots and no zones with room.',
    `all parked cars: \`${nextCommand(['parking', 'assignments', 'list', '--active'], connectionFlags(context))}\``,
  );

interface Near {
  readonly locationId: string | null | undefined;
  readonly zoneId: string | null | undefined;
  /** Id of the place where the car is now. */
  readonly here: string | undefined;
  readonly dryRun: boolean | undefined;
}

/** The free places by location and zone: those of this counter first, then those near the car, each in natural order. */
async function readRows(context: Context, client: Client, near: Near): Promise<Row[]> {
  const [zones, named] = await Promise.all([
    gather(client.parkingZones.all()).then((all) => all.filter(isUsable).sort(byName)),
    // Headings then show ids.
    gather(client.locations.all()).catch(orIfUnreadable([])),
  ]);
  // Where the server doesn't tell which are free, all are offered as unknown.
  const free = await gather(client.parkingSpots.all({ available: true })).catch(
    orIfFieldMissing(undefined),
  );
  const spots = free ?? (await gather(client.parkingSpots.all()));
  const known = new IdMap(named.map((location) => [location.id, location]));
  const zoneById = new IdMap(zones.map((zone) => [zone.id, zone]));
  const usable = spots
    .filter(isUsable)
    // A spot without a location is where its zone is.
    .map((spot) => ({
      ...spot,
      locationId: spot.locationId ?? zoneById.get(spot.zoneId)?.locationId,
    }))
    .sort(byName) as Spot[];
  const ids = new Set([...zones, ...usable].map(({ locationId }) => locationId?.toLowerCase()));
  const locations = [...ids]
    .map(
      (id) =>
        known.get(id) ?? { id, isActive: true, name: id ? `location ${id}` : 'Location unknown' },
    )
    .filter(isUsable)
    .sort(byName);
  const counter = await counterLocation(
    context,
    locations.flatMap(({ id, name }) => (id ? [name] : [])),
    near.dryRun,
  );
  const own = locations.find(({ name }) => fold(name) === fold(counter))?.id;
  return locations.sort(nearest(own, near.locationId)).flatMap(({ id, name }) => {
    const heading = { heading: sanitize(name) };
    const at = (place: Spot | Zone) => isSameId(place.locationId ?? undefined, id);
    const location = id ? name : undefined;
    const zonesHere = zones.filter(at).sort(nearest(near.zoneId));
    const spotsHere = usable.filter(at);
    const isIn = (zone: Zone) => (spot: Spot) => isSameId(spot.zoneId, zone.id);
    const row = (place: Place, more: Partial<Row> & { readonly label?: string }) => {
      const { label = sanitize(nameOf(place.record)), headings = [heading], ...own } = more;
      const depth = headings.length;
      const short = sanitize(describePlace(place));
      const option = { name: `${'  '.repeat(depth - 1)}${label}`, depth, short, value: place };
      return {
        option,
        headings,
        names: [nameOf(place.record)],
        text: describePlace(place),
        ...own,
      };
    };
    const spotRow = (spot: Spot, zone?: Zone, headings?: readonly Heading[]): Row => {
      const within = [zone && nameOf(zone), location].filter(Boolean).join(' · ');
      const notes = [spot.kind === 'lift' && 'lift', !free && 'unknown whether free'].filter(
        Boolean,
      );
      const more = notes.length > 0 ? context.styles.dim(`  ${notes.join(', ')}`) : '';
      const place: Place = { kind: 'spot', record: spot, within, ...(location && { location }) };
      return row(place, {
        label: `${sanitize(nameOf(spot))}${more}`,
        names: [nameOf(spot), ...(zone ? [nameOf(zone)] : [])],
        text: `${describePlace(place)} ${notes.join(' ')}`,
        ...(headings && { headings }),
      });
    };
    const zoneRows = (zone: Zone): Row[] => {
      const within = location ?? '';
      const place: Place = { kind: 'zone', record: zone, within, ...(location && { location }) };
      const own = spotsHere.filter(isIn(zone));
      const isHere = isSameId(zone.id, near.here);
      const isOffered = zone.available !== 0 && !isHere;
      const room = context.styles.dim(`· ${roomIn(zone)}`);
      const [name, anywhere] = [nameOf(zone), `anywhere in ${nameOf(zone)}`].map(sanitize);
      if (own.length === 0 && isOffered) return [row(place, { label: `${name} ${room}` })];
      const count = pluralize(own.length, 'spot', 'spots');
      const state = isHere ? 'here now' : 'full';
      const words = own.length > 0 ? `${count} ${free ? 'free' : 'unknown'}` : state;
      const headings = [heading, { heading: ` ${nameOf(zone)} · ${words}`, depth: 1 }];
      const whole = row(place, { label: `${anywhere} ${room}`, headings });
      const { option: _, ...closed } = whole;
      if (own.length === 0) return [closed];
      return [...own.map((spot) => spotRow(spot, zone, headings)), ...(isOffered ? [whole] : [])];
    };
    return [
      ...zonesHere.flatMap(zoneRows),
      // A spot of a zone that isn't listed stands alone.
      ...spotsHere
        .filter((spot) => !zonesHere.some((zone) => isIn(zone)(spot)))
        .map((spot) => spotRow(spot)),
    ];
  });
}

/** None is preferred where no id is given. */
const nearest =
  (...ids: readonly (string | null | undefined)[]) =>
  (a: { readonly id?: string | undefined }, b: { readonly id?: string | undefined }): number => {
    const rank = ({ id }: { readonly id?: string | undefined }) => {
      const at = ids.findIndex((one) => one && isSameId(one, id));
      return at < 0 ? ids.length : at;
    };
    return rank(a) - rank(b);
  };

const orIfFieldMissing =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (isFieldMissing(error)) return otherwise;
    throw error;
  };

const orIfUnreadable =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    const isForbidden = error instanceof ApiError && error.status === 403;
    if (isFieldMissing(error) || isMissing(error) || isForbidden) return otherwise;
    throw error;
  };

/** Another server may not tell. */
const isUsable = ({ isActive }: { readonly isActive?: boolean | null }) => isActive !== false;

const nameOf = ({ id, name }: { readonly id: string; readonly name?: string | null }) => name ?? id;

/** Room for cars without a spot. */
function roomIn({ available }: Zone): string {
  if (typeof available === 'number') return `room for ${pluralize(available, 'car', 'cars')}`;
  return available === null ? 'no limit' : 'room unknown';
}

export interface LastPlace {
  readonly spotId?: string | null | undefined;
  readonly zoneId?: string | null | undefined;
  readonly locationId?: string | null | undefined;
  /** ISO 8601. */
  readonly since?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/** Where the car stood before. Best effort: it only decides what comes first. */
export async function lastPlace(
  client: Client,
  car: RecordFor<'cars'> | undefined,
): Promise<LastPlace | undefined> {
  if (!car) return undefined;
  const once = { retries: 0 };
  try {
    const { data } = await client.parkingAssignments.list({ carId: car.id, limit: 1 }, once);
    const { parkingSpotId, parkingZoneId, startedAt: since } = data[0] ?? {};
    if (parkingSpotId) {
      const { id: spotId, ...spot } = await client.parkingSpots.get(parkingSpotId, once);
      return { spotId, since, name: spot.name, zoneId: spot.zoneId, locationId: spot.locationId };
    }
    if (!parkingZoneId) return undefined;
    const { id: zoneId, name, locationId } = await client.parkingZones.get(parkingZoneId, once);
    return { zoneId, since, name, locationId };
  } catch {
    return undefined;
  }
}

/** Kept like a name: no location is called so, and nothing asks again. */
const noFixed = 'none';

/** Its name; empty without one. */
async function counterLocation(
  context: Context,
  names: readonly string[],
  isDryRun = false,
): Promise<string> {
  const { io, settings } = context;
  const known = settings.find('location')?.value;
  if (known !== undefined || names.length < 2) return known ?? '';
  const profile = settings.connection().profile.value;
  if (profile === undefined || settings.yes || isDryRun) return '';
  // An earlier question of this run.
  const kept = findProfile(readConfig(io), profile)?.settings?.location;
  if (kept !== undefined) return kept;
  const chosen = await askOption(context, {
    label: 'Where is this counter? Its free places come first:',
    options: [
      ...names.map((name) => ({ name: sanitize(name), value: name })),
      { name: 'In no fixed place', value: noFixed },
    ],
  });
  await changeSettings(io, profile, (before) => ({ ...before, location: chosen }));
  return chosen;
}
