/** `--zone` and `--location`, which narrow a command to a part of the facility. */
import type { Context } from '../../context.ts';
import { type Command, suggestRecords } from '../../framework/command.ts';
import { resolveId } from '../../resources/lookup.ts';
import { lookupInScope } from '../../resources/scope.ts';

export interface AreaFlags {
  readonly zone?: string;
  readonly location?: string;
}

export const addAreaFlags = (command: Command): Command =>
  command
    .addOption(
      suggestRecords(command.createOption('--zone <id|name>', 'only this zone'), 'parkingZones'),
    )
    .addOption(
      suggestRecords(
        command.createOption('--location <id|name>', 'only this location'),
        'locations',
      ),
    );

export async function resolveArea(context: Context, { zone, location }: AreaFlags) {
  const locationId =
    location === undefined
      ? undefined
      : await resolveId(context, { resource: 'locations', text: location });
  const scope = { locationId, locationFlag: '--location' };
  const zoneId =
    zone === undefined
      ? undefined
      : await resolveId(context, lookupInScope('parkingZones', zone, scope));
  return { zoneId, locationId };
}
