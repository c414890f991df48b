/** The question that a refusal of the server is about. */
import { ApiError } from '../../../client/errors.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isRefused, refusedFields } from '../../errors/refusal.ts';
import { reportOf, sentence } from '../../errors/report.ts';

/** An answer to correct, after the server refused it. */
export type Corrected = 'car' | 'eventType' | 'place' | 'appointment' | 'notes';

const byField: Readonly<Record<string, Corrected>> = {
  carId: 'car',
  activityType: 'eventType',
  parkingSpotId: 'place',
  parkingZoneId: 'place',
  appointmentId: 'appointment',
  notes: 'notes',
};

const byCode: Readonly<Record<string, Corrected>> = {
  car_archived: 'car',
  event_type_inactive: 'eventType',
  event_type_scope_mismatch: 'eventType',
  parking_not_allowed: 'eventType',
  parking_inactive: 'place',
  parking_required: 'place',
  parking_spot_occupied: 'place',
  parking_zone_full: 'place',
  session_mismatch: 'appointment',
};

/** The answer of the server, below what a command says of it. */
export const refusedBy = (error: unknown): unknown =>
  error instanceof CliError && error.cause instanceof ApiError ? error.cause : error;

/** Undefined where another answer may not help. The codes are beyond the specification: a server may have others. */
export function questionAbout(error: unknown): Corrected | undefined {
  const refused = refusedBy(error);
  if (!isRefused(refused)) return undefined;
  return byCode[refused.code] ?? refusedFields(refused).flatMap((field) => byField[field] ?? [])[0];
}

/** Another counter dropped the car off, moved it or handed it out meanwhile: what was shown of it isn't true any more. */
const isParkingChanged = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof CliError) && error.code === 'parking_changed';

/** Whether the person who looks at the summary can look again. What was queued without the server has choices of its own. */
export const canLookAgain = (
  context: Context,
  plan: { readonly parkedIn?: unknown },
  error: unknown,
): boolean => isParkingChanged(error) && plan.parkedIn === undefined && canCorrect(context);

/** Whether a person is there to correct what was refused. */
export const canCorrect = ({ interactive, settings }: Context): boolean =>
  interactive && !settings.yes;

export function tellRefusal(
  context: Context,
  error: unknown,
  next: 'Choose another place.' | 'Please correct it.' | 'Please check it.',
): void {
  context.warn(`${sentence(reportOf(error).message)} ${next}`);
}
