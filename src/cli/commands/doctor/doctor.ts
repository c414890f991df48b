import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import type { Styles } from '../../terminal/style.ts';
import { stylesFor } from '../../terminal/style.ts';
import { breakWords, pluralize, sanitize } from '../../terminal/text.ts';
import type { Finding, State } from './shape.ts';

export const doctor: CommandBuilder = (command) => {
  command
    .description(
      'Check the configuration, the connection, the certificate, the clock, the key and its scopes, and which operations of this cs the server has. Keeps what the server announces, and changes nothing on it.\nExit 0 if everything works, also with warnings; otherwise the exit code of the first problem.',
    )
    .option('--exit-code', 'exit 12 if the operations of the server differ')
    .handle(run);
  command.tolerateEnvironment();
  command.needs(
    { part: 'me.get', otherwise: "team, expiry and scopes of the key aren't shown" },
    { part: 'GET /openapi.json', otherwise: "missing operations aren't shown" },
    { part: 'GET /readyz', otherwise: "the state of the database isn't shown" },
  );
  command.examples(['cs doctor', 'cs doctor --profile work', 'cs doctor --exit-code --json']);
};

async function run(context: Context, { options }: Input): Promise<ExitCode> {
  const { runChecks } = await import('./run-checks.ts');
  const { findings, drift, baseUrl, profile } = await runChecks(context);
  const first = findings.find(({ exitCode }) => exitCode !== null)?.exitCode ?? 0;
  const { countOf } = await import('./interface.ts');
  const exitCode: ExitCode =
    first === 0 && options.exitCode && drift && countOf(drift) > 0 ? 12 : first;
  await context.output.styled(
    { ok: first === 0, exitCode, profile, baseUrl, checks: findings, drift },
    await render(context, findings),
  );
  return exitCode;
}

/** Terminal columns of the symbol and the longest name, with gaps. */
const indentWidth = 17;

async function render({ io, settings }: Context, findings: readonly Finding[]): Promise<string> {
  const styles = await stylesFor(io, 'stdout', settings.color);
  const width = io.stdoutIsTerminal ? io.columns : undefined;
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const counts = [
    ...(problems > 0 ? [pluralize(problems, 'problem', 'problems')] : []),
    ...(warnings > 0 ? [pluralize(warnings, 'warning', 'warnings')] : []),
  ];
  const unknown = findings.flatMap((finding) => finding.unknown ?? []);
  const none = `No problems found${unknown.length > 0 ? ' in what could be checked' : ''}`;
  const style = problems > 0 ? styles.error : warnings > 0 ? styles.warning : styles.success;
  return [
    ...findings.flatMap((finding) => linesOf(finding, styles, width)),
    '',
    style(`${counts.join(', ') || none}.`),
    ...(unknown.length > 0 ? wrap(`Not checked: ${unknown.join('; ')}.`, width) : []),
  ].join('\n');
}

const wrap = (text: string, width: number | undefined): string[] =>
  breakWords(sanitize(text), width).split('\n');

function linesOf(
  { name, state, found, lines, hint }: Finding,
  styles: Styles,
  width: number | undefined,
): string[] {
  const symbols: Record<State, string> = {
    ok: styles.success('✓'),
    note: '·',
    warning: styles.warning('!'),
    problem: styles.error('✗'),
    skipped: styles.dim('–'),
  };
  const indent = ' '.repeat(indentWidth);
  const wrapped = (text: string) => wrap(text, width && width - indentWidth);
  const [head = '', ...rest] = wrapped(found);
  const quiet = state === 'skipped' ? styles.dim : (text: string) => text;
  return [
    `${symbols[state]} ${quiet(name.padEnd(indentWidth - 2))}${quiet(head)}`,
    ...rest.map((line) => `${indent}${quiet(line)}`),
    ...lines.flatMap(wrapped).map((line) => `${indent}${styles.dim(line)}`),
    ...(hint
      ? wrapped(bindCommands(`hint: ${hint}`)).map(
          (line) => indent + unbindCommands(line).replace(/^hint:/, styles.warning('hint:')),
        )
      : []),
  ];
}

/** Keeps a command of a hint on one line, so that it can be copied. */
const bindCommands = (hint: string): string =>
  hint.replace(/`[^`]*`/g, (command) => command.replaceAll(' ', '\u00a0'));
const unbindCommands = (line: string): string => line.replaceAll('\u00a0', ' ');
