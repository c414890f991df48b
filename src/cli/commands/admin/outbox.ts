/** What is to go out and did not yet: why, tried again now, or given up. */

import type { OutboxEntry } from '../../../service/outbox/admin.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import { recordWrite } from '../../framework/ledger.ts';
import type { View } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { pluralize } from '../../terminal/text.ts';
import { type DataTask, withData } from './admin-task.ts';

/** Loaded when it is needed, as all of the service. */
const parcelsOf = () => import('../../../service/outbox/admin.ts');

export function addOutbox(outbox: Command): void {
  outbox.description('What is to go out: messages, sends of campaigns, posts.');
  addList(outbox.command('list'));
  addRetry(outbox.command('retry'));
  addDrop(outbox.command('drop'));
  outbox.examples(['cs admin outbox list --failed', 'cs admin outbox retry --all --team garage-nord']);
}

function addList(command: Command): void {
  command.description('What waits in the outbox, how often it was tried, and why it was not taken.');
  command.option('--failed', 'only what went wrong before, or was set aside');
  withOutbox(command, async ({ output }, admin, { options: { team, failed } }) => {
    const { listOutbox } = await parcelsOf();
    await output.list({ view, records: await listOutbox(admin, { team, failed }) });
  });
  command.examples(['cs admin outbox list', 'cs admin outbox list --failed --team garage-nord', 'cs admin outbox list -o json']);
}

function addRetry(command: Command): void {
  command
    .description('Try again now what was not taken; also what was set aside, which may then arrive twice.')
    .argument('[record]', 'the message, send or post, by the id that the list shows')
    .option('--all', 'everything that went wrong or was set aside');
  withOutbox(command, async ({ io, output, note }, admin, { args: [record], options: { team, all } }) => {
    if ((record === undefined) !== Boolean(all)) throw usage('Give either a record or --all.', 'cs admin outbox list --failed');
    const { retryOutbox } = await parcelsOf();
    const parcels = await retryOutbox(admin, { record, team });
    recordWrite(io, { did: `${pluralize(parcels.length, 'parcel', 'parcels')} due now` });
    await output.value(parcels, `${pluralize(parcels.length, 'parcel', 'parcels')} due now`);
    if (parcels.length > 0) note('A service that runs and has a mail server takes it up within seconds.');
  });
  command.examples(['cs admin outbox retry 0198c0de-0000-7000-8000-000000000001', 'cs admin outbox retry --all --team garage-nord']);
}

function addDrop(command: Command): void {
  command
    .description('Give something up: it is not tried again, and its record says that it failed.')
    .argument('<record>', 'the message, send or post, by the id that the list shows');
  withOutbox(command, async (context, admin, { args: [record], options: { team } }) => {
    await confirm(context, `Give ${record} up?`, { local: true });
    const { dropFromOutbox } = await parcelsOf();
    const parcels = await dropFromOutbox(admin, { record, team });
    recordWrite(context.io, { did: `${pluralize(parcels.length, 'parcel', 'parcels')} given up` });
    await context.output.value(parcels, `${pluralize(parcels.length, 'parcel', 'parcels')} given up`);
  });
  command.examples([
    'cs admin outbox drop 0198c0de-0000-7000-8000-000000000001',
    'cs admin outbox drop 0198c0de-0000-7000-8000-000000000001 --yes',
  ]);
}

/** Gives a command `--team` beside the data, and tells what went wrong in its words. */
function withOutbox(command: Command, task: DataTask): void {
  command.option('--team <team>', 'only of this team, by its slug or name');
  withData(command, (context, admin, input) =>
    task(context, admin, input).catch((error: unknown) => {
      throw failureOf(error) ?? error;
    }),
  );
}

/** By their names, since the service is not loaded before it is needed. */
function failureOf(error: unknown): CliError | undefined {
  const { name, message } = error as Error;
  if (name === 'NotInOutbox')
    return new CliError({
      code: 'not_found',
      message: `${message}.`,
      hint: '`cs admin outbox list` shows what is',
      cause: error,
    });
  if (name === 'DeliveryInProgress')
    return new CliError({ code: 'parcel_under_way', message: `${message}.`, hint: 'look again in two minutes', cause: error });
  return undefined;
}

const words: Readonly<Record<OutboxEntry['state'], string>> = {
  queued: 'queued',
  retrying: 'not taken',
  under_way: 'under way',
  set_aside: 'set aside',
};

const view: View = {
  one: 'parcel',
  many: 'parcels',
  columns: [
    { header: 'record', cell: (parcel) => parcel.recordId, whole: true },
    { header: 'kind', cell: (parcel) => parcel.kind },
    { header: 'state', cell: (parcel) => words[parcel.state as OutboxEntry['state']] },
    { header: 'tries', cell: (parcel) => parcel.attempts, align: 'right' },
    { header: 'error', cell: (parcel) => parcel.error },
    { header: 'next try', cell: (parcel, { time }) => (parcel.nextAttemptAt ? time(parcel.nextAttemptAt) : 'never'), spare: true },
    { header: 'team', cell: (parcel) => parcel.team, spare: true },
  ],
  title: (parcel) => parcel.recordId,
};
