/** The prompts of `cs pickup`, and what they show of the car: its place, open appointments and owner. Nothing is stored. */
import type { RecordFor } from '../../../contract/contract.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import type { Context } from '../../framework/context.ts';
import { localTime } from '../../input/when.ts';
import { type Car, describeCar } from '../../lookup/car.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import { personName } from '../../lookup/labels.ts';
import { labelled } from '../../output/labelled.ts';
import { pluralize, stateWords } from '../../terminal/text.ts';
import { describeAppointment, findAppointment, readOpenTodayIfAllowed } from '../counter/appointment.ts';
import { askParkedCar } from '../counter/ask-car.ts';
import { askNotes, askType, matchingTypes, readScopes } from '../counter/ask-event.ts';
import { currentPlace, describePlace, type Place } from '../counter/place.ts';
import { askPhotos } from '../photos/ask.ts';
import { isPickupType, type PartialPlan, type PickupFlags, type PickupPlan, pickupRank, requireNotPickedUp } from './plan.ts';

/** With --yes prompts for required values alone. Missing scopes fail before the first prompt. */
export async function askPlan(context: Context, given: PartialPlan, flags: PickupFlags): Promise<PickupPlan> {
  const requireScopes = await readScopes(context, 'pick-up');
  requireScopes('read:cars', 'write:cars');
  const types = given.eventType
    ? [given.eventType]
    : await matchingTypes(context, { what: 'pick-up', matches: isPickupType, rank: pickupRank });
  const car = given.car ?? (await askParkedCar(context, flags.car));
  await requireNotPickedUp(context, car, flags);
  const [place, parkingState] = await Promise.all([currentPlace(context, car), readParkingState(context, car)]);
  if (!context.settings.quiet) context.io.stderr.write(parkingStateText(context, car, place, parkingState));
  const eventType = await askType(context, types);
  const { openToday } = parkingState;
  const appointment = await findAppointment(context, { car, eventType, flag: flags.appointment, openToday });
  const { yes } = context.settings;
  const notes = given.notes ?? (yes ? undefined : await askNotes(context));
  const photos = given.photos ?? (yes ? [] : await askPhotos(context, flags));
  return { ...given, car, eventType, appointment, notes, photos, place };
}

interface ParkingState {
  readonly since: string | undefined;
  readonly openToday: readonly RecordFor<'appointments'>[];
  /** Name and phone. */
  readonly owner: string | undefined;
  /** Names of event types by id. */
  readonly typeNames: ReadonlyMap<string, string> | undefined;
}

/** Leaves out what the key's scopes don't cover, and what the server doesn't tell. */
async function readParkingState(context: Context, car: Car): Promise<ParkingState> {
  const client = await context.client();
  const [assignments, openToday, owner] = await Promise.all([
    client.parkingAssignments.list({ carId: car.id, active: true, limit: 1 }, { strict: true }).catch(undefinedIfUnreadable),
    readOpenTodayIfAllowed(context, car),
    car.customerId ? client.customers.get(car.customerId).catch(undefinedIfUnreadable) : undefined,
  ]);
  const typeIds = new Set(openToday.map(({ appointmentTypeId }) => appointmentTypeId).filter((id) => id !== null));
  const labels = typeIds.size > 0 ? await findLabels(context, new Map([['eventTypes', typeIds]])) : undefined;
  return {
    since: assignments?.data[0]?.startedAt,
    openToday,
    owner: owner && describeOwner(owner),
    typeNames: labels?.get('eventTypes'),
  };
}

function undefinedIfUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error;
}

function describeOwner(owner: RecordFor<'customers'>): string {
  const name = personName(owner) || owner.companyName || owner.email;
  return [name, owner.phone ?? 'no phone number'].filter(Boolean).join(' · ');
}

function parkingStateText(
  context: Context,
  car: Car,
  place: Place | undefined,
  { since, openToday, owner, typeNames }: ParkingState,
): string {
  const now = context.io.now();
  return `\n${labelled(context, [
    ['Car', describeCar(car)],
    ['Parked in', place && describePlace(place)],
    ['Since', since && `${localTime(since)}${daysSince(since, now)}`],
    ...openToday.map((one, index): [string, string] => [
      index === 0 ? 'Open' : '',
      `${describeAppointment(one, now, typeNames?.get(one.appointmentTypeId ?? ''))} (${stateWords(one.status)})`,
    ]),
    ['Owner', owner],
  ])}\n`;
}

function daysSince(since: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(since)) / 86_400_000);
  return days >= 1 ? ` (${pluralize(days, 'day', 'days')})` : '';
}
