/** Ids are `uuid` on PostgreSQL, which refuses a malformed one. */
import { expect, test } from 'vitest';
import { findTeam } from '../../../src/service/admin.ts';
import { checkData } from '../../../src/service/check/check.ts';
import { dropFromOutbox } from '../../../src/service/outbox/admin.ts';
import { find, findIds, insert } from '../../../src/service/records.ts';
import { inTransaction } from '../../../src/service/transaction.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const { database } = service.admin;
const context = { db: database.read, team: await findTeam(service.admin, 'first') };
const malformed = [
  'zzzzzzzz-0000-7000-8000-000000000000',
  '00000000-0000-0000-0000-00000000000',
  "' or true --",
];

test.each(malformed)('"%s" matches nothing', async (id) => {
  const { id: known } = await facility(service).car();
  expect(await find(context, 'cars', id)).toBeUndefined();
  expect(await findIds(context, 'cars', [id, known])).toEqual(new Set([known]));
  await expect(dropFromOutbox(service.admin, { record: id })).rejects.toThrow(/outbox/);
  expect((await service.call('GET', `/cars/${encodeURIComponent(id)}`)).status).toBe(404);
});

test('a malformed id within a record is a finding of the check', async () => {
  const post = await inTransaction(service.admin, context.team, (own) =>
    insert(own, 'socialPosts', {
      body: 'Hello',
      socialAccountIds: [],
      assetIds: ['nothing'],
      status: 'draft',
      results: [],
    }),
  );
  const { findings } = await checkData({ data: service.data, database: service.database });
  expect(findings).toMatchObject([
    { check: 'references', examples: [`socialPosts.assetIds ${post.id} → assets`] },
  ]);
});
