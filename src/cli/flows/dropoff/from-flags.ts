/** What the flags of `cs dropoff` say, looked up on the server and checked. */
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { resolveId, resolveRecord, whereabouts } from '../../names.ts';
import { globalFlagsOf } from '../../next-command.ts';
import type { PhotoOptions } from '../../photos/prepare.ts';
import { missing } from '../../question.ts';
import { parsePast } from '../../when.ts';
import { requireDropoffType, requireFree, requireUsableCar } from './checks.ts';
import { readPhotos } from './photos.ts';
import type { DropoffPlan, Place } from './plan.ts';

export interface DropoffFlags extends PhotoOptions {
  readonly car?: string;
  readonly type?: string;
  readonly spot?: string;
  readonly zone?: string;
  readonly location?: string;
  readonly notes?: string;
  readonly at?: string;
  readonly photo?: readonly string[];
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
}

/** A plan with gaps: what was not given by a flag. */
export type PartialPlan = Partial<DropoffPlan>;

/** Without a terminal everything must be given: exit 2 names all that is missing. */
export function requireFlags({ car, type, dryRun }: DropoffFlags, yes: boolean): void {
  const gaps = [car === undefined && '--car', type === undefined && '--type', !yes && !dryRun && '--yes'].filter((flag) => flag !== false);
  if (gaps.length > 0) throw missing(gaps);
}

/** Looks up what the flags name. Photos come first: they need no server. */
export async function readFlags(context: Context, flags: DropoffFlags): Promise<PartialPlan> {
  if (flags.spot !== undefined && flags.zone !== undefined)
    throw new CliError({
      code: 'conflicting_fields',
      message: '--spot and --zone exclude each other: a car stands on one or in the other. Nothing was stored.',
      hint: 'leave one of them out',
      exitCode: 3,
    });
  const at = flags.at === undefined ? undefined : parsePast(flags.at, context.io.now(), '--at');
  const photos = flags.photo && (await readPhotos(context, flags.photo, flags));
  const car = flags.car === undefined ? undefined : await findCar(context, flags.car);
  const eventType = flags.type === undefined ? undefined : await findType(context, flags.type, flags.car);
  const place = await findPlace(context, flags);
  if (place) requireFree(place, car, globalFlagsOf(context));
  return { car, eventType, place, notes: flags.notes, at, photos };
}

/** The plan of a script: the flags and nothing else. */
export function completePlan({ car, eventType, place, notes, at, photos = [] }: PartialPlan): DropoffPlan {
  if (!car || !eventType) throw missing(['--car', '--type']);
  if (eventType.config?.requiresParkingSpot && !place) throw missing(['--spot or --zone']);
  return { car, eventType, place, notes, at, photos };
}

async function findCar(context: Context, text: string): Promise<RecordFor<'cars'>> {
  const car = (await resolveRecord(context, { resource: 'cars', text })) as RecordFor<'cars'>;
  requireUsableCar(car, globalFlagsOf(context));
  return car;
}

async function findType(context: Context, text: string, car: string | undefined): Promise<RecordFor<'eventTypes'>> {
  const type = (await resolveRecord(context, { resource: 'eventTypes', text })) as RecordFor<'eventTypes'>;
  requireDropoffType(type, car, globalFlagsOf(context));
  return type;
}

async function findPlace(context: Context, { spot, zone, location }: DropoffFlags): Promise<Place | undefined> {
  if (spot === undefined && zone === undefined) return undefined;
  const query = location === undefined ? {} : { locationId: await resolveId(context, { resource: 'locations', text: location }) };
  const place =
    spot === undefined
      ? {
          kind: 'zone' as const,
          record: (await resolveRecord(context, { resource: 'parkingZones', text: zone as string, query })) as RecordFor<'parkingZones'>,
        }
      : {
          kind: 'spot' as const,
          record: (await resolveRecord(context, { resource: 'parkingSpots', text: spot, query })) as RecordFor<'parkingSpots'>,
        };
  // Only a person reads where it lies, so a script does not pay for it.
  return context.output.format === 'table' ? { ...place, within: (await whereabouts(context, [place.record]))(place.record) } : place;
}
