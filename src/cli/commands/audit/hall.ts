/** The spots of a stock-taking with the cars that are recorded there, and how what was found differs. */
import { byId, isSameId } from '../../../client/ids.ts';
import { type BoardSpot, makeBoard } from '../../../facility/board.ts';
import { type Car, titleOf } from '../../../facility/car-names.ts';
import { type Place, placesOf } from '../../../facility/places.ts';
import type { Context } from '../../context.ts';
import { isSameReading } from '../../input/matching.ts';
import { labelRuleOf } from '../../resources/labels.ts';
import type { Noted } from '../../state/audits.ts';
import { type AreaFlags, resolveArea } from '../live/area.ts';
import { placedCars, readPlaces } from '../live/read.ts';
import type { Finding } from './shape.ts';

export interface Hall {
  /** The zone or location. */
  readonly scope: string;
  readonly spots: readonly (BoardSpot & { readonly title: string })[];
  readonly cars: ReadonlyMap<string, Car>;
  /** The ids of the cars in a zone without a spot. */
  readonly withoutSpot: readonly string[];
  placeOf(carId: string | null): Place | undefined;
}

/** Read anew each time: another counter may move cars meanwhile. */
export async function readHall(context: Context, where: AreaFlags): Promise<Hall> {
  const { zoneId, locationId } = await resolveArea(context, where);
  const client = await context.client();
  const [places, cars] = await Promise.all([
    readPlaces(client),
    placedCars(client, 'nothing can be compared').then(byId),
  ]);
  const nameOf = placesOf(places);
  const zones = makeBoard({ ...places, cars }).filter(
    ({ id }) => zoneId === undefined || isSameId(id, zoneId),
  );
  const shown = zones
    .flatMap((one) => one.spots)
    .filter((spot) => spot.state !== 'inactive')
    .filter((spot) => locationId === undefined || isSameId(spot.locationId, locationId));
  const titleOfSpot = (id: string) =>
    nameOf({ parkingSpotId: id, parkingZoneId: null })?.name ?? id;
  return {
    scope: zoneId ?? locationId ?? '',
    spots: shown.map((spot) => ({ ...spot, title: titleOfSpot(spot.id) })),
    cars,
    withoutSpot: zones
      .filter(({ location }) => locationId === undefined || isSameId(location.id, locationId))
      .flatMap(({ carsWithoutSpot }) => carsWithoutSpot.map(({ id }) => id)),
    placeOf(carId) {
      const car = cars.get(carId ?? '');
      return car && nameOf(car);
    },
  };
}

/** A label holds an id, or the address of a page that ends with one. */
const idIn = (text: string): string =>
  text.trim().split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? '';

/** The spot whose label holds this text. */
export const spotLabelled = ({ spots }: Hall, text: string): Hall['spots'][number] | undefined =>
  spots.find(({ id }) => isSameId(id, idIn(text)));

/** The cars that a plate, VIN, nickname or id means, or the text of a label. */
export function carsCalled({ cars }: Hall, text: string): Car[] {
  const byId = cars.get(idIn(text));
  if (byId) return [byId];
  const names = (car: Car) => labelRuleOf('cars')?.names(car) ?? [];
  const named = [...cars.values()].filter((car) =>
    names(car).some((name) => typeof name === 'string' && isSameReading(name, text)),
  );
  const here = named.filter(({ status }) => status !== 'archived');
  return here.length > 0 ? here : named;
}

export const carOn = ({ occupiedByCarId }: BoardSpot): string | null => occupiedByCarId ?? null;

/** What is noted of a spot now. */
export const noteOf = (
  hall: Hall,
  spot: BoardSpot,
  found: string | null,
  plate?: string,
): Noted => ({
  found,
  plate,
  expected: carOn(spot),
  from: hall.placeOf(found)?.record.id ?? null,
});

/** Those without a note, and those of which another counter changed what was recorded since: nothing tells which came first. */
export const outdatedSpots = (hall: Hall, notes: ReadonlyMap<string, Noted>): Hall['spots'] =>
  hall.spots.filter((spot) => {
    const noted = notes.get(spot.id);
    if (!noted) return true;
    const isAsRecorded = noted.found === carOn(spot) && noted.plate === undefined;
    const now = noteOf(hall, spot, noted.found);
    return !isAsRecorded && (noted.expected !== now.expected || noted.from !== now.from);
  });

/** The differences, in the order of the spots. */
export function findingsOf(hall: Hall, notes: ReadonlyMap<string, Noted>): Finding[] {
  const found = new Set([...notes.values()].map((noted) => noted.found));
  const none = { found: null, foundId: null, recorded: null, recordedId: null, moved: false };
  const titled = (carId: string | null) => {
    const car = hall.cars.get(carId ?? '');
    return { car: car ? titleOf(car) : carId, carId };
  };
  return hall.spots.flatMap((spot): Finding[] => {
    const noted = notes.get(spot.id);
    const expected = carOn(spot);
    const here = { recorded: spot.title, recordedId: spot.id };
    if (!noted) return [{ finding: 'unchecked', ...titled(expected), ...none, ...here }];
    if (noted.found === expected && noted.plate === undefined) return [];
    const place = hall.placeOf(noted.found);
    const missing: Finding = { finding: 'missing', ...titled(expected), ...none, ...here };
    const other: Finding = {
      finding: place ? 'elsewhere' : 'unexpected',
      ...(noted.plate === undefined ? titled(noted.found) : { car: noted.plate, carId: null }),
      ...none,
      found: spot.title,
      foundId: spot.id,
      recorded: place?.name ?? null,
      recordedId: place?.record.id ?? null,
    };
    return [
      ...(expected !== null && !found.has(expected) ? [missing] : []),
      ...(noted.found !== null || noted.plate !== undefined ? [other] : []),
    ];
  });
}
