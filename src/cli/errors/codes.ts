/**
 * The table of error codes. A code exists where a script would react differently; message and hint
 * stand where an error is thrown. The codes of the service, with their statuses and meanings, are
 * in `contract/problems.ts`.
 */
import { type ProblemCode, problems } from '../../contract/problems.ts';

interface ExitInfo {
  readonly means: string;
  /**
   * Invalid, not found or in conflict: nothing was stored, and the same would be refused again. The
   * next record may be accepted.
   */
  readonly isRefusal?: true;
}

/** Every exit code with its meaning, as `cs help exit-codes` prints it. */
export const exitCodes = {
  0: { means: 'success, also for an empty list' },
  1: { means: 'bug or unexpected error' },
  2: { means: 'usage: unknown command or flag, missing value, unreadable configuration' },
  3: {
    means: 'invalid input, found by cs or refused by the server (422 and other 4xx)',
    isRefusal: true,
  },
  4: { means: 'not signed in, or the server refused the key (401)' },
  5: { means: 'not allowed (403)' },
  6: { means: 'not found (404)', isRefusal: true },
  7: {
    means: 'conflict with another record or with the current state of this one',
    isRefusal: true,
  },
  8: { means: 'rate limited after all retries (429)' },
  9: {
    means:
      'network, TLS or timeout, the answer came from another service, or the server lacks the operation',
  },
  10: { means: 'server error (5xx)' },
  11: { means: 'partial: some items failed; the result lists them' },
  12: { means: 'change or drift found, with --exit-code, `cs audit` or `cs doctor`' },
  13: { means: 'declined at a prompt' },
  14: { means: 'ambiguous name' },
  15: { means: "stored, but the result couldn't be printed: don't run it again" },
  130: { means: 'stopped by SIGINT (Ctrl-C)' },
  143: { means: 'stopped by SIGTERM, SIGHUP or SIGBREAK' },
} as const satisfies Record<number, ExitInfo>;

export type ExitCode = keyof typeof exitCodes;

export const isRefusal = (code: ExitCode): boolean => 'isRefusal' in exitCodes[code];

interface CodeInfo {
  /** The first is the default; an error may set another one. */
  readonly exits: readonly [ExitCode, ...ExitCode[]];
  readonly means: string;
}

/** The codes of the command. */
export const ownCodes = {
  usage: {
    exits: [2, 1],
    means:
      "The command line, a variable or a setting is invalid or lacks a value, or can't be used on this machine. Nothing was sent.",
  },
  declined: { exits: [13], means: 'You answered no, so nothing was changed.' },
  interrupted: {
    exits: [130, 143],
    means: 'Ctrl-C or a signal stopped the command. Finished changes stay.',
  },
  ambiguous_name: {
    exits: [14],
    means: 'Several records match this name. The error lists them; give an id.',
  },
  partial: {
    exits: [11, 12],
    means: 'Some items failed; the others are done. The result lists each one.',
  },
  not_tried: {
    exits: [11],
    means: 'This item was skipped, because the error of an earlier item affects it as well.',
  },
  unexpected: { exits: [1], means: 'An unexpected error, most likely a bug in cs.' },

  not_signed_in: {
    exits: [4],
    means: 'There is no API key for this server. `cs help keys` lists the ways to give one.',
  },
  read_only_profile: {
    exits: [5],
    means: 'The profile is marked read-only, so cs sends no writes with it.',
  },
  connection_failed: {
    exits: [9],
    means:
      "cs couldn't connect to the server, or to the database of a mirror. Nothing was sent, so it can be run again.",
  },
  connection_lost: {
    exits: [9],
    means:
      'The connection broke before the answer was complete. A write may have been carried out: check it first.',
  },
  timeout: {
    exits: [9],
    means:
      'No complete answer arrived in time. A write may have been carried out: check it first. --timeout allows more time.',
  },
  tls_failed: {
    exits: [9],
    means:
      "The connection isn't secure: the server couldn't prove its identity, only one side uses TLS on this port, or the address of another machine isn't https. Nothing was sent.",
  },
  unexpected_answer: {
    exits: [9],
    means:
      "The answer doesn't follow this interface: an HTML page, a redirect, JSON of another shape, or far too many bytes. The sign-in page of a network looks like this, too. `cs doctor` checks the address.",
  },
  operation_missing: {
    exits: [9],
    means:
      "The server doesn't have the operation that the command needs; the error names it. `cs doctor` shows what this server lacks, and docs/reference/other-servers.md what works without it.",
  },
  filter_ignored: {
    exits: [9],
    means:
      "The records of this server don't show what a filter, a search or a name compares. cs doesn't guess which were meant. Nothing was sent. Ids always work.",
  },
  unsteady_list: {
    exits: [9],
    means:
      'The list changed too fast to read, or its pages contradict each other. cs never shows part of a list as the whole.',
  },

  invalid_file: {
    exits: [3],
    means:
      "The content of a file can't be used: a photo or asset that is missing, empty, damaged, too large or of another type, a table with invalid rows or columns, or text in another encoding. Of a photo, `reason` in the details says why.",
  },
  file_unusable: {
    exits: [1, 2],
    means:
      "A file, a folder or the database of a mirror can't be read, written or created, the configuration isn't valid, or the result couldn't be written. Changes made before are stored.",
  },
  file_exists: {
    exits: [7],
    means: 'A file with this name already exists. cs overwrites files only with --overwrite.',
  },
  stored_not_printed: {
    exits: [15],
    means:
      "The command stored its changes, but the result couldn't be printed. Don't run it again: the error lists the ids of the stored records.",
  },

  already_running: {
    exits: [7],
    means:
      'Another process does the same work, holds the folder, file or port, or finishes work on the same car. Wait for it.',
  },
  unfinished: {
    exits: [7],
    means:
      'Earlier work like this, or on the same car, was cut off and is unfinished, so it would be stored twice or out of order. Nothing was sent. `cs pending list` shows it.',
  },
  outcome_unknown: {
    exits: [9, 7],
    means:
      'A request was sent and got no answer, and the server has no way to tell whether it was stored. cs never sends it again by itself: check first.',
  },
  other_origin: {
    exits: [7],
    means:
      'The file, the mirror or the unfinished work belongs to another server, team or key. cs never mixes two.',
  },
  state_unusable: {
    exits: [7],
    means:
      "What an earlier run left can't be used: a position, a mirror or the memory of this machine (CS_STATE_DIR) is unreadable, was changed since, or is of another command.",
  },
  data_unusable: {
    exits: [1, 2, 3, 7],
    means:
      "The service's data can't be used: unreadable, damaged, from another version, incompletely restored, or its database is unreachable or unsafe. Nothing was changed.",
  },
} as const satisfies Record<string, CodeInfo>;

/**
 * Codes of the client that a script doesn't have to tell apart, with the code that `cs` gives
 * instead.
 */
export const codesOfClient: Readonly<Record<string, ErrorCode>> = {
  invalid_key: 'invalid_api_key',
  invalid_base_url: 'usage',
  invalid_path: 'usage',
  invalid_ca: 'usage',
  invalid_proxy: 'usage',
  closed: 'usage',
  unsafe_address: 'tls_failed',
  answer_too_large: 'unexpected_answer',
};

/** The next step after each code of the service. */
export const serviceHints = {
  missing_api_key: 'sign in with `cs auth login`, or set CS_API_KEY',
  invalid_api_key:
    'sign in with a key of this server: `cs auth login`; `cs auth status` shows which server and key are in use',
  api_key_expired:
    'ask for a new key and sign in with `cs auth login`; the operator of the server makes one with `cs admin key create`',
  api_key_revoked: 'ask for a new key and sign in with `cs auth login`',
  missing_scope: 'ask for a key with this scope; `cs auth status` shows the scopes of yours',
  api_disabled:
    'ask a team admin to turn the API integration on again; the operator of the server does it with `cs admin integration on --team TEAM`',
  not_found: 'check the id or the name; the `list` command of the resource shows all records',
  route_not_found:
    '`cs schema` shows the paths; `cs doctor` shows how the interface of this server differs',
  validation_failed:
    'correct the values and run the command again; `cs schema RESOURCE` shows the rules for each field',
  invalid_json:
    "put single quotes around JSON in a shell: --input '{…}', or read it from a file: --input body.json",
  conflicting_fields: 'leave out one of the values named in the message',
  car_required: 'name the car with --car PLATE',
  customer_required: 'name the customer with --customer NAME',
  event_type_scope_mismatch: 'list the event types for cars: `cs event-types list --scope vehicle`',
  event_type_inactive: 'list the active event types: `cs event-types list --is-active`',
  option_mismatch: 'list the options of the type: `cs event-types get TYPE --json=options`',
  recurrence_too_long: 'give an earlier end date, a smaller count or a longer interval',
  invalid_transition: 'see the statuses and their order: `cs schema RESOURCE`',
  parking_required:
    'give exactly one of spot and zone; free spots: `cs parking spots list --available`',
  parking_not_allowed: 'leave out spot and zone: events of this type end the parking',
  parking_spot_occupied: 'free spots: `cs parking spots list --available`',
  parking_zone_full: 'zones with free places: `cs parking zones list --available`',
  parking_inactive: 'free active spots: `cs parking spots list --available`',
  parking_changed: 'see what happened: `cs cars events list CAR`',
  not_parked: 'see its history: `cs cars events list CAR`',
  occurred_at_in_future:
    'give a past time, or leave it out for now; to plan ahead use `cs appointments create`; to check the clock, `cs doctor`',
  occurred_at_conflict:
    'give a later time, or leave it out; `cs cars events list CAR` shows the events',
  car_archived: 'restore it first: `cs cars update CAR --status checked_out`',
  car_parked: 'pick it up first: `cs pickup CAR`',
  location_inactive:
    'choose another location, or make it active again: `cs locations update LOCATION --is-active`',
  photo_too_large: 'leave out --no-resize, so that photos are shrunk',
  photo_type_unsupported: 'save it as JPEG, PNG, WebP, HEIC, AVIF or GIF',
  photo_type_mismatch: 'leave out contentType; the service detects the type',
  quota_exceeded:
    'delete photos or assets that nobody needs; the operator of the server allows more with `cs admin team quota TEAM SIZE`',
  session_mismatch: 'list the sessions of the car: `cs sessions list --car CAR`',
  session_closed: 'log an event to open a new session: `cs cars events log CAR`',
  source_url_blocked: 'download the file yourself and send it as a file',
  source_url_failed: 'check the address, or download the file yourself and send it as a file',
  form_closed: 'publish the form: `cs forms update FORM --status published`',
  recipient_missing:
    'add an e-mail address or phone number to the recipient, or choose another one: `cs threads update THREAD --customer NAME`',
  event_full:
    'see the places left: `cs social-events options list EVENT`, or give a smaller --party-size',
  rsvp_closed: 'see its status and deadline: `cs social-events get EVENT`',
  duplicate: 'choose another value, or use the existing record',
  resource_in_use:
    'change or delete the records that use it first, or deactivate this one, where it has --no-is-active',
  campaign_locked: 'pause it first (`cs campaigns pause CAMPAIGN`), or make a new one',
  idempotency_key_reused:
    'use another --idempotency-key, or leave it out: each command makes its own',
  bad_request: 'check for a proxy (HTTPS_PROXY) and try without it',
  method_not_allowed: '`cs schema` shows the paths with their methods',
  payload_too_large: 'send less in one request; photos one at a time',
  unsupported_media_type: 'check for a proxy that changes requests: `cs` sends only JSON',
  rate_limited: 'wait a minute, or allow more retries with --retries',
  internal_error:
    'send the request id to the operator of the server, who finds the cause in the log',
  unavailable: 'try again in a moment',
  storage_full: 'tell the operator of the server to make room on its disk, then try again',
} as const satisfies Record<ProblemCode, string>;

/** Status 422 is invalid input or a conflict; these are conflicts. */
const conflicts: ReadonlySet<string> = new Set<ProblemCode>([
  ...(['event_type_inactive', 'invalid_transition', 'parking_spot_occupied'] as const),
  ...(['parking_zone_full', 'parking_inactive', 'parking_changed', 'not_parked'] as const),
  ...(['occurred_at_conflict', 'car_archived', 'car_parked', 'location_inactive'] as const),
  ...(['quota_exceeded', 'session_closed', 'form_closed', 'event_full', 'rsvp_closed'] as const),
  ...(['duplicate', 'resource_in_use', 'campaign_locked', 'idempotency_key_reused'] as const),
]);

export type ErrorCode = ProblemCode | keyof typeof ownCodes;

export const isServiceCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);
const isOwnCode = (code: string): code is keyof typeof ownCodes => Object.hasOwn(ownCodes, code);

/** The default first; 1 for a code that only another server knows. */
export function exitCodesOf(code: string): readonly [ExitCode, ...ExitCode[]] {
  if (isServiceCode(code)) return [exitCodeOfAnswer(problems[code].status, code)];
  return isOwnCode(code) ? ownCodes[code].exits : [1];
}

const exitsOfStatus: Readonly<Record<number, ExitCode>> = {
  ...{ 401: 4, 403: 5, 404: 6, 409: 7, 410: 6, 412: 7, 429: 8 },
  // From a proxy or a gateway: the request didn't reach the server.
  ...{ 407: 9, 408: 9 },
};

/** By status, since a server may choose its own codes. */
export function exitCodeOfAnswer(status: number, code?: string): ExitCode {
  if (status === 422 && code !== undefined && conflicts.has(code)) return 7;
  if (status >= 500) return 10;
  return exitsOfStatus[status] ?? (status >= 400 ? 3 : 1);
}

interface StatusInfo {
  readonly means: string;
  readonly hint: string;
}

const statuses: Readonly<Record<number, StatusInfo>> = {
  401: {
    means:
      'A gateway in front of the server requires a sign-in, or the server refused the key without a reason.',
    hint: 'sign in with `cs auth login`; where a gateway requires its own sign-in, ask the operator of the server',
  },
  403: {
    means: "A gateway in front of the server refused you, or the key isn't allowed to do this.",
    hint: '`cs auth status` shows the scopes of the key; where a gateway refused you, ask the operator of the server',
  },
  404: {
    means:
      'The address answers but has no such path: most likely it is another server, or a path before /api/v1 is missing.',
    hint: 'check the address with `cs doctor`, and correct it with --base-url',
  },
  407: {
    means: 'The proxy requires a user name and a password.',
    hint: 'set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT, or name the server in NO_PROXY',
  },
  413: {
    means:
      'The request is larger than a gateway in front of the server allows. For photos the limit is often 1 MB.',
    hint: 'send less at once, or smaller files; the operator of the server can raise the limit of the gateway: 5 MB for photos, 20 MB for assets',
  },
};

/**
 * A status without a code of the service: the answer of a gateway or proxy, most often an HTML
 * page.
 */
export const statusInfo = (status: number): StatusInfo =>
  statuses[status] ??
  (status >= 500 || status === 408 || status === 429
    ? {
        means:
          "The server, or a gateway in front of it, failed, couldn't be reached in time, or takes no more requests right now.",
        hint: 'try again in a moment, or allow more retries with --retries',
      }
    : {
        means:
          'The server, or a gateway in front of it, refused the request without giving a reason.',
        hint: 'see the request with -v, and ask the operator of the server',
      });
