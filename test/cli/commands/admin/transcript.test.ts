/** Everything that an operator reads. The commands are those of the files in transcripts/. */
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { OutboxRow } from '../../../../src/service/database/tables.ts';
import { campaignsOf } from '../../../helpers/campaigns.ts';
import { cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService } from '../../../helpers/service.ts';
import { replay, stopClock } from '../../../helpers/transcript.ts';

const service = await startTestService();
// Later: every service of this process starts with the records of the first one.
const startClock = stopClock();
afterAll(async () => {
  startClock();
  await service.close();
});
const { data } = service;
const make = facility(service);
const reads = (
  name: string,
  { hidden, tasks }: Pick<Parameters<typeof replay>[1], 'hidden' | 'tasks'> = {},
) =>
  replay(join(import.meta.dirname, 'transcripts', `${name}.txt`), {
    hidden: { data, ...hidden },
    tasks,
    env: { CS_DATA: data },
  });

test.each(['teams', 'keys', 'event-types', 'accounts'])('%s', (name) => reads(name));

test('senders, and the campaigns that stop', async () => {
  const { ready } = campaignsOf(service);
  const { id: customerId } = await make.customer({ email: 'ada@example.com' });
  await reads('senders', {
    tasks: {
      async 'letters from each sender are scheduled'() {
        for (const [name, fromAddress] of [
          ['Spring letter', 'office@garage.example'],
          ['Summer letter', 'a@mail.example'],
          ['Autumn letter', 'b@mail.example'],
        ]) {
          const { id } = await ready([customerId]);
          await make.change(`/marketing/campaigns/${id}`, {
            name,
            fromAddress,
            status: 'scheduled',
            scheduledAt: '2090-06-01T08:00:00Z',
          });
        }
      },
    },
  });
});

test('the queue of outgoing messages', async () => {
  const ada = await make.customer({ firstName: 'Ada', email: 'ada@example.com' });
  const thread = await make.thread({ channel: 'email', customerId: ada.id });
  const send = () => make.message(thread.id, { direction: 'outbound' });
  const [queued, failed, aside, sending] = [await send(), await send(), await send(), await send()];
  const becomes = ({ id }: { id: string }, values: Partial<OutboxRow>) =>
    service.admin.database.write
      .updateTable('outbox')
      .set(values)
      .where('recordId', '=', id)
      .execute();
  const later = '2050-05-02T11:30:00.000Z';
  const set = { claim: 'gone', dueAt: '9998-12-31T23:59:59.999Z', error: 'lost', attempts: 1 };
  await reads('outbox', {
    hidden: { failed: failed.id, aside: aside.id, sending: sending.id },
    tasks: {
      async 'one was refused for now, one is set aside, and one is on its way'() {
        await becomes(failed, { error: 'connection refused', attempts: 3, dueAt: later });
        await becomes(aside, set);
        await becomes(sending, { claim: 'other', dueAt: later, attempts: 1 });
      },
    },
  });
  expect(queued.status).toBe('queued');
});

test('data that is refused', async () => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const whole = join(folder, 'whole');
  await cs(['admin', 'team', 'create', 'Garage', '--data', whole]);
  for (const [name, sql] of [
    ['newer', "insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')"],
    ['outdated', 'alter table locations rename column phone to telephone'],
    ['unnoted', 'delete from kysely_migration'],
    ['foreign', 'create trigger spy after insert on cars begin select 1; end'],
    ['without-teams', 'pragma foreign_keys = off; delete from teams'],
  ] as const) {
    cpSync(whole, join(folder, name), { recursive: true });
    const database = new DatabaseSync(join(folder, name, 'cs.sqlite'));
    database.exec(sql);
    database.close();
  }
  mkdirSync(join(folder, 'lost', 'files'), { recursive: true });
  mkdirSync(join(folder, 'unfinished'));
  writeFileSync(join(folder, 'unfinished', 'restore-unfinished'), '\n/backups/garage\n');
  writeFileSync(join(folder, 'empty'), '\n');
  await reads('refused', { hidden: { folder } });
  expect(['none', 'nowhere'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
});
