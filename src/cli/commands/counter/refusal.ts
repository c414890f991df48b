/** Refusals in words: what happened, who did it and when, as far as the server tells. */
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { CliError, type ErrorCode, type Names } from '../../errors/exit.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { reportOf, wrapFailure } from '../../errors/report.ts';
import { isObject } from '../../input/plain-object.ts';
import { localMoment } from '../../input/when.ts';

interface Told {
  readonly details?: unknown;
  readonly names?: Names;
  /** The answer of the server that it is about. */
  readonly cause?: unknown;
}

/** The error for a request that is refused before it is sent, with the code that the service would answer. */
export const refusal = (
  code: ErrorCode,
  message: string,
  hint: string,
  more: Told = {},
): CliError => new CliError({ code, message: `${message} Nothing was stored.`, hint, ...more });

/** `: pick_up at 2026-03-01 14:30:05 with the key Counter 2`, as far as the details of a refusal tell. */
export function causeOf(change: unknown): string {
  if (!isObject(change) || typeof change.at !== 'string') return '';
  const what = change.activityType ?? change.kind;
  const by = typeof change.key === 'string' ? ` with the key ${change.key}` : '';
  return typeof what === 'string' ? `: ${what} at ${localMoment(change.at)}${by}` : '';
}

/** The assignment of the car that is open, or that ended last; undefined where the server has no such list. */
export async function latestAssignment(
  client: Client,
  carId: string,
): Promise<RecordFor<'parkingAssignments'> | undefined> {
  const { data } = await client.parkingAssignments.list({ carId }).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error;
    return { data: [] };
  });
  const endOf = ({ endedAt }: RecordFor<'parkingAssignments'>) =>
    endedAt ? Date.parse(endedAt) : Number.POSITIVE_INFINITY;
  return data.toSorted((one, other) => endOf(other) - endOf(one))[0];
}

/** Why a car isn't parked: `: released at 2026-03-01 14:30:05 with the key Counter 2`. */
export async function causeOfLeaving(client: Client, carId: string): Promise<string> {
  const { endedAt: at, endedByKey: key } = (await latestAssignment(client, carId)) ?? {};
  return causeOf({ at, key, kind: 'released' });
}

/** The server's refusal of a time, in the time zone of this machine: its own words name times in UTC. Undefined for another error. */
export function asRefusedTime(error: unknown): CliError | undefined {
  if (!(error instanceof ApiError) || !isObject(error.details)) return undefined;
  const { at, latest, now } = error.details;
  const [local, other] = [at, latest ?? now].map((time) =>
    typeof time === 'string' ? localMoment(time) : undefined,
  );
  if (!local || !other) return undefined;
  const why: Readonly<Record<string, string>> = {
    occurred_at_conflict: `is before the latest parking change of this car or spot, at ${other}`,
    occurred_at_in_future: `is in the future: the server's time is ${other}`,
  };
  return why[error.code] === undefined
    ? undefined
    : wrapFailure(error, {
        message: `${local} ${why[error.code]}. Nothing was stored.`,
        hint: reportOf(error).hint ?? '',
      });
}
