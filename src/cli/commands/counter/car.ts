/** The car that an argument names, and whether it is parked here. */

import type { Client } from '../../../client/client.ts';
import { isUuid } from '../../../client/ids.ts';
import { type Car, describeCar } from '../../../facility/car-names.ts';
import { customerName } from '../../../facility/customer-name.ts';
import type { Context } from '../../context.ts';
import type { Names } from '../../errors/exit.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { type Command, suggestRecords } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { resolveRecord, shortestUniqueRef } from '../../resources/lookup.ts';
import { causeOfLeaving, refusal } from './refusal.ts';

export const addCarArgument = (command: Command): Command =>
  command.addArgument(
    suggestRecords(
      command.createArgument('[car]', 'id, plate, VIN or nickname of the car'),
      'cars',
    ),
  );

/** `isShown`: before anything is stored. */
export async function findCar(
  context: Context,
  text: string | undefined,
  isShown = false,
): Promise<Car | undefined> {
  if (text === undefined) return undefined;
  return (await resolveRecord(context, { resource: 'cars', text, isShown })) as Car;
}

/** What a person calls the car in place of its id. */
export const plateOf = ({ id, licensePlate }: Pick<Car, 'id' | 'licensePlate'>): Names =>
  licensePlate && isUuid(id) ? { [id]: licensePlate } : {};

/** Undefined where the server doesn't tell: the specification doesn't show the fields. */
export function isParked({
  parkingSpotId,
  parkingZoneId,
}: Pick<Car, 'parkingSpotId' | 'parkingZoneId'>): boolean | undefined {
  const places: unknown[] = [parkingSpotId, parkingZoneId];
  if (places.some((id) => id !== null && id !== undefined)) return true;
  return places.includes(undefined) ? undefined : false;
}

const reasons: Readonly<Record<string, string>> = {
  expected: "hasn't arrived yet",
  checked_out: 'has already been picked up',
  archived: 'is archived',
};

/**
 * Refuses a pick-up or a move of a car that isn't parked, which the service would store. Where nothing tells, the server decides. The hint
 * ends with the command.
 */
export async function requireParked(
  context: Context,
  car: Car,
  { hint, command }: { hint: string; command: (name: string) => string[] },
): Promise<void> {
  if (isParked(car) !== false) return;
  const ref = await shortestUniqueRef(context, 'cars', car);
  // Another counter may have picked it up a moment ago.
  const hasLeft = car.status !== 'expected' && car.status !== 'archived';
  const cause = hasLeft ? await causeOfLeaving(await context.client(), car.id) : '';
  throw refusal(
    'not_parked',
    `${describeCar(car)} ${reasons[car.status] ?? "isn't parked"}${cause}.`,
    `${hint} \`${nextCommand(command(ref), connectionFlags(context))}\``,
  );
}

/** Name and phone. Undefined without one, and where the key or the server doesn't tell. */
export async function readOwner(
  client: Client,
  { customerId }: Pick<Car, 'customerId'>,
): Promise<string | undefined> {
  const owner = customerId && (await client.customers.get(customerId).catch(undefinedIfUnreadable));
  return owner
    ? [...new Set([customerName(owner), owner.phone])].filter(Boolean).join(' · ')
    : undefined;
}

export function undefinedIfUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error;
}
