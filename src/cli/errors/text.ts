/** What went wrong, for a person or a script. */
import { isLoopback } from '../../client/address.ts';
import { ApiError, CarStorageError, NetworkError, ProtocolError } from '../../client/errors.ts';
import { isPlainText } from '../../client/failures.ts';
import type { Issue } from '../../contract/problems.ts';
import type { Stored } from '../framework/run.ts';
import { isObject } from '../input/plain-object.ts';
import { toJsonLine } from '../output/json.ts';
import { UnwrittenResult } from '../terminal/io.ts';
import type { Paint } from '../terminal/style.ts';
import { breakIndented, sanitize } from '../terminal/text.ts';
import { statusInfo } from './codes/status.ts';
import { codeInfo, codes, hintOf, isServiceCode } from './codes.ts';
import { CliError, type ExitCode } from './exit.ts';
import { exitCodeOf, isFailure } from './exit-code.ts';

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
  /** The address of the server, when it is known. */
  readonly baseUrl?: string;
  /** The flag of a field in this command: `licensePlate` → `--license-plate`. */
  readonly flagOf?: (field: string) => string | undefined;
  /** Columns of the terminal; sentences are wrapped to fit. */
  readonly width?: number;
}

/** The hint when no answer tells the outcome of a write. */
export const checkFirst = 'it may have been carried out: check before you run it again';

/** The whole report when the person stopped a command before it did anything. */
const stopped = 'Stopped.';

export function reportOf(error: unknown, context: ErrorContext = {}): ErrorReport {
  const exitCode = exitCodeOf(error);
  const base = { status: null, details: null, requestId: null, hint: null, exitCode };
  if (error instanceof CliError)
    return { ...base, code: error.code, message: error.message, details: error.details, hint: error.hint ?? null };
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
      hint: hintOf(codes.output_not_written),
    };
  if (exitCode === 130 || exitCode === 143) return { ...base, code: 'interrupted', message: stopped };
  const message = error instanceof Error ? error.message : String(error);
  return { ...base, code: 'unexpected', message, hint: hintOf(codes.unexpected) };
}

/** Messages of the client start in lower case and have no full stop. A leading address stays as it is. */
function sentence(message: string): string {
  const begun = /^[a-z]+:\/\//.test(message) ? message : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return begun.replace(/\.?$/, '.');
}

function hintFor(error: CarStorageError, { baseUrl, flagOf }: ErrorContext): string | undefined {
  const { code, message } = error;
  const answered = error instanceof ApiError || error instanceof ProtocolError;
  if (error.unknownOutcome && (answered || error instanceof NetworkError)) return checkFirst;
  if (error instanceof ProtocolError && !isFailure(error))
    return `check that ${baseUrl ?? 'the address'} is a car storage service; change it with --base-url`;
  if (error instanceof ProtocolError || (error instanceof ApiError && code === `http_${error.status}`))
    return hintOf(statusInfo(error.status));
  if (code === 'missing_scope') {
    const scope = /^Missing scope: (\S+)$/.exec(message)?.[1] ?? 'the missing scope';
    return `sign in with a key that has ${scope}: \`cs auth login\`; \`cs auth status\` shows the scopes of yours`;
  }
  if (code === 'resource_in_use' && error instanceof ApiError && error.path.startsWith('/locations/'))
    return 'leave out --hard to deactivate it instead; the records that use it stay as they are';
  if (code === 'connection_failed' && isOfThisMachine(baseUrl))
    return 'start the service with `cs serve`, or check the address with --base-url';
  if (code === 'tls_failed' && isPlainText(error.cause))
    return 'the port speaks plain http, or is the wrong one: check the address with --base-url';
  if (code === 'route_not_found' && pathOf(baseUrl) !== '/')
    return `the address has the path ${pathOf(baseUrl)}: leave it out, or correct it with --base-url`;
  const info = error instanceof ApiError && !isServiceCode(code) ? undefined : codeInfo(code);
  // Without a flag, as in an import, a field goes by its own name.
  return info && hintOf(info).replace(/\{(\w+)\}/g, (_, field: string) => flagOf?.(field) ?? field);
}

/** The part of a server's address before `/api/v1`, most often `/`. */
const pathOf = (baseUrl: string | undefined): string =>
  baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/api\/v1\/?$/, '/') : '/';

/** The person can start a service on this machine. */
const isOfThisMachine = (baseUrl: string | undefined): boolean =>
  baseUrl !== undefined && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname);

export const errorJson = (report: ErrorReport, { flagOf = () => undefined }: ErrorContext = {}): string => {
  const { code, message, status, requestId, hint, exitCode } = report;
  const details = withFlags(report.details, flagOf);
  return toJsonLine({ error: { code, message, status, details, requestId, hint, exitCode } });
};

/** Adds the flag of its field to each issue. */
function withFlags(details: unknown, flagOf: (field: string) => string | undefined): unknown {
  if (!isObject(details) || !Array.isArray(details.issues)) return details;
  const issues = details.issues.map((issue) => {
    const flag = isObject(issue) ? flagOf(String(issue.path ?? '').split('.', 1)[0] as string) : undefined;
    return flag === undefined ? issue : { ...issue, flag };
  });
  return { ...details, issues };
}

export function errorText(report: ErrorReport, paint: Paint, { flagOf = () => undefined, width }: ErrorContext = {}): string {
  // The person stopped or declined it, so this isn't an error.
  if (report.exitCode === 13 || report.message === stopped) return `${sanitize(report.message)}\n`;
  const lone = loneIssue(report);
  const message = lone ? withFlag(report.message, lone, flagOf) : report.message;
  // Not the hint: a command in it must stay on one line for copying.
  const lines = [`${paint.bad('error:')} ${breakIndented(sanitize(message), width, 'error: '.length)}`];
  for (const line of lone ? [] : detailLines(report, flagOf)) lines.push(`  ${sanitize(line)}`);
  if (report.hint) lines.push(`${paint.careful('hint:')} ${sanitize(report.hint)}`);
  const reference = [report.code, report.requestId && `request ${report.requestId}`].filter(Boolean).join(' · ');
  lines.push(paint.dim(`(${sanitize(reference)})`));
  return `${lines.join('\n')}\n`;
}

/** The only issue, if the message repeats it. */
function loneIssue({ message, details }: ErrorReport): Issue | undefined {
  const { issues } = (details ?? {}) as { issues?: Issue[] };
  const [only, second] = Array.isArray(issues) ? issues : [];
  return only && !second && message.includes(only.message) ? only : undefined;
}

/** The flag in place of the field at the start of the server's message. */
function withFlag(message: string, { path }: Issue, flagOf: (field: string) => string | undefined): string {
  return path !== '' && message.startsWith(`${path} `)
    ? `${issueName(path, flagOf).replace(/: $/, '')}${message.slice(path.length)}`
    : message;
}

/** The server's details, one line each; `issues` by the flag that the person typed. */
function detailLines({ message, details }: ErrorReport, flagOf: (field: string) => string | undefined): string[] {
  if (typeof details !== 'object' || details === null) return details === null || details === undefined ? [] : [String(details)];
  // The hint already names the command in `again`.
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
    // Without those that the message repeats.
    ...Object.entries(rest)
      .filter(([name, value]) => !message.includes(typeof value === 'string' ? value : `${name} ${value}`))
      .map(([name, value]) => `${flagOf(name) ?? name}: ${detailText(name, value, flagOf)}`),
  ];
}

const mostStored = 20;

/** One line for each stored record. */
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

/** `field` and `fields` contain names of fields, shown as their flags. */
function detailText(name: string, value: unknown, flagOf: (field: string) => string | undefined): string {
  const text = (item: unknown) => (typeof item !== 'string' ? JSON.stringify(item) : (/^fields?$/.test(name) && flagOf(item)) || item);
  return Array.isArray(value) ? value.map(text).join(', ') : text(value);
}
