/** Everything that an operator reads. */
import { afterAll, expect, test } from 'vitest';
import type { OutboxRow } from '../../../../src/service/database/tables.ts';
import { campaignsOf } from '../../../helpers/campaigns.ts';
import { facility } from '../../../helpers/facility.ts';
import { startTestService } from '../../../helpers/service.ts';
import { type Step, stopClock, transcript } from '../../../helpers/transcript.ts';

const service = await startTestService();
// Later: every service of this process starts with the records of the first one.
const startClock = stopClock();
afterAll(async () => {
  startClock();
  await service.close();
});
const { data } = service;
const make = facility(service);
const hidden: Record<string, string> = { data };

const reads = async (name: string, steps: readonly Step[]) =>
  expect(await transcript(steps, { hidden, env: { CS_DATA: data } })).toMatchFileSnapshot(
    `transcripts/${name}.txt`,
  );

test('teams', () =>
  reads('teams', [
    'cs admin team create "Garage Süd" --timezone Europe/Zurich',
    'cs admin team create Annex --timezone Europe/Berlin | cat',
    'cs admin team create FIRST',
    'cs admin team quota second 1.5GB',
    'cs admin team quota nobody default',
    'cs admin integration off --team annex',
    'cs admin team list',
    'cs admin integration on --team annex | cat',
    'cs admin files copy --to folder',
  ]));

test('senders, and the campaigns that stop', async () => {
  const { ready } = campaignsOf(service);
  const { id: customerId } = await make.customer({ email: 'ada@example.com' });
  const schedule = async (name: string, fromAddress: string) => {
    const { id } = await ready([customerId]);
    await make.change(`/marketing/campaigns/${id}`, {
      name,
      fromAddress,
      status: 'scheduled',
      scheduledAt: '2090-06-01T08:00:00Z',
    });
  };
  await reads('senders', [
    'cs admin team sender list --team first',
    'cs admin team sender add office@garage.example --team first',
    'cs admin team sender add @mail.example --team first',
    'cs admin team sender add office --team first',
    'cs admin team sender list --team first',
    () => schedule('Spring letter', 'office@garage.example'),
    () => schedule('Summer letter', 'a@mail.example'),
    () => schedule('Autumn letter', 'b@mail.example'),
    'cs admin team sender remove office@garage.example --team first',
    'cs admin team sender remove @mail.example --team first',
    'cs admin team sender remove @mail.example --team first',
  ]);
});

test('keys', () =>
  reads('keys', [
    'cs admin key create --team second --name counter --all-scopes',
    'cs admin key create --team second --name sync --scope read:cars --scope read:parking --expires 90d',
    'cs admin key create --team second --name sync --scope read:cars | cat',
    'cs admin key create --team second --name x',
    'cs admin key create --team second --name x --scope read:everything',
    'cs admin key revoke counter',
    'cs admin key revoke sync',
    'cs admin key revoke nothing',
    'cs admin key list --team second',
  ]));

test('event types', () =>
  reads('event-types', [
    'cs admin event-type create --team second --value detailing --name Detailing --duration 60 --option Wash:45 --option "Full detail:180" --option Wax',
    'cs admin event-type create --team second --value detailing --name Detailing',
    'cs admin event-type create --team second --value x --name X --option :45',
    'cs admin event-type create --team second --value x --name X --requires-parking-spot --releases-parking-spot',
    'cs admin event-type photos drop_off front,rear --team second',
    'cs admin event-type photos drop_off front.jpg --team second',
    'cs admin event-type photos pick_up none --team second',
    'cs admin event-type photos nothing none --team second',
    'cs admin event-type list --team second',
  ]));

test('accounts and screens', () =>
  reads('accounts', [
    'cs admin user list --team second',
    'cs admin user add Anna@Garage.example --name "Anna Berg" --team second --public-url https://garage.example',
    'cs admin user add ben@garage.example --role staff --team second --public-url https://garage.example',
    'cs admin user add ben@garage.example --team second',
    'cs admin user link ben@garage.example --team second',
    'cs admin user list --team second',
    'cs admin user sessions Anna@garage.example --team second',
    'cs admin user sessions anna@garage.example --end --team second',
    'cs admin user sessions nobody@garage.example --team second',
    'cs admin user remove ben@garage.example --team second',
    'cs admin user remove ben@garage.example --team second',
    'cs admin screen list --team second',
    'cs admin screen add "Hall A" --team second --public-url https://garage.example | cat',
    'cs admin screen link "Hall A" --team second',
    'cs admin screen list --team second',
    'cs admin screen remove "Hall A" --team second',
  ]));

test('the queue of outgoing messages', async () => {
  const ada = await make.customer({ firstName: 'Ada', email: 'ada@example.com' });
  const thread = await make.thread({ channel: 'email', customerId: ada.id });
  const send = () => make.message(thread.id, { direction: 'outbound' });
  const [queued, failed, aside, sending] = [await send(), await send(), await send(), await send()];
  Object.assign(hidden, { failed: failed.id, aside: aside.id, sending: sending.id });
  const becomes =
    ({ id }: { id: string }, values: Partial<OutboxRow>) =>
    () =>
      service.admin.database.write
        .updateTable('outbox')
        .set(values)
        .where('recordId', '=', id)
        .execute();
  const later = '2050-05-02T11:30:00.000Z';
  const set = { claim: 'gone', dueAt: '9998-12-31T23:59:59.999Z', error: 'lost', attempts: 1 };
  await reads('outbox', [
    'cs admin outbox retry --all',
    becomes(failed, { error: 'connect ECONNREFUSED', attempts: 3, dueAt: later }),
    becomes(aside, set),
    becomes(sending, { claim: 'other', dueAt: later, attempts: 1 }),
    'cs admin outbox list',
    'cs admin outbox list --failed',
    'cs admin outbox list --team second',
    'cs admin outbox retry {failed}',
    'cs admin outbox retry --all',
    'cs admin outbox retry',
    'cs admin outbox retry {sending}',
    'cs admin outbox drop {aside}',
    'cs admin outbox drop {aside} --yes',
    'cs admin outbox drop {aside} --yes',
    'cs admin outbox drop {sending} --yes | cat',
  ]);
  expect(queued.status).toBe('queued');
});
