import type { Context } from '../../context.ts';
import type { Format } from '../../output/formats.ts';
import { createOutput, type Output } from '../../output/output.ts';
import type { View } from '../../output/view.ts';
import { findLabels } from '../../resources/find-labels.ts';

/** Prints records in another format than the resolved one; --json fields and --jq still apply. Never uses a pager. */
export async function outputAs(
  context: Context,
  format: Format,
  view: View,
  show: (output: Output) => Promise<void>,
): Promise<void> {
  const { io, settings, note, warn } = context;
  const output = await createOutput({
    ...{ io, note, warn },
    settings: { ...settings, output: format, pager: undefined },
    findLabels: (wanted, how) => findLabels(context, wanted, how),
  });
  try {
    await output.prepare(view);
    await show(output);
  } finally {
    await output.close();
  }
}
