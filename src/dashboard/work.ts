/** What people do with cars: which panel the address asks for, its requests, and what was done last. */
import { signal } from '@preact/signals';
import type * as records from '../contract/records.ts';
import { newIdempotencyKey } from './call.ts';
import { write } from './read.ts';
import { go, query, withQuery } from './router.ts';
import { session } from './session.ts';

export const workKinds = ['drop-off', 'move', 'pick-up', 'reschedule', 'phone'] as const;
export type Work = (typeof workKinds)[number];
export type CarWorkKind = Exclude<Work, 'reschedule' | 'phone'>;

export const workTitles: Readonly<Record<Work, string>> = {
  'drop-off': 'Drop off',
  move: 'Move',
  'pick-up': 'Pick up',
  reschedule: 'Another time',
  phone: 'Photos from a phone',
};

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
export const tellFailure = (error: unknown): void => {
  done.value = { text: (error as Error).message, isFailure: true };
};

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
): Promise<unknown> => write('PATCH', `appointments/${id}`, body);

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
  await write(
    'POST',
    'parking/assignments',
    { carId, ...placeFields(to), ...(notes && { notes }), ...(startedAt && { startedAt }) },
    { idempotencyKey, ifParkedIn: from.id },
  );
  done.value = {
    text: `${title} is in ${to.name}.`,
    undo: () => moveCar({ carId, title, from: to, to: from }),
  };
}
