/** Free spots and zones with room, nearest first. */
import type { BoardSpot, BoardZone } from '../facility/board.ts';
import type { Placed } from './work.ts';

export interface PlaceGroup {
  /** `Hall A · Harbour`. */
  readonly title: string;
  readonly places: readonly Placed[];
}

interface Near {
  readonly locationId?: string | null | undefined;
  readonly zoneId?: string | null | undefined;
  readonly spotId?: string | null | undefined;
}

/** Nearest to a place: those of its zone by their distance, then those of its location. */
export function freePlaces(zones: readonly BoardZone[], near: Near): PlaceGroup[] {
  const rank = (zone: BoardZone) =>
    near.zoneId && zone.id === near.zoneId ? 0 : zone.location.id === near.locationId ? 1 : 2;
  return zones
    .filter(({ isActive }) => isActive !== false)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((zone) => ({ title: zoneTitle(zone), places: placesIn(zone, near) }))
    .filter(({ places }) => places.length > 0);
}

const zoneTitle = ({ name, location }: BoardZone) =>
  [name ?? 'Without a zone', location.name].filter(Boolean).join(' · ');

function placesIn(zone: BoardZone, { zoneId, spotId }: Near): Placed[] {
  const { id, name, spots, capacity, occupied } = zone;
  const at = spots.findIndex((spot) => spot.id === spotId);
  const distance = (spot: BoardSpot) => (at < 0 ? 0 : Math.abs(spots.indexOf(spot) - at));
  const free = spots
    .filter(({ state }) => state === 'free')
    .toSorted((a, b) => distance(a) - distance(b))
    .map((spot): Placed => ({ id: spot.id, kind: 'spot', name: spot.name ?? spot.id }));
  const hasRoom = id !== null && (typeof capacity !== 'number' || (occupied ?? 0) < capacity);
  // A car without a spot is anywhere in its zone already.
  const isHere = id === zoneId && !spotId;
  return hasRoom && !isHere
    ? [...free, { id, kind: 'zone', name: `anywhere in ${name ?? id}` }]
    : free;
}

export interface BoardPlace extends Placed {
  readonly spot?: BoardSpot;
  readonly zone: BoardZone;
}

/** `A1, Hall A · Harbour`: another hall may have an A1 too. */
export const fullName = ({ kind, name, zone }: BoardPlace): string =>
  kind === 'spot' ? `${name}, ${zoneTitle(zone)}` : zoneTitle(zone);

/** Of any place of the board, also one that is taken. */
export function placeOn(
  zones: readonly BoardZone[],
  id: string | undefined,
): BoardPlace | undefined {
  for (const zone of zones) {
    if (zone.id !== null && zone.id === id)
      return { id, kind: 'zone', name: zone.name ?? id, zone };
    const spot = zone.spots.find((one) => one.id === id);
    if (spot) return { id: spot.id, kind: 'spot', name: spot.name ?? spot.id, spot, zone };
  }
  return undefined;
}
