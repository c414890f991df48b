import type { ProblemCode } from '../../../contract/problems.ts';
import type { CodeInfo } from './code.ts';

/** The codes of the service. The status of each is in `contract/problems.ts`. */
export const serviceCodes = {
  missing_api_key: {
    exit: 4,
    means: 'The request had no API key. Only the interface description is public.',
    next: 'Sign in with `cs auth login`. Or set CS_API_KEY.',
  },
  invalid_api_key: {
    exit: 4,
    means: "The server doesn't know this key. Most often the key belongs to another server or was copied without its end.",
    next: 'Sign in with a key of this server: `cs auth login`. `cs auth status` shows which server and key are in use.',
  },
  api_key_expired: {
    exit: 4,
    means: 'The key has expired.',
    next: 'Ask for a new key and sign in with `cs auth login`. The operator of the server makes one with `cs admin key create`.',
  },
  api_key_revoked: {
    exit: 4,
    means: "The key was revoked. It won't work again.",
    next: 'Ask for a new key and sign in with `cs auth login`.',
  },
  missing_scope: {
    exit: 5,
    means:
      'The key is valid but lacks the scope for this request. Write access does not include read access. The message names the missing scope.',
    next: '`cs auth status` shows the scopes of your key. The scopes of a key never change: ask for a new key with the missing one.',
    local: true,
  },
  api_disabled: {
    exit: 5,
    means: 'The API integration of the team is off, so all its keys are refused. The keys stay valid.',
    next: 'Ask a team admin to turn the API integration on again; your key stays valid. The operator of the server does it with `cs admin integration on --team TEAM`.',
  },
  not_found: {
    exit: 6,
    means:
      'This team has no such record. Records of other teams look the same, on purpose. The missing record may be the one in the path or one named by a field.',
    next: 'Check the id or the name; the `list` command of the resource shows all records.',
    local: true,
  },
  route_not_found: {
    exit: 6,
    means: 'The server has no such path: a typing error in `cs api`, or a server of another version.',
    next: '`cs schema` shows the paths; `cs doctor` shows how the interface of this server differs.',
  },
  validation_failed: {
    exit: 3,
    means: 'One or more values are invalid. The error lists all of them, each with the reason. Nothing was stored.',
    next: 'Correct the values and run the command again. `cs schema RESOURCE` shows the rules for each field.',
    local: true,
  },
  invalid_json: {
    exit: 3,
    means: "The input isn't valid JSON: for example an extra comma, quotes removed by the shell, or a file cut short.",
    next: "Put single quotes around JSON in a shell: --input '{…}'. Or read it from a file: --input body.json.",
    local: true,
  },
  conflicting_fields: {
    exit: 3,
    means: "Two of the values can't be used together, such as a spot and a zone.",
    next: 'Leave out one of the values named in the message.',
    local: true,
  },
  car_required: { exit: 3, means: 'Events of this type need a car.', next: 'Name the car with --car PLATE.' },
  customer_required: { exit: 3, means: 'Events of this type need a customer.', next: 'Name the customer with --customer NAME.' },
  event_type_scope_mismatch: {
    exit: 3,
    means: "The event type is for customers or for the facility, so a car can't have such an event.",
    next: 'List the event types for cars: `cs event-types list --scope vehicle`.',
    local: true,
  },
  event_type_inactive: {
    exit: 7,
    means: 'The event type is inactive. Earlier events of this type stay; new ones are refused.',
    next: 'List the active event types: `cs event-types list --is-active`.',
    local: true,
  },
  option_mismatch: {
    exit: 3,
    means: 'The option belongs to another event type than the appointment.',
    next: 'List the options of the type: `cs event-types get TYPE --json options`.',
  },
  recurrence_too_long: {
    exit: 3,
    means: 'The series would have more than 366 appointments.',
    next: 'Give an earlier end date, a smaller count or a longer interval.',
  },
  invalid_transition: {
    exit: 7,
    means:
      "The record can't change from its current status to this one, for example from completed to scheduled. The details list the possible ones.",
    next: 'See the statuses and their order: `cs schema RESOURCE`.',
    local: true,
  },
  parking_required: {
    exit: 3,
    means: 'Events of this type park the car, so they need exactly one spot or zone.',
    next: 'Give one of --spot and --zone. Free spots: `cs parking spots list --available`.',
    hint: 'give exactly one of {parkingSpotId} and {parkingZoneId}; free spots: `cs parking spots list --available`',
    local: true,
  },
  parking_not_allowed: {
    exit: 3,
    means: 'Events of this type end the parking of the car, so they take no spot and no zone.',
    next: 'Leave out --spot and --zone.',
    hint: 'leave out {parkingSpotId} and {parkingZoneId}: events of this type end the parking',
    local: true,
  },
  parking_spot_occupied: {
    exit: 7,
    means: 'Another car is parked in this spot.',
    next: 'Choose a free spot: `cs parking spots list --available`. `cs board` shows which car is parked where.',
    hint: 'free spots: `cs parking spots list --available`',
    local: true,
  },
  parking_zone_full: {
    exit: 7,
    means: 'The zone is full.',
    next: 'Choose a zone with free places: `cs parking zones list --available`. Or a free spot: `cs parking spots list --available`.',
    hint: 'zones with free places: `cs parking zones list --available`',
    local: true,
  },
  parking_inactive: {
    exit: 7,
    means: 'The spot, its zone or its location is inactive.',
    next: 'Choose another spot: `cs parking spots list --available`. Or make it active again: `cs parking spots update SPOT --is-active`.',
    hint: 'free active spots: `cs parking spots list --available`',
    local: true,
  },
  not_parked: {
    exit: 7,
    means: "The car isn't parked anywhere, so there is no parking to end.",
    next: 'See its history: `cs cars events list CAR`.',
  },
  occurred_at_in_future: {
    exit: 3,
    means: 'The time of an event must be in the past. A few minutes of clock difference are allowed.',
    next: 'Give a past time, or leave it out for now. To plan ahead use `cs appointments create`; to check the clock, `cs doctor`.',
    local: true,
  },
  occurred_at_conflict: {
    exit: 7,
    means: "The time is before a later change of the same parking. History can't be changed.",
    next: 'Give a later time, or leave it out. `cs cars events list CAR` shows the events.',
  },
  car_archived: {
    exit: 7,
    means: "The car is archived, so it can't be used.",
    next: 'Restore it first: `cs cars update CAR --status checked_out`.',
    local: true,
  },
  car_parked: { exit: 7, means: "The car is still parked, so it can't be archived.", next: 'Pick it up first: `cs pickup CAR`.' },
  location_inactive: {
    exit: 7,
    means: 'The location is inactive.',
    next: 'Choose another location, or make it active again: `cs locations update LOCATION --is-active`.',
  },
  photo_too_large: {
    exit: 3,
    means: 'The file is too large. The limit is 3 MiB for a photo of a car and 10 MiB for an asset.',
    next: 'Leave out --no-resize, so that `cs cars photos add` shrinks photos. Save assets smaller.',
    hint: 'leave out --no-resize, so that photos are shrunk',
    local: true,
  },
  photo_type_unsupported: {
    exit: 3,
    means: "The bytes of the file aren't a supported photo type, whatever its name says.",
    next: 'Save it as JPEG, PNG, WebP, HEIC, AVIF or GIF.',
  },
  photo_type_mismatch: {
    exit: 3,
    means: "contentType doesn't match the bytes of the file.",
    next: 'Leave out contentType; the service detects the type.',
  },
  session_mismatch: {
    exit: 3,
    means: 'The session or the appointment belongs to another car or another event type.',
    next: 'List the sessions of the car: `cs sessions list --car CAR`.',
  },
  session_closed: {
    exit: 7,
    means: "The session was cancelled with its appointment, so photos can't be added.",
    next: 'Log an event to open a new session: `cs cars events log CAR`.',
  },
  source_url_blocked: {
    exit: 3,
    means: "The service doesn't download from this address: it isn't https, or it has a port, a user name or a private network address.",
    next: 'Download the file yourself and send it as a file.',
  },
  source_url_failed: {
    exit: 3,
    means: "The service couldn't download the file: its host has no public address, or the server didn't send the file in time.",
    next: 'Check the address, or download the file yourself and send it as a file.',
  },
  form_closed: {
    exit: 7,
    means: "The form is a draft or closed, so it doesn't accept submissions.",
    next: 'Publish the form: `cs forms update FORM --status published`.',
  },
  recipient_missing: {
    exit: 3,
    means: "The thread has no recipient, or the recipient has no address for the thread's channel.",
    next: 'Add an e-mail address or phone number to the recipient, or choose another one: `cs threads update THREAD --customer NAME`.',
  },
  event_full: {
    exit: 7,
    means: 'The social event or the option has too few places left.',
    next: 'See the places left: `cs social-events options list EVENT`. Or give a smaller --party-size.',
  },
  rsvp_closed: {
    exit: 7,
    means: "The social event doesn't accept RSVPs: it isn't published, or the deadline has passed.",
    next: 'See its status and deadline: `cs social-events get EVENT`.',
  },
  duplicate: {
    exit: 7,
    means: 'Another record already has this value, which must be unique. The details name the field and the record.',
    next: 'Choose another value, or use the existing record.',
    local: true,
  },
  resource_in_use: {
    exit: 7,
    means: "Other records still use this one, so it can't be deleted. The details count them.",
    next: 'Change or delete the records that use it first. Or deactivate this one, where it has --no-is-active.',
  },
  campaign_locked: {
    exit: 7,
    means: "The campaign is being sent, was sent or was cancelled. Its content can't be changed any more.",
    next: 'Pause it first (`cs campaigns pause CAMPAIGN`), or make a new one.',
  },
  idempotency_key_reused: {
    exit: 7,
    means: 'The same Idempotency-Key was used for a different request. A key is valid for repeats of one request only.',
    next: 'Use another --idempotency-key, or leave it out: each command makes its own.',
  },
  bad_request: {
    exit: 3,
    means: "The server received bytes that aren't valid HTTP. Something between cs and the server damaged the request.",
    next: 'Check for a proxy (HTTPS_PROXY) and try without it.',
  },
  method_not_allowed: {
    exit: 3,
    means: "The path exists but doesn't support this method, such as DELETE on something that can't be deleted.",
    next: '`cs schema` shows the paths with their methods.',
  },
  payload_too_large: {
    exit: 3,
    means: 'The request body is too large.',
    next: 'Send less in one request; photos one at a time.',
  },
  unsupported_media_type: {
    exit: 3,
    means: "The request body wasn't sent as JSON.",
    next: 'Check for a proxy that changes requests: `cs` sends only JSON.',
  },
  rate_limited: {
    exit: 8,
    means: 'The key has made too many requests in a minute. cs waited and retried as often as --retries allows.',
    next: 'Wait a minute, or allow more retries with --retries.',
  },
  internal_error: {
    exit: 10,
    means: 'A bug in the service. The cause is in the log of the service under the request id.',
    next: 'Try again. If it happens again, send the request id to the operator of the server, who finds the cause in the log.',
    hint: 'send the request id to the operator of the server, who finds the cause in the log',
  },
  unavailable: {
    exit: 10,
    means: "The service is starting or stopping, or its database doesn't answer.",
    next: 'Try again in a moment. If it stays, the operator of the server can see the reason at `/readyz`.',
    hint: 'the service is starting or stopping: try again in a moment',
  },
} as const satisfies Record<ProblemCode, CodeInfo>;
