/** Runs command lines on the servers of the tests. */
import { expect } from 'vitest';
import { results } from '../../../src/cli/commands/schema/results.ts';
import { type CliOptions, type CliResult, cs } from '../../helpers/cli.ts';
import type { NamedFacility } from '../../helpers/other-facility.ts';
import { resultViolations } from '../../helpers/result-schema.ts';

export interface Ran extends Pick<CliResult, 'code' | 'stdout'> {
  /** stderr as text: the message, hint, code and details of the error. */
  readonly told: string;
}

/** What a command prints by mistake when a value is missing. */
const slips = /\bundefined\b|\bNaN\b|Invalid Date|\[object |\n\s+at .+:\d+:\d+/;

/** Runs a command line with quotes and `{names}`. */
export async function runOn(
  { env, now, fill }: NamedFacility,
  line: string,
  options: CliOptions = {},
): Promise<Ran> {
  const words = (line.match(/'[^']*'|[^\s{']*\{[^}]*\}\S*|\S+/g) ?? []).map((word) =>
    fill(word.replace(/^'|'$/g, '')),
  );
  const { code, stdout, stderr } = await cs(words, {
    now,
    ...options,
    env: { ...env, ...options.env },
  });
  expect(`${stdout}${stderr}`).not.toMatch(slips);
  // A bug, or an error that nobody has thought of.
  expect([code, stderr]).not.toEqual([1, expect.anything()]);
  if (code !== 0) expect(stderr).not.toBe('');
  const result = results.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (result && /^[{[]/.test(stdout))
    expect(await resultViolations(result.name, JSON.parse(stdout))).toEqual([]);
  return { code, stdout, told: stderr.split('\n').map(textOf).join('\n') };
}

function textOf(line: string): string {
  if (!line.startsWith('{"error"')) return line;
  const { code, message, hint, details } = JSON.parse(line).error;
  return [message, hint, code, JSON.stringify(details)].join('\n');
}
