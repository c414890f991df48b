/** The question that a refusal of the server is about. */
import { ApiError } from '../../../client/errors.ts';
import { isObject } from '../../input/plain-object.ts';

/** An answer to correct, after the server refused it. */
export type Corrected = 'car' | 'eventType' | 'place' | 'notes';

const byField: Readonly<Record<string, Corrected>> = {
  activityType: 'eventType',
  parkingSpotId: 'place',
  parkingZoneId: 'place',
  notes: 'notes',
};

const byCode: Readonly<Record<string, Corrected>> = {
  car_archived: 'car',
  event_type_inactive: 'eventType',
  event_type_scope_mismatch: 'eventType',
  parking_not_allowed: 'eventType',
  parking_inactive: 'place',
  parking_required: 'place',
};

/** Undefined where another answer may not help. The codes are beyond the specification: a server may have others. */
export function questionAbout(error: unknown): Corrected | undefined {
  if (!(error instanceof ApiError) || error.unknownOutcome) return undefined;
  const issues = Array.isArray(error.details) ? error.details : [];
  const fields = issues.map((issue) => (isObject(issue) ? byField[String(issue.path)] : undefined));
  return byCode[error.code] ?? fields.find((field) => field !== undefined);
}
