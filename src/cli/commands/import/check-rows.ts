/** The check of all rows before anything is sent, and what is wrong with them. */
import { fillPath } from '../../../client/address.ts';
import type { Issue } from '../../../contract/problems.ts';
import { CliError } from '../../errors/exit.ts';
import type { Input } from '../../framework/command.ts';
import type { PlannedRequest } from '../../output/request.ts';
import { planned } from '../../resources/operation.ts';
import { grouped, pluralize } from '../../terminal/text.ts';
import { startsCampaign } from '../campaigns/check-start.ts';
import type { Job } from './job.ts';
import { maxListed } from './report.ts';
import { formatIssues, type ReadRow } from './send-rows.ts';
import { spelling, type UpsertRow } from './upsert.ts';

/** Two rows for one record would depend on their order, and both might create it. */
export function refuseRepeated(
  made: UpsertRow,
  { first, place }: { first: Map<string, string>; place: string },
): ReadRow['made'] {
  const value = spelling(made.value);
  const before = first.get(value);
  if (before === undefined) first.set(value, place);
  return before === undefined
    ? made
    : {
        issues: [{ path: made.key.field, rule: 'unique', message: `is the same as in ${before}` }],
      };
}

export interface Checked {
  readonly total: number;
  readonly wrong: readonly Issue[];
  readonly starts: readonly PlannedRequest[];
  /** The path of the first row that may create a record. */
  readonly createPath: string | undefined;
  readonly marked: number;
  /** Whether a row has times such as `1 hour ago`. */
  readonly hasRelative: boolean;
}

/** Reads every row before the first request. */
export async function checkRows({ rows, place }: Job): Promise<Checked> {
  let total = 0;
  let createPath: string | undefined;
  let hasRelative = false;
  let marked = 0;
  const wrong: Issue[] = [];
  const starts: PlannedRequest[] = [];
  for await (const { row, made, relative } of rows()) {
    total += 1;
    marked += row.marked ?? 0;
    hasRelative ||= relative !== undefined;
    createPath ??= createPathOf(made);
    if ('issues' in made)
      wrong.push({ path: place(row), rule: 'row', message: formatIssues(made.issues) });
    else if (!('key' in made) && made.operation.verb === 'update')
      starts.push(...[planned(made.operation, made.ids, made.body)].filter(startsCampaign));
  }
  return { total, wrong, starts, createPath, marked, hasRelative };
}

function createPathOf(made: ReadRow['made']): string | undefined {
  const request = 'key' in made ? made.creating : made;
  return 'issues' in request || request.operation.verb === 'update'
    ? undefined
    : fillPath(request.operation.path, request.ids);
}

const invalidRowsMessage = (wrong: readonly Issue[], total: number): string => {
  const more = wrong.length > maxListed ? ` The first ${maxListed} are listed.` : '';
  return `${grouped(wrong.length)} of ${pluralize(total, 'row', 'rows')} ${wrong.length === 1 ? 'is' : 'are'} invalid; nothing was sent.${more}`;
};

/** With --continue-on-error, a dry run ends with the exit code of the real run. */
export const dryRunFailure = (wrong: readonly Issue[], total: number): CliError =>
  new CliError({
    code: 'partial',
    message: invalidRowsMessage(wrong, total),
    hint: 'fix them, or leave --dry-run out to send the others',
    details: {
      failed: wrong
        .slice(0, maxListed)
        .map(({ path, message }) => ({ id: path, code: 'validation_failed', message })),
    },
  });

export function refusal(
  wrong: readonly Issue[],
  { total, options }: { readonly total: number; readonly options: Input['options'] },
): CliError {
  const readOnly = wrong.some(({ message }) => message.includes('is read-only'));
  return new CliError({
    code: 'validation_failed',
    message: invalidRowsMessage(wrong, total),
    hint: readOnly
      ? 'ignore read-only fields with --skip-read-only; update the records of rows with an id with --update'
      : options.continueOnError || wrong.length === total
        ? 'fix them and run it again'
        : 'fix them, or send the others with --continue-on-error',
    details: { issues: wrong.slice(0, maxListed) },
  });
}
