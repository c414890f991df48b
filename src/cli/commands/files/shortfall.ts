/** What to say when not every file is stored. */
import { CliError, type ExitCode, sameCode } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/exit-code.ts';
import type { Io } from '../../terminal/io.ts';
import { pluralize } from '../../terminal/text.ts';
import type { UploadFailure } from './upload-failure.ts';

export interface Shortfall {
  /** Of every file that was to be stored: why it is not, or null. */
  readonly failures: readonly (UploadFailure | null)[];
  readonly one: string;
  readonly many: string;
  /** What was stored beside the files, such as `The drop-off is stored`. */
  readonly done?: string;
  /** The result told a person of each file why, so that it need not be said again. */
  readonly told?: boolean;
  readonly hint: string;
  readonly details?: unknown;
}

/** To be thrown once the result is printed. Nothing when all are stored. */
export function uploadShortfall({ signal }: Pick<Io, 'signal'>, shortfall: Shortfall): CliError | undefined {
  const { failures, done, told, hint, details } = shortfall;
  const missing = failures.filter((failure) => failure !== null);
  if (missing.length === 0) return undefined;
  const { aborted, reason } = signal;
  const { code, exitCode } = aborted ? { code: 'interrupted', exitCode: exitCodeOf(reason) } : verdict(shortfall, missing);
  const left = leftOut(shortfall, missing);
  const what = done ? `${done}, ${left}` : left;
  return new CliError({
    code: sameCode(code),
    message: `${aborted ? 'Stopped. ' : ''}${what}${told ? '' : oneReason(missing)}.`,
    hint,
    details,
    exitCode,
  });
}

/** None stored, and all for one reason: that reason is the honest answer. */
function verdict({ failures, done }: Shortfall, missing: readonly UploadFailure[]): { code: string; exitCode: ExitCode } {
  const [first] = missing;
  const alike = !done && missing.length === failures.length && new Set(missing.map(({ exitCode }) => exitCode)).size === 1;
  return alike && first ? first : { code: 'partial', exitCode: 11 };
}

/** `1 of 3 photos not stored, 1 of 3 photos perhaps not stored` */
function leftOut({ failures, one, many }: Shortfall, missing: readonly UploadFailure[]): string {
  const unknown = missing.filter(({ unknownOutcome }) => unknownOutcome).length;
  const sure = missing.length - unknown;
  const total = pluralize(failures.length, one, many);
  return [sure > 0 && `${sure} of ${total} not stored`, unknown > 0 && `${unknown} of ${total} perhaps not stored`]
    .filter(Boolean)
    .join(', ');
}

/** Why, when one reason holds for all; the result tells each. */
function oneReason(missing: readonly UploadFailure[]): string {
  const messages = new Set(missing.flatMap(({ code, message }) => (code === 'interrupted' ? [] : [message])));
  const [only] = messages;
  return messages.size === 1 && only !== undefined ? `: ${only.replace(/\.$/, '')}` : '';
}
