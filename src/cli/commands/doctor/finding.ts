/** What a check of `cs doctor` found. */
import type { ExitCode } from '../../errors/exit.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import type { Finding, State } from './shape.ts';

type Details = Partial<Pick<Finding, 'lines' | 'hint' | 'unknown'>>;

const finding = (
  name: string,
  state: State,
  found: string,
  { lines = [], hint = null, unknown }: Details,
  exitCode: ExitCode | null = null,
): Finding => ({
  name,
  state,
  found,
  lines,
  hint,
  ...(unknown !== undefined && { unknown }),
  exitCode,
});

export const ok = (name: string, found: string, details: Details = {}): Finding =>
  finding(name, 'ok', found, details);
export const note = (name: string, found: string, details: Details = {}): Finding =>
  finding(name, 'note', found, details);
export const warning = (name: string, found: string, details: Details = {}): Finding =>
  finding(name, 'warning', found, details);
export const skipped = (name: string, found: string): Finding =>
  finding(name, 'skipped', found, {});
export const problem = (
  name: string,
  found: string,
  exitCode: ExitCode,
  details: Details = {},
): Finding => finding(name, 'problem', found, details, exitCode);

/** An error with the same message and hint as in every other command. */
export function errorFinding(name: string, error: unknown, baseUrl?: string): Finding {
  const { message, hint, details } = reportOf(error, { baseUrl });
  const stderr = (details as { stderr?: unknown } | null)?.stderr;
  return problem(name, message, exitCodeOf(error), {
    hint,
    lines: typeof stderr === 'string' ? stderr.split('\n') : [],
  });
}
