/** What can be known to be refused is refused here, before anything is stored. The codes are those that the service would answer. */
import type { RecordFor } from '../../../contract/contract.ts';
import { CliError, type ExitCode } from '../../exit.ts';
import { nextCommand } from '../../next-command.ts';
import { describeCar, type Place } from './plan.ts';

export function requireUsableCar(car: RecordFor<'cars'>, flags: readonly string[]): void {
  if (car.status === 'archived')
    throw refusal(
      'car_archived',
      `The car ${describeCar(car)} is archived.`,
      `take it back with \`${nextCommand(['cars', 'update', car.id, '--status', 'checked_out'], flags)}\``,
    );
}

/** Of a team's event types, those that a drop-off can be: in use, performed on a car, and not an end of its parking. */
export const isDropoffType = (type: RecordFor<'eventTypes'>): boolean =>
  type.isActive !== false && type.scope === 'vehicle' && !type.config?.releasesParkingSpot;

export function requireDropoffType(type: RecordFor<'eventTypes'>, car: string | undefined, flags: readonly string[]): void {
  if (type.isActive === false)
    throw refusal(
      'event_type_inactive',
      `The event type ${type.value} is no longer used.`,
      `types in use: \`${nextCommand(['event-types', 'list', '--is-active'], flags)}\``,
    );
  if (type.scope !== 'vehicle')
    throw refusal(
      'event_type_scope_mismatch',
      `${type.value} is not performed on a car: its scope is ${type.scope}.`,
      `types for cars: \`${nextCommand(['event-types', 'list', '--scope', 'vehicle'], flags)}\``,
    );
  if (type.config?.releasesParkingSpot)
    throw refusal(
      'parking_not_allowed',
      `${type.value} takes a car out of its parking, so it is no drop-off.`,
      `log it with \`${nextCommand(['cars', 'events', 'log', car ?? 'CAR', '--type', type.value], flags)}\``,
    );
}

/** Free means free for this car: the spot that it stands on already may be named again. */
export function requireFree(
  { kind, record }: Place,
  car: Pick<RecordFor<'cars'>, 'id' | 'parkingZoneId'> | undefined,
  flags: readonly string[],
): void {
  const hint = freeHint(kind, flags);
  if (record.isActive === false) throw refusal('parking_inactive', `The ${kind} ${record.name} is not in use.`, hint);
  if (kind === 'spot' && record.occupiedByCarId && record.occupiedByCarId !== car?.id)
    throw refusal('parking_spot_occupied', `Another car stands on ${record.name}.`, hint, 7);
  if (kind === 'zone' && record.available === 0 && record.id !== car?.parkingZoneId)
    throw refusal('parking_zone_full', `${record.name} is full: ${record.occupied} of ${record.capacity}.`, hint, 7);
}

function freeHint(kind: Place['kind'], flags: readonly string[]): string {
  const [what, noun] = kind === 'spot' ? ['free spots', 'spots'] : ['zones with a place left', 'zones'];
  return `${what}: \`${nextCommand(['parking', noun, 'list', '--available'], flags)}\``;
}

function refusal(code: string, message: string, hint: string, exitCode: ExitCode = 3): CliError {
  return new CliError({ code, message: `${message} Nothing was stored.`, hint, exitCode });
}
