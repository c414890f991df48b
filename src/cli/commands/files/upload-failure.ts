/** Why a file was not stored, as every result shows it. */
import { CarStorageError } from '../../../client/errors.ts';
import type { UploadResult } from '../../../client/uploads.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { reportOf } from '../../errors/text.ts';
import { Interrupted } from '../../terminal/io.ts';

/** `unknownOutcome`: the file may be stored although no answer said so. */
export interface UploadFailure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  readonly unknownOutcome: boolean;
}

export function failureOf(file: string, { status, error }: Exclude<UploadResult<unknown>, { status: 'stored' }>): UploadFailure {
  const { code, message, exitCode } = reportOf(error);
  // What is no error of the client (a file that cannot be read) came before anything was sent; being stopped may have come after.
  const unknownOutcome = status === 'failed' && (error instanceof CarStorageError ? error.unknownOutcome : error instanceof Interrupted);
  // The file stands beside it.
  const plain = message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;
  return { code, message: plain, exitCode, unknownOutcome };
}
