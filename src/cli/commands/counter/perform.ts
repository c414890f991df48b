/** Logs an event on a car and sends its photos: what a drop-off and a pick-up have in common. */
import type { Client, RecordFor } from '../../../client/client.ts';
import { wasReplayed } from '../../../client/replays.ts';
import type { CreateFor } from '../../../contract/contract.ts';
import type { Car } from '../../lookup/car.ts';
import type { PhotoFacts } from '../photos/facts.ts';
import type { PhotoOutcome } from '../photos/outcome.ts';
import type { PhotoOptions } from '../photos/prepare.ts';
import { type SendingProgress, sendPhotos } from '../photos/send.ts';
import { eventNotStored } from './failures.ts';

export interface EventOptions extends PhotoOptions {
  /** For the event: the same key again stores nothing twice. Made by the client unless given. */
  readonly idempotencyKey?: string;
  /** Global flags that a command typed next needs too, such as `--profile main`. */
  readonly globalFlags?: readonly string[];
}

/** What happens, while it happens. */
export type EventStep =
  | { readonly of: 'car' | 'event'; readonly phase: 'sending' | 'stored' }
  | ({ readonly of: 'photo' } & SendingProgress);

export interface EventWork {
  readonly client: Client;
  readonly car: Car;
  /** Whether the car was stored just before, for this event. */
  readonly isNewCar?: boolean;
  /** What people call it in a sentence: `drop-off`. */
  readonly what: string;
  readonly body: CreateFor<'carEvents'>;
  readonly photos: readonly PhotoFacts[];
  readonly options?: EventOptions;
  readonly progress?: (step: EventStep) => void;
  readonly signal?: AbortSignal;
}

export interface EventResult {
  readonly event: RecordFor<'carEvents'>;
  readonly photos: readonly PhotoOutcome[];
  /** The photo session of the event. */
  readonly sessionId: string;
  /** The event was stored before, by an earlier run with the same idempotency key. */
  readonly replayed?: true;
}

/** Whether an error is that somebody stopped the work. */
export const isStop = (error: unknown, signal: AbortSignal | undefined): boolean => signal?.aborted === true && error === signal.reason;

/**
 * Stores the event with what it does to the parking, then the photos.
 *
 * A photo that fails undoes nothing: it is told in the result, as is what was not sent because `signal` came.
 * Throws the client's error, or the signal's reason, when nothing was stored; a CliError that says what is stored, or may be, otherwise.
 */
export async function performEvent(work: EventWork): Promise<EventResult> {
  const { client, car, isNewCar = false, what, body, photos, options = {}, progress = () => {}, signal } = work;
  signal?.throwIfAborted();
  const { idempotencyKey, globalFlags, keepLocation, resize } = options;
  progress({ of: 'event', phase: 'sending' });
  const event = await client.carEvents.create(car.id, body, { signal, idempotencyKey }).catch((error) => {
    throw eventNotStored(error, { what, car, isNewCar, stopped: isStop(error, signal), flags: globalFlags });
  });
  progress({ of: 'event', phase: 'stored' });
  const outcomes = await sendPhotos({
    client,
    carId: car.id,
    sessionId: event.sessionId,
    files: photos.map(({ path }) => path),
    keepLocation,
    resize,
    onProgress: (sending) => progress({ of: 'photo', ...sending }),
    signal,
  });
  return { event, photos: outcomes, sessionId: event.sessionId, ...(wasReplayed(event) && { replayed: true }) };
}
