import { type ProblemCode, problems } from '../../../contract/problems.ts';
import type { CodeInfo } from './code.ts';
import { exitCodeOfStatus } from './status.ts';

interface Reaction extends Omit<CodeInfo, 'exit' | 'means'> {
  /** Status 422 is invalid input or a conflict; this is a conflict. */
  readonly conflict?: true;
}

/** What cs does about the codes of the service. Their status and meaning are in `contract/problems.ts`; the status gives the exit code. */
const reactions = {
  missing_api_key: {
    next: 'Sign in with `cs auth login`. Or set CS_API_KEY.',
  },
  invalid_api_key: {
    next: 'Sign in with a key of this server: `cs auth login`. `cs auth status` shows which server and key are in use.',
  },
  api_key_expired: {
    next: 'Ask for a new key and sign in with `cs auth login`. The operator of the server makes one with `cs admin key create`.',
  },
  api_key_revoked: {
    next: 'Ask for a new key and sign in with `cs auth login`.',
  },
  missing_scope: {
    next: '`cs auth status` shows the scopes of your key. The scopes of a key never change: ask for a new key with the missing one.',
    local: true,
  },
  api_disabled: {
    next: 'Ask a team admin to turn the API integration on again; your key stays valid. The operator of the server does it with `cs admin integration on --team TEAM`.',
  },
  not_found: {
    next: 'Check the id or the name; the `list` command of the resource shows all records.',
    local: true,
  },
  route_not_found: {
    next: '`cs schema` shows the paths; `cs doctor` shows how the interface of this server differs.',
  },
  validation_failed: {
    next: 'Correct the values and run the command again. `cs schema RESOURCE` shows the rules for each field.',
    local: true,
  },
  invalid_json: {
    next: "Put single quotes around JSON in a shell: --input '{…}'. Or read it from a file: --input body.json.",
    local: true,
  },
  conflicting_fields: {
    next: 'Leave out one of the values named in the message.',
    local: true,
  },
  car_required: { next: 'Name the car with --car PLATE.' },
  customer_required: { next: 'Name the customer with --customer NAME.' },
  event_type_scope_mismatch: {
    next: 'List the event types for cars: `cs event-types list --scope vehicle`.',
    local: true,
  },
  event_type_inactive: {
    conflict: true,
    next: 'List the active event types: `cs event-types list --is-active`.',
    local: true,
  },
  option_mismatch: {
    next: 'List the options of the type: `cs event-types get TYPE --json=options`.',
  },
  recurrence_too_long: {
    next: 'Give an earlier end date, a smaller count or a longer interval.',
  },
  invalid_transition: {
    conflict: true,
    next: 'See the statuses and their order: `cs schema RESOURCE`.',
    local: true,
  },
  parking_required: {
    next: 'Give one of --spot and --zone. Free spots: `cs parking spots list --available`.',
    hint: 'give exactly one of {parkingSpotId} and {parkingZoneId}; free spots: `cs parking spots list --available`',
    local: true,
  },
  parking_not_allowed: {
    next: 'Leave out --spot and --zone.',
    hint: 'leave out {parkingSpotId} and {parkingZoneId}: events of this type end the parking',
    local: true,
  },
  parking_spot_occupied: {
    conflict: true,
    next: 'Choose a free spot: `cs parking spots list --available`. `cs board` shows which car is parked where.',
    hint: 'free spots: `cs parking spots list --available`',
    local: true,
  },
  parking_zone_full: {
    conflict: true,
    next: 'Choose a zone with free places: `cs parking zones list --available`. Or a free spot: `cs parking spots list --available`.',
    hint: 'zones with free places: `cs parking zones list --available`',
    local: true,
  },
  parking_inactive: {
    conflict: true,
    next: 'Choose another spot: `cs parking spots list --available`. Or make it active again: `cs parking spots update SPOT --is-active`.',
    hint: 'free active spots: `cs parking spots list --available`',
    local: true,
  },
  parking_changed: {
    conflict: true,
    next: 'See what happened: `cs cars events list CAR`. Then run the command again if it is still right.',
    local: true,
  },
  not_parked: {
    conflict: true,
    next: 'See its history: `cs cars events list CAR`.',
  },
  occurred_at_in_future: {
    next: 'Give a past time, or leave it out for now. To plan ahead use `cs appointments create`; to check the clock, `cs doctor`.',
    local: true,
  },
  occurred_at_conflict: {
    conflict: true,
    next: 'Give a later time, or leave it out. `cs cars events list CAR` shows the events.',
    local: true,
  },
  car_archived: {
    conflict: true,
    next: 'Restore it first: `cs cars update CAR --status checked_out`.',
    local: true,
  },
  car_parked: { conflict: true, next: 'Pick it up first: `cs pickup CAR`.' },
  location_inactive: {
    conflict: true,
    next: 'Choose another location, or make it active again: `cs locations update LOCATION --is-active`.',
  },
  photo_too_large: {
    next: 'Leave out --no-resize, so that `cs cars photos add` shrinks photos. Save assets smaller.',
    hint: 'leave out --no-resize, so that photos are shrunk',
    local: true,
  },
  photo_type_unsupported: {
    next: 'Save it as JPEG, PNG, WebP, HEIC, AVIF or GIF.',
  },
  photo_type_mismatch: {
    next: 'Leave out contentType; the service detects the type.',
  },
  quota_exceeded: {
    conflict: true,
    next: 'Delete photos or assets that nobody needs. Or the operator of the server allows more: `cs admin team quota TEAM SIZE`.',
  },
  session_mismatch: {
    next: 'List the sessions of the car: `cs sessions list --car CAR`.',
    local: true,
  },
  session_closed: {
    conflict: true,
    next: 'Log an event to open a new session: `cs cars events log CAR`.',
  },
  source_url_blocked: {
    next: 'Download the file yourself and send it as a file.',
  },
  source_url_failed: {
    next: 'Check the address, or download the file yourself and send it as a file.',
  },
  form_closed: {
    conflict: true,
    next: 'Publish the form: `cs forms update FORM --status published`.',
  },
  recipient_missing: {
    next: 'Add an e-mail address or phone number to the recipient, or choose another one: `cs threads update THREAD --customer NAME`.',
  },
  event_full: {
    conflict: true,
    next: 'See the places left: `cs social-events options list EVENT`. Or give a smaller --party-size.',
  },
  rsvp_closed: {
    conflict: true,
    next: 'See its status and deadline: `cs social-events get EVENT`.',
  },
  duplicate: {
    conflict: true,
    next: 'Choose another value, or use the existing record.',
    local: true,
  },
  resource_in_use: {
    conflict: true,
    next: 'Change or delete the records that use it first. Or deactivate this one, where it has --no-is-active.',
  },
  campaign_locked: {
    conflict: true,
    next: 'Pause it first (`cs campaigns pause CAMPAIGN`), or make a new one.',
  },
  idempotency_key_reused: {
    conflict: true,
    next: 'Use another --idempotency-key, or leave it out: each command makes its own.',
  },
  bad_request: {
    next: 'Check for a proxy (HTTPS_PROXY) and try without it.',
  },
  method_not_allowed: {
    next: '`cs schema` shows the paths with their methods.',
  },
  payload_too_large: {
    next: 'Send less in one request; photos one at a time.',
  },
  unsupported_media_type: {
    next: 'Check for a proxy that changes requests: `cs` sends only JSON.',
  },
  rate_limited: {
    next: 'Wait a minute, or allow more retries with --retries.',
  },
  internal_error: {
    next: 'Try again. If it happens again, send the request id to the operator of the server, who finds the cause in the log.',
    hint: 'send the request id to the operator of the server, who finds the cause in the log',
  },
  unavailable: {
    next: 'Try again in a moment. If it stays, the operator of the server can see the reason at `/readyz`.',
    hint: 'the service is starting or stopping: try again in a moment',
  },
  storage_full: {
    next: 'The operator of the server makes room on its disk. Then try again.',
    hint: 'tell the operator of the server to make room on its disk, then try again',
  },
} as const satisfies Record<ProblemCode, Reaction>;

export const serviceCodes = Object.fromEntries(
  Object.entries<Reaction>(reactions).map(([code, { conflict, ...reaction }]) => {
    const { status, about } = problems[code as ProblemCode];
    return [code, { ...reaction, exit: conflict ? 7 : exitCodeOfStatus(status), means: about }];
  }),
) as Record<ProblemCode, CodeInfo>;
