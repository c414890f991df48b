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
  readonly hint?: string | undefined;
}

interface ResourceTask {
  readonly names: readonly SyncName[];
  readonly view: View;
  /** `synced`. */
  readonly pastTense: string;
  readonly act: (name: SyncName) => Promise<Row>;
  /** Runs after the last one, before the output. */
  readonly done?: (failed: readonly Failure[]) => Promise<void>;
}

/**
 * Prints a row for each resource. With a single resource, throws its error. Otherwise the exit code
 * of what stopped the run, such as a lost connection; else that of the failures if all resources
 * failed the same way, 7 if all failures are conflicts, and 11.
 */
export async function forEachResource(
  context: Context,
  { names, view, pastTense, act, done }: ResourceTask,
): Promise<void> {
  const rows: Row[] = [];
  const failed: Failure[] = [];
  const codes = new Set<ExitCode>();
  let stop: ExitCode | undefined;
  for (const name of names) {
    const id = kebabName(name);
    try {
      if (stop !== undefined) failed.push({ id, ...notTried });
      else rows.push(await act(name));
    } catch (error) {
      const { code, exitCode, hint } = reportOf(error);
      if (names.length === 1 || exitCode >= 128 || !(error instanceof Error)) throw error;
      failed.push({ id, code, message: error.message, hint: hint ?? undefined });
      codes.add(exitCode);
      // A missing scope is that of a single resource. After any other failure the rest would fail too.
      if (!isRefusal(exitCode) && exitCode !== 5) stop = exitCode;
    }
  }
  await done?.(failed);
  const failureRows = context.output.forPeople
    ? []
    : failed.map(({ id, ...error }) => ({ resource: id, error }));
  await context.output.list({ view, records: [...rows, ...failureRows], failures: true });
  if (failed.length === 0) return;
  const [only, another] = codes;
  const isSame = another === undefined && (rows.length === 0 || only === 7);
  const exitCode = stop ?? (isSame ? only : undefined);
  const first = failed.findLast(({ code }) => code !== notTried.code);
  const hints = [...new Set(failed.flatMap(({ hint }) => hint ?? []))];
  throw new CliError({
    code: exitCode !== undefined && first ? sameCode(first.code) : 'partial',
    message: `${pluralize(failed.length, 'resource was', 'resources were')} not ${pastTense}.`,
    hint: hints.join('; ') || 'fix the errors above and run it again; finished parts are skipped',
    details: { failed },
    exitCode: exitCode ?? 11,
  });
}
