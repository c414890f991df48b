/** The queue of outgoing messages and campaign sends: list, retry, drop. */

import type { OutboxEntry } from '../../../service/outbox/admin.ts';
import { CliError, type ErrorCode, usage } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import { timeColumn, type View } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { pluralize } from '../../terminal/text.ts';
import { type AdminTask, handleAdminTask, report } from './admin-task.ts';

const loadOutbox = () => import('../../../service/outbox/admin.ts');

export function addOutbox(outbox: Command): void {
  outbox.description('Manage the queue of outgoing messages and campaign sends.');
  addList(outbox.command('list'));
  addRetry(outbox.command('retry'));
  addDrop(outbox.command('drop'));
  outbox.examples([
    'cs admin outbox list --failed',
    'cs admin outbox retry --all --team garage-nord',
  ]);
}

function addList(command: Command): void {
  command.description('List queued items with their attempts and the last error.');
  command.option('--failed', 'only items that have failed at least once');
  handleOutboxTask(command, async ({ output }, admin, { options: { team, failed } }) => {
    const { listOutbox } = await loadOutbox();
    await output.list({ view, records: await listOutbox(admin, { team, failed }) });
  });
  command.examples([
    'cs admin outbox list',
    'cs admin outbox list --failed --team garage-nord',
    'cs admin outbox list -o json',
  ]);
}

function addRetry(command: Command): void {
  command
    .description(
      'Retry failed items now. An item that was set aside after a lost answer may be delivered twice.',
    )
    .argument('[record]', 'id of the message or send, as listed')
    .option('--all', 'all failed items');
  handleOutboxTask(command, async (context, admin, { args: [record], options: { team, all } }) => {
    if ((record === undefined) !== Boolean(all))
      throw usage(
        'Give either a record or --all.',
        'list the failed ones with `cs admin outbox list --failed`',
      );
    const { retryOutbox } = await loadOutbox();
    const items = await retryOutbox(admin, { record, team });
    await report(context, `${pluralize(items.length, 'item', 'items')} due now`, items);
    if (items.length > 0)
      context.note('A running service with a mail server sends it within seconds.');
  });
  command.examples([
    'cs admin outbox retry 0198c0de-0000-7000-8000-000000000001',
    'cs admin outbox retry --all --team garage-nord',
  ]);
}

function addDrop(command: Command): void {
  command
    .description('Drop an item from the queue: it is not retried, and its record becomes failed.')
    .argument('<record>', 'id of the message or send, as listed');
  handleOutboxTask(command, async (context, admin, { args: [record], options: { team } }) => {
    await confirm(context, `Drop ${record} from the queue?`, { local: true });
    const { dropFromOutbox } = await loadOutbox();
    const items = await dropFromOutbox(admin, { record, team });
    await report(context, `${pluralize(items.length, 'item', 'items')} dropped`, items);
  });
  command.examples([
    'cs admin outbox drop 0198c0de-0000-7000-8000-000000000001',
    'cs admin outbox drop 0198c0de-0000-7000-8000-000000000001 --yes',
  ]);
}

/** Adds `--team`, and reports failures of the outbox as errors of the command. */
function handleOutboxTask(command: Command, task: AdminTask): void {
  command.option('--team <team>', 'only items of this team, by slug or name');
  handleAdminTask(command, (context, admin, input) =>
    task(context, admin, input).catch((error: unknown) => {
      throw toOutboxError(error);
    }),
  );
}

/** Errors by name, since the service is loaded on demand. */
const outboxErrors: Readonly<Record<string, readonly [code: ErrorCode, hint: string]>> = {
  NotInOutbox: ['not_found', 'list the queue with `cs admin outbox list`'],
  DeliveryInProgress: ['already_running', 'try again in two minutes'],
};

function toOutboxError(cause: unknown): unknown {
  const { name, message } = cause as Error;
  const [code, hint] = outboxErrors[name] ?? [];
  return code ? new CliError({ code, message: `${message}.`, hint, cause }) : cause;
}

const stateLabels: Readonly<Record<OutboxEntry['state'], string>> = {
  queued: 'queued',
  retrying: 'retrying',
  under_way: 'sending',
  set_aside: 'set aside',
};

const view: View = {
  one: 'item',
  many: 'items',
  columns: [
    { header: 'record', cell: (item) => item.recordId, neverCut: true },
    { header: 'kind', cell: (item) => item.kind },
    { header: 'state', cell: (item) => stateLabels[item.state as OutboxEntry['state']] },
    { header: 'attempts', cell: (item) => item.attempts, align: 'right' },
    { header: 'error', cell: (item) => item.error },
    {
      ...timeColumn('next attempt', 'nextAttemptAt'),
      cell: (item, { time }) => (item.nextAttemptAt ? time(item.nextAttemptAt) : 'never'),
    },
    { header: 'team', cell: (item) => item.team, droppable: true },
  ],
  title: (item) => item.recordId,
};
