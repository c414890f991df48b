/** The names of cars and places for work without the server: those that completion read within a day, and those of a mirror. */

import { IdMap } from '../../../client/ids.ts';
import { byName } from '../../../facility/natural.ts';
import type { Context } from '../../context.ts';
import { reportOf } from '../../errors/report.ts';
import { wantNames } from '../../framework/completion/want-names.ts';
import { localTime } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { type LabelRule, labelRuleOf } from '../../resources/labels.ts';
import { candidateOf } from '../../resources/record-names.ts';
import { type Candidate, openNames } from '../../state/names.ts';
import { kebab, shortPath } from '../../terminal/text.ts';
import { differenceOf, type Origin, rememberedOrigin } from '../connection/origin.ts';
import type { Bookmark, Mirror } from '../sync/mirror.ts';
import { targetOf } from '../sync/target.ts';

const resources = ['cars', 'eventTypes', 'parkingSpots', 'parkingZones'] as const;
export type Named = (typeof resources)[number];

export interface KnownNames extends Readonly<Record<Named, readonly Candidate[]>> {
  /** `the names of 2026-03-01 09:00 and the mirror backup.db of 2026-03-01 03:00`, the newest first. */
  readonly source: string;
}

interface Source extends Readonly<Record<Named, readonly Candidate[]>> {
  /** `the mirror backup.db` */
  readonly what: string;
  readonly since: Date;
}

/** Undefined where no car is known. */
export async function knownNames(context: Context): Promise<KnownNames | undefined> {
  const found = [cachedNames(context), await mirroredNames(context)].filter(
    (source) => source !== undefined,
  );
  const sources = found.sort((one, other) => other.since.getTime() - one.since.getTime());
  const all = (resource: Named) => withoutRepeats(sources.flatMap((source) => source[resource]));
  const cars = all('cars');
  if (cars.length === 0) return undefined;
  const source = sources
    .map(({ what, since }) => `${what} of ${localTime(since.toISOString())}`)
    .join(' and ');
  return {
    source,
    cars,
    eventTypes: all('eventTypes'),
    parkingSpots: all('parkingSpots'),
    parkingZones: all('parkingZones'),
  };
}

/** The newest source describes a record. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of candidates)
    if (!first.has(candidate.value)) first.set(candidate.value, candidate);
  return [...first.values()];
}

/** The names of the last day. */
function cachedNames({ io, settings }: Context): Source | undefined {
  const names = openNames(io, settings);
  if (!names) return undefined;
  const read = resources.map((resource) => names.read([resource]));
  const times = read.flatMap((cached) => (cached ? [Number(cached.readAt)] : []));
  if (times.length === 0) return undefined;
  const [cars = [], eventTypes = [], parkingSpots = [], parkingZones = []] = read.map(
    (cached) => cached?.names,
  );
  return {
    what: 'the names',
    since: new Date(Math.min(...times)),
    cars,
    eventTypes,
    parkingSpots,
    parkingZones,
  };
}

/** Reads the names again in the background where they are old, for a day without the server. */
export function keepNames({ io, settings }: Context): void {
  const { profileName, baseUrl } = settings;
  const options = {
    ...(profileName?.origin.startsWith('flag') && { profile: profileName.value }),
    ...(baseUrl?.origin.startsWith('flag') && { baseUrl: baseUrl.value }),
  };
  // Not waited for: it may outlive this command.
  wantNames(io, settings, { lists: resources.map((resource) => [resource]), options }).catch(
    () => {},
  );
}

/** The names in the mirror of the setting `mirror`. One that can't be used is a warning. */
async function mirroredNames(context: Context): Promise<Source | undefined> {
  const path = context.settings.find('mirror')?.value;
  if (path === undefined) return undefined;
  let mirror: Mirror | undefined;
  try {
    const { Mirror } = await import('../sync/mirror.ts');
    mirror = await Mirror.toRead(targetOf(context.io, path));
    const other = await otherOrigin(context, await mirror.origin());
    if (other === undefined)
      return await readMirror(mirror, `the mirror ${shortPath(context.io.cwd, path)}`);
    context.warn(`The mirror ${path} ${other}, so its names aren't used.`);
  } catch (error) {
    context.warn(`Couldn't read the names in the mirror ${path}: ${reportOf(error).message}`);
  } finally {
    await mirror?.close();
  }
  return undefined;
}

/** Another key is fine where the mirror knows its team: without the server nothing tells that of this key. */
async function otherOrigin(context: Context, origin: Origin): Promise<string | undefined> {
  const own = await rememberedOrigin(context);
  const difference = differenceOf(origin, own);
  if (difference === 'server') return `belongs to ${origin.server}`;
  if (difference === 'team') return `belongs to the team ${origin.team?.name}`;
  return difference === 'key' && origin.team === null && own.key !== ''
    ? `was written with the key ${origin.key}`
    : undefined;
}

async function readMirror(mirror: Mirror, what: string): Promise<Source | undefined> {
  const tables = (await mirror.bookmarks()).filter(
    ({ resource, syncedAt }: Bookmark) =>
      resources.some((name) => kebab(name) === resource) && syncedAt !== null,
  );
  if (tables.length === 0) return undefined;
  const rows = (resource: Named) =>
    tables.some((table) => table.resource === kebab(resource))
      ? newestFirst(mirror.records(resource))
      : Promise.resolve([]);
  const [cars, eventTypes, spots, zones] = [
    await rows('cars'),
    await rows('eventTypes'),
    await rows('parkingSpots'),
    await rows('parkingZones'),
  ];
  const nameOf = new IdMap(
    [...spots, ...zones].map(({ id, name }): [string, string] => [id, String(name)]),
  );
  const carIn = new IdMap(
    cars.map((car): [string, unknown] => [
      car.parkingSpotId,
      (labelRuleOf('cars') as LabelRule).label(car),
    ]),
  );
  const active = spots.filter(isActive).sort(byName);
  const parkedIn = ({ parkingSpotId, parkingZoneId }: Row) =>
    nameOf.get(parkingSpotId ?? parkingZoneId);
  return {
    what,
    since: new Date(Math.min(...tables.map(({ syncedAt }) => Date.parse(syncedAt as string)))),
    cars: candidatesOf(
      'cars',
      cars.filter(({ status }) => status !== 'archived'),
      (car) => (parkedIn(car) === undefined ? undefined : `parked in ${parkedIn(car)}`),
    ),
    eventTypes: candidatesOf(
      'eventTypes',
      eventTypes.filter((type) => isActive(type) && (type.scope ?? 'vehicle') === 'vehicle'),
    ),
    parkingSpots: candidatesOf(
      'parkingSpots',
      [...active.filter(({ id }) => !carIn.has(id)), ...active.filter(({ id }) => carIn.has(id))],
      ({ id }) => (carIn.has(id) ? `taken by ${carIn.get(id)}` : undefined),
    ),
    parkingZones: candidatesOf('parkingZones', zones.filter(isActive).sort(byName)),
  };
}

const isActive = ({ isActive: active }: Row): boolean => active !== false;

async function newestFirst(records: AsyncIterable<Row>): Promise<Row[]> {
  const rows = await Array.fromAsync(records);
  return rows.sort((one, other) => (String(one.updatedAt) < String(other.updatedAt) ? 1 : -1));
}

function candidatesOf(
  resource: Named,
  rows: readonly Row[],
  stateOf: (row: Row) => string | undefined = () => undefined,
): Candidate[] {
  return rows.flatMap((row) => {
    const candidate = candidateOf(labelRuleOf(resource) as LabelRule, row);
    return candidate
      ? [{ ...candidate, about: [candidate.about, stateOf(row)].filter(Boolean).join(' · ') }]
      : [];
  });
}
