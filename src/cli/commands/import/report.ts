/** What an import did, and the error when rows failed. */
import type { SyncName } from '../../../client/client.ts';
import { CliError, type ExitCode, sameCode } from '../../errors/exit.ts';
import { resultView } from '../../output/view.ts';
import { pluralize } from '../../terminal/text.ts';
import { resourceOf } from '../bulk/resources.ts';
import type { FileRow } from './rows.ts';
import { possibly, type RowResult } from './send-rows.ts';
import { withoutKey } from './upsert.ts';

export const rowView = resultView('row', ['row', 'did', 'id', 'error']);

/** Invalid and failed rows that are listed one by one. */
export const maxListed = 20;

export type Done = Record<RowResult['did'], number>;

export function summary(
  name: SyncName,
  { created, updated, already_imported: before, failed }: Done,
  left: number,
): string {
  const { singular, plural } = resourceOf(name);
  const counts = [
    updated + before === 0 || created > 0 ? `${pluralize(created, singular, plural)} created` : '',
    updated > 0 ? `${pluralize(updated, singular, plural)} updated` : '',
    before > 0 ? `${pluralize(before, singular, plural)} already imported` : '',
    failed > 0 ? `${pluralize(failed, 'row', 'rows')} failed` : '',
    left > 0 ? `${pluralize(left, 'row', 'rows')} not tried` : '',
  ];
  return counts.filter(Boolean).join(', ');
}

interface Outcome {
  readonly failed: readonly RowResult[];
  readonly done: Done;
  readonly left: number;
}

export function failure(
  place: (row: FileRow) => string,
  { failed, done, left }: Outcome,
): CliError {
  const codes = new Set(failed.map(({ error }) => error?.exitCode));
  const [only] = codes;
  const sameFailure =
    done.created + done.updated + done.already_imported === 0 &&
    codes.size === 1 &&
    only !== undefined;
  const listed = failed
    .slice(0, maxListed)
    .map(({ row, error }) => ({ id: place(row), code: error?.code, message: error?.message }));
  return new CliError({
    code: sameFailure ? sameCode(failed[0]?.error?.code as string) : 'partial',
    message: `${countFailed(failed)}${left > 0 ? `, and ${pluralize(left, 'row was', 'rows were')} not tried` : ''}.`,
    hint: hintAfter(failed),
    details: { failed: listed },
    exitCode: sameFailure ? only : 11,
  });
}

const isPossiblyRunning = ({ error }: RowResult): boolean =>
  error?.code === possibly && error.mayStillRun === true;

/** `2 rows failed, 1 row got no answer` */
function countFailed(failed: readonly RowResult[]): string {
  const running = failed.filter(({ error }) => error?.mayStillRun).length;
  const wrong = failed.length - running;
  return [
    ...(wrong > 0 ? [`${pluralize(wrong, 'row', 'rows')} failed`] : []),
    ...(running > 0 ? [`${pluralize(running, 'row', 'rows')} got no answer`] : []),
  ].join(', ');
}

/** Exit codes of a server that refuses nothing about the row: a limit, no connection, an error of its own. */
const unanswered: readonly ExitCode[] = [8, 9, 10];

function hintAfter(failed: readonly RowResult[]): string {
  const isOf = (code: string) => failed.filter(({ error }) => error?.code === code).length;
  const running = failed.filter(({ error }) => error?.mayStillRun).length;
  const uncertain = isOf(possibly) - failed.filter(isPossiblyRunning).length;
  const others = failed.length - uncertain - running;
  const when = failed.some(isPossiblyRunning) ? ' after the time that its message names' : '';
  const later = `run it again${when}: a row without an answer is looked up first, and imported rows are skipped`;
  if (running === failed.length) return later;
  if (running > 0 && uncertain === 0) return `fix the wrong ones; then ${later}`;
  if (isOf('filter_ignored') === failed.length) return withoutKey;
  if (isOf('file_unusable') === failed.length)
    return 'free some space or set CS_STATE_DIR to a writable folder, and run it again; imported rows are skipped';
  if (failed.every(({ error }) => error && unanswered.includes(error.exitCode))) return later;
  if (others === failed.length) return 'fix them and run it again; imported rows are skipped';
  const check =
    'check which of the uncertain rows are on the server; for the others, write the failed rows with `--failures FILE`, then import FILE with --again';
  return others > 0 ? `fix the wrong ones; ${check}` : check;
}
