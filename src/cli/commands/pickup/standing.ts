/** What is to be known of a car that is handed out: where it stands, since when, what is open for it and whom to call. */

import { ApiError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../framework/context.ts';
import { localTime } from '../../input/when.ts';
import { type Car, describeCar } from '../../lookup/car.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import { personName } from '../../lookup/labels.ts';
import { labelled } from '../../output/labelled.ts';
import { pluralize, stateWords } from '../../terminal/text.ts';
import { describeAppointment, openToday } from '../counter/appointment.ts';
import { describePlace, type Place } from '../counter/place.ts';

export interface ParkingState {
  readonly since: string | undefined;
  /** Appointments of today that are not over. */
  readonly open: readonly RecordFor<'appointments'>[];
  /** Name and phone. */
  readonly owner: string | undefined;
  /** Names of event types by id. */
  readonly types: ReadonlyMap<string, string> | undefined;
}

/** What the key may not read is left out. */
export async function readParkingState(context: Context, car: Car): Promise<ParkingState> {
  const client = await context.client();
  const [assignments, open, owner] = await Promise.all([
    client.parkingAssignments.list({ carId: car.id, active: true, limit: 1 }).catch(nothingWhenForbidden),
    openToday(context, car),
    car.customerId ? client.customers.get(car.customerId).catch(nothingWhenForbidden) : undefined,
  ]);
  const typeIds = new Set(open.map(({ appointmentTypeId }) => appointmentTypeId).filter((id) => id !== null));
  const labels = typeIds.size > 0 ? await findLabels(context, new Map([['eventTypes', typeIds]])) : undefined;
  return { since: assignments?.data[0]?.startedAt, open, owner: owner && describeOwner(owner), types: labels?.get('eventTypes') };
}

function nothingWhenForbidden(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
  throw error;
}

function describeOwner(owner: RecordFor<'customers'>): string {
  const name = personName(owner) || owner.companyName || owner.email;
  return [name, owner.phone ?? 'no phone known'].filter(Boolean).join(' · ');
}

export function parkingStateText(
  context: Context,
  car: Car,
  place: Place | undefined,
  { since, open, owner, types }: ParkingState,
): string {
  const now = context.io.now();
  return `\n${labelled(context, [
    ['Car', describeCar(car)],
    ['Stands', place && describePlace(place)],
    ['Since', since && `${localTime(since)}${daysSince(since, now)}`],
    ...open.map((one, index): [string, string] => [
      index === 0 ? 'Open' : '',
      `${describeAppointment(one, now, types?.get(one.appointmentTypeId ?? ''))} (${stateWords(one.status)})`,
    ]),
    ['Owner', owner],
  ])}\n`;
}

function daysSince(since: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(since)) / 86_400_000);
  return days >= 1 ? ` (${pluralize(days, 'day', 'days')})` : '';
}
