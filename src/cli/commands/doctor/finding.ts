/** What a check of `cs doctor` found. */
import type { ExitCode } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/exit-code.ts';
import { reportOf } from '../../errors/text.ts';

/**
 * `ok`: as it should be. `note`: worth knowing, nothing to mend. `warning`: works, and should be mended.
 * `problem`: does not work. `skipped`: could not be looked at.
 */
export type State = 'ok' | 'note' | 'warning' | 'problem' | 'skipped';

export interface Finding {
  /** Stable, for scripts. */
  readonly name: string;
  readonly state: State;
  readonly found: string;
  /** More of it, a line each. */
  readonly lines: readonly string[];
  readonly hint: string | null;
  /** What could not be found out, where the rest was. */
  readonly unknown?: string;
  /** Of a problem. */
  readonly exitCode: ExitCode | null;
}

type More = Partial<Pick<Finding, 'lines' | 'hint' | 'unknown'>>;

const finding = (
  name: string,
  state: State,
  found: string,
  { lines = [], hint = null, unknown }: More,
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

export const ok = (name: string, found: string, more: More = {}): Finding => finding(name, 'ok', found, more);
export const note = (name: string, found: string, more: More = {}): Finding => finding(name, 'note', found, more);
export const warning = (name: string, found: string, more: More = {}): Finding => finding(name, 'warning', found, more);
export const skipped = (name: string, found: string): Finding => finding(name, 'skipped', found, {});
export const problem = (name: string, found: string, exitCode: ExitCode, more: More = {}): Finding =>
  finding(name, 'problem', found, more, exitCode);

/** An error as a problem, in the words in which every command tells it. */
export function problemOf(name: string, error: unknown, baseUrl?: string): Finding {
  const { message, hint, details } = reportOf(error, { baseUrl });
  const said = (details as { stderr?: unknown } | null)?.stderr;
  return problem(name, message, exitCodeOf(error), { hint, lines: typeof said === 'string' ? said.split('\n') : [] });
}
