import type { DashboardRecord } from '../../../contract/dashboard/dashboard.ts';
import type { ReadContext } from '../../context.ts';
import type { ApiKeyRow } from '../../database/tables.ts';
import { notFound } from '../../problem.ts';
import { addKey, changeKey, endKey, requireLater, switchIntegration } from '../../team/keys.ts';
import { toUtc } from '../../values.ts';
import type { DashboardRulesOf } from './rule.ts';

export const keys: DashboardRulesOf<'keys'> = {
  async list({ db, team }) {
    const rows = await db
      .selectFrom('apiKeys')
      .selectAll()
      .where('teamId', '=', team.id)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    return rows.map(shown);
  },
  async create(writing, { name, scopes, expiresAt, replacesId = null }) {
    const replaced = replacesId && (await requireKey(writing, replacesId, 'replacesId'));
    const end = expiresAt ? toUtc(expiresAt) : null;
    requireLater(end, writing.now);
    const { key, row } = await addKey(writing, writing.actor, {
      ...{ name, scopes, expiresAt: end },
      replacesId: replaced ? replaced.id : null,
    });
    return { record: shown(row), shownOnce: { secret: key } };
  },
  async update(writing, { name, expiresAt, revoked }, id) {
    const row = await requireKey(writing, id);
    const changed = await changeKey(writing, writing.actor, row, {
      name,
      expiresAt: expiresAt ? toUtc(expiresAt) : expiresAt,
    });
    return shown(revoked ? await endKey(writing, writing.actor, changed) : changed);
  },
};

export const integration: DashboardRulesOf<'integration'> = {
  get: ({ db, team }) => readSwitch({ db, team }),
  async update(writing, { apiEnabled }) {
    const before = await readSwitch(writing);
    if (apiEnabled === undefined || apiEnabled === before.apiEnabled) return before;
    await switchIntegration(writing, writing.actor, apiEnabled);
    return readSwitch(writing);
  },
};

async function requireKey(
  { db, team }: ReadContext,
  given: string,
  field?: string,
): Promise<ApiKeyRow> {
  const id = given.toLowerCase();
  const row = await db
    .selectFrom('apiKeys')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('key', field);
  return row;
}

function shown({
  id,
  name,
  prefix,
  scopes,
  expiresAt,
  revokedAt,
  revokedBy,
  lastUsedAt,
  replacesId,
  createdBy,
  createdAt,
  updatedAt,
}: ApiKeyRow) {
  const record: DashboardRecord<'keys'> = {
    id,
    name,
    key: `csk_${prefix}`,
    secret: null,
    scopes,
    expiresAt,
    revoked: revokedAt !== null,
    revokedAt,
    revokedBy,
    lastUsedAt,
    replacesId,
    createdBy,
    createdAt,
    updatedAt,
  };
  return record;
}

async function readSwitch({ db, team }: ReadContext): Promise<DashboardRecord<'integration'>> {
  const { apiEnabled } = await db
    .selectFrom('teams')
    .select('apiEnabled')
    .where('id', '=', team.id)
    .executeTakeFirstOrThrow();
  const last = await db
    .selectFrom('auditLog')
    .select(['at', 'actor'])
    .where('teamId', '=', team.id)
    .where('action', 'in', ['integration.on', 'integration.off'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { apiEnabled, changedAt: last?.at ?? null, changedBy: last?.actor ?? null };
}
