import type { ReadContext } from '../context.ts';
import { photoKind } from '../files/photo-type.ts';
import { change, find, insert, remove } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { Existing, type RulesOf } from './rule.ts';
import { readBytes, sweepBytes, takeIn } from './stored-bytes.ts';

export const carPhotos: RulesOf<'carPhotos'> = {
  async intake(context, { parent: car, body }) {
    await requireSessionOf(context, car.id, body.sessionId ?? null);
    return takeIn(context, photoKind, body);
  },
  async create(context, { parent: car, body, intake }) {
    if (!intake) throw new Error('A photo is taken in before it is stored');
    const sessionId = body.sessionId ?? null;
    const session = await requireSessionOf(context, car.id, sessionId);
    const same = await samePhoto(context, car.id, sessionId, intake.values.sha256);
    if (same) return new Existing(same);
    await intake.ensureStored();
    const photo = await insert(context, 'carPhotos', { ...intake.values, carId: car.id, sessionId });
    if (session) {
      const started = session.status === 'ready' ? { status: 'open' as const, startedAt: context.now } : {};
      await change(context, 'eventSessions', session, { ...started, photoCount: session.photoCount + 1 });
    }
    return photo;
  },
  async delete(context, { record }) {
    await remove(context, 'carPhotos', record.id);
    const session = record.sessionId ? await find(context, 'eventSessions', record.sessionId) : undefined;
    if (session) await change(context, 'eventSessions', session, { photoCount: session.photoCount - 1 });
    sweepBytes(context, record.sha256);
  },
  content: readBytes,
};

/** A session of the car that was not cancelled. That the session exists was checked before. */
async function requireSessionOf(context: ReadContext, carId: string, sessionId: string | null) {
  if (!sessionId) return undefined;
  const session = await find(context, 'eventSessions', sessionId);
  if (session?.carId !== carId)
    throw new Refusal('session_mismatch', 'The session belongs to another car', { sessionId, carId: session?.carId ?? null });
  if (session.status === 'cancelled') throw new Refusal('session_closed', 'The session was cancelled', { sessionId });
  return session;
}

async function samePhoto({ db, team }: ReadContext, carId: string, sessionId: string | null, sha256: string | undefined) {
  return db
    .selectFrom('carPhotos')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('carId', '=', carId)
    .where('sessionId', sessionId === null ? 'is' : '=', sessionId)
    .where('sha256', '=', sha256 ?? '')
    .executeTakeFirst();
}
