import { sql } from 'kysely';
import { folderDepthLimit } from '../../contract/assets.ts';
import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { assetKind } from '../files/file-kinds.ts';
import { safeFilename } from '../files/filename.ts';
import { invalidValue } from '../problem.ts';
import { find } from '../records.ts';
import type { RulesOf } from './rule.ts';
import { ingestFile, readBytes, releaseBytes } from './stored-bytes.ts';
import { refuseUsed } from './uses.ts';

export const assets: RulesOf<'assets'> = {
  ingest: (context, { body }) => ingestFile(context, assetKind, body),
  async create(context, { ingested }, proceed) {
    if (!ingested) throw new Error('The bytes of an asset are stored before its record');
    await ingested.store(context);
    return proceed(ingested.values);
  },
  async update(_context, { record, body }, proceed) {
    if (body.filename === undefined) return proceed();
    return proceed({ filename: safeFilename(body.filename, record.contentType, 'asset') });
  },
  async delete(context, { record }, proceed) {
    await refuseUsed(context, `The asset ${record.filename}`, { target: 'assets', id: record.id });
    await proceed();
    await releaseBytes(context, record.sha256);
  },
  content: readBytes,
};

export const assetFolders: RulesOf<'assetFolders'> = {
  async create(context, { body }, proceed) {
    if (body.parentId) requireDepth((await pathTo(context, body.parentId)).length + 1);
    return proceed();
  },
  async update(context, { record, body }, proceed) {
    if (body.parentId && body.parentId !== record.parentId) {
      const path = await pathTo(context, body.parentId);
      if (path.includes(record.id))
        throw invalidValue(
          'parentId',
          'cycle',
          'must not be the folder itself or a folder inside it',
        );
      requireDepth(path.length + (await heightOf(context, record)));
    }
    return proceed();
  },
  async delete(context, { record }, proceed) {
    await refuseUsed(context, `The folder ${record.name}`, {
      target: 'assetFolders',
      id: record.id,
      labels: { assetFolders: 'folders' },
    });
    return proceed();
  },
};

function requireDepth(depth: number): void {
  if (depth <= folderDepthLimit) return;
  throw invalidValue(
    'parentId',
    'depth',
    `must keep folders at most ${folderDepthLimit} levels deep; this would be ${depth}`,
  );
}

/** The ancestors of a folder, itself included. */
async function pathTo(context: Context, folderId: string): Promise<string[]> {
  const path: string[] = [];
  for (let id: string | null = folderId; id; ) {
    path.push(id);
    const folder: RecordFor<'assetFolders'> | undefined = await find(context, 'assetFolders', id);
    id = folder?.parentId ?? null;
  }
  return path;
}

/** Levels below and including a folder. */
async function heightOf({ db, team }: Context, { id }: RecordFor<'assetFolders'>): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    with recursive "inside" ("id", "level") as (
      select "id", 1 from "assetFolders" where "teamId" = ${team.id} and "id" = ${id}
      union all
      select "assetFolders"."id", "level" + 1 from "assetFolders" join "inside" on "parentId" = "inside"."id" where "teamId" = ${team.id}
    )
    select max("level") as "height" from "inside"`.execute(db);
  return Number(rows[0]?.height);
}
