import { undecoded } from '../pictures.ts';
import type { DashboardRulesOf } from './rule.ts';

export const covers: DashboardRulesOf<'covers'> = {
  async list({ db, team }, { ids = [] }) {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('cars as c')
      .select((car) => {
        const photos = car
          .selectFrom('carPhotos as p')
          .select('p.id')
          .where('p.teamId', '=', team.id)
          .whereRef('p.carId', '=', 'c.id')
          .orderBy('p.createdAt')
          .orderBy('p.id')
          .limit(1);
        return [
          'c.id',
          photos.where('p.contentType', 'not in', undecoded).as('photoId'),
          photos.as('first'),
        ];
      })
      .where('c.teamId', '=', team.id)
      .where('c.id', 'in', ids)
      .execute();
    return rows.flatMap(({ id, photoId, first }) => (first === null ? [] : [{ id, photoId }]));
  },
};

export const photoNames: DashboardRulesOf<'photoNames'> = {
  async list({ db, team }, { ids = [] }) {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('carPhotos')
      .select(['sessionId as id', 'filename'])
      .where('teamId', '=', team.id)
      .where('sessionId', 'in', ids)
      .execute();
    return [...Map.groupBy(rows, ({ id }) => id as string)].map(([id, photos]) => ({
      id,
      names: photos.map(({ filename }) => filename),
    }));
  },
};
