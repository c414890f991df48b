/** The names of cars and places for work without the server: those that completion read within a day, and those of a mirror. */

import { compareNaturally } from '../../../facility/natural.ts';
import type { Context } from '../../context.ts';
import { reportOf } from '../../errors/report.ts';
import { wantNames } from '../../framework/completion/want-names.ts';
import { fold } from '../../input/matching.ts';
import { localTime } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { candidateOf, type LabelRule, labelRuleOf } from '../../resources/labels.ts';
import { type Candidate, openNames } from '../../state/names.ts';
import { kebab, shortPath } from '../../terminal/text.ts';
import { differenceOf, rememberedOrigin } from '../connection/origin.ts';
import type { Mirror } from '../sync/mirror.ts';
import { targetOf } from '../sync/target.ts';

const resources = ['cars', 'eventTypes', 'parkingSpots', 'parkingZones'] as const;
type Names = Readonly<Record<(typeof resources)[number], readonly Candidate[]>>;

export interface KnownNames extends Names {
  /** `the names of 2026-03-01 09:00 and the mirror backup.db of 2026-03-01 03:00`, the newest first. */
  readonly source: string;
}

interface Source {
  /** `the mirror backup.db` */
  readonly what: string;
  readonly since: Date;
  readonly names: Names;
}

const namesBy = (read: (resource: keyof Names) => readonly Candidate[]): Names =>
  Object.fromEntries(resources.map((resource) => [resource, read(resource)])) as unknown as Names;

/** Undefined where no car is known. */
export async function knownNames(context: Context): Promise<KnownNames | undefined> {
  const sources = [cachedNames(context), await mirroredNames(context)]
    .filter((source) => source !== undefined)
    .sort((one, other) => other.since.getTime() - one.since.getTime());
  const location = fold(context.settings.find('location')?.value ?? '');
  const isElsewhere = ({ about }: Candidate) => fold(about.split(' · ').at(-1) ?? '') !== location;
  // The newest source describes a record.
  const names = namesBy((resource) => {
    const all = sources.flatMap((source) => source.names[resource]);
    const known = [...Map.groupBy(all, ({ id, value }) => id ?? value).values()].map(
      ([first]) => first as Candidate,
    );
    return resource.startsWith('parking')
      ? known.sort(
          (one, other) =>
            Number(isElsewhere(one)) - Number(isElsewhere(other)) ||
            compareNaturally(one.about, other.about) ||
            compareNaturally(one.value, other.value),
        )
      : known;
  });
  const source = sources.map(({ what, since }) => `${what} of ${localTime(since.toISOString())}`);
  return names.cars.length > 0 ? { ...names, source: source.join(' and ') } : undefined;
}

/** The names of the last day. */
function cachedNames({ io, settings }: Context): Source | undefined {
  const kept = openNames(io, settings);
  const read = new Map(resources.map((resource) => [resource, kept?.read([resource])]));
  const times = [...read.values()].flatMap((list) => (list ? [Number(list.readAt)] : []));
  if (times.length === 0) return undefined;
  const names = namesBy((resource) => read.get(resource)?.names ?? []);
  return { what: 'the names', since: new Date(Math.min(...times)), names };
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
    const origin = await mirror.origin();
    const difference = differenceOf(origin, rememberedOrigin(context));
    // Another key is fine where the mirror knows its team: without the server nothing tells that of this key.
    if (difference === undefined || (difference === 'key' && origin.team))
      return await readMirror(mirror, `the mirror ${shortPath(context.io.cwd, path)}`);
    const of = difference === 'team' ? `the team ${origin.team?.name}` : `another ${difference}`;
    context.warn(`The mirror ${path} belongs to ${of}, so its names aren't used.`);
  } catch (error) {
    context.warn(`Couldn't read the names in the mirror ${path}: ${reportOf(error).message}`);
  } finally {
    await mirror?.close();
  }
  return undefined;
}

async function readMirror(mirror: Mirror, what: string): Promise<Source | undefined> {
  const tables = new Map(
    (await mirror.bookmarks()).flatMap(({ resource, syncedAt }) =>
      syncedAt === null ? [] : [[resource, Date.parse(syncedAt)] as const],
    ),
  );
  const read = resources.filter((resource) => tables.has(kebab(resource)));
  if (read.length === 0) return undefined;
  const rowsOf = new Map<string, Row[]>();
  const places = tables.has('locations') ? (['locations'] as const) : [];
  for (const resource of [...read, ...places])
    rowsOf.set(resource, await Array.fromAsync(mirror.records(resource)));
  const nameIn = (resource: string) => {
    const named = new Map(rowsOf.get(resource)?.map(({ id, name }) => [id, name]));
    return (id: unknown): string | undefined => named.get(id);
  };
  const [zone, location] = [nameIn('parkingZones'), nameIn('locations')];
  const found = new Map<string, readonly Candidate[]>();
  for (const resource of read) {
    const rule = labelRuleOf(resource) as LabelRule;
    const rows = (rowsOf.get(resource) ?? []).filter(
      (row) =>
        row.isActive !== false && !rule.past?.(row) && (row.scope ?? 'vehicle') === 'vehicle',
    );
    const where = ({ zoneId, locationId }: Row) =>
      [zone(zoneId), location(locationId)].filter(Boolean).join(' · ');
    found.set(
      resource,
      rows.flatMap((row) => candidateOf(rule, row, rule.within && where(row)) ?? []),
    );
  }
  const times = read.map((resource) => tables.get(kebab(resource)) as number);
  return {
    what,
    since: new Date(Math.min(...times)),
    names: namesBy((resource) => found.get(resource) ?? []),
  };
}
