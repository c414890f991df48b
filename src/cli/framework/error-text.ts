/** An error report as text, for a person or a script. */
import { isUuid } from '../../client/ids.ts';
import type { Issue } from '../../contract/problems.ts';
import type { Names } from '../errors/exit.ts';
import { type ErrorReport, isLeft } from '../errors/report.ts';
import { isObject } from '../input/plain-object.ts';
import { toJsonLine } from '../output/json.ts';
import type { Stored } from '../terminal/run.ts';
import type { Styles } from '../terminal/style.ts';
import { breakAround, breakIndented, quote, sanitize } from '../terminal/text.ts';

interface TextContext {
  /** The flag of a field in this command: `licensePlate` → `--license-plate`. */
  readonly flagOf?: (field: string) => string | undefined;
  /** Columns of the terminal; sentences are wrapped to fit. */
  readonly width?: number | undefined;
  /** Shown in place of ids. */
  readonly names?: Names;
  /** Ids are shown too. */
  readonly verbose?: boolean | undefined;
  /** The command found it, or sums up what the server answered: without -v the id of the request says nothing to a person. */
  readonly isOurs?: boolean | undefined;
}

export const errorJson = (
  report: ErrorReport,
  { flagOf = () => undefined }: TextContext = {},
): string => {
  const { code, message, status, requestId, hint, exitCode } = report;
  const details = withFlags(report.details, flagOf);
  return toJsonLine({ error: { code, message, status, details, requestId, hint, exitCode } });
};

/** Adds the flag of its field to each issue. */
function withFlags(details: unknown, flagOf: (field: string) => string | undefined): unknown {
  if (!isObject(details) || !Array.isArray(details.issues)) return details;
  const issues = details.issues.map((issue) => {
    const flag = isObject(issue)
      ? flagOf(String(issue.path ?? '').split('.', 1)[0] as string)
      : undefined;
    return flag === undefined ? issue : { ...issue, flag };
  });
  return { ...details, issues };
}

export function errorText(
  complete: ErrorReport,
  styles: Styles,
  context: TextContext = {},
): string {
  const { flagOf = () => undefined, width, names = {}, verbose, isOurs } = context;
  const shown = verbose ? complete : withoutIds(complete, names);
  const report = isOurs && !verbose ? { ...shown, requestId: null } : shown;
  // The person stopped or declined it, so this isn't an error.
  if (isLeft(report)) return `${breakAround(sanitize(report.message), width, 0)}\n`;
  const onlyIssue = onlyIssueOf(report);
  const message = onlyIssue ? withFlag(report.message, onlyIssue, flagOf) : report.message;
  const lines = [
    `${styles.error('error:')} ${breakIndented(sanitize(message), width, 'error: '.length)}`,
  ];
  for (const line of onlyIssue ? [] : detailLines(report, flagOf))
    lines.push(`  ${sanitize(line)}`);
  // A command must stay on one line for copying.
  const hintWidth = /^[^`]*\bcs /.test(report.hint ?? '') ? undefined : width;
  if (report.hint)
    lines.push(
      `${styles.warning('hint:')} ${breakAround(sanitize(report.hint), hintWidth, 'hint: '.length)}`,
    );
  const reference = [report.code, report.requestId && `request ${report.requestId}`]
    .filter(Boolean)
    .join(' · ');
  lines.push(styles.dim(`(${breakIndented(sanitize(reference), width, 1)})`));
  return `${lines.join('\n')}\n`;
}

/** For people: names in place of ids, and no ids beside them. */
function withoutIds(report: ErrorReport, names: Names): ErrorReport {
  const { message, hint, details } = report;
  return {
    ...report,
    message: named(message, names),
    hint: hint && named(hint, names),
    details: isObject(details)
      ? Object.fromEntries(
          Object.entries(details).filter(([name, value]) => !isReference(name, value)),
        )
      : details,
  };
}

/** Commands stand between backticks, where a name needs quotes. */
const named = (text: string, names: Names): string =>
  text
    .split('`')
    .map((part, index) =>
      Object.entries(names).reduce(
        (words, [id, name]) => words.replaceAll(id, () => (index % 2 === 1 ? quote(name) : name)),
        part,
      ),
    )
    .join('`');

/** `carId` */
const isReference = (name: string, value: unknown): boolean =>
  /Id$/.test(name) && typeof value === 'string' && isUuid(value);

/** The only issue, if the message repeats it. */
function onlyIssueOf({ message, details }: ErrorReport): Issue | undefined {
  const { issues } = (details ?? {}) as { issues?: Issue[] };
  const [only, second] = Array.isArray(issues) ? issues : [];
  return only && !second && message.includes(only.message) ? only : undefined;
}

/** The flag in place of the field at the start of the server's message. */
function withFlag(
  message: string,
  { path }: Issue,
  flagOf: (field: string) => string | undefined,
): string {
  return path !== '' && message.startsWith(`${path} `)
    ? `${issueName(path, flagOf).replace(/: $/, '')}${message.slice(path.length)}`
    : message;
}

/** The hint names the command in `again`; the message of a conflict, and the result, say what the others tell a program. */
const toldElsewhere: ReadonlySet<string> = new Set([
  ...['again', 'expected', 'found', 'before', 'now', 'at', 'latest', 'files', 'reason'],
  ...['parkedIn', 'change', 'occupiedByCarId'],
]);

/** The server's details, one line each; `issues` by the flag that the person typed. */
function detailLines(
  { message, details }: ErrorReport,
  flagOf: (field: string) => string | undefined,
): string[] {
  if (typeof details !== 'object' || details === null)
    return details === null || details === undefined ? [] : [String(details)];
  const { issues, candidates, failed, stored, unknown, ...others } = details as Record<
    string,
    unknown
  >;
  return [
    ...(Array.isArray(issues)
      ? issues.map(
          (issue: Partial<Issue>) =>
            `${issueName(String(issue.path ?? ''), flagOf)}${issue.message ?? issue.rule}`,
        )
      : []),
    ...(Array.isArray(candidates)
      ? candidates.map((candidate) =>
          candidate?.name ? `${candidate.id}  ${candidate.name}` : JSON.stringify(candidate),
        )
      : []),
    ...(Array.isArray(stored) ? storedLines(stored) : []),
    ...(Array.isArray(unknown) ? unknown.map((did) => `uncertain:  ${did}`) : []),
    ...(Array.isArray(failed)
      ? failed.map(
          ({ id, name, code, message: why }) => `${name ? `${id}  ${name}` : id}  ${code}: ${why}`,
        )
      : []),
    // Without those that the message repeats.
    ...Object.entries(others)
      .filter(([name]) => !toldElsewhere.has(name))
      .filter(
        ([name, value]) =>
          !message.includes(typeof value === 'string' ? value : `${name} ${value}`),
      )
      .map(([name, value]) => `${flagOf(name) ?? name}: ${detailText(name, value, flagOf)}`),
  ];
}

const maxStoredLines = 20;

/** One line for each stored record. */
function storedLines(stored: readonly Partial<Stored>[]): string[] {
  const lines = stored
    .slice(0, maxStoredLines)
    .map(({ did, id }) => ['stored:', did, id].filter(Boolean).join('  '));
  return stored.length > maxStoredLines
    ? [...lines, `and ${stored.length - maxStoredLines} more`]
    : lines;
}

function issueName(path: string, flagOf: (field: string) => string | undefined): string {
  if (path === '') return '';
  const [field = '', ...below] = path.split('.');
  const flag = flagOf(field);
  return `${flag ? [flag, ...below].join(' ') : path}: `;
}

/** `field` and `fields` contain names of fields, shown as their flags. */
function detailText(
  name: string,
  value: unknown,
  flagOf: (field: string) => string | undefined,
): string {
  const text = (item: unknown) =>
    typeof item !== 'string'
      ? JSON.stringify(item)
      : (/^fields?$/.test(name) && flagOf(item)) || item;
  return Array.isArray(value) ? value.map(text).join(', ') : text(value);
}
