import { aboutMegabytes, assetLimit, photoLimit } from './limits.ts';

/** Values of `code` with their statuses. */
export type Problems = Readonly<
  Record<string, { readonly status: number; readonly about: string }>
>;

/**
 * Every value of `code` in an answer, with its status. The specification states the statuses and four messages;
 * it has no values of `code`, so all of these are decisions.
 */
export const problems = {
  missing_api_key: {
    status: 401,
    about: 'The request had no API key. Only the interface description is public.',
  },
  invalid_api_key: {
    status: 401,
    about:
      "The server doesn't know this key. Most often the key belongs to another server or was copied without its end.",
  },
  api_key_expired: { status: 401, about: 'The key has expired.' },
  api_key_revoked: { status: 401, about: "The key was revoked. It won't work again." },
  missing_scope: {
    status: 403,
    about:
      'The key is valid but lacks the scope for this request. Write access does not include read access. The message names the missing scope.',
  },
  api_disabled: {
    status: 403,
    about:
      'The API integration of the team is off, so all its keys are refused. The keys stay valid.',
  },
  not_found: {
    status: 404,
    about:
      'This team has no such record. Records of other teams look the same, on purpose. The missing record may be the one in the path or one named by a field.',
  },
  route_not_found: {
    status: 404,
    about: 'The interface has no such path: a typing error, or another version.',
  },
  validation_failed: {
    status: 422,
    about:
      'One or more values are invalid. details.issues lists all of them, each with the reason. Nothing was stored.',
  },
  invalid_json: {
    status: 422,
    about: "The body isn't valid JSON: for example an extra comma, or a text cut short.",
  },
  conflicting_fields: {
    status: 422,
    about: "Two of the values can't be used together, such as a spot and a zone.",
  },
  car_required: { status: 422, about: 'Events of this type need a car.' },
  customer_required: { status: 422, about: 'Events of this type need a customer.' },
  event_type_scope_mismatch: {
    status: 422,
    about:
      "The event type is for customers or for the facility, so a car can't have such an event.",
  },
  event_type_inactive: {
    status: 422,
    about: 'The event type is inactive. Earlier events of this type stay; new ones are refused.',
  },
  option_mismatch: {
    status: 422,
    about: 'The option belongs to another event type than the appointment.',
  },
  recurrence_too_long: { status: 422, about: 'The series would have more than 366 appointments.' },
  invalid_transition: {
    status: 422,
    about:
      "The record can't change from its current status to this one, for example from completed to scheduled. The details list the possible ones.",
  },
  parking_required: {
    status: 422,
    about:
      'Events of this type park the car, so they need exactly one of parkingSpotId and parkingZoneId.',
  },
  parking_not_allowed: {
    status: 422,
    about: 'Events of this type end the parking of the car, so they take no spot and no zone.',
  },
  parking_spot_occupied: { status: 422, about: 'Another car is parked in this spot.' },
  parking_zone_full: { status: 422, about: 'The zone is full.' },
  parking_inactive: { status: 422, about: 'The spot, its zone or its location is inactive.' },
  parking_changed: {
    status: 422,
    about:
      "The car isn't parked where the request expects it (If-Parked-In): somebody else has parked, moved or picked it up. The details name the change. Nothing was stored.",
  },
  not_parked: {
    status: 422,
    about: "The car isn't parked anywhere, so there is no parking to end.",
  },
  occurred_at_in_future: {
    status: 422,
    about:
      'The time of an event must be in the past. A few minutes of clock difference are allowed.',
  },
  occurred_at_conflict: {
    status: 422,
    about:
      "The time is before a later change of the same parking, or before a later event that parks or frees the car. History can't be changed.",
  },
  car_archived: { status: 422, about: "The car is archived, so it can't be used." },
  car_parked: { status: 422, about: "The car is still parked, so it can't be archived." },
  location_inactive: { status: 422, about: 'The location is inactive.' },
  photo_too_large: {
    status: 422,
    about: `The file is too large. The limit is ${aboutMegabytes(photoLimit)} for a photo of a car and ${aboutMegabytes(assetLimit)} for an asset.`,
  },
  photo_type_unsupported: {
    status: 422,
    about: "The bytes of the file aren't a supported photo type, whatever its name says.",
  },
  photo_type_mismatch: { status: 422, about: "contentType doesn't match the bytes of the file." },
  quota_exceeded: {
    status: 422,
    about:
      'The photos and assets of the team take as much room as they may, and this file would be too much. Nothing was stored. The details have the sizes in bytes.',
  },
  session_mismatch: {
    status: 422,
    about: 'The session or the appointment belongs to another car or another event type.',
  },
  session_closed: {
    status: 422,
    about: "The session was cancelled with its appointment, so photos can't be added.",
  },
  source_url_blocked: {
    status: 422,
    about:
      "The service doesn't download from this address: it isn't https, or it has a port, a user name or a private network address.",
  },
  source_url_failed: {
    status: 422,
    about:
      "The service couldn't download the file: its host has no public address, or the server didn't send the file in time. The log of the service has the cause.",
  },
  form_closed: {
    status: 422,
    about: "The form is a draft or closed, so it doesn't accept submissions.",
  },
  recipient_missing: {
    status: 422,
    about: "The thread has no recipient, or the recipient has no address for the thread's channel.",
  },
  event_full: { status: 422, about: 'The social event or the option has too few places left.' },
  rsvp_closed: {
    status: 422,
    about: "The social event doesn't accept RSVPs: it isn't published, or the deadline has passed.",
  },
  duplicate: {
    status: 422,
    about:
      'Another record already has this value, which must be unique. The details name the field and the record.',
  },
  resource_in_use: {
    status: 422,
    about: "Other records still use this one, so it can't be deleted. The details count them.",
  },
  campaign_locked: {
    status: 422,
    about:
      "The campaign is being sent, was sent or was cancelled. Its content can't be changed any more.",
  },
  idempotency_key_reused: {
    status: 422,
    about:
      'The same Idempotency-Key was used for a different request. A key is valid for repeats of one request only.',
  },
  bad_request: {
    status: 400,
    about:
      "The server received bytes that aren't valid HTTP. Something on the way damaged the request.",
  },
  method_not_allowed: {
    status: 405,
    about:
      "The path exists but doesn't support this method, such as DELETE on something that can't be deleted.",
  },
  payload_too_large: { status: 413, about: 'The request body is too large.' },
  unsupported_media_type: { status: 415, about: "The request body wasn't sent as JSON." },
  rate_limited: {
    status: 429,
    about: 'The key has made too many requests in a minute. Retry-After tells how long to wait.',
  },
  internal_error: {
    status: 500,
    about: 'A bug in the service. The cause is in the log of the service under the request id.',
  },
  unavailable: {
    status: 503,
    about: "The service is starting or stopping, or its database doesn't answer.",
  },
  storage_full: {
    status: 507,
    about:
      'The disk of the service is full. Nothing was stored. A repeat fails until its operator has made room.',
  },
} as const satisfies Problems;

export type ProblemCode = keyof typeof problems;

/** The body of every error (specification, section 7). */
export interface ProblemBody {
  error: string;
  code: ProblemCode;
  details: unknown;
}

/** One entry of `details.issues` under `validation_failed` (decision). */
export interface Issue {
  path: string;
  rule: string;
  message: string;
}
