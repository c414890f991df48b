import type { Admin } from '../../../service/admin.ts';
import type { Command, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { databaseFlag, dataFlag, dataPlace, onData, poolerFlag } from '../data/data-folder.ts';

export type DataTask = (context: Context, admin: Admin, input: Input) => Promise<void>;

/** Gives a command the flags of the service's data, and opens the data around its task. */
export function withData(command: Command, task: DataTask, openData: typeof onData = onData): Command {
  return command
    .option(...dataFlag)
    .option(...databaseFlag)
    .option(...poolerFlag)
    .handle(async (context, input) => {
      const place = dataPlace(context.io, input.options);
      await openData(place, async () => {
        const { openStores } = await import('../../../service/stores.ts');
        const stores = await openStores(place);
        try {
          await task(context, { ...stores, actor: context.io.user() }, input);
        } finally {
          await stores.database.close();
        }
      });
    });
}
