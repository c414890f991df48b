/** The car that an argument or a flag names, and whether it is parked here. */
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { type Car, describeCar } from '../../lookup/car.ts';
import { resolveRecord, shortestUniqueRef } from '../../lookup/lookup.ts';
import { refusal } from './refusal.ts';

/** In a terminal undefined for an unknown car: the prompt then searches for the text. */
export async function findCar(context: Context, text: string): Promise<Car | undefined> {
  try {
    return (await resolveRecord(context, { resource: 'cars', text })) as Car;
  } catch (error) {
    if (!context.interactive || !(error instanceof CliError) || error.code !== 'not_found') throw error;
    return undefined;
  }
}

export const isParked = ({ parkingSpotId, parkingZoneId }: Car): boolean => parkingSpotId !== null || parkingZoneId !== null;

const reasons: Record<Car['status'], string> = {
  expected: "hasn't arrived yet",
  checked_out: 'has already been picked up',
  archived: 'is archived',
  stored: "isn't parked",
};

/** Refuses a pick-up or a move of a car that isn't parked, which the service would store. The hint ends with the command. */
export async function requireParked(
  context: Context,
  car: Car,
  { hint, command }: { hint: string; command: (name: string) => string[] },
): Promise<void> {
  if (isParked(car)) return;
  const next = nextCommand(command(await shortestUniqueRef(context, 'cars', car)), connectionFlags(context));
  throw refusal('car_not_here', `${describeCar(car)} ${reasons[car.status]}.`, `${hint} \`${next}\``);
}
