/** Runs a task for several resources, one after the other, and reports each result. */
import type { SyncName } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { isRefusal } from '../../errors/codes.ts';
import { CliError, summedUp } from '../../errors/exit.ts';
import { scopeHint, scopeIn } from '../../errors/hints.ts';
import { type ErrorReport, reportOf } from '../../errors/report.ts';
import type { Column, Row, View } from '../../output/view.ts';
import { notTried } from '../../resources/batch.ts';
import { column } from '../../resources/view.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { grouped, joinList, pluralize } from '../../terminal/text.ts';
import { kebabName } from './resources.ts';

/** A number of each resource, which a narrow terminal doesn't cut. */
export const numberColumn = (header: string, field = header): Column => ({
  header,
  cell: (row) => row[field],
  align: 'right',
  neverCut: true,
});

/** A line for each resource. */
export const resourceView = (columns: readonly Column[], more: Partial<View> = {}): View => ({
  one: 'resource',
  many: 'resources',
  columns: [{ ...column('resource'), neverCut: true }, ...columns],
  title: (row) => row.resource,
  ...more,
});

interface ResourceTask {
  readonly names: readonly SyncName[];
  readonly view: View;
  /** `Reading`. */
  readonly title: string;
  /** `synced`. */
  readonly pastTense: string;
  /** `run it again`. */
  readonly again: string;
  /** `progress`: shows how many records were read. */
  readonly act: (name: SyncName, progress: (read: number) => void) => Promise<Row>;
  /** Runs after the last one, before the output. */
  readonly done?: (isComplete: boolean) => Promise<void>;
}

/** Prints a row for each resource. With a single resource, throws its error. */
export async function forEachResource(
  context: Context,
  { names, view, title, pastTense, again, act, done }: ResourceTask,
): Promise<void> {
  const rows: Row[] = [];
  const failed: { readonly name: SyncName; readonly report: ErrorReport }[] = [];
  let stop: ErrorReport | undefined;
  const spinner = await startSpinner(context, title);
  try {
    for (const name of names) {
      const progress = (read: number) =>
        spinner.text(`${title} ${kebabName(name)}: ${grouped(read)}`);
      try {
        rows.push(await act(name, progress));
      } catch (error) {
        const report = reportOf(error);
        const { exitCode } = report;
        if (names.length === 1 || exitCode >= 128 || !(error instanceof Error)) throw error;
        failed.push({ name, report });
        // A missing scope is that of a single resource. After any other failure the rest would fail too.
        if (isRefusal(exitCode) || exitCode === 5) continue;
        stop = report;
        break;
      }
    }
  } finally {
    spinner.stop();
  }
  const left = names.slice(rows.length + failed.length);
  const failures = [
    ...failed.map(({ name, report: { code, message, hint } }) => ({
      id: kebabName(name),
      code,
      message,
      hint: hint ?? undefined,
    })),
    ...left.map((name) => ({ id: kebabName(name), ...notTried })),
  ];
  await done?.(failures.length === 0);
  const failureRows = context.output.forPeople
    ? []
    : failures.map(({ id, ...error }) => ({ resource: id, error }));
  await context.output.list({ view, records: [...rows, ...failureRows], failures: true });
  if (failures.length === 0) return;
  const reports = failed.map(({ report }) => report);
  const scopes = new Set(reports.flatMap(({ message }) => scopeIn(message) ?? []));
  const hints = new Set([
    ...(scopes.size > 0 ? [scopeHint(joinList([...scopes], 'and'))] : []),
    ...reports.flatMap(({ message, hint }) => (scopeIn(message) ? [] : (hint ?? []))),
  ]);
  throw new CliError({
    ...summedUp(reports, { done: rows.length, stop }),
    message: `${pluralize(failures.length, 'resource was', 'resources were')} not ${pastTense}.`,
    hint: [[...hints].join('; '), again].filter(Boolean).join('; then '),
    details: { failed: failures },
  });
}
