/** The service against its floor: a facility of a thousand cars, and one with very many appointments. */
import type { Place } from '../../src/service/database/open.ts';
import { openStores } from '../../src/service/stores.ts';
import { startFloor, startService } from './child.ts';
import { type Figure, inTurns, memory, type Target } from './figures.ts';
import type { FloorRoute } from './floor-script.ts';
import { drive, type Load } from './load.ts';
import { type Seeded, type SeededTeam, seed } from './seed.ts';
import { spaceOf } from './space.ts';

interface Case extends Omit<Load, 'url'> {
  readonly name: string;
  /** What the floor reads for it; a write inserts its answer there instead. */
  readonly reads?: FloorRoute['reads'];
  /** An earlier case that it is compared with, in place of the floor. */
  readonly than?: string;
  readonly target?: Target;
}

export interface Options {
  /** Appointments of the large team. */
  readonly rows: number;
  readonly rounds: number;
  /** Of one measurement; half of it goes before as a warm-up. */
  readonly ms: number;
  /** A part of the names of the cases (default: all). */
  readonly only?: string | undefined;
  readonly say: (what: string) => void;
}

export interface ServiceFigures {
  readonly facility: readonly Figure[];
  readonly large: readonly Figure[];
}

export async function measureService(place: Place, options: Options): Promise<ServiceFigures> {
  const { rows, only, say } = options;
  say(`seeding ${rows.toLocaleString('en')} appointments`);
  const seeded = await seed(place, rows);
  const chosen = (cases: readonly Case[]) => cases.filter(({ name }) => name.includes(only ?? ''));
  const [facility, large] = [chosen(facilityCases(seeded.facility)), chosen(largeCases(seeded))];
  const service = await startService(place);
  const routes = await routesOf(service.url, [...facility, ...large]);
  const floor = await startFloor({ place, routes });
  const run = async (cases: readonly Case[]) => {
    const figures: Figure[] = [];
    for (const one of cases)
      figures.push(await measureCase(one, { ...options, service, floor, figures }));
    return figures;
  };
  try {
    const facilityFigures = await run(facility);
    const used = memory(memoryName, await service.peakMemory(), 250);
    const largeFigures = await run(large);
    return {
      facility: [...facilityFigures, used],
      large: [
        ...largeFigures,
        memory(memoryName, await service.peakMemory(), 250),
        await totalsFigure(place, service.url, seeded.large),
      ],
    };
  } finally {
    await floor.stop();
    await service.stop();
  }
}

let made = 0;
function newCar() {
  made += 1;
  return {
    year: 1973,
    make: 'Porsche',
    model: '911 Carrera RS',
    trim: 'Touring',
    color: 'Grand Prix white',
    vin: `N-${made}`,
    licensePlate: `HH-N ${made}`,
    nickname: `Ducktail ${made}`,
    mileage: 81_000,
    notes: 'Two keys, the second one is in the office. Battery on the trickle charger.',
  };
}

/** At 16 at once the targets of the design hold: half of the floor for reads, 0.4 for a create. */
function facilityCases({ id, key, carIds, zoneIds }: SeededTeam): Case[] {
  const cars = '/api/v1/cars';
  const half = { least: 0.5 };
  const listed = 'select * from cars where "teamId" = ? order by "updatedAt" desc, id desc limit';
  const list = (limit: number, more: Partial<Case> = {}): Case => ({
    ...getting(`list of ${limit} cars`, `${cars}?limit=${limit}`, key),
    reads: { sql: `${listed} ${limit}`, parameters: [id] },
    ...more,
  });
  const one: Case = {
    ...getting('get a car', `${cars}/${carIds[0]}`, key),
    reads: {
      sql: 'select * from cars where "teamId" = ? and id = ?',
      parameters: [id, carIds[0] as string],
    },
  };
  const create: Case = {
    name: 'create a car',
    method: 'POST',
    path: () => cars,
    body: newCar,
    key,
    status: 201,
    parallel: 8,
  };
  const alone = { ...create, name: 'create a car, one at a time', parallel: 1 };
  return [
    list(50),
    list(50, { name: 'list of 50 cars, 16 at once', parallel: 16, target: half }),
    list(200, { target: half }),
    {
      ...getting('search for half a plate', `${cars}?q=73&limit=50`, key),
      than: 'list of 50 cars',
    },
    one,
    { ...one, name: 'get a car, 16 at once', parallel: 16, target: half },
    create,
    { ...create, name: 'create a car, 16 at once', parallel: 16, target: { least: 0.4 } },
    alone,
    {
      ...create,
      name: 'create a car, 64 at once',
      parallel: 64,
      than: alone.name,
      target: { least: 2 },
    },
    {
      ...create,
      name: 'drop off a car',
      path: (n) => `${cars}/${carIds[n % carIds.length]}/events`,
      body: (n) => ({ activityType: 'drop_off', parkingZoneId: zoneIds[n % 2] }),
    },
  ];
}

function largeCases({ large: { id, key }, rows, recently }: Seeded): Case[] {
  const order = 'order by "updatedAt" desc, id desc limit';
  const all = 'select * from appointments where "teamId" = ?';
  const list = (name: string, query: string, more: Partial<Case>): Case => ({
    ...getting(name, `/api/v1/appointments?${query}`, key),
    ...more,
  });
  return [
    list('list of 50, first page', 'limit=50', {
      reads: { sql: `${all} ${order} 50`, parameters: [id] },
    }),
    list('list of 200, first page', 'limit=200', {
      reads: { sql: `${all} ${order} 200`, parameters: [id] },
      target: { least: 0.5 },
    }),
    list('list of 200, last page', `limit=200&page=${Math.ceil(rows / 200)}`, {
      than: 'list of 200, first page',
      target: { least: 0.33 },
    }),
    list('list of the 10 that changed last', `limit=200&updatedAfter=${recently}`, {
      reads: { sql: `${all} and "updatedAt" >= ? ${order} 200`, parameters: [id, recently] },
    }),
  ];
}

const getting = (name: string, path: string, key: string): Case => ({
  name,
  method: 'GET',
  path: () => path,
  key,
  status: 200,
  parallel: 8,
});

const isWithFloor = ({ than }: Case): boolean => than === undefined;
const routeOf = (name: string): string => `/${name.replaceAll(/\W+/g, '-')}`;

interface Measuring extends Options {
  readonly service: { readonly url: string };
  readonly floor: { readonly url: string };
  /** What is measured already. */
  readonly figures: readonly Figure[];
}

async function measureCase(
  one: Case,
  { ms, rounds, say, service, floor, figures }: Measuring,
): Promise<Figure> {
  const { name, than, target } = one;
  const asked = { ...one, url: service.url };
  const bare = { ...one, url: floor.url, path: () => routeOf(name) };
  await drive(asked, ms / 2);
  if (isWithFloor(one)) await drive(bare, ms / 2);
  const measured = await inTurns(
    rounds,
    () => drive(asked, ms),
    async () => (isWithFloor(one) ? drive(bare, ms) : 0),
  );
  const other = than ? figures.find((earlier) => earlier.name === than)?.ours : measured.other;
  say(`${name}: ${measured.ours.toFixed(0)}/s, ${than ?? 'floor'} ${other?.toFixed(0)}/s`);
  return {
    name: than ? `${name}, to ${than}` : name,
    ours: measured.ours,
    other,
    unit: '/s',
    target,
  };
}

/** The floor answers what the service has answered. */
async function routesOf(url: string, cases: readonly Case[]): Promise<FloorRoute[]> {
  const routes: FloorRoute[] = [];
  for (const { name, method, path, body, key, reads } of cases.filter(isWithFloor)) {
    const response = await fetch(url + path(0), {
      method,
      headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body && { body: JSON.stringify(body(0)) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path(0)} answered ${response.status}: ${await response.text()}`);
    routes.push({ method, path: routeOf(name), text: await response.text(), reads });
  }
  return routes;
}

const memoryName = 'memory of the service at its most';

/** What a list says, and what is there when everything is counted, after all those writes. */
async function totalsFigure(place: Place, url: string, team: SeededTeam): Promise<Figure> {
  const response = await fetch(`${url}/api/v1/appointments?limit=1`, {
    headers: { 'x-api-key': team.key },
  });
  const { total } = (await response.json()) as { total: number };
  const { database } = await openStores(place);
  const { count } = await database.read
    .selectFrom('appointments')
    .select((all) => all.fn.countAll<number>().as('count'))
    .where('teamId', '=', team.id)
    .executeTakeFirstOrThrow();
  await database.close();
  return {
    name: 'total of the list, to all rows counted',
    ours: total,
    unit: '',
    other: Number(count),
    target: { equal: Number(count) },
  };
}

/** In a database of its own. */
export async function measureSpace(place: Place): Promise<Figure> {
  const { ours, plain } = await spaceOf(place);
  return {
    name: 'an appointment on disk, to a plain table',
    ours,
    other: plain,
    unit: 'bytes',
    target: { most: 1.6 },
  };
}
