/** What a check of `cs doctor` found. */
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import type { Finding, State } from './shape.ts';

type Details = Partial<Pick<Finding, 'lines' | 'hint' | 'unknown' | 'exitCode'>>;

const finding =
  (state: State) =>
  (name: string, found: string, details: Details = {}): Finding => ({
    name,
    state,
    found,
    lines: [],
    hint: null,
    exitCode: null,
    ...details,
  });

export const ok = finding('ok');
export const note = finding('note');
export const warning = finding('warning');
export const problem = finding('problem');
export const skipped = finding('skipped');

/** An error with the same message and hint as in every other command. */
export function errorFinding(name: string, error: unknown, baseUrl?: string): Finding {
  const { message, hint, details } = reportOf(error, { baseUrl });
  const stderr = (details as { stderr?: unknown } | null)?.stderr;
  const lines = typeof stderr === 'string' ? stderr.split('\n') : [];
  return problem(name, message, { exitCode: exitCodeOf(error), hint, lines });
}
