/** An error report as text, for a person or a script. */
import { isUuid } from '../../client/ids.ts';
import type { Issue } from '../../contract/problems.ts';
import type { Names } from '../errors/exit.ts';
import { type ErrorReport, isLeft } from '../errors/report.ts';
import { isObject } from '../input/plain-object.ts';
import { toJsonLine } from '../output/json.ts';
import type { Stored } from '../terminal/run.ts';
import type { Styles } from '../terminal/style.ts';
import { breakAround, breakIndented, inFlags, quote, sanitize } from '../terminal/text.ts';

interface TextContext {
  /** The flag of a field in this command: `licensePlate` → `--license-plate`. */
  readonly flagOf?: FlagOf;
  /** Columns of the terminal; sentences are wrapped to fit. */
  readonly width?: number | undefined;
  /** Shown in place of ids. */
  readonly names?: Names;
  /** Ids are shown too. */
  readonly verbose?: boolean | undefined;
  /**
   * The command found it, or sums up what the server answered: its message has what a person needs.
   */
  readonly isOurs?: boolean | undefined;
}
type FlagOf = (field: string) => string | undefined;
const noFlags: FlagOf = () => undefined;

/** With the flag of its field at each issue. */
export function errorJson(report: ErrorReport, { flagOf = noFlags }: TextContext = {}): string {
  const { code, message, status, requestId, hint, exitCode, details } = report;
  const issues = issuesOf(details)?.map((issue) => {
    const flag = flagOf(String(issue.path ?? '').split('.', 1)[0] as string);
    return flag === undefined ? issue : { ...issue, flag };
  });
  const allDetails = issues ? { ...(details as object), issues } : details;
  return toJsonLine({
    error: { code, message, status, details: allDetails, requestId, hint, exitCode },
  });
}

const issuesOf = (details: unknown): Partial<Issue>[] | undefined =>
  isObject(details) && Array.isArray(details.issues) && details.issues.every(isObject)
    ? details.issues
    : undefined;

export function errorText(report: ErrorReport, styles: Styles, context: TextContext = {}): string {
  const { flagOf = noFlags, width, names = {}, verbose, isOurs } = context;
  const shown = (text: string) => sanitize(verbose ? text : named(text, names));
  const { details, code, requestId } = report;
  // The person stopped or declined it, so this isn't an error.
  if (isLeft(report)) return `${breakAround(shown(report.message), width, 0)}\n`;
  const [only, second] = issuesOf(details) ?? [];
  const isToldOnce = only?.message && !second && report.message.includes(only.message);
  const message = isToldOnce ? withFlag(report.message, only.path, flagOf) : report.message;
  const hint = shown(report.hint ?? '');
  // A command must stay on one line for copying.
  const hintWidth = /^[^`]*\bcs /.test(hint) ? undefined : width;
  const reference = requestId && (verbose || !isOurs) ? `${code} · request ${requestId}` : code;
  return [
    `${styles.error('error:')} ${breakIndented(shown(message), width, 'error: '.length)}`,
    ...(isToldOnce ? [] : detailLines(report, context)).map((line) => `  ${sanitize(line)}`),
    ...(hint
      ? [`${styles.warning('hint:')} ${breakAround(hint, hintWidth, 'hint: '.length)}`]
      : []),
    styles.dim(`(${breakIndented(sanitize(reference), width, 1)})`),
    '',
  ].join('\n');
}

/** Names in place of ids. Commands stand between backticks, where a name needs quotes. */
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

/** The flags in place of the fields in the server's message, which begins with one. */
const withFlag = (message: string, path: string | undefined, flagOf: FlagOf): string =>
  path && message.startsWith(`${path} `)
    ? `${fieldName(path, flagOf)}${inFlags(message.slice(path.length), flagOf)}`
    : message;

/**
 * Lists of an error, one line each, and the server's other details; of our own errors they are for
 * programs.
 */
function detailLines(
  { message, details }: ErrorReport,
  { flagOf = noFlags, verbose, isOurs }: TextContext,
): string[] {
  if (!isObject(details)) return details === null ? [] : [String(details)];
  const { issues, candidates, failed, stored, unknown, stderr, ...others } = details;
  const each = (list: unknown, line: (one: Record<string, unknown>) => string): string[] =>
    Array.isArray(list) ? list.map((one) => (isObject(one) ? line(one) : String(one))) : [];
  const isShown = ([name, value]: [string, unknown]): boolean =>
    [value].flat().every((one) => one !== null && typeof one !== 'object') &&
    !(typeof value === 'string' ? [value] : [`${name} ${value}`, `${value} ${name}`]).some(
      (words) => message.includes(words),
    ) &&
    (verbose === true || !/Id$/.test(name) || !isUuid(String(value)));
  return [
    ...each(issues, ({ path, message: why, rule }) =>
      [path && fieldName(String(path), flagOf), inFlags(String(why ?? rule), flagOf)]
        .filter(Boolean)
        .join(': '),
    ),
    ...each(candidates, ({ id, name, ...rest }) =>
      name ? `${id}  ${name}` : JSON.stringify({ id, ...rest }),
    ),
    ...storedLines(stored),
    ...each(unknown, String).map((did) => `uncertain:  ${did}`),
    ...each(failed, ({ id, name, code, message: why }) =>
      [id, name, `${code}: ${why}`].filter(Boolean).join('  '),
    ),
    ...(typeof stderr === 'string' ? [`stderr: ${stderr}`] : []),
    ...(isOurs ? [] : Object.entries(others).filter(isShown)).map(
      ([name, value]) => `${flagOf(name) ?? name}: ${valueText(name, value, flagOf)}`,
    ),
  ];
}

const maxStoredLines = 20;

/** One line for each stored record. */
function storedLines(stored: unknown): string[] {
  if (!Array.isArray(stored)) return [];
  const lines = stored
    .slice(0, maxStoredLines)
    .map(({ did, id }: Partial<Stored>) => ['stored:', did, id].filter(Boolean).join('  '));
  return stored.length > maxStoredLines
    ? [...lines, `and ${stored.length - maxStoredLines} more`]
    : lines;
}

/** `address.city` → `--address city` */
function fieldName(path: string, flagOf: FlagOf): string {
  const [field = '', ...below] = path.split('.');
  const flag = flagOf(field);
  return flag ? [flag, ...below].join(' ') : path;
}

/** `field` and `fields` contain names of fields, shown as their flags. */
const valueText = (name: string, value: unknown, flagOf: FlagOf): string =>
  [value]
    .flat()
    .map((item) => (/^fields?$/.test(name) && flagOf(String(item))) || String(item))
    .join(', ');
