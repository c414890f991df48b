/** What `cs today` tells: the shape of its result. Sections that could not be read are null, and `notRead` says why. */
import type { RecordFor } from '../../../contract/contract.ts';
import type { CarIdentity } from '../../lookup/car.ts';
import type { PlaceIdentity } from '../counter/place.ts';

type Appointment = RecordFor<'appointments'>;
interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Visit {
  readonly appointment: Appointment;
  readonly eventType: Named | null;
  readonly car: CarIdentity | null;
  readonly customer: Named | null;
  readonly location: Named | null;
}

export interface LateVisit extends Visit {
  /** `not_checked_in`: it has begun and nobody came. `not_completed`: its end has passed and it is still going on. */
  readonly reason: 'not_checked_in' | 'not_completed';
  /** Whole minutes, since its start or its end. */
  readonly lateMinutes: number;
}

export interface CarWithoutPhotos {
  readonly car: CarIdentity;
  readonly spot: PlaceIdentity | null;
  readonly zone: PlaceIdentity | null;
  readonly droppedOffAt: string;
  /** The session that photos are to be attached to, and the event that opened it. */
  readonly sessionId: string;
  readonly eventId: string | null;
}

export interface Sections {
  /** Appointments of the day whose type parks the car, whose type frees its place, and the rest; by start. */
  readonly arrivals: Visit[] | null;
  readonly departures: Visit[] | null;
  readonly other: Visit[] | null;
  /** Of the day and the seven days before it. */
  readonly late: LateVisit[] | null;
  /** Cars that were dropped off on the day, are still here, and have no photo in any of their sessions of the day. */
  readonly withoutPhotos: CarWithoutPhotos[] | null;
  /** Whatever day they are for. */
  readonly waitingForApproval: Visit[] | null;
}

export type SectionName = keyof Sections;

export interface DayReport extends Sections {
  /** `2026-03-01`, and its first and last millisecond, in the time zone of the machine that asks. */
  readonly date: string;
  readonly from: string;
  readonly to: string;
  readonly location: Named | null;
  readonly notRead: { readonly sections: readonly SectionName[]; readonly code: string; readonly message: string }[];
}
