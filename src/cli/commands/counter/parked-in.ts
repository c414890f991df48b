/** Where the screen showed the car, and the refusal of a request if the car is no longer there. */
import { ApiError, type Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import { ifParkedIn } from '../../../contract/preconditions.ts';
import { type Car, describeCar } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { wrapFailure } from '../../errors/report.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { isObject } from '../../input/plain-object.ts';
import { isParked, plateOf } from './car.ts';
import { causeByEvent } from './latest-change.ts';
import type { Place } from './place.ts';
import { causeOf, refusal } from './refusal.ts';

/** `any` stands for a place that isn't known. A spot and a zone can have the same id: another server may count them separately. */
export type ParkedIn = { readonly kind: Place['kind']; readonly id: string } | 'any' | 'none';

/** Undefined where the server doesn't tell. */
export function shownIn(
  car: Pick<Car, 'parkingSpotId' | 'parkingZoneId'>,
  place?: Place,
): ParkedIn | undefined {
  if (place) return { kind: place.kind, id: place.record.id };
  if (car.parkingSpotId) return { kind: 'spot', id: car.parkingSpotId };
  if (car.parkingZoneId) return { kind: 'zone', id: car.parkingZoneId };
  return isParked(car) === false ? 'none' : undefined;
}

export function isSamePlace(a: ParkedIn, b: ParkedIn): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.kind === b.kind && isSameId(a.id, b.id);
}

/** The same for a command that needs a parked car. */
export function shownHere(car: Car, place: Place | undefined): ParkedIn {
  const shown = shownIn(car, place);
  return shown === undefined || shown === 'none' ? 'any' : shown;
}

export interface Expectation {
  readonly car: Car;
  /** Undefined: any state is fine. */
  readonly parkedIn: ParkedIn | undefined;
  /** The path of the request whose idempotency key an earlier run may have sent: a server that recognises the key answers with its result. */
  readonly repeated?: string | undefined;
  readonly globalFlags?: readonly string[];
  readonly signal?: AbortSignal;
  /** Called after the car was read again, with what the server shows of its place. */
  readonly onReadAgain?: ((read: ReadAgain) => void) | undefined;
}

/** `hidden`: the server doesn't show where the car is. */
export type ReadAgain = 'shown' | 'hidden';

/** What the commands do on other servers. */
export const otherwiseReadAgain =
  'the car is read again right before the request; a change after that goes unnoticed';

export const serverChecks = (client: Client): boolean =>
  client.transport.knowsPrecondition(ifParkedIn.header);

/** The option with which the server refuses the request if the car is elsewhere. Other servers don't know it: there the car is read again, right before the request. */
export async function expectParkedIn(
  client: Client,
  expected: Expectation,
): Promise<{ ifParkedIn?: string }> {
  const { parkedIn, repeated, onReadAgain } = expected;
  if (parkedIn === undefined) return {};
  const isAnswered = repeated !== undefined && (await client.transport.knowsIdempotencyKeys());
  // Before the first answer nothing is known: the answer to this read tells. Of a repeat that is all it tells: the first try may have moved the car.
  if (!serverChecks(client)) {
    if (isAnswered)
      await client.cars.get(expected.car.id, { signal: expected.signal }).catch(() => undefined);
    else onReadAgain?.(await requireParkedIn(client, expected, parkedIn));
  }
  return serverChecks(client)
    ? { ifParkedIn: typeof parkedIn === 'string' ? parkedIn : parkedIn.id }
    : {};
}

/** Called once it is stored. `read`: undefined where nothing was read, since an earlier run had stored it. Several of a queue are one note. */
export function noteUncheckedParking(
  { io }: Context,
  client: Client,
  read: ReadAgain | undefined,
): void {
  if (serverChecks(client) || !read) return;
  const checked =
    read === 'shown'
      ? 'cs only read it again right before.'
      : 'it shows nowhere where a car is, so nothing was checked.';
  io.run.notes.push({
    kind: 'unchecked',
    about: `This server can't tell whether a car was moved meanwhile: ${checked}`,
  });
}

/** Throws if the car isn't where it was shown, as the server tells it now. */
export async function requireParkedIn(
  client: Client,
  { car, globalFlags, signal }: Expectation,
  parkedIn: ParkedIn,
): Promise<ReadAgain> {
  const now = await client.cars.get(car.id, { signal });
  const found =
    shownIn(now) ?? (parkedIn === 'any' ? undefined : await assignedTo(client, car.id, signal));
  if (found === undefined) return 'hidden';
  if (isSamePlace(found, parkedIn) || (parkedIn === 'any' && found !== 'none')) return 'shown';
  const cause = await causeByEvent(client, car.id, signal);
  const state = stateWords({
    expected: parkedIn,
    place: found === 'none' ? undefined : 'another place',
  });
  const hint = historyHint(['cars', 'events', 'list', car.id], globalFlags);
  throw refusal('parking_changed', `${describeCar(car)} ${state}${cause}.`, hint, {
    names: plateOf(car),
  });
}

/** Undefined where the server has no such list or doesn't tell, or the key no scope for it. */
async function assignedTo(
  client: Client,
  carId: string,
  signal: AbortSignal | undefined,
): Promise<ParkedIn | undefined> {
  try {
    const { data } = await client.parkingAssignments.list(
      { carId, active: true, limit: 1 },
      { signal, fresh: true },
    );
    return data[0] ? shownIn(data[0]) : 'none';
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** The server's refusal in words, with who did what and when; undefined for another error. */
export function asParkingChanged(
  error: unknown,
  car: Car,
  globalFlags: readonly string[] | undefined,
): unknown {
  if (!(error instanceof ApiError) || error.code !== 'parking_changed') return undefined;
  const { expected, parkedIn, change } = isObject(error.details) ? error.details : {};
  const place = isObject(parkedIn) ? String(parkedIn.name ?? 'another place') : undefined;
  const inEvents = !isObject(change) || typeof change.eventId === 'string';
  const words = inEvents
    ? ['cars', 'events', 'list', car.id]
    : ['parking', 'assignments', 'list', '--car', car.id];
  return wrapFailure(error, {
    message: `${describeCar(car)} ${stateWords({ expected, place })}${causeOf(change)}. Nothing was stored.`,
    hint: historyHint(words, globalFlags),
    names: plateOf(car),
  });
}

function stateWords({ expected, place }: { expected: unknown; place: string | undefined }): string {
  if (place === undefined) return "isn't parked here any more";
  return expected === 'none' ? `is already parked in ${place}` : `has been moved to ${place}`;
}

const historyHint = (words: string[], globalFlags: readonly string[] | undefined) =>
  `see what happened: \`${nextCommand(words, globalFlags)}\``;
