import { type ProblemCode, problems } from '../../../contract/problems.ts';
import type { CodeInfo } from './code.ts';

/** What cs does about the codes of the service. Their status and meaning are in `contract/problems.ts`. */
const reactions = {
  missing_api_key: {
    exit: 4,
    next: 'Sign in with `cs auth login`. Or set CS_API_KEY.',
  },
  invalid_api_key: {
    exit: 4,
    next: 'Sign in with a key of this server: `cs auth login`. `cs auth status` shows which server and key are in use.',
  },
  api_key_expired: {
    exit: 4,
    next: 'Ask for a new key and sign in with `cs auth login`. The operator of the server makes one with `cs admin key create`.',
  },
  api_key_revoked: {
    exit: 4,
    next: 'Ask for a new key and sign in with `cs auth login`.',
  },
  missing_scope: {
    exit: 5,
    next: '`cs auth status` shows the scopes of your key. The scopes of a key never change: ask for a new key with the missing one.',
    local: true,
  },
  api_disabled: {
    exit: 5,
    next: 'Ask a team admin to turn the API integration on again; your key stays valid. The operator of the server does it with `cs admin integration on --team TEAM`.',
  },
  not_found: {
    exit: 6,
    next: 'Check the id or the name; the `list` command of the resource shows all records.',
    local: true,
  },
  route_not_found: {
    exit: 6,
    next: '`cs schema` shows the paths; `cs doctor` shows how the interface of this server differs.',
  },
  validation_failed: {
    exit: 3,
    next: 'Correct the values and run the command again. `cs schema RESOURCE` shows the rules for each field.',
    local: true,
  },
  invalid_json: {
    exit: 3,
    next: "Put single quotes around JSON in a shell: --input '{…}'. Or read it from a file: --input body.json.",
    local: true,
  },
  conflicting_fields: {
    exit: 3,
    next: 'Leave out one of the values named in the message.',
    local: true,
  },
  car_required: { exit: 3, next: 'Name the car with --car PLATE.' },
  customer_required: { exit: 3, next: 'Name the customer with --customer NAME.' },
  event_type_scope_mismatch: {
    exit: 3,
    next: 'List the event types for cars: `cs event-types list --scope vehicle`.',
    local: true,
  },
  event_type_inactive: {
    exit: 7,
    next: 'List the active event types: `cs event-types list --is-active`.',
    local: true,
  },
  option_mismatch: {
    exit: 3,
    next: 'List the options of the type: `cs event-types get TYPE --json options`.',
  },
  recurrence_too_long: {
    exit: 3,
    next: 'Give an earlier end date, a smaller count or a longer interval.',
  },
  invalid_transition: {
    exit: 7,
    next: 'See the statuses and their order: `cs schema RESOURCE`.',
    local: true,
  },
  parking_required: {
    exit: 3,
    next: 'Give one of --spot and --zone. Free spots: `cs parking spots list --available`.',
    hint: 'give exactly one of {parkingSpotId} and {parkingZoneId}; free spots: `cs parking spots list --available`',
    local: true,
  },
  parking_not_allowed: {
    exit: 3,
    next: 'Leave out --spot and --zone.',
    hint: 'leave out {parkingSpotId} and {parkingZoneId}: events of this type end the parking',
    local: true,
  },
  parking_spot_occupied: {
    exit: 7,
    next: 'Choose a free spot: `cs parking spots list --available`. `cs board` shows which car is parked where.',
    hint: 'free spots: `cs parking spots list --available`',
    local: true,
  },
  parking_zone_full: {
    exit: 7,
    next: 'Choose a zone with free places: `cs parking zones list --available`. Or a free spot: `cs parking spots list --available`.',
    hint: 'zones with free places: `cs parking zones list --available`',
    local: true,
  },
  parking_inactive: {
    exit: 7,
    next: 'Choose another spot: `cs parking spots list --available`. Or make it active again: `cs parking spots update SPOT --is-active`.',
    hint: 'free active spots: `cs parking spots list --available`',
    local: true,
  },
  not_parked: {
    exit: 7,
    next: 'See its history: `cs cars events list CAR`.',
  },
  occurred_at_in_future: {
    exit: 3,
    next: 'Give a past time, or leave it out for now. To plan ahead use `cs appointments create`; to check the clock, `cs doctor`.',
    local: true,
  },
  occurred_at_conflict: {
    exit: 7,
    next: 'Give a later time, or leave it out. `cs cars events list CAR` shows the events.',
  },
  car_archived: {
    exit: 7,
    next: 'Restore it first: `cs cars update CAR --status checked_out`.',
    local: true,
  },
  car_parked: { exit: 7, next: 'Pick it up first: `cs pickup CAR`.' },
  location_inactive: {
    exit: 7,
    next: 'Choose another location, or make it active again: `cs locations update LOCATION --is-active`.',
  },
  photo_too_large: {
    exit: 3,
    next: 'Leave out --no-resize, so that `cs cars photos add` shrinks photos. Save assets smaller.',
    hint: 'leave out --no-resize, so that photos are shrunk',
    local: true,
  },
  photo_type_unsupported: {
    exit: 3,
    next: 'Save it as JPEG, PNG, WebP, HEIC, AVIF or GIF.',
  },
  photo_type_mismatch: {
    exit: 3,
    next: 'Leave out contentType; the service detects the type.',
  },
  session_mismatch: {
    exit: 3,
    next: 'List the sessions of the car: `cs sessions list --car CAR`.',
  },
  session_closed: {
    exit: 7,
    next: 'Log an event to open a new session: `cs cars events log CAR`.',
  },
  source_url_blocked: {
    exit: 3,
    next: 'Download the file yourself and send it as a file.',
  },
  source_url_failed: {
    exit: 3,
    next: 'Check the address, or download the file yourself and send it as a file.',
  },
  form_closed: {
    exit: 7,
    next: 'Publish the form: `cs forms update FORM --status published`.',
  },
  recipient_missing: {
    exit: 3,
    next: 'Add an e-mail address or phone number to the recipient, or choose another one: `cs threads update THREAD --customer NAME`.',
  },
  event_full: {
    exit: 7,
    next: 'See the places left: `cs social-events options list EVENT`. Or give a smaller --party-size.',
  },
  rsvp_closed: {
    exit: 7,
    next: 'See its status and deadline: `cs social-events get EVENT`.',
  },
  duplicate: {
    exit: 7,
    next: 'Choose another value, or use the existing record.',
    local: true,
  },
  resource_in_use: {
    exit: 7,
    next: 'Change or delete the records that use it first. Or deactivate this one, where it has --no-is-active.',
  },
  campaign_locked: {
    exit: 7,
    next: 'Pause it first (`cs campaigns pause CAMPAIGN`), or make a new one.',
  },
  idempotency_key_reused: {
    exit: 7,
    next: 'Use another --idempotency-key, or leave it out: each command makes its own.',
  },
  bad_request: {
    exit: 3,
    next: 'Check for a proxy (HTTPS_PROXY) and try without it.',
  },
  method_not_allowed: {
    exit: 3,
    next: '`cs schema` shows the paths with their methods.',
  },
  payload_too_large: {
    exit: 3,
    next: 'Send less in one request; photos one at a time.',
  },
  unsupported_media_type: {
    exit: 3,
    next: 'Check for a proxy that changes requests: `cs` sends only JSON.',
  },
  rate_limited: {
    exit: 8,
    next: 'Wait a minute, or allow more retries with --retries.',
  },
  internal_error: {
    exit: 10,
    next: 'Try again. If it happens again, send the request id to the operator of the server, who finds the cause in the log.',
    hint: 'send the request id to the operator of the server, who finds the cause in the log',
  },
  unavailable: {
    exit: 10,
    next: 'Try again in a moment. If it stays, the operator of the server can see the reason at `/readyz`.',
    hint: 'the service is starting or stopping: try again in a moment',
  },
} as const satisfies Record<ProblemCode, Omit<CodeInfo, 'means'>>;

export const serviceCodes = Object.fromEntries(
  Object.entries(reactions).map(([code, reaction]) => [code, { ...reaction, means: problems[code as ProblemCode].about }]),
) as Record<ProblemCode, CodeInfo>;
