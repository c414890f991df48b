/** Photos that an earlier run of a command stored, and whose files have changed since. */
import type { Context } from '../../context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { joinList, shortPath } from '../../terminal/text.ts';
import { hashFile } from '../files/hash-file.ts';
import { carIdIn } from './car-id.ts';
import { photoStep } from './describe.ts';
import type { Entry } from './entry.ts';
import type { Steps } from './steps.ts';

/** The result tells them as stored, which is true of the earlier bytes alone. */
export async function warnOfChangedFiles(
  context: Context,
  { entry, steps }: { readonly entry: Entry; readonly steps: Steps },
): Promise<void> {
  const changed: string[] = [];
  for (const [index, { path, sha256 }] of entry.files.entries()) {
    if (steps.answer(photoStep(index)) === undefined) continue;
    // One that is gone may have been moved.
    const now = await hashFile(path).catch(() => undefined);
    if (now && now.sha256 !== sha256) changed.push(shortPath(context.io.cwd, path));
  }
  if (changed.length === 0) return;
  const add = nextCommand(
    ['cars', 'photos', 'add', carIdIn(entry.plan) ?? 'CAR'],
    [...connectionFlags(context), '--', ...changed],
  );
  context.warn(
    `${joinList(changed)} changed after the earlier bytes were stored. If the new ones are right, add them with \`${add}\`.`,
  );
}
