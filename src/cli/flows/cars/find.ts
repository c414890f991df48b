import type { Context } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { resolveRecord } from '../../names/names.ts';
import type { Car } from './describe.ts';

/** The car that is called so. On a terminal nothing where none is: the question for the car then begins with what was typed. */
export async function findCar(context: Context, text: string): Promise<Car | undefined> {
  try {
    return (await resolveRecord(context, { resource: 'cars', text })) as Car;
  } catch (error) {
    if (!context.interactive || !(error instanceof CliError) || error.code !== 'not_found') throw error;
    return undefined;
  }
}
