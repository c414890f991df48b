import { undecoded } from '../pictures.ts';
import type { DashboardRulesOf } from './rule.ts';

export const covers: DashboardRulesOf<'covers'> = {
  async list({ db, team }, { ids = [] }) {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('cars as c')
      .select((car) => [
        'c.id',
        car
          .selectFrom('carPhotos as p')
          .select('p.id')
          .where('p.teamId', '=', team.id)
          .whereRef('p.carId', '=', 'c.id')
          .where('p.contentType', 'not in', undecoded)
          .orderBy('p.createdAt')
          .orderBy('p.id')
          .limit(1)
          .as('photoId'),
      ])
      .where('c.teamId', '=', team.id)
      .where('c.id', 'in', ids)
      .execute();
    return rows.flatMap(({ id, photoId }) => (photoId === null ? [] : [{ id, photoId }]));
  },
};

export const ownedCars: DashboardRulesOf<'ownedCars'> = {
  async list({ db, team }, { ids = [] }) {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('cars')
      .select(['id', 'customerId'])
      .where('teamId', '=', team.id)
      .where('customerId', 'in', ids)
      .orderBy('id')
      .execute();
    return [...Map.groupBy(rows, ({ customerId }) => customerId as string)].map(([id, cars]) => ({
      id,
      carIds: cars.map((car) => car.id),
    }));
  },
};
