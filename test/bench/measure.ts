/** One database, from the first row to the last number. */
import type { Place } from '../../src/service/database/open.ts';
import { openStores } from '../../src/service/stores.ts';
import { type Case, type CaseName, casesOf } from './cases.ts';
import { startFloor, startService } from './child.ts';
import type { FloorRoute } from './floor-script.ts';
import { drive } from './load.ts';
import { type Seeded, seed } from './seed.ts';
import type { Space } from './space.ts';

export interface Measured {
  readonly name: string;
  /** Answers in a second; the median of the rounds. */
  readonly ours: number;
  readonly floor?: number;
}

export interface Result {
  readonly cases: Record<CaseName, Measured>;
  /** Of the service, from its start to the end, in bytes. */
  readonly peakMemory: number;
  /** What lists said, and what was there when everything was counted. */
  readonly totals: { readonly said: number; readonly counted: number };
  readonly space: Space;
  readonly version: string;
}

export interface Options {
  readonly rows: number;
  readonly rounds: number;
  /** Of one measurement; half of it goes before as a warm-up. */
  readonly ms: number;
  /** Parts of names of cases; all of them when left out. */
  readonly only?: readonly string[];
  readonly say: (what: string) => void;
}

export async function measure(
  place: Place,
  { rows, rounds, ms, only, say }: Options,
): Promise<Omit<Result, 'version' | 'space'>> {
  say(`seeding ${rows.toLocaleString('en')} appointments`);
  const seeded = await seed(place, rows);
  const all = casesOf(seeded, rows);
  const service = await startService(place);
  const floor = await startFloor({ place, routes: await routesOf(service.url, all) });
  try {
    const cases: Partial<Record<CaseName, Measured>> = {};
    for (const [name, one] of Object.entries(all) as [CaseName, Case][]) {
      if (only && !only.some((part) => name.includes(part))) continue;
      say(one.name);
      const ours = { ...one, url: service.url };
      const theirs = { ...one, url: floor.url, path: () => `/${name}` };
      await drive(ours, ms / 2);
      if (one.floor) await drive(theirs, ms / 2);
      const found: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
      // In turns, so that whatever else the machine does befalls both.
      for (let round = 0; round < rounds; round++) {
        found.ours.push(await drive(ours, ms));
        if (one.floor) found.floor.push(await drive(theirs, ms));
      }
      cases[name] = {
        name: one.name,
        ours: median(found.ours),
        floor: one.floor && median(found.floor),
      };
      const memory = Math.round((await service.peakMemory()) / 1024 / 1024);
      say(
        `  ${median(found.ours).toFixed(0)}/s, floor ${median(found.floor).toFixed(0)}/s, memory ${memory} MB`,
      );
    }
    const totals = await compareTotals(place, service.url, seeded);
    return {
      cases: cases as Record<CaseName, Measured>,
      peakMemory: await service.peakMemory(),
      totals,
    };
  } finally {
    await floor.stop();
    await service.stop();
  }
}

/** The floor answers what the service has answered. */
async function routesOf(url: string, cases: Record<CaseName, Case>): Promise<FloorRoute[]> {
  const routes: FloorRoute[] = [];
  for (const [name, { floor, method, path, body, key, reads }] of Object.entries(cases)) {
    if (!floor) continue;
    const response = await fetch(url + path(0), {
      method,
      headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body(0)),
    });
    if (!response.ok) throw new Error(`${method} ${path(0)} answered ${response.status}`);
    routes.push({ method, path: `/${name}`, text: await response.text(), reads });
  }
  return routes;
}

/** After all those writes. */
async function compareTotals(
  place: Place,
  url: string,
  { large, small }: Seeded,
): Promise<Result['totals']> {
  const totals = { said: 0, counted: 0 };
  const { database } = await openStores(place);
  for (const { id, key } of [large, small]) {
    const response = await fetch(`${url}/api/v1/appointments?limit=1`, {
      headers: { 'x-api-key': key },
    });
    totals.said += ((await response.json()) as { total: number }).total;
    const { count } = await database.read
      .selectFrom('appointments')
      .select((all) => all.fn.countAll<number>().as('count'))
      .where('teamId', '=', id)
      .executeTakeFirstOrThrow();
    totals.counted += Number(count);
  }
  await database.close();
  return totals;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
