/** Stores an event and uploads its photos, for a drop-off and a pick-up. */
import type { Client } from '../../../client/client.ts';
import { wasReplayed } from '../../../client/replays.ts';
import type { CreateFor } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import { findStoredEvent } from '../journal/find.ts';
import { type Journal, noJournal } from '../journal/journal.ts';
import type { FindOptions } from '../journal/steps.ts';
import { type PhotoProgress, sendPhotos } from '../photos/send.ts';
import type { EventPlan } from './event.ts';
import { eventFailure, isStop } from './failures.ts';
import { asParkingChanged, expectParkedIn, type ParkedIn, type ReadAgain } from './parked-in.ts';
import { asRefusedTime } from './refusal.ts';
import type { EventResult } from './shape.ts';

export interface EventOptions {
  readonly photoField?: string;
  /** Global flags to repeat in a next command, such as `--profile main`. */
  readonly globalFlags?: readonly string[];
  /** Called after the car was read again, on a server that doesn't check where it is. */
  readonly onReadAgain?: (read: ReadAgain) => void;
}

export type EventProgress =
  | { readonly of: 'car' | 'event'; readonly phase: 'sending' | 'stored' }
  | ({ readonly of: 'photo' } & PhotoProgress);

export interface EventRequest {
  readonly client: Client;
  readonly car: Car;
  /** The car was stored for this event. */
  readonly isNewCar?: boolean;
  /** Where the screen showed the car (default: any state is fine). */
  readonly parkedIn?: ParkedIn;
  /** In a sentence: `drop-off`. */
  readonly what: string;
  readonly body: CreateFor<'carEvents'>;
  readonly plan: EventPlan;
  readonly options?: EventOptions;
  /** (default: none, for a run that nothing would finish) */
  readonly journal?: Journal;
  readonly onProgress?: (progress: EventProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Stores the event, then its photos. A failed photo undoes nothing and is in the result, as are photos left out after `signal`.
 * Throws the client's error, or the signal's reason, if nothing was stored; otherwise a CliError that says what is or may be stored.
 */
export async function performEvent(request: EventRequest): Promise<EventResult> {
  const {
    client,
    car,
    isNewCar = false,
    parkedIn,
    what,
    body,
    plan,
    options = {},
    onProgress = () => {},
    signal,
  } = request;
  const { journal = noJournal } = request;
  signal?.throwIfAborted();
  const { photos, idempotencyKey } = plan;
  const { globalFlags, photoField, onReadAgain } = options;
  onProgress({ of: 'event', phase: 'sending' });
  const path = `/cars/${car.id}/events`;
  const step = {
    path,
    async send(key: string, mayBeStored: boolean) {
      const repeated = mayBeStored || idempotencyKey !== undefined ? path : undefined;
      const expected = { car, parkedIn, repeated, globalFlags, signal, onReadAgain };
      const precondition = await expectParkedIn(client, expected);
      return client.carEvents.create(car.id, body, {
        signal,
        idempotencyKey: idempotencyKey ?? key,
        ...precondition,
      });
    },
    find: (how: FindOptions) => findStoredEvent(client, car.id, body, how),
  };
  const event = await journal.steps.once('event', step).catch((error: unknown) => {
    const { appointmentId } = body;
    const { resume } = journal.steps;
    throw (
      asParkingChanged(error, car, globalFlags) ??
      (isNewCar ? undefined : asRefusedTime(error)) ??
      eventFailure(error, {
        what,
        car,
        isNewCar,
        stopped: isStop(error, signal),
        globalFlags,
        appointmentId,
        resume,
      })
    );
  });
  onProgress({ of: 'event', phase: 'stored' });
  const sessionId = sessionOf(event);
  const sent = await sendPhotos({
    ...plan,
    client,
    carId: car.id,
    sessionId,
    files: photos.map(({ path }) => path),
    photoField,
    journal,
    onProgress: (progress) => onProgress({ of: 'photo', ...progress }),
    signal,
  });
  return {
    event,
    photos: sent.map(({ upload }) => upload),
    sessionId,
    ...(wasReplayed(event) && { replayed: true }),
  };
}

/** The specification (section 4) promises it in every answer, and some server may not keep to that. */
const sessionOf = ({ sessionId }: { readonly sessionId?: string | null }): string | null =>
  sessionId ?? null;
