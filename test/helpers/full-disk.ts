/** `cs` with its output on a full disk, in a separate process, since only that has real output streams. */
import { execa } from 'execa';
import { expect } from 'vitest';
import { builtWords } from './built.ts';
import type { CliOptions } from './cli.ts';
import { ownEnvironment } from './own-home.ts';

export type Around = Pick<CliOptions, 'env' | 'cwd' | 'home' | 'stdin'>;

/** Runs `cs` in a shell that redirects one of its streams. */
export async function redirected(
  line: readonly string[],
  where: string,
  { env, cwd, home, stdin }: Around,
) {
  return execa('sh', ['-c', `"$@" ${where}`, 'sh', ...builtWords, ...line], {
    env: { ...ownEnvironment(), ...(home !== undefined && { HOME: home }), ...env },
    extendEnv: false,
    cwd,
    input: typeof stdin === 'string' ? stdin : '',
    reject: false,
    timeout: 50_000,
  });
}

const full = "Couldn't write the result: the disk is full.";

interface Expected {
  /** The error is text instead of JSON, because the command line selects a format for people. */
  readonly words?: boolean;
  /** The command stored data before. */
  readonly stored?: boolean;
}

/** The last line is the error, as JSON or as text, with exit 1. After a write: exit 15 with the stored records, and a hint not to repeat the command. */
export async function expectFullDisk(
  line: readonly string[],
  around: Around,
  { words, stored }: Expected = {},
): Promise<void> {
  const { exitCode, stderr } = await redirected(line, '> /dev/full', around);
  const message = stored ? `Stored, but not printed. ${full}` : full;
  const code = stored ? 'stored_not_printed' : 'file_unusable';
  const expected = stored ? 15 : 1;
  expect(exitCode, stderr).toBe(expected);
  if (words) {
    expect(stderr.split('\n')).toContain(`error: ${message}`);
    return;
  }
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  expect(error).toMatchObject({ code, message, exitCode: expected });
  if (!stored) return;
  expect(error.details.stored.length).toBeGreaterThan(0);
  expect(error.hint).toMatch(
    /don't run it again|won't be shown again: revoke it with `cs admin key revoke csk_\w+`/,
  );
}
