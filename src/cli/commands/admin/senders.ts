/** Which addresses the campaigns of a team may come from. */
import type { Command } from '../../framework/command.ts';
import type { View } from '../../output/view.ts';
import { joinList, pluralize } from '../../terminal/text.ts';
import { withData } from './admin-task.ts';

/** Loaded when it is needed, as all of the service. */
const service = () => import('../../../service/admin.ts');

export function addSenders(sender: Command): void {
  sender.description('Addresses that campaigns of a team may come from, in `fromAddress`.');
  sender.examples(['cs admin team sender add office@garage.example --team garage-nord', 'cs admin team sender list --team garage-nord']);

  const add = sender
    .command('add')
    .description('Allow an address. Allowing it again changes nothing.')
    .argument('<address>', 'an e-mail address, a whole domain such as @garage.example, or a sender of SMS')
    .requiredOption('--team <team>', 'team, by its slug or name');
  withData(add, async ({ output }, admin, { args: [address], options }) => {
    const { addSender } = await service();
    const row = await addSender(admin, options.team, address);
    await output.value(row, `campaigns of ${options.team} may come from ${row.address}`);
  });
  add.examples([
    'cs admin team sender add office@garage.example --team garage-nord',
    'cs admin team sender add @garage.example --team garage-nord',
  ]);

  const list = sender
    .command('list')
    .description('The allowed addresses of a team. Without any, campaigns come from the address in `cs serve --smtp-from` alone.')
    .requiredOption('--team <team>', 'team, by its slug or name');
  withData(list, async ({ output }, admin, { options }) => {
    const { listSenders } = await service();
    await output.list({ view, records: await listSenders(admin, options.team) });
  });
  list.examples(['cs admin team sender list --team garage-nord', 'cs admin team sender list --team garage-nord -o json']);

  const remove = sender
    .command('remove')
    .description('Allow an address no longer. Campaigns that are going out from it are paused, scheduled ones become drafts.')
    .argument('<address>', 'the address or domain, as the list shows it')
    .requiredOption('--team <team>', 'team, by its slug or name');
  withData(remove, async ({ output, warn }, admin, { args: [address], options }) => {
    const { removeSender } = await service();
    const { sender: row, stopped } = await removeSender(admin, options.team, address);
    await output.value({ ...row, stopped }, `campaigns of ${options.team} may no longer come from ${row.address}`);
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
    { header: 'address', cell: (sender) => sender.address, whole: true },
    { header: 'allowed by', cell: (sender) => sender.createdBy },
    { header: 'since', cell: (sender, { time }) => time(sender.createdAt), spare: true },
  ],
  title: (sender) => sender.address,
  emptyHint: 'Allow one: cs admin team sender add office@garage.example --team T',
};
