/** What is stored, and what may be, when an event does not come to its end. Never says more than is known. */
import { CarStorageError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { CliError, sameCode } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/exit-code.ts';
import { reportOf } from '../../errors/text.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { describeCar } from '../../lookup/car.ts';

export interface Circumstances {
  /** Whether a signal ended it: the request may have been on its way. */
  readonly stopped?: boolean;
  readonly flags?: readonly string[];
}

/** The error for an event that was to be stored. The client's own where nothing can have been stored. */
export function eventNotStored(
  error: unknown,
  { what, car, isNewCar, stopped, flags }: Circumstances & { what: string; car: RecordFor<'cars'>; isNewCar: boolean },
): unknown {
  if (stopped || isUnknown(error)) {
    const carIs = isNewCar ? `The new car is stored (${car.id}). ` : '';
    return failure(error, {
      message: `${reasonOf(error, stopped)} ${carIs}Whether the ${what} was stored is not known; no photo was sent.`,
      hint: `look before you do it again: \`${nextCommand(['cars', 'events', 'list', car.id], flags)}\``,
    });
  }
  if (!isNewCar) return error;
  return failure(error, {
    message: `${reasonOf(error)} The new car ${describeCar(car)} is stored; the ${what} is not.`,
    hint: `put it right and go on with \`${nextCommand(['dropoff', '--car', car.id], flags)}\``,
  });
}

/** Whether the work may be done although no answer said so. */
export const isUnknown = (error: unknown) => error instanceof CarStorageError && error.unknownOutcome;

export function reasonOf(error: unknown, stopped?: boolean): string {
  const { message } = reportOf(error);
  const sentence = stopped ? 'Stopped while it was being sent.' : message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

export function failure(cause: unknown, { message, hint }: { message: string; hint: string }): CliError {
  const { code, status, requestId, details } = reportOf(cause);
  return new CliError({
    code: sameCode(code),
    message,
    hint,
    details: status === null && requestId === null ? details : { ...(details as object | null), status, requestId },
    exitCode: exitCodeOf(cause),
    cause,
  });
}
