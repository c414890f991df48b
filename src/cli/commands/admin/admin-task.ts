import type { Admin } from '../../../service/admin.ts';
import type { Command, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addDataFlags, readDataSource, withExistingData } from '../data/data-folder.ts';

export type AdminTask = (context: Context, admin: Admin, input: Input) => Promise<void>;

export const teamFlag = ['--team <team>', 'slug or name of the team'] as const;

/** Adds the flags of the service's data, and runs the task with the data open. */
export function handleAdminTask(command: Command, task: AdminTask, openData: typeof withExistingData = withExistingData): Command {
  return addDataFlags(command).handle(async (context, input) => {
    const source = readDataSource(context.io, input.options);
    await openData(source, async () => {
      const { openStores } = await import('../../../service/stores.ts');
      const stores = await openStores(source);
      try {
        await task(context, { ...stores, actor: context.io.user() }, input);
      } finally {
        await stores.database.close();
      }
    });
  });
}
