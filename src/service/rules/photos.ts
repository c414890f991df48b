import { photoLimit } from '../../contract/cars.ts';
import type { CreateFor } from '../../contract/contract.ts';
import type { IntakeContext, ReadContext } from '../context.ts';
import { decodeBase64 } from '../files/base64.ts';
import { photoFilename } from '../files/filename.ts';
import { checkPhoto } from '../files/photo-type.ts';
import { change, find, insert, remove } from '../records.ts';
import { invalid, Refusal } from '../refusal.ts';
import { Existing, type RulesOf } from './rule.ts';

export const carPhotos: RulesOf<'carPhotos'> = {
  /** The bytes are on disk before the row is written, so a row without bytes cannot be. */
  async intake(context, { parent: car, body }) {
    const { team, files, fetchSource } = context;
    await requireSessionOf(context, car.id, body.sessionId ?? null);
    const bytes = await bytesOf(body, fetchSource);
    const { contentType, width, height } = checkPhoto(bytes, body.contentType ?? null);
    const { sha256, sizeBytes } = await files.put(team.id, bytes);
    return {
      values: { filename: photoFilename(body.filename ?? null, contentType), contentType, sizeBytes, sha256, width, height },
      // A delete of the last photo with these bytes may have swept them since.
      async ensureStored() {
        if (!(await files.has(team.id, sha256))) await files.put(team.id, bytes);
      },
    };
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
    // In a transaction of its own, so that no photo with the same bytes can come between the question and the removal.
    context.afterCommit(({ files, write }) =>
      write(async (later) => {
        if (!(await hasContent(later, record.sha256))) await files.remove(later.team.id, record.sha256);
      }),
    );
  },
  async content({ team, files }, record) {
    const bytes = await files.read(team.id, record.sha256);
    if (!bytes) throw new Error(`The bytes of photo ${record.id} are missing`);
    return { ...bytes, contentType: record.contentType, filename: record.filename, hash: record.sha256 };
  },
};

function bytesOf(body: CreateFor<'carPhotos'>, fetchSource: IntakeContext['fetchSource']): Promise<Uint8Array> | Uint8Array {
  if (body.base64 && body.sourceUrl)
    throw new Refusal('conflicting_fields', 'Give base64 or sourceUrl, not both', { fields: ['base64', 'sourceUrl'] });
  if (body.base64) return decodeBase64(body.base64, photoLimit);
  if (body.sourceUrl) return fetchSource(body.sourceUrl);
  throw invalid([{ path: 'base64', rule: 'required', message: 'or sourceUrl is required' }]);
}

/** A session of the car that was not cancelled. That the session exists was checked before. */
async function requireSessionOf(context: ReadContext, carId: string, sessionId: string | null) {
  if (!sessionId) return undefined;
  const session = await find(context, 'eventSessions', sessionId);
  if (session?.carId !== carId)
    throw new Refusal('session_mismatch', 'The session belongs to another car', { sessionId, carId: session?.carId ?? null });
  if (session.status === 'cancelled') throw new Refusal('session_closed', 'The session was cancelled', { sessionId });
  return session;
}

async function hasContent({ db, team }: ReadContext, sha256: string): Promise<boolean> {
  const row = await db.selectFrom('carPhotos').select('id').where('teamId', '=', team.id).where('sha256', '=', sha256).executeTakeFirst();
  return row !== undefined;
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
