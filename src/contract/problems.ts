/**
 * Every value of `code` in an answer, with its status. The specification states the statuses and four messages;
 * it has no values of `code`, so all of these are decisions.
 */
export const problems = {
  missing_api_key: { status: 401, about: 'No key was sent.' },
  invalid_api_key: { status: 401, about: 'The key is not one of this service, or two different keys were sent.' },
  api_key_expired: { status: 401, about: 'The key is past its expiry.' },
  api_key_revoked: { status: 401, about: 'The key was revoked.' },
  missing_scope: { status: 403, about: 'The key lacks the scope that the message names.' },
  api_disabled: { status: 403, about: 'The team has turned its API integration off.' },
  not_found: { status: 404, about: 'No such record in this team, in the path or named in the body.' },
  route_not_found: { status: 404, about: 'No such path.' },
  validation_failed: { status: 422, about: 'Fields or parameters are wrong; details.issues lists all of them.' },
  invalid_json: { status: 422, about: 'The body is not JSON.' },
  conflicting_fields: { status: 422, about: 'Fields that exclude each other were given together.' },
  car_required: { status: 422, about: 'Events of this type need a car.' },
  customer_required: { status: 422, about: 'Events of this type need a customer.' },
  event_type_scope_mismatch: { status: 422, about: 'Events of this type are not performed on a car.' },
  event_type_inactive: { status: 422, about: 'The event type is no longer used.' },
  option_mismatch: { status: 422, about: 'The option is not one of the event type.' },
  recurrence_too_long: { status: 422, about: 'The series would have more than 366 appointments.' },
  invalid_transition: { status: 422, about: 'The status cannot change that way; details names what can.' },
  parking_required: { status: 422, about: 'The event type needs exactly one of parkingSpotId and parkingZoneId.' },
  parking_not_allowed: { status: 422, about: 'The event type frees parking, so no spot or zone can be given.' },
  parking_spot_occupied: { status: 422, about: 'Another car stands on the spot.' },
  parking_zone_full: { status: 422, about: 'The zone has no place left.' },
  parking_inactive: { status: 422, about: 'The spot, its zone or its location is not in use.' },
  not_parked: { status: 422, about: 'The car is not parked.' },
  occurred_at_in_future: { status: 422, about: 'The time lies ahead.' },
  occurred_at_conflict: { status: 422, about: 'The time lies before a later change of the same parking.' },
  car_archived: { status: 422, about: 'The car is archived.' },
  car_parked: { status: 422, about: 'The car is parked, so it cannot be archived.' },
  location_inactive: { status: 422, about: 'The location is not in use.' },
  photo_too_large: { status: 422, about: 'The file is too large: 3 MiB for a photo, 10 MiB for an asset.' },
  photo_type_unsupported: { status: 422, about: 'The bytes are not of a type that is kept.' },
  photo_type_mismatch: { status: 422, about: 'contentType is not what the bytes are.' },
  session_mismatch: { status: 422, about: 'The session or the appointment is of another car or event type.' },
  session_closed: { status: 422, about: 'The session was cancelled.' },
  source_url_blocked: {
    status: 422,
    about:
      'sourceUrl itself says that the service never fetches it: not https, another port, a user name, or an address that is not public.',
  },
  source_url_failed: { status: 422, about: 'The bytes could not be fetched from sourceUrl; why is in the log of the service alone.' },
  form_closed: { status: 422, about: 'The form is not published, so it takes no submissions.' },
  recipient_missing: { status: 422, about: 'Nobody to write to: the thread names no one, or one without an address for its channel.' },
  event_full: { status: 422, about: 'The social event or the option has no room for so many.' },
  rsvp_closed: { status: 422, about: 'The social event takes no RSVPs: it is not published, or the deadline is past.' },
  duplicate: { status: 422, about: 'Another record has the same value; details names the field and the record.' },
  resource_in_use: { status: 422, about: 'Other records still name this one; details counts them.' },
  campaign_locked: {
    status: 422,
    about: 'The campaign is going out, was sent or was cancelled, so it cannot be changed; details names its status.',
  },
  idempotency_key_reused: { status: 422, about: 'The Idempotency-Key was used with another request.' },
  bad_request: { status: 400, about: 'The bytes are not an HTTP request.' },
  method_not_allowed: { status: 405, about: 'The path exists, the method does not.' },
  payload_too_large: { status: 413, about: 'The body is larger than the service reads.' },
  unsupported_media_type: { status: 415, about: 'Bodies are application/json.' },
  rate_limited: { status: 429, about: 'Too many requests; Retry-After says when to go on.' },
  internal_error: { status: 500, about: 'A fault of the service; the request id finds it in the log.' },
  unavailable: { status: 503, about: 'The service is stopping, or its database does not answer.' },
} as const satisfies Record<string, { status: number; about: string }>;

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
