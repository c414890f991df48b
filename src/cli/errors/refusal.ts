/** What the server, or a check before it, refused: an answer that can be corrected. */
import { ApiError } from '../../client/errors.ts';
import { isRefusal } from './codes.ts';
import { CliError } from './exit.ts';
import { isUncertain } from './final.ts';
import { reportOf, sentence } from './report.ts';

/**
 * Whether another answer may be accepted: it is invalid or in conflict, or names a record that is
 * gone. Nothing was stored.
 */
export function isRefused(error: unknown): error is ApiError | CliError {
  if (!(error instanceof ApiError || error instanceof CliError) || isUncertain(error)) return false;
  const { exitCode } = reportOf(error);
  return isRefusal(exitCode) && (exitCode !== 6 || refusedFields(error).length > 0);
}

/**
 * The fields that it names: those of its issues, or the one of a conflict. Servers choose the shape
 * of their details.
 */
export function refusedFields({ details }: ApiError | CliError): string[] {
  const { issues = details, field } = (details ?? {}) as {
    readonly issues?: unknown;
    readonly field?: unknown;
  };
  const paths = Array.isArray(issues)
    ? issues.map((issue: { readonly path?: unknown } | null) => issue?.path)
    : [field];
  return paths
    .filter((path) => typeof path === 'string')
    .map((path) => path.split('.', 1)[0] as string);
}

/** What was refused, for a person who corrects it. */
export function refusalText(error: ApiError | CliError): string {
  const { message, details, hint } = reportOf(error);
  const { issues } = (details ?? {}) as { readonly issues?: unknown };
  const all: { readonly path?: string; readonly message?: string }[] = Array.isArray(issues)
    ? issues
    : [];
  const reasons = all
    .filter((issue) => issue.message && !message.includes(issue.message))
    .map(({ path, message: why }) => [path, why].filter(Boolean).join(' '));
  return [
    sentence(message),
    reasons.length > 0 && sentence(reasons.join('; ')),
    error instanceof CliError && hint,
  ]
    .filter(Boolean)
    .join(' ');
}
