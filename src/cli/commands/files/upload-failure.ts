/** Why a file wasn't stored, and the error for an upload with missing files. */
import type { UploadResult } from '../../../client/uploads.ts';
import { Interrupted } from '../../errors/ended-run.ts';
import { CliError, summedUp } from '../../errors/exit.ts';
import { isUncertain } from '../../errors/final.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import type { Io } from '../../terminal/io.ts';
import { pluralize } from '../../terminal/text.ts';
import type { UploadFailure } from './shape.ts';

export function toUploadFailure(
  file: string,
  { status, error }: Exclude<UploadResult<unknown>, { status: 'stored' }>,
): UploadFailure {
  const { code, message, exitCode } = reportOf(error);
  // An error of our own (an unreadable file) comes before the request, a signal may come during it.
  const unknownOutcome =
    status === 'failed' && (isUncertain(error) || error instanceof Interrupted);
  // The result has the file in a field of its own.
  const subject = `${file}: `;
  const withoutName = message.startsWith(subject)
    ? `the file ${message.slice(subject.length)}`
    : message;
  return { code, message: withoutName, exitCode, unknownOutcome };
}

export interface Upload {
  /** For every file the failure, or null if it is stored. */
  readonly failures: readonly (UploadFailure | null)[];
  readonly one: string;
  readonly many: string;
  /** A sentence about what else was stored, such as `The drop-off of HH-E 61H is stored`. */
  readonly done?: string;
  /** The printed result already has the reason for each file. */
  readonly reasonsShown?: boolean;
  readonly hint: string;
  readonly details?: unknown;
}

/** Thrown after the result was printed; undefined if every file is stored. */
export function incompleteUpload(
  { signal }: Pick<Io, 'signal'>,
  upload: Upload,
): CliError | undefined {
  const { failures, done, reasonsShown, hint, details } = upload;
  const missing = failures.filter((failure) => failure !== null);
  if (missing.length === 0) return undefined;
  const { aborted, reason } = signal;
  const stored = failures.length - missing.length + (done ? 1 : 0);
  const summed = aborted
    ? ({ code: 'interrupted', exitCode: exitCodeOf(reason) } as const)
    : summedUp(missing, { done: stored });
  const counts = countMissing(upload, missing);
  const what = done ? `${done}, ${counts}` : counts;
  const why = reasonsShown ? '' : commonReason(missing);
  return new CliError({
    ...summed,
    message: `${aborted ? 'Stopped. ' : ''}${what}${why}.`,
    hint,
    details,
  });
}

/** `1 of 3 photos not stored, 1 of 3 photos uncertain` */
function countMissing({ failures, one, many }: Upload, missing: readonly UploadFailure[]): string {
  const uncertain = missing.filter(({ unknownOutcome }) => unknownOutcome).length;
  const notStored = missing.length - uncertain;
  const total = pluralize(failures.length, one, many);
  return [
    notStored > 0 && `${notStored} of ${total} not stored`,
    uncertain > 0 && `${uncertain} of ${total} uncertain`,
  ]
    .filter(Boolean)
    .join(', ');
}

function commonReason(missing: readonly UploadFailure[]): string {
  const messages = new Set(
    missing.flatMap(({ code, message }) => (code === 'interrupted' ? [] : [message])),
  );
  const [only] = messages;
  return messages.size === 1 && only !== undefined ? `: ${only.replace(/\.$/, '')}` : '';
}
