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
      'Check the configuration, the network, the certificate, the clock, the key and its scopes, and differences between the API of the server and the one that this cs knows. Changes nothing.\nExit 0 if everything works, also with warnings; otherwise the exit code of the first problem.',
    )
    .option('--exit-code', 'exit 12 if the API of the server differs')
    .handle(run);
  command.tolerateEnvironment();
  command.examples(['cs doctor', 'cs doctor --profile work', 'cs doctor --exit-code --json']);
};

async function run(context: Context, { options }: Input): Promise<ExitCode> {
  const { runChecks } = await import('./run-checks.ts');
  const { findings, drift, baseUrl, profile } = await runChecks(context);
  const first = findings.find(({ exitCode }) => exitCode !== null)?.exitCode ?? 0;
  const { isSame } = await import('./drift.ts');
  const exitCode: ExitCode = first === 0 && options.exitCode && drift && !isSame(drift) ? 12 : first;
  await context.output.painted({ ok: first === 0, exitCode, profile, baseUrl, checks: findings, drift }, render(context, findings));
  return exitCode;
}

/** Terminal columns of the symbol and the longest name, with gaps. */
const indentWidth = 17;
/** More lines of one check are left to --json. */
const maxLines = 12;

function render({ io, settings }: Context, findings: readonly Finding[]): string {
  const paint = styleFor(io, 'stdout', settings.color);
  const width = io.stdoutIsTerminal ? (io.columns ?? 80) : undefined;
  const lines = findings.flatMap((finding) => linesOf(finding, paint, width));
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const counts = [
    ...(problems > 0 ? [pluralize(problems, 'problem', 'problems')] : []),
    ...(warnings > 0 ? [pluralize(warnings, 'warning', 'warnings')] : []),
  ];
  const unknown = findings.flatMap((finding) => finding.unknown ?? []);
  const summary =
    counts.length > 0 ? `${counts.join(', ')}.` : unknown.length > 0 ? 'No problems found in what could be checked.' : 'No problems found.';
  const unchecked = unknown.length > 0 ? wrap(`Not checked: ${unknown.join('; ')}.`, width) : [];
  return [...lines, '', problems > 0 ? paint.bad(summary) : warnings > 0 ? paint.careful(summary) : paint.good(summary), ...unchecked].join(
    '\n',
  );
}

const wrap = (text: string, width: number | undefined): string[] => breakWords(sanitize(text), width).split('\n');

function linesOf({ name, state, found, lines, hint }: Finding, paint: Paint, width: number | undefined): string[] {
  const symbols: Record<State, string> = {
    ok: paint.good('✓'),
    note: '·',
    warning: paint.careful('!'),
    problem: paint.bad('✗'),
    skipped: paint.dim('–'),
  };
  const indent = ' '.repeat(indentWidth);
  const beside = (text: string) => wrap(text, width && width - indentWidth);
  const [head = '', ...rest] = beside(found);
  const more = lines.length > maxLines ? [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more, with --json`] : lines;
  const quiet = state === 'skipped' ? paint.dim : (text: string) => text;
  return [
    `${symbols[state]} ${quiet(name.padEnd(indentWidth - 2))}${quiet(head)}`,
    ...rest.map((line) => `${indent}${quiet(line)}`),
    ...more.flatMap(beside).map((line) => `${indent}${paint.dim(line)}`),
    ...(hint
      ? beside(bindCommands(`hint: ${hint}`)).map((line) => indent + unbindCommands(line).replace(/^hint:/, paint.careful('hint:')))
      : []),
  ];
}

/** Keeps a command of a hint on one line, so that it can be copied. */
const bindCommands = (hint: string): string => hint.replace(/`[^`]*`/g, (command) => command.replaceAll(' ', '\u00a0'));
const unbindCommands = (line: string): string => line.replaceAll('\u00a0', ' ');
