/** Carries a drop-off out. Whoever does one, `cs dropoff` or `cs demo`, does it here. */
import type { Client, RecordFor } from '../../../client/client.ts';
import type { PhotoOutcome } from '../../photos/outcome.ts';
import type { PhotoOptions } from '../../photos/prepare.ts';
import { type SendingProgress, sendPhotos } from '../../photos/send.ts';
import { carNotStored, eventNotStored } from './failures.ts';
import { type DropoffPlan, eventBody, isNew, type Place } from './plan.ts';

export interface DropoffOptions extends PhotoOptions {
  /** For the event: the same key again stores nothing twice. Made by the client unless given. */
  readonly idempotencyKey?: string;
  /** Global flags that a command typed next needs too, such as `--profile main`. */
  readonly globalFlags?: readonly string[];
}

/** What happens, while it happens. */
export type DropoffStep =
  | { readonly of: 'car' | 'event'; readonly phase: 'sending' | 'stored' }
  | ({ readonly of: 'photo' } & SendingProgress);

/** What identifies a car; its state after the drop-off is the event's to tell. */
const identity = ['id', 'licensePlate', 'vin', 'nickname', 'year', 'make', 'model'] as const;
export type CarIdentity = Pick<RecordFor<'cars'>, (typeof identity)[number]>;
export type PlaceIdentity = Pick<Place['record'], 'id' | 'name' | 'locationId'>;

export interface DropoffResult {
  readonly car: CarIdentity;
  readonly event: RecordFor<'carEvents'>;
  readonly spot: PlaceIdentity | null;
  readonly zone: PlaceIdentity | null;
  readonly photos: readonly PhotoOutcome[];
  /** The photo session of the event. */
  readonly sessionId: string;
}

/**
 * Stores the car when it is new, then the event with its parking, then the photos.
 *
 * A photo that fails undoes nothing: it is told in the result, as is what was not sent because `signal` came.
 * Throws the client's error, or the signal's reason, when nothing was stored; a CliError that says what is stored, or may be, otherwise.
 */
export async function performDropoff(perform: {
  client: Client;
  plan: DropoffPlan;
  options?: DropoffOptions;
  progress?: (step: DropoffStep) => void;
  signal?: AbortSignal;
}): Promise<DropoffResult> {
  const { client, plan, options = {}, progress = () => {}, signal } = perform;
  signal?.throwIfAborted();
  const car = await storeCar();
  const event = await storeEvent();
  const photos = await storePhotos();
  const place = plan.place && { id: plan.place.record.id, name: plan.place.record.name, locationId: plan.place.record.locationId };
  return {
    car: Object.fromEntries(identity.map((field) => [field, car[field] ?? null])) as CarIdentity,
    event,
    spot: (plan.place?.kind === 'spot' && place) || null,
    zone: (plan.place?.kind === 'zone' && place) || null,
    photos,
    sessionId: event.sessionId,
  };

  function isStop(error: unknown): boolean {
    return signal?.aborted === true && error === signal.reason;
  }

  async function storeCar(): Promise<RecordFor<'cars'>> {
    if (!isNew(plan.car)) return plan.car;
    progress({ of: 'car', phase: 'sending' });
    try {
      const stored = await client.cars.create(plan.car.values, { signal });
      progress({ of: 'car', phase: 'stored' });
      return stored;
    } catch (error) {
      throw carNotStored(error, { values: plan.car.values, stopped: isStop(error), flags: options.globalFlags });
    }
  }

  async function storeEvent(): Promise<RecordFor<'carEvents'>> {
    progress({ of: 'event', phase: 'sending' });
    try {
      const stored = await client.carEvents.create(car.id, eventBody(plan), { signal, idempotencyKey: options.idempotencyKey });
      progress({ of: 'event', phase: 'stored' });
      return stored;
    } catch (error) {
      throw eventNotStored(error, { car, isNewCar: isNew(plan.car), stopped: isStop(error), flags: options.globalFlags });
    }
  }

  function storePhotos(): Promise<PhotoOutcome[]> {
    const { keepLocation, resize } = options;
    return sendPhotos({
      client,
      carId: car.id,
      sessionId: event.sessionId,
      files: plan.photos.map(({ path }) => path),
      keepLocation,
      resize,
      onProgress: (sending) => progress({ of: 'photo', ...sending }),
      signal,
    });
  }
}
