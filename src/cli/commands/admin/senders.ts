/** The addresses that a team's campaigns may be sent from. */
import type { Command } from '../../framework/command.ts';
import { timeColumn, type View } from '../../output/view.ts';
import { joinList, pluralize } from '../../terminal/text.ts';
import { handleTeamTask } from './admin-task.ts';

const service = () => import('../../../service/admin.ts');

export function addSenders(sender: Command): void {
  sender.description('Manage the addresses that a team may use as `fromAddress` of its campaigns.');
  sender.examples([
    'cs admin team sender add office@garage.example --team garage-nord',
    'cs admin team sender list --team garage-nord',
  ]);

  const add = sender
    .command('add')
    .description('Allow an address. Safe to run again.')
    .argument(
      '<address>',
      'an e-mail address, a whole domain such as @garage.example, or an SMS sender',
    );
  handleTeamTask(add, async ({ output }, admin, { args: [address], options }) => {
    const { addSender } = await service();
    const row = await addSender(admin, options.team, address);
    await output.value(row, `campaigns of ${options.team} may be sent from ${row.address}`);
  });
  add.examples([
    'cs admin team sender add office@garage.example --team garage-nord',
    'cs admin team sender add @garage.example --team garage-nord',
  ]);

  const list = sender
    .command('list')
    .description(
      'List the allowed addresses of a team. Without any, only the address in `cs serve --smtp-from` is allowed.',
    );
  handleTeamTask(list, async ({ output }, admin, { options }) => {
    const { listSenders } = await service();
    await output.list({ view, records: await listSenders(admin, options.team) });
  });
  list.examples([
    'cs admin team sender list --team garage-nord',
    'cs admin team sender list --team garage-nord -o json',
  ]);

  const remove = sender
    .command('remove')
    .description(
      'Remove an address. Campaigns that are being sent from it are paused, scheduled ones become drafts.',
    )
    .argument('<address>', 'the address or domain, as listed');
  handleTeamTask(remove, async ({ output, warn }, admin, { args: [address], options }) => {
    const { removeSender } = await service();
    const { sender: row, stopped } = await removeSender(admin, options.team, address);
    await output.value(
      { ...row, stopped },
      `campaigns of ${options.team} may no longer be sent from ${row.address}`,
    );
    if (stopped.length > 0)
      warn(
        `${pluralize(stopped.length, 'campaign', 'campaigns')} stopped: ${joinList(stopped.map(({ name, status }) => `${name} (now ${status})`))}.`,
      );
  });
  remove.examples([
    'cs admin team sender remove office@garage.example --team garage-nord',
    'cs admin team sender remove @garage.example --team garage-nord',
  ]);
}

const view: View = {
  one: 'allowed sender',
  many: 'allowed senders',
  columns: [
    { header: 'address', cell: (sender) => sender.address, neverCut: true },
    { header: 'allowed by', cell: (sender) => sender.createdBy },
    timeColumn('since', 'createdAt'),
  ],
  title: (sender) => sender.address,
  emptyHint: 'Allow one with `cs admin team sender add office@garage.example --team TEAM`.',
};
