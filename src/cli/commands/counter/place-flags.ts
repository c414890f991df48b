/** A spot or a zone that flags name. */

import type { RecordFor } from '../../../contract/contract.ts';
import { CliError } from '../../errors/exit.ts';
import { type Command, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { resolveId, resolveRecord, type Wanted } from '../../lookup/lookup.ts';
import { wantedInScope } from '../../lookup/scope.ts';
import { located, type Place } from './place.ts';

export interface PlaceFlags {
  readonly spot?: string;
  readonly zone?: string;
  readonly location?: string;
}

export function addPlaceFlags(command: Command): Command {
  command.nameFlags({ parkingSpotId: '--spot', parkingZoneId: '--zone' });
  return command
    .addOption(suggestRecords(command.createOption('--spot <id|name>', 'the spot to put it on'), 'parkingSpots'))
    .addOption(suggestRecords(command.createOption('--zone <id|name>', 'the zone to put it in, in place of a spot'), 'parkingZones'))
    .addOption(
      suggestRecords(command.createOption('--location <id|name>', 'where the spot or zone is, when its name is not enough'), 'locations'),
    );
}

export function requireOnePlace({ spot, zone }: PlaceFlags): void {
  if (spot !== undefined && zone !== undefined)
    throw new CliError({
      code: 'conflicting_fields',
      message: '--spot and --zone exclude each other: a car stands on one or in the other. Nothing was stored.',
      hint: 'leave one of them out',
    });
}

/** Looks up what the flags name. Of several places of one name those where the car is are likelier meant, when that is known. */
export async function findPlace(context: Context, flags: PlaceFlags, near?: { readonly locationId: string }): Promise<Place | undefined> {
  const wanted = await wantedPlace(context, flags);
  if (!wanted) return undefined;
  const prefer = near && [({ locationId }: { locationId?: unknown }) => locationId === near.locationId];
  const record = await resolveRecord(context, { ...wanted, prefer });
  return located(
    context,
    wanted.resource === 'parkingSpots'
      ? { kind: 'spot', record: record as RecordFor<'parkingSpots'> }
      : { kind: 'zone', record: record as RecordFor<'parkingZones'> },
  );
}

/** What the flags name, as fields of an event. An id is taken as it is. */
export async function placeIds(context: Context, flags: PlaceFlags): Promise<{ parkingSpotId?: string; parkingZoneId?: string }> {
  const wanted = await wantedPlace(context, flags);
  if (!wanted) return {};
  const id = await resolveId(context, wanted);
  return wanted.resource === 'parkingSpots' ? { parkingSpotId: id } : { parkingZoneId: id };
}

async function wantedPlace(context: Context, { spot, zone, location }: PlaceFlags): Promise<Wanted | undefined> {
  const text = spot ?? zone;
  if (text === undefined) return undefined;
  const locationId = location === undefined ? undefined : await resolveId(context, { resource: 'locations', text: location });
  return wantedInScope(spot === undefined ? 'parkingZones' : 'parkingSpots', text, { locationId, locationFlag: '--location' });
}
