/** Carries a drop-off out. Whoever does one, `cs dropoff` or `cs demo`, does it here. */

import type { Client, RecordFor } from '../../../client/client.ts';
import { uploadPhotos } from '../../../client/photos.ts';
import type { PhotoFacts } from '../../photos/facts.ts';
import { filenameFor } from '../../photos/photo-type.ts';
import { type PreparedPhoto, preparePhoto } from '../../photos/prepare.ts';
import { carNotStored, eventNotStored } from './failures.ts';
import { outcomeOf, type PhotoOutcome } from './photo-outcome.ts';
import { willShrink } from './photos.ts';
import { type DropoffPlan, eventBody, isNew, type PhotoOptions, type Place } from './plan.ts';

export interface DropoffOptions extends PhotoOptions {
  /** For the event: the same key again stores nothing twice. Made by the client unless given. */
  readonly idempotencyKey?: string;
  /** Global flags that a command typed next needs too, such as `--profile main`. */
  readonly globalFlags?: readonly string[];
}

/** What happens, while it happens. */
export type DropoffStep =
  | { readonly of: 'car' | 'event'; readonly phase: 'sending' | 'stored' }
  | {
      readonly of: 'photo';
      /** Its place in the plan. */
      readonly index: number;
      readonly phase: 'preparing' | 'sending' | 'stored' | 'failed';
      /** From `sending` on. */
      readonly prepared?: PreparedPhoto;
    };

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
 * Stores the car when it is new, then the event with its parking, then the photos one after the other, the next being made ready
 * while one is sent.
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

  async function storePhotos(): Promise<PhotoOutcome[]> {
    const ready = new Map<number, PreparedPhoto>();
    const load = readAhead(plan.photos, (facts) => preparePhoto(facts.path, options));
    const results = await uploadPhotos({
      client,
      carId: car.id,
      sessionId: event.sessionId,
      // One at a time, so that they are stored in their order and what is shown stays readable.
      concurrency: 1,
      photos: plan.photos.map((facts, index) => ({
        filename: filenameFor(facts.filename, willShrink(facts, options) ? 'image/jpeg' : facts.contentType),
        load: async () => {
          const prepared = await load(index);
          ready.set(index, { ...prepared, bytes: empty });
          return prepared.bytes;
        },
      })),
      onProgress: ({ index, phase }) =>
        progress({ of: 'photo', index, phase: phase === 'loading' ? 'preparing' : phase, prepared: ready.get(index) }),
      signal,
    });
    return results.map((result, index) => outcomeOf(plan.photos[index] as PhotoFacts, result, ready.get(index)));
  }
}

/** What was sent is remembered, its bytes are not. */
const empty = Buffer.alloc(0);

/** Makes the next one ready while the one before is in use; never more than two are held. */
function readAhead<T, R>(items: readonly T[], make: (item: T) => Promise<R>): (index: number) => Promise<R> {
  const made = new Map<number, Promise<R>>();
  const start = (index: number): Promise<R> => {
    const begun = make(items[index] as T);
    // Told when its turn comes; until then a failure is nobody's to catch.
    begun.catch(() => {});
    made.set(index, begun);
    return begun;
  };
  return async (index) => {
    const own = made.get(index) ?? start(index);
    made.delete(index);
    try {
      return await own;
    } finally {
      if (index + 1 < items.length) start(index + 1);
    }
  };
}
