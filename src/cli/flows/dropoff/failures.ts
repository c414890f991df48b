/** What is stored, and what may be, when a drop-off does not come to its end. Never says more than is known. */
import { CarStorageError } from '../../../client/errors.ts';
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import { CliError, exitCodeOf } from '../../exit.ts';
import { carName } from '../../names.ts';
import { nextCommand } from '../../next-command.ts';
import { reportOf } from '../../render/error.ts';
import { describeCar } from './plan.ts';

interface Circumstances {
  /** Whether a signal ended it: the request may have been on its way. */
  readonly stopped?: boolean;
  readonly flags?: readonly string[];
}

/** The error for a car that was to be stored. The client's own where nothing can have been stored. */
export function carNotStored(error: unknown, { values, stopped, flags }: Circumstances & { values: CreateFor<'cars'> }): unknown {
  if (!stopped && !isUnknown(error)) return error;
  const what = values.licensePlate ?? carName(values);
  return failure(error, {
    message: `${reasonOf(error, stopped)} Whether the new car was stored is not known; the drop-off was not.`,
    hint: `look before you add it again: \`${nextCommand(['cars', 'list', '--q', what], flags)}\``,
  });
}

/** The error for an event that was to be stored. The client's own where nothing can have been stored. */
export function eventNotStored(
  error: unknown,
  { car, isNewCar, stopped, flags }: Circumstances & { car: RecordFor<'cars'>; isNewCar: boolean },
): unknown {
  if (stopped || isUnknown(error)) {
    const carIs = isNewCar ? `The new car is stored (${car.id}). ` : '';
    return failure(error, {
      message: `${reasonOf(error, stopped)} ${carIs}Whether the drop-off was stored is not known; no photo was sent.`,
      hint: `look before you do it again: \`${nextCommand(['cars', 'events', 'list', car.id], flags)}\``,
    });
  }
  if (!isNewCar) return error;
  return failure(error, {
    message: `${reasonOf(error)} The new car ${describeCar(car)} is stored; the drop-off is not.`,
    hint: `put it right and go on with \`${nextCommand(['dropoff', '--car', car.id], flags)}\``,
  });
}

const isUnknown = (error: unknown) => error instanceof CarStorageError && error.unknownOutcome;

function reasonOf(error: unknown, stopped?: boolean): string {
  const { message } = reportOf(error);
  const sentence = stopped ? 'Stopped while it was being sent.' : message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function failure(cause: unknown, { message, hint }: { message: string; hint: string }): CliError {
  const { code, status, requestId, details } = reportOf(cause);
  return new CliError({
    code,
    message,
    hint,
    details: status === null && requestId === null ? details : { ...(details as object | null), status, requestId },
    exitCode: exitCodeOf(cause),
    cause,
  });
}
