/** What people do with cars: which panel the address asks for, its requests, and what was done last. */
import { signal } from '@preact/signals';
import type * as records from '../contract/records.ts';
import { call, newIdempotencyKey } from './call.ts';
import { go, query, withQuery } from './router.ts';
import { session } from './session.ts';

export const workKinds = ['drop-off', 'move', 'pick-up', 'reschedule', 'phone'] as const;
export type Work = (typeof workKinds)[number];
export type CarWorkKind = Exclude<Work, 'reschedule' | 'phone'>;

/** Screens change nothing. */
export const canWork = (): boolean => session.value?.role !== 'screen' && !query.value.has('wall');

interface Subject {
  readonly car?: string;
  /** The id of a spot or a zone. */
  readonly place?: string;
  readonly appointment?: string;
}

const none = { car: undefined, place: undefined, appointment: undefined };
export const workHref = (work: Work, subject: Subject = {}): string =>
  withQuery({ ...none, do: work, ...subject });
export const closeWork = (): void => go(withQuery({ ...none, do: undefined }), { replace: true });

/** Told at the edge of the page for a while. */
interface Done {
  readonly text: string;
  readonly isFailure?: boolean;
  readonly undo?: () => Promise<unknown>;
}
export const done = signal<Done | undefined>(undefined);

export interface Placed {
  readonly id: string;
  readonly kind: 'spot' | 'zone';
  readonly name: string;
}
export const placeFields = ({ kind, id }: Pick<Placed, 'kind' | 'id'>) =>
  kind === 'spot' ? { parkingSpotId: id } : { parkingZoneId: id };
export const placeIdOf = (
  car: Pick<records.Car, 'parkingSpotId' | 'parkingZoneId'>,
): string | undefined => car.parkingSpotId ?? car.parkingZoneId ?? undefined;

/** Refused where its state doesn't lead to the new one, such as after somebody else's decision. */
export const changeAppointment = (
  id: string,
  body: Partial<Pick<records.Appointment, 'status' | 'startAt' | 'endAt'>>,
): Promise<unknown> => call('PATCH', `api/v1/appointments/${id}`, { body });

interface Move {
  readonly carId: string;
  /** As people call it. */
  readonly title: string;
  readonly from: Placed;
  readonly to: Placed;
  readonly notes?: string | undefined;
  readonly startedAt?: string | undefined;
}

/** Refused when the car isn't where it was seen. What was done can be taken back. */
export async function moveCar(move: Move, idempotencyKey = newIdempotencyKey()): Promise<void> {
  const { carId, title, from, to, notes, startedAt } = move;
  await call('POST', 'api/v1/parking/assignments', {
    body: { carId, ...placeFields(to), ...(notes && { notes }), ...(startedAt && { startedAt }) },
    idempotencyKey,
    ifParkedIn: from.id,
  });
  done.value = {
    text: `${title} is in ${to.name}.`,
    undo: () => moveCar({ carId, title, from: to, to: from }),
  };
}

/** An idempotency key for what is sent: the same for the same answers, also after the page was loaded again. */
export function keyFor(name: string, body: object): string {
  const text = JSON.stringify(body);
  const sent = sentAs(name);
  if (sent?.text === text) return sent.key;
  const key = newIdempotencyKey();
  sessionStorage.setItem(`sent ${name}`, JSON.stringify({ text, key }));
  return key;
}

/** What was sent under this name, and may have been stored without an answer. */
export function sentAs(name: string): { readonly text: string; readonly key: string } | undefined {
  const kept = sessionStorage.getItem(`sent ${name}`);
  return kept === null ? undefined : JSON.parse(kept);
}

export const forgetSent = (name: string): void => sessionStorage.removeItem(`sent ${name}`);
