import type { DashboardRecord } from '../../../contract/dashboard/dashboard.ts';
import type { ReadContext } from '../../context.ts';
import type { ApiKeyRow } from '../../database/tables.ts';
import { notFound } from '../../problem.ts';
import { find } from '../../records.ts';
import {
  addKey,
  changeKey,
  endKey,
  keysOf,
  requireLater,
  switchIntegration,
} from '../../team/keys.ts';
import { toUtc } from '../../values.ts';
import type { DashboardRulesOf } from './rule.ts';

export const keys: DashboardRulesOf<'keys'> = {
  list: async (reading) => (await keysOf(reading)).map(shown),
  async create(writing, { name, scopes, expiresAt, replacesId = null }) {
    const replaced = replacesId && (await requireKey(writing, replacesId, 'replacesId'));
    const end = expiresAt ? toUtc(expiresAt) : null;
    requireLater(end, writing.now);
    const { key, row } = await addKey(writing, writing.actor, {
      name,
      scopes,
      expiresAt: end,
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

async function requireKey(context: ReadContext, id: string, field?: string): Promise<ApiKeyRow> {
  const row = await find(context, 'apiKeys', id.toLowerCase());
  if (!row) throw notFound('key', field);
  return row;
}

const shown = ({
  teamId: _,
  prefix,
  secretHash: __,
  ...key
}: ApiKeyRow): DashboardRecord<'keys'> => ({
  ...key,
  key: `csk_${prefix}`,
  secret: null,
  revoked: key.revokedAt !== null,
});

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
