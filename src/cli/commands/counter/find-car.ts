import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import type { Car } from '../../lookup/car.ts';
import { resolveRecord } from '../../lookup/lookup.ts';

/** The car that is called so. On a terminal nothing where none is: the question for the car then begins with what was typed. */
export async function findCar(context: Context, text: string): Promise<Car | undefined> {
  try {
    return (await resolveRecord(context, { resource: 'cars', text })) as Car;
  } catch (error) {
    if (!context.interactive || !(error instanceof CliError) || error.code !== 'not_found') throw error;
    return undefined;
  }
}
