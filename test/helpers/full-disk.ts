/** `cs` with its result on a disk that is full, in a process of its own: there alone the streams are the system's. */
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin } from './built.ts';
import type { CliOptions } from './cli.ts';
import { ownEnvironment } from './own-home.ts';

export type Around = Pick<CliOptions, 'env' | 'cwd' | 'home' | 'stdin'>;

/** Runs `cs` with one of its streams sent elsewhere by a shell. */
export async function redirected(line: readonly string[], where: string, { env, cwd, home, stdin }: Around) {
  return execa('sh', ['-c', `"$@" ${where}`, 'sh', process.execPath, bin, ...line], {
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
  /** Told in words, since a person's form was asked for. */
  readonly words?: boolean;
  /** Something was stored before. */
  readonly stored?: boolean;
}

/** It is told in the last line as JSON, or in words, and is exit 1; exit 15 with what was stored, and without advice to repeat it. */
export async function expectFullDisk(line: readonly string[], around: Around, { words, stored }: Expected = {}): Promise<void> {
  const { exitCode, stderr } = await redirected(line, '> /dev/full', around);
  const message = stored ? `Stored, but not printed. ${full}` : full;
  const code = stored ? 'stored_not_printed' : 'output_not_written';
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
  expect(error.hint).toMatch(/don't run it again|can't be shown again: revoke it with `cs admin key revoke csk_\w+`/);
}
