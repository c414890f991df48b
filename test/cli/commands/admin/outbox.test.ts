/** What the operator sees of what did not go out, and does about it. */
import { beforeEach, expect, test } from 'vitest';
import type { OutboxRow } from '../../../../src/service/database/tables.ts';
import { cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { testService } from '../../../helpers/service.ts';

const service = await testService();
const make = facility(service);
let message: { id: string; threadId: string };
const outbox = (...argv: string[]) => cs(['admin', 'outbox', ...argv, '--data', service.data]);
const row = () => service.admin.database.read.selectFrom('outbox').selectAll().executeTakeFirst();
const becomes = (values: Partial<OutboxRow>) =>
  service.admin.database.write.updateTable('outbox').set(values).execute();
const read = () => make.read(`/communications/threads/${message.threadId}/messages/${message.id}`);
const ahead = () => new Date(Date.now() + 3_600_000).toISOString();
const aside = {
  claim: 'gone',
  dueAt: '9998-12-31T23:59:59.999Z',
  error: "couldn't record the outcome of its delivery",
  attempts: 1,
};

beforeEach(async () => {
  await service.admin.database.write.deleteFrom('outbox').execute();
  const ada = await make.customer({ firstName: 'Ada', email: 'ada@example.com' });
  const thread = await make.thread({ channel: 'email', customerId: ada.id });
  message = { ...(await make.message(thread.id, { direction: 'outbound' })), threadId: thread.id };
});

test('lists waiting messages with the reason, by team', async () => {
  const nextAttemptAt = ahead();
  expect((await outbox('list')).json).toMatchObject([
    { recordId: message.id, state: 'queued', attempts: 0, error: null },
  ]);
  expect((await outbox('list', '--failed')).json).toEqual([]);
  await becomes({ attempts: 3, error: 'Not now', dueAt: nextAttemptAt });
  const entry = {
    team: 'first',
    kind: 'message',
    recordId: message.id,
    state: 'retrying',
    attempts: 3,
    nextAttemptAt,
    error: 'Not now',
  };
  expect((await outbox('list', '--failed', '--team', 'first')).json).toEqual([entry]);
  expect((await outbox('list', '--team', 'second')).json).toEqual([]);
  expect(await outbox('list', '--team', 'none')).toMatchObject({ code: 6 });
  expect(await read()).toMatchObject({ status: 'queued', error: null });
});

test.each<[string, Partial<OutboxRow>]>([
  ['was not taken', { error: 'Not now', attempts: 3, dueAt: '2099-01-01T00:00:00.000Z' }],
  ['was set aside', aside],
])('a retry makes messages that %s due now, for one record and for all', async (_name, values) => {
  for (const which of [message.id, '--all']) {
    await becomes(values);
    expect(await outbox('retry', which)).toMatchObject({
      code: 0,
      json: [{ recordId: message.id, state: 'retrying' }],
    });
    const due = await row();
    expect(due).toMatchObject({ claim: null, attempts: values.attempts });
    expect(Date.parse(due?.dueAt ?? '')).toBeLessThanOrEqual(Date.now());
  }
});

test('a retry of all skips untried messages and other teams', async () => {
  expect((await outbox('retry', '--all')).json).toEqual([]);
  await becomes({ error: 'no', dueAt: '2099-01-01T00:00:00.000Z' });
  expect((await outbox('retry', '--all', '--team', 'second')).json).toEqual([]);
  expect((await row())?.dueAt).toBe('2099-01-01T00:00:00.000Z');
  expect(await outbox('retry')).toMatchObject({ code: 2 });
});

test('a dropped message has failed and has left the outbox', async () => {
  await becomes(aside);
  expect(await outbox('drop', message.id)).toMatchObject({ code: 2 });
  expect(await outbox('drop', message.id, '--yes')).toMatchObject({
    code: 0,
    json: [{ recordId: message.id, state: 'set_aside' }],
  });
  expect(await row()).toBeUndefined();
  expect(await read()).toMatchObject({
    status: 'failed',
    error: 'Dropped by the operator of the service',
  });
  const log = await service.admin.database.read
    .selectFrom('auditLog')
    .selectAll()
    .where('subject', '=', message.id)
    .execute();
  expect(log).toMatchObject([{ action: 'outbox.drop', actor: 'test' }]);
  expect(await outbox('drop', message.id, '--yes')).toMatchObject({
    code: 6,
    error: { code: 'not_found' },
  });
});
