/** A drop-off as it was asked for: everything looked up and checked, nothing stored yet. */
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import { carName } from '../../names.ts';
import type { PhotoFacts } from '../../photos/facts.ts';
import { localTime } from '../../when.ts';

/** A car that is stored together with its first drop-off. */
export interface NewCar {
  readonly kind: 'new';
  readonly values: CreateFor<'cars'>;
  /** What people call the owner. */
  readonly owner?: string;
}

export type Place = (
  | { readonly kind: 'spot'; readonly record: RecordFor<'parkingSpots'> }
  | { readonly kind: 'zone'; readonly record: RecordFor<'parkingZones'> }
) & {
  /** Where it lies, such as `Hall A · Harbour`; empty when that is not known. */
  readonly within?: string;
};

export interface DropoffPlan {
  readonly car: RecordFor<'cars'> | NewCar;
  readonly eventType: RecordFor<'eventTypes'>;
  /** None for an event that parks nothing. */
  readonly place?: Place;
  readonly notes?: string;
  /** ISO 8601; now when left out. */
  readonly at?: string;
  readonly photos: readonly PhotoFacts[];
}

export const isNew = (car: DropoffPlan['car']): car is NewCar => 'kind' in car;

type Called = Partial<Pick<RecordFor<'cars'>, 'licensePlate' | 'nickname' | 'vin' | 'year' | 'make' | 'model'>>;

/** `HH-RS 73 · 1973 Porsche 911 Carrera RS · “Ducktail”` */
export function describeCar(car: Called): string {
  return [car.licensePlate, carName(car), car.nickname && `“${car.nickname}”`].filter(Boolean).join(' · ');
}

/** What the car can be called in the next command; its id where nothing else names it. */
export const handleOf = (car: Called & { id: string }): string => car.licensePlate ?? car.nickname ?? car.vin ?? car.id;

/** `A3 · Hall A · Harbour` */
export const describePlace = ({ record, within }: Place): string => [record.name, within].filter(Boolean).join(' · ');

/** `Drop-off · now` or `Drop-off · 2026-03-01 14:30` */
export function describeEvent({ eventType, at }: Pick<DropoffPlan, 'eventType' | 'at'>): string {
  return [eventType.name ?? eventType.value, at ? localTime(at) : 'now'].join(' · ');
}

/** The body that logs the event. */
export function eventBody({ eventType, place, notes, at }: DropoffPlan): CreateFor<'carEvents'> {
  return {
    activityType: eventType.value,
    ...(place?.kind === 'spot' && { parkingSpotId: place.record.id }),
    ...(place?.kind === 'zone' && { parkingZoneId: place.record.id }),
    ...(notes && { notes }),
    ...(at && { occurredAt: at }),
  };
}
