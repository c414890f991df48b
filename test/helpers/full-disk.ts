/** `cs` with its result on a disk that is full, in a process of its own: there alone the streams are the system's. */
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin } from './built.ts';
import type { CliOptions } from './cli.ts';

export type Around = Pick<CliOptions, 'env' | 'cwd' | 'home' | 'stdin'>;

/** Runs `cs` with one of its streams sent elsewhere by a shell. Nothing of the person who runs the tests is read or written. */
export const redirected = (line: readonly string[], where: string, { env, cwd, home = '/nowhere', stdin }: Around) =>
  execa('sh', ['-c', `"$@" ${where}`, 'sh', process.execPath, bin, ...line], {
    env: { PATH: process.env.PATH, HOME: home, ...env },
    extendEnv: false,
    cwd,
    input: typeof stdin === 'string' ? stdin : '',
    reject: false,
    timeout: 50_000,
  });

const message = 'The result could not be written: the disk is full.';

/** It is told in the last line as JSON, or in words where a person's form was asked for, and is exit 1. */
export async function expectFullDisk(line: readonly string[], around: Around, { words = false } = {}): Promise<void> {
  const { exitCode, stderr } = await redirected(line, '> /dev/full', around);
  if (words) expect(stderr.split('\n')).toContain(`error: ${message}`);
  else expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({ code: 'output_not_written', message, exitCode: 1 });
  expect(exitCode).toBe(1);
}
