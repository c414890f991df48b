/** What this machine knows of a car while its work is queued without the server. It is compared when the work is sent. */
import { isSameId } from '../../../client/ids.ts';
import type { Context } from '../../context.ts';
import { isSameReading } from '../../input/matching.ts';
import { isObject } from '../../input/plain-object.ts';
import { idIn } from '../../resources/lookup.ts';
import type { Candidate } from '../../state/names.ts';
import { type ParkedIn, shownIn } from '../counter/parked-in.ts';
import type { PlaceFlags } from '../counter/place.ts';
import { lockBeside } from '../files/lock.ts';
import { carIdIn } from './car-id.ts';
import {
  type Entry,
  type KnownCar,
  openEntry,
  type QueuedFlags,
  readEntry,
  type StoredEntry,
} from './entry.ts';
import { eventTime, inEventOrder } from './event-order.ts';
import type { KnownNames } from './known-names.ts';
import { queuedHere } from './read-journal.ts';

/** By the work that is queued for the car before that time, otherwise by the names of this machine. */
export async function knownCar(
  context: Context,
  { car, at }: QueuedFlags,
  names: KnownNames | undefined,
): Promise<KnownCar> {
  if (typeof car !== 'string') return {};
  const named = namedCar(names?.cars ?? [], car);
  const isBefore = (entry: Entry) => typeof at !== 'string' || eventTime(entry) <= at;
  const queue = inEventOrder(await queuedHere(context));
  const before = queue.findLast(
    ({ entry }) => isBefore(entry) && isOfCar(entry, { car, id: named.id }),
  );
  return before ? { ...named, ...placeAfter(before.entry) } : named;
}

/** The id of the car of queued work, without the server. */
export function knownCarId(
  { queued, known, plan }: Entry,
  names: KnownNames | undefined,
): string | undefined {
  const car = String(queued?.car);
  return known?.id ?? idIn(car) ?? carIdIn(plan) ?? namedCar(names?.cars ?? [], car).id;
}

function namedCar(cars: readonly Candidate[], text: string): KnownCar {
  const isNamed = ({ value, also = [], record }: Candidate) =>
    isSameId(record?.id, text) || [value, ...also].some((name) => isSameReading(name, text));
  const [found, another] = cars.filter(isNamed);
  if (!found?.record || (another && !isSameId(another.record?.id, found.record.id))) return {};
  const { record, value, about } = found;
  return {
    id: record.id,
    title: [value, about].filter(Boolean).join(' · '),
    parkedIn: shownIn(record as Parameters<typeof shownIn>[0]),
  };
}

export function isOfCar(
  { queued, known }: Entry,
  { car, id }: { car: unknown; id: string | undefined },
): boolean {
  if (typeof queued?.car !== 'string' || typeof car !== 'string') return false;
  return (id !== undefined && isSameId(known?.id, id)) || isSameReading(queued.car, car);
}

/** Where the car is once that entry is sent. */
function placeAfter({ command, queued = {}, known }: Entry): Pick<KnownCar, 'parkedIn' | 'place'> {
  if (command === 'pickup') return { parkedIn: 'none', place: undefined };
  const { spot, zone, location } = queued as PlaceFlags;
  if (spot !== undefined || zone !== undefined)
    return { parkedIn: undefined, place: { spot, zone, location } };
  return { parkedIn: known?.parkedIn, place: known?.place };
}

/** Tells the next entry of the same car where an entry left it: a person may have chosen another place, or typed the two in another order. */
export async function passOnPlace(
  entry: Entry,
  result: unknown,
  queue: readonly StoredEntry[],
): Promise<void> {
  if (!entry.queued || !isObject(result) || !isObject(result.car)) return;
  const parkedIn =
    entry.command === 'pickup' ? 'none' : placeIn(entry.command === 'move' ? result.to : result);
  const car = { car: entry.queued.car, id: String(result.car.id) };
  const ordered = inEventOrder(queue);
  const after = ordered.slice(ordered.findIndex((one) => one.entry.id === entry.id) + 1);
  const next = after.find((one) => isOfCar(one.entry, car));
  const lock = parkedIn && next && (await lockBeside(next.path));
  if (!next || !lock) return;
  try {
    const current = await readEntry(next.path);
    if (!current || 'damaged' in current) return;
    const writer = await openEntry(next.path);
    await writer
      .write({ known: { ...current.entry.known, id: car.id, parkedIn, place: undefined } })
      .finally(writer.close);
  } finally {
    lock.release();
  }
}

/** Undefined for an event that parks nothing. */
function placeIn(result: unknown): ParkedIn | undefined {
  if (!isObject(result)) return undefined;
  for (const kind of ['spot', 'zone'] as const) {
    const place = result[kind];
    if (isObject(place) && typeof place.id === 'string') return { kind, id: place.id };
  }
  return undefined;
}
