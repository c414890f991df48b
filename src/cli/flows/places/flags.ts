/** A spot or a zone that flags name. */
import type { Command } from 'commander';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { resolveId, resolveRecord } from '../../names/names.ts';
import { namesRecords } from '../../tree/manifest.ts';
import { located, type Place } from './place.ts';

export interface PlaceFlags {
  readonly spot?: string;
  readonly zone?: string;
  readonly location?: string;
}

export function addPlaceFlags(command: Command): Command {
  return command
    .addOption(namesRecords(command.createOption('--spot <id|name>', 'the spot to put it on'), 'parkingSpots'))
    .addOption(namesRecords(command.createOption('--zone <id|name>', 'the zone to put it in, in place of a spot'), 'parkingZones'))
    .addOption(
      namesRecords(command.createOption('--location <id|name>', 'where the spot or zone is, when its name is not enough'), 'locations'),
    );
}

export function requireOnePlace({ spot, zone }: PlaceFlags): void {
  if (spot !== undefined && zone !== undefined)
    throw new CliError({
      code: 'conflicting_fields',
      message: '--spot and --zone exclude each other: a car stands on one or in the other. Nothing was stored.',
      hint: 'leave one of them out',
      exitCode: 3,
    });
}

/** Looks up what the flags name. */
export async function findPlace(context: Context, { spot, zone, location }: PlaceFlags): Promise<Place | undefined> {
  if (spot === undefined && zone === undefined) return undefined;
  const query = location === undefined ? {} : { locationId: await resolveId(context, { resource: 'locations', text: location }) };
  const find = (resource: 'parkingSpots' | 'parkingZones', text: string) => resolveRecord(context, { resource, text, query });
  const place: Place =
    spot === undefined
      ? { kind: 'zone', record: (await find('parkingZones', zone as string)) as RecordFor<'parkingZones'> }
      : { kind: 'spot', record: (await find('parkingSpots', spot)) as RecordFor<'parkingSpots'> };
  return located(context, place);
}
