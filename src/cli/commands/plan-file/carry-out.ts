/** What makes a server equal to a file: shown, confirmed and stored. */
import type { Context } from '../../context.ts';
import type { Row, View } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { forEachRecord } from '../../resources/batch.ts';
import { pluralize } from '../../terminal/text.ts';

export interface PlannedChange {
  /** As it is printed; its id is null before the record exists. */
  readonly row: Row;
  /** The id of the record. */
  readonly store: () => Promise<string>;
}

interface Plan {
  /** Its title is the line of a change. */
  readonly view: View & { readonly title: (row: Row) => string };
  readonly changes: readonly PlannedChange[];
  /** Only shows the changes. */
  readonly isDryRun: boolean;
  /** Said where nothing is to change. */
  readonly unchanged: string;
  readonly confirmed?: (message: string) => Promise<void>;
}

export async function carryOut(
  context: Context,
  { view, changes, isDryRun, unchanged, ...plan }: Plan,
): Promise<void> {
  const { output, note } = context;
  const count = pluralize(changes.length, 'change', 'changes');
  const lines = changes.map(({ row }) => view.title(row));
  if (isDryRun || changes.length === 0) {
    if (output.forPeople) await output.value([], lines);
    else await output.list({ view, records: changes.map(({ row }) => row) });
    return note(changes.length === 0 ? unchanged : `${count} to store`);
  }
  if (context.interactive) for (const line of lines) note(line);
  if (plan.confirmed) await plan.confirmed(`Store ${count}`);
  else await confirm(context, `Store ${count}?`);
  const changeAt = (at: string) => changes[Number(at) - 1] as PlannedChange;
  await forEachRecord(context, {
    view,
    ids: changes.map((_, at) => `${at + 1}`),
    pastTense: 'stored',
    known: (at) => changeAt(at).row,
    retryHint: () => 'fix what the errors name, then run it again: only the rest is stored',
    act: async (at) => ({ ...changeAt(at).row, id: await changeAt(at).store() }),
  });
}
