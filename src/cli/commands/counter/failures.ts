/** Errors of a request that was stopped or whose result is uncertain: what is stored, and the command that finishes or checks it. */
import { ApiError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { describeCar } from '../../../facility/car-names.ts';
import { isServiceCode } from '../../errors/codes.ts';
import { isFinalError, isUncertain } from '../../errors/final.ts';
import { reasonOf, wrapFailure } from '../../errors/report.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { plateOf } from './car.ts';

export interface FailureOptions {
  /** A signal ended the request, which may have been sent. */
  readonly stopped?: boolean;
  /** The command that finishes what was begun. */
  readonly resume?: string | undefined;
  readonly globalFlags?: readonly string[];
}

export const isStop = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && error === signal.reason;

interface FailedEvent {
  readonly what: string;
  readonly car: RecordFor<'cars'>;
  readonly isNewCar: boolean;
  readonly appointmentId: string | null | undefined;
}

/** The error for an event that failed. Nothing stored: the client's own error. */
export function eventFailure(
  error: unknown,
  {
    what,
    car,
    isNewCar,
    stopped,
    globalFlags,
    appointmentId,
    resume,
  }: FailureOptions & FailedEvent,
): unknown {
  const names = plateOf(car);
  if (stopped || isUncertain(error)) {
    const carStored = isNewCar ? `The new car is stored (${car.id}). ` : '';
    return wrapFailure(error, {
      message: `${reasonOf(error, stopped)} ${carStored}The ${what} may be stored; no photo was sent.`,
      hint: resume
        ? finishHint(resume)
        : `check before you repeat it: \`${nextCommand(['cars', 'events', 'list', car.id], globalFlags)}\``,
      names,
    });
  }
  if (
    !isNewCar &&
    appointmentId &&
    error instanceof ApiError &&
    error.status === 422 &&
    !isServiceCode(error.code)
  ) {
    const complete = nextCommand(['appointments', 'complete', appointmentId], globalFlags);
    return wrapFailure(error, {
      message: `${reasonOf(error)} Nothing was stored.`,
      hint: `appointmentId is beyond the specification: if this server refuses it, leave out --appointment, then run \`${complete}\``,
    });
  }
  if (!isNewCar) return error;
  return wrapFailure(error, {
    message: `${reasonOf(error)} The new car ${describeCar(car)} is stored, the ${what} isn't.`,
    hint:
      resume && !isFinalError(error)
        ? finishHint(resume)
        : `fix the cause, then continue with \`${nextCommand(['dropoff', car.id], globalFlags)}\``,
    names,
  });
}

export const finishHint = (resume: string): string => `finish it with \`${resume}\``;
