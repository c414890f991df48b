/** Runs a task for several resources, one after the other, and reports each result. */

import type { SyncName } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { isRefusal } from '../../errors/codes.ts';
import { CliError, type ExitCode, sameCode } from '../../errors/exit.ts';
import { reportOf } from '../../errors/report.ts';
import type { Row, View } from '../../output/view.ts';
import { notTried } from '../../resources/batch.ts';
import { pluralize } from '../../terminal/text.ts';
import { kebabName } from './resources.ts';

interface Failure {
  readonly id: string;
  readonly code: string;
  readonly message: string;

  readonly hint?: string;
  readonly exitCode: ExitCode | undefined;
}

interface ResourceTask {
  readonly names: readonly SyncName[];
  readonly view: View;
  /** `synced`. */
  readonly pastTense: string;
  readonly act: (name: SyncName) => Promise<Row>;
  /** Runs after the last one, before the output. */
  readonly done?: (failed: readonly Omit<Failure, 'exitCode'>[]) => Promise<void>;
}

/**
 * Prints a row for each resource. With a single resource, throws its error. Otherwise exit 11 if some failed, or their own code if all
 * failed the same way. Exit 7 if all failures are conflicts with files on disk, which a person must resolve.
 */
export async function forEachResource(
  context: Context,
  { names, view, pastTense, act, done }: ResourceTask,
): Promise<void> {
  const rows: Row[] = [];
  const failures: Failure[] = [];
  let stopped = false;
  for (const name of names) {
    const id = kebabName(name);
    try {
      if (stopped) failures.push({ id, ...notTried, exitCode: undefined });
      else rows.push(await act(name));
    } catch (error) {
      const { code, exitCode } = reportOf(error);
      if (names.length === 1 || exitCode >= 128 || !(error instanceof Error)) throw error;
      const { hint } = error as { hint?: string };
      failures.push({
        id,
        code,
        message: error.message,
        hint,
        exitCode,
      });
      // A missing scope is that of a single resource. After any other failure the rest would fail too.
      stopped = !isRefusal(exitCode) && exitCode !== 5;
    }
  }
  const failed = failures.map(({ exitCode: _, ...failure }) => failure);
  await done?.(failed);
  const failureRows = context.output.forPeople
    ? []
    : failed.map(({ id, ...error }) => ({ resource: id, error }));
  await context.output.list({ view, records: [...rows, ...failureRows], failures: true });
  if (failures.length === 0) return;
  const codes = new Set(failures.flatMap(({ exitCode }) => exitCode ?? []));
  const [only] = codes;
  const sameFailure = codes.size === 1 && (rows.length === 0 || only === 7);
  const hints = [...new Set(failures.flatMap(({ hint }) => hint ?? []))];
  throw new CliError({
    code: sameFailure && failures[0] ? sameCode(failures[0].code) : 'partial',
    message: `${pluralize(failures.length, 'resource was', 'resources were')} not ${pastTense}.`,
    hint:
      hints.length > 0
        ? hints.join('; ')
        : 'fix the errors above and run it again; finished parts are skipped',
    details: { failed },
    exitCode: sameFailure && only !== undefined ? only : 11,
  });
}
