import type { ExitCode } from '../../errors/exit.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import type { Paint } from '../../terminal/style.ts';
import { styleFor } from '../../terminal/style.ts';
import { breakWords, pluralize, sanitize } from '../../terminal/text.ts';
import type { Finding, State } from './finding.ts';

export const doctor: CommandBuilder = (command) => {
  command
    .description(
      'Find what is wrong with the connection: the configuration, the way to the server, its certificate and clock, the key with its scopes, and how the interface of the server differs from the one that this cs knows. Nothing is changed.\nExit 0 when everything works, warnings included; otherwise the code of the first problem.',
    )
    .option('--exit-code', 'exit 12 when the interface of the server differs')
    .handle(run);
  command.tolerateEnvironment();
  command.examples(['cs doctor', 'cs doctor --profile work', 'cs doctor --exit-code --json']);
};

async function run(context: Context, { options }: Input): Promise<ExitCode> {
  const { examine } = await import('./run-checks.ts');
  const { findings, drift, baseUrl, profile } = await examine(context);
  const first = findings.find(({ exitCode }) => exitCode !== null)?.exitCode ?? 0;
  const { isSame } = await import('./drift.ts');
  const exitCode: ExitCode = first === 0 && options.exitCode && drift && !isSame(drift) ? 12 : first;
  await context.output.painted({ ok: first === 0, exitCode, profile, baseUrl, checks: findings, drift }, report(context, findings));
  return exitCode;
}

/** Cells of the mark and the longest name, with the gaps after them. */
const margin = 17;
/** Lines of one check that a person is shown. */
const mostLines = 12;

function report({ io, settings }: Context, findings: readonly Finding[]): string {
  const paint = styleFor(io, 'stdout', settings.color);
  const width = io.stdoutIsTerminal ? (io.columns ?? 80) : undefined;
  const lines = findings.flatMap((finding) => linesOf(finding, paint, width));
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const told = [
    ...(problems > 0 ? [pluralize(problems, 'problem', 'problems')] : []),
    ...(warnings > 0 ? [pluralize(warnings, 'warning', 'warnings')] : []),
  ];
  const unknown = findings.flatMap((finding) => finding.unknown ?? []);
  const sum = told.length > 0 ? `${told.join(', ')}.` : unknown.length > 0 ? 'All that could be looked at is well.' : 'All is well.';
  const open = unknown.length > 0 ? inLines(`Not found out: ${unknown.join('; ')}.`, width) : [];
  return [...lines, '', problems > 0 ? paint.bad(sum) : warnings > 0 ? paint.careful(sum) : paint.good(sum), ...open].join('\n');
}

const inLines = (text: string, width: number | undefined): string[] => breakWords(sanitize(text), width).split('\n');

function linesOf({ name, state, found, lines, hint }: Finding, paint: Paint, width: number | undefined): string[] {
  const marks: Record<State, string> = {
    ok: paint.good('✓'),
    note: '·',
    warning: paint.careful('!'),
    problem: paint.bad('✗'),
    skipped: paint.dim('–'),
  };
  const indent = ' '.repeat(margin);
  const beside = (text: string) => inLines(text, width && width - margin);
  const [head = '', ...rest] = beside(found);
  const more = lines.length > mostLines ? [...lines.slice(0, mostLines), `and ${lines.length - mostLines} more, with --json`] : lines;
  const quiet = state === 'skipped' ? paint.dim : (text: string) => text;
  return [
    `${marks[state]} ${quiet(name.padEnd(margin - 2))}${quiet(head)}`,
    ...rest.map((line) => `${indent}${quiet(line)}`),
    ...more.flatMap(beside).map((line) => `${indent}${paint.dim(line)}`),
    ...(hint ? beside(whole(`hint: ${hint}`)).map((line) => indent + unwhole(line).replace(/^hint:/, paint.careful('hint:'))) : []),
  ];
}

/** A command in a hint must stay on one line to be copied. */
const whole = (hint: string): string => hint.replace(/`[^`]*`/g, (command) => command.replaceAll(' ', '\u00a0'));
const unwhole = (line: string): string => line.replaceAll('\u00a0', ' ');
