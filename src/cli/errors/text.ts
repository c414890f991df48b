/** What went wrong, for a person or a script. */
import { isLoopback } from '../../client/address.ts';
import { ApiError, CarStorageError, NetworkError, ProtocolError } from '../../client/errors.ts';
import type { Issue } from '../../contract/problems.ts';
import type { Stored } from '../framework/run.ts';
import { isObject } from '../input/plain-object.ts';
import { toJsonLine } from '../output/json.ts';
import { UnwrittenResult } from '../terminal/io.ts';
import type { Paint } from '../terminal/style.ts';
import { breakIndented, sanitize } from '../terminal/text.ts';
import { CliError, type ExitCode, exitCodeOf, isFailure } from './exit.ts';
import { PhotoFileError } from './photo-file.ts';

export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly details: unknown;
  readonly requestId: string | null;
  readonly hint: string | null;
  readonly exitCode: ExitCode;
}

export interface ErrorContext {
  /** The address that was asked, when it is known. */
  readonly baseUrl?: string;
  /** The flag of a field in this command: `licensePlate` → `--license-plate`. */
  readonly flagOf?: (field: string) => string | undefined;
  /** Cells of the terminal's line; sentences are broken between words to fit. */
  readonly width?: number;
}

/** The hint where no answer says what came of a write. */
export const checkFirst = 'it may have been carried out: check before you run it again';

/** All that is to be told of a person who left before anything was done. */
const stopped = 'Stopped.';

export function reportOf(error: unknown, context: ErrorContext = {}): ErrorReport {
  const exitCode = exitCodeOf(error);
  const base = { status: null, details: null, requestId: null, hint: null, exitCode };
  if (error instanceof CliError)
    return { ...base, code: error.code, message: error.message, details: error.details, hint: error.hint ?? null };
  if (error instanceof PhotoFileError)
    return { ...base, code: `photo_${error.reason}`, message: error.message, details: { path: error.path }, hint: error.hint };
  if (error instanceof ProtocolError && isFailure(error)) {
    const { status, contentType } = error;
    const what = contentType?.split(';', 1)[0] ?? 'no content type';
    return {
      ...base,
      code: `http_${status}`,
      message: `The server, or a gateway in front of it, answered ${status} with ${what}.`,
      status,
      requestId: error.requestId ?? null,
      hint: hintFor(error, context) ?? null,
    };
  }
  if (error instanceof CarStorageError) {
    const api = error instanceof ApiError ? error : undefined;
    const answered = error instanceof ApiError || error instanceof ProtocolError ? error : undefined;
    return {
      ...base,
      code: error.code,
      message: api ? error.message : sentence(error.message),
      status: answered?.status ?? null,
      details: api?.details ?? null,
      requestId: answered?.requestId ?? null,
      hint: hintFor(error, context) ?? null,
    };
  }
  if (error instanceof UnwrittenResult)
    return {
      ...base,
      code: 'output_not_written',
      message: error.message,
      hint: 'make room, or write it somewhere else, and run the command again',
    };
  if (exitCode === 130 || exitCode === 143) return { ...base, code: 'interrupted', message: stopped };
  const message = error instanceof Error ? error.message : String(error);
  return { ...base, code: 'unexpected', message, hint: 'run it again with -v to see where it happened' };
}

/** The client is a library, whose messages are no sentences; an address at the beginning stays as it is. */
function sentence(message: string): string {
  const begun = /^[a-z]+:\/\//.test(message) ? message : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return begun.replace(/\.?$/, '.');
}

const hints: Readonly<Record<string, string>> = {
  missing_api_key: 'sign in with `cs auth login`',
  invalid_api_key: 'sign in with a key of this server: `cs auth login`',
  api_key_expired: 'ask for a new key and sign in with `cs auth login`',
  api_key_revoked: 'ask for a new key and sign in with `cs auth login`',
  invalid_key: 'sign in again with `cs auth login`',
  api_disabled: 'a team admin can turn the API integration on again; the key stays good',
  route_not_found: '`cs schema` shows the paths; `cs doctor` tells how the interface of this server differs',
  method_not_allowed: '`cs schema` shows the paths with their methods',
  parking_spot_occupied: 'free spots: `cs parking spots list --available`',
  parking_zone_full: 'zones with a place left: `cs parking zones list --available`',
  parking_inactive: 'spots in use and free: `cs parking spots list --available`',
  event_type_inactive: 'types in use: `cs event-types list --is-active`',
  event_type_scope_mismatch: 'types for cars: `cs event-types list --scope vehicle`',
  occurred_at_in_future: 'give a time that has passed, or leave it out for now',
  rate_limited: 'wait a minute, or give more tries with --retries',
  photo_too_large: 'leave --no-resize out, so that photos are shrunk',
  idempotency_key_reused: 'use another --idempotency-key, or leave it out',
  invalid_base_url: 'give it with --base-url, or sign in anew with `cs auth login`',
  invalid_path: '`cs schema` shows the paths',
  invalid_ca: 'give a PEM file, with its BEGIN CERTIFICATE lines',
  invalid_proxy: 'correct or unset HTTP_PROXY and HTTPS_PROXY',
  unsteady_list: 'try again when less is going on, or narrow the list with a filter',
  tls_failed: 'trust its certificate with --ca-file, or check --base-url',
  unsafe_address: 'give an address with https, or allow this one by name with --allow-insecure-http',
  connection_lost: 'check the network and try again',
  timeout: 'check the network, or give it longer with --timeout',
  internal_error: 'the request id finds the cause in the log of the service',
  unavailable: 'the service is starting or stopping: try again in a moment',
};

/** Hints that name what was typed, or would have been: flags are called differently from command to command. */
const hintsWithFlags: Readonly<Record<string, (flag: (field: string) => string) => string>> = {
  parking_required: (flag) =>
    `give exactly one of ${flag('parkingSpotId')} and ${flag('parkingZoneId')}; free spots: \`cs parking spots list --available\``,
  parking_not_allowed: (flag) => `leave ${flag('parkingSpotId')} and ${flag('parkingZoneId')} out: events of this type free the parking`,
};

function hintFor(error: CarStorageError, { baseUrl, flagOf }: ErrorContext): string | undefined {
  if (error.unknownOutcome && (error instanceof NetworkError || error instanceof ProtocolError || error instanceof ApiError)) {
    return checkFirst;
  }
  if (error.code === 'missing_scope') {
    const scope = /^Missing scope: (\S+)$/.exec(error.message)?.[1] ?? 'the missing scope';
    return `a key that has ${scope} is needed; \`cs auth status\` shows what yours has, \`cs auth login\` takes another`;
  }
  // In use, so it cannot go.
  if (error.code === 'resource_in_use' && error instanceof ApiError)
    return error.path.startsWith('/locations/')
      ? 'without --hard it is only taken out of use, and what names it stays as it is'
      : 'change or delete what names it first';
  if (error instanceof ProtocolError && isFailure(error)) return gatewayHints[error.status] ?? passing(error.status);
  if (error instanceof ProtocolError) return `check that ${baseUrl ?? 'the address'} is a car storage service; --base-url gives another`;
  if (error.code === 'connection_failed')
    return isOfThisMachine(baseUrl) ? 'start the service with `cs serve`, or check the address with --base-url' : unreached;
  if (error.code === 'tls_failed' && error.message.endsWith('it does not speak TLS there'))
    return 'the port takes plain http, or is another one: check the address with --base-url';
  if (error.code === 'route_not_found' && pathOf(baseUrl) !== '/')
    return `the address has a path, ${pathOf(baseUrl)}: leave it out if the service is not below it, or give another with --base-url`;
  const ownCode = !(error instanceof ApiError) || error.code !== `http_${error.status}`;
  // Without a flag for it, as in an import, it is given by the field's own name.
  const withFlags = hintsWithFlags[error.code]?.((field) => flagOf?.(field) ?? field);
  return ownCode ? (withFlags ?? hints[error.code]) : (gatewayHints[error.status] ?? passing(error.status));
}

const unreached = 'check the address with --base-url, and the network';

/** What stands in front of `/api/v1` in the address of a server; nothing but `/` for most. */
const pathOf = (baseUrl: string | undefined): string =>
  baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/api\/v1\/?$/, '/') : '/';

/** What is served on this machine can be started by the person. */
function isOfThisMachine(baseUrl: string | undefined): boolean {
  return baseUrl !== undefined && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname);
}

/** For refusals that are not of the service: a gateway's page, or a body without a code. */
const gatewayHints: Readonly<Record<number, string>> = {
  401: 'sign in with `cs auth login`; where a gateway asks for a sign-in of its own, ask whoever runs the server',
  403: '`cs auth status` shows what the key may do; a gateway that refuses you is for whoever runs the server',
  407: 'the proxy wants a name and a password: set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT',
  413: 'send less at once, or smaller files; whoever runs the server can raise the limit of the gateway',
  414: 'ask for fewer at once: what was asked made too long an address',
  429: hints.rate_limited as string,
};

const passing = (status: number): string =>
  status >= 500 || status === 408
    ? 'try again in a moment, or give more tries with --retries'
    : '-v shows what was sent; whoever runs the server can tell why it is refused';

export const errorJson = (report: ErrorReport, { flagOf = () => undefined }: ErrorContext = {}): string => {
  const { code, message, status, requestId, hint, exitCode } = report;
  const details = withFlags(report.details, flagOf);
  return toJsonLine({ error: { code, message, status, details, requestId, hint, exitCode } });
};

/** Issues with the flag that gives their field, since that is what was typed. */
function withFlags(details: unknown, flagOf: (field: string) => string | undefined): unknown {
  if (!isObject(details) || !Array.isArray(details.issues)) return details;
  const issues = details.issues.map((issue) => {
    const flag = isObject(issue) ? flagOf(String(issue.path ?? '').split('.', 1)[0] as string) : undefined;
    return flag === undefined ? issue : { ...issue, flag };
  });
  return { ...details, issues };
}

export function errorText(report: ErrorReport, paint: Paint, { flagOf = () => undefined, width }: ErrorContext = {}): string {
  // A person who left knows it, and it is no failure.
  if (report.exitCode === 13 || report.message === stopped) return `${sanitize(report.message)}\n`;
  const lone = loneIssue(report);
  const message = lone ? withFlag(report.message, lone, flagOf) : report.message;
  // Not the hint: a command in it must stay one line to be copied.
  const lines = [`${paint.bad('error:')} ${breakIndented(sanitize(message), width, 'error: '.length)}`];
  for (const line of lone ? [] : detailLines(report, flagOf)) lines.push(`  ${sanitize(line)}`);
  if (report.hint) lines.push(`${paint.careful('hint:')} ${sanitize(report.hint)}`);
  const reference = [report.code, report.requestId && `request ${report.requestId}`].filter(Boolean).join(' · ');
  lines.push(paint.dim(`(${sanitize(reference)})`));
  return `${lines.join('\n')}\n`;
}

/** The issue that the message tells already. */
function loneIssue({ message, details }: ErrorReport): Issue | undefined {
  const { issues } = (details ?? {}) as { issues?: Issue[] };
  const [only, second] = Array.isArray(issues) ? issues : [];
  return only && !second && message.includes(only.message) ? only : undefined;
}

/** The server names the field that it begins with; a person typed a flag. */
function withFlag(message: string, { path }: Issue, flagOf: (field: string) => string | undefined): string {
  return path !== '' && message.startsWith(`${path} `)
    ? `${issueName(path, flagOf).replace(/: $/, '')}${message.slice(path.length)}`
    : message;
}

/** The server's details, one line each; `issues` by the flag that the person typed. */
function detailLines({ message, details }: ErrorReport, flagOf: (field: string) => string | undefined): string[] {
  if (typeof details !== 'object' || details === null) return details === null || details === undefined ? [] : [String(details)];
  // `again` is the command that the hint names already.
  const { issues, candidates, failed, stored, unknown, again: _, ...rest } = details as Record<string, unknown>;
  return [
    ...(Array.isArray(issues)
      ? issues.map((issue: Partial<Issue>) => `${issueName(String(issue.path ?? ''), flagOf)}${issue.message ?? issue.rule}`)
      : []),
    ...(Array.isArray(candidates)
      ? candidates.map((candidate) => (candidate?.name ? `${candidate.id}  ${candidate.name}` : JSON.stringify(candidate)))
      : []),
    ...(Array.isArray(stored) ? storedLines(stored) : []),
    ...(Array.isArray(unknown) ? unknown.map((did) => `uncertain:  ${did}`) : []),
    ...(Array.isArray(failed) ? failed.map(({ id, name, code, message: why }) => `${name ? `${id}  ${name}` : id}  ${code}: ${why}`) : []),
    // What the message says already need not be said again.
    ...Object.entries(rest)
      .filter(([name, value]) => !message.includes(typeof value === 'string' ? value : `${name} ${value}`))
      .map(([name, value]) => `${flagOf(name) ?? name}: ${detailText(name, value, flagOf)}`),
  ];
}

const mostStored = 20;

/** What was stored, one line each. */
function storedLines(stored: readonly Partial<Stored>[]): string[] {
  const lines = stored.slice(0, mostStored).map(({ did, id }) => ['stored:', did, id].filter(Boolean).join('  '));
  return stored.length > mostStored ? [...lines, `and ${stored.length - mostStored} more`] : lines;
}

function issueName(path: string, flagOf: (field: string) => string | undefined): string {
  if (path === '') return '';
  const [field = '', ...below] = path.split('.');
  const flag = flagOf(field);
  return `${flag ? [flag, ...below].join(' ') : path}: `;
}

/** `field` and `fields` hold names of fields, which are shown as their flags. */
function detailText(name: string, value: unknown, flagOf: (field: string) => string | undefined): string {
  const text = (item: unknown) => (typeof item !== 'string' ? JSON.stringify(item) : (/^fields?$/.test(name) && flagOf(item)) || item);
  return Array.isArray(value) ? value.map(text).join(', ') : text(value);
}
