/** What is measured, and against what. */
import type { FloorRoute } from './floor-script.ts';
import type { Load } from './load.ts';
import { carFields, type Seeded, type SeededTeam } from './seed.ts';

export interface Case extends Omit<Load, 'url'> {
  readonly name: string;
  /** What the floor reads for it; a create inserts its answer instead. */
  readonly reads?: FloorRoute['reads'];
  readonly floor?: true;
}

const base = '/api/v1/appointments';
const recent = 'from appointments where "teamId" = ? order by "updatedAt" desc, id desc';

/** `rows` are those of the large team before anything is created. */
export function casesOf(
  { large, small, appointmentId, recently }: Seeded,
  rows: number,
): Record<CaseName, Case> {
  const get = (name: string, path: string, { key }: SeededTeam = large): Case => ({
    name,
    method: 'GET',
    path: () => path,
    key,
    status: 200,
    parallel: 8,
  });
  const list = (limit: number) => ({
    sql: `select * ${recent} limit ${limit}`,
    parameters: [large.id],
  });
  const create: Case = {
    name: 'create, 8 at once',
    method: 'POST',
    path: () => base,
    body: (n) => ({
      startAt: '2026-05-04T10:00:00Z',
      endAt: '2026-05-04T11:00:00Z',
      title: `Number ${n}`,
      carId: large.carIds[n % 100],
    }),
    key: large.key,
    status: 201,
    parallel: 8,
    floor: true,
  };
  return {
    list50: { ...get('list of 50, first page', `${base}?limit=50`), reads: list(50), floor: true },
    list200: {
      ...get('list of 200, first page', `${base}?limit=200`),
      reads: list(200),
      floor: true,
    },
    last: { ...get('list of 200, last page', `${base}?limit=200&page=${Math.ceil(rows / 200)}`) },
    changed: {
      ...get('list of the 10 that changed last', `${base}?limit=200&updatedAfter=${recently}`),
      reads: {
        sql: `select * from appointments where "teamId" = ? and "updatedAt" >= ? order by "updatedAt" desc, id desc limit 200`,
        parameters: [large.id, recently],
      },
      floor: true,
    },
    get: {
      ...get('get', `${base}/${appointmentId}`),
      reads: {
        sql: 'select * from appointments where "teamId" = ? and id = ?',
        parameters: [large.id, appointmentId],
      },
      floor: true,
    },
    small50: get('list of 50 of 1,000', `${base}?limit=50`, small),
    create,
    alone: { ...create, name: 'create, one at a time', parallel: 1 },
    crowd: { ...create, name: 'create, 64 at once', parallel: 64 },
    carList: {
      ...get('cars of 10 fields: list of 50, 16 at once', '/api/v1/cars?limit=50'),
      reads: {
        sql: 'select * from cars where "teamId" = ? order by "updatedAt" desc, id desc limit 50',
        parameters: [large.id],
      },
      parallel: 16,
      floor: true,
    },
    carGet: {
      ...get('the same: get', `/api/v1/cars/${large.carIds[0]}`),
      reads: {
        sql: 'select * from cars where "teamId" = ? and id = ?',
        parameters: [large.id, large.carIds[0] as string],
      },
      parallel: 16,
      floor: true,
    },
    carCreate: {
      ...create,
      name: 'the same: create',
      path: () => '/api/v1/cars',
      body: (n) => carFields(1_000 + n),
      parallel: 16,
    },
    event: {
      ...create,
      name: 'car event, 8 at once',
      path: (n) => `/api/v1/cars/${large.carIds[n % large.carIds.length]}/events`,
      body: (n) => ({ activityType: 'drop_off', parkingZoneId: large.zoneIds[n % 2] }),
    },
  };
}

export type CaseName =
  | 'list50'
  | 'list200'
  | 'last'
  | 'changed'
  | 'get'
  | 'small50'
  | 'create'
  | 'alone'
  | 'crowd'
  | 'carList'
  | 'carGet'
  | 'carCreate'
  | 'event';
