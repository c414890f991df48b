/** `cs watch --exec`: a command for a change. */
import { spawn } from 'node:child_process';
import { once as event } from 'node:events';
import { kill } from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { SyncName } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import type { Row } from '../../output/view.ts';
import { labelRuleOf } from '../../resources/labels.ts';
import { type Io, write } from '../../terminal/io.ts';
import { sanitize } from '../../terminal/text.ts';
import { kebabName, resourceOf } from '../bulk/resources.ts';
import { formatDuration } from '../connection/server-clock.ts';

/** With --once, a job must end. */
const maxAttemptsOnce = 3;

interface Exec {
  /** For a shell. */
  readonly command: string;
  readonly name: SyncName;
  readonly record: Row;
  readonly everyMs: number;
  readonly once: boolean;
}

/** Repeats a command that fails. Exit 11 if it fails too often with --once. */
export async function runUntilDone({ io, warn }: Context, exec: Exec): Promise<void> {
  const { name, record, everyMs, once } = exec;
  for (let attempts = 1; ; attempts++) {
    const problem = await runCommand(io, exec);
    if (problem === undefined) return;
    const message = `The command ${problem} for ${resourceOf(name).singular} ${nameOf(name, record) || record.id}`;
    if (once && attempts === maxAttemptsOnce)
      throw new CliError({
        code: 'partial',
        message: `${message}, ${maxAttemptsOnce} times.`,
        hint: 'fix the command and run it again with the same --state: it goes on with this change',
        details: { resource: kebabName(name), id: record.id },
      });
    const waitMs = backOffMs(everyMs, attempts);
    warn(`${message}. Retrying in ${formatDuration(waitMs)}.`);
    await pause(waitMs, io.signal);
  }
}

/** What went wrong, if anything. */
async function runCommand(io: Io, { command, name, record }: Exec): Promise<string | undefined> {
  const env = {
    ...io.env,
    CS_CHANGE_RESOURCE: kebabName(name),
    CS_CHANGE_ID: sanitize(String(record.id)),
    CS_CHANGE_NAME: nameOf(name, record),
    CS_CHANGE_UPDATED_AT: sanitize(String(record.updatedAt ?? '')),
  };
  // A group of its own: what the shell starts is stopped with it. Windows has no groups.
  const detached = io.platform !== 'win32';
  const child = spawn(command, { shell: true, detached, cwd: io.cwd, env, stdio: 'pipe' });
  const stop = () => (detached && child.pid !== undefined ? killGroup(child.pid) : child.kill());
  io.signal.addEventListener('abort', stop, { once: true });
  // A command may end without reading its stdin.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(record)}\n`);
  try {
    const [[code, signal]] = await Promise.all([
      event(child, 'close'),
      passOn(child.stdout, io.stdout),
      passOn(child.stderr, io.stderr),
    ]);
    io.signal.throwIfAborted();
    if (code === 0) return undefined;
    return signal ? `was stopped by ${signal}` : `failed with exit code ${code}`;
  } catch (error) {
    io.signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return `couldn't be run (${(error as Error).message})`;
  } finally {
    io.signal.removeEventListener('abort', stop);
  }
}

function killGroup(leader: number): void {
  try {
    kill(-leader);
  } catch {
    // It ended meanwhile.
  }
}

async function passOn(from: Readable, to: Writable): Promise<void> {
  for await (const chunk of from) await write(to, chunk);
}

export const nameOf = (name: SyncName, record: Row): string =>
  sanitize(String(labelRuleOf(name)?.label(record) ?? ''));

const maxWaitMs = 5 * 60_000;

/** The wait after so many failures in a row. */
export const backOffMs = (everyMs: number, failures: number): number =>
  Math.min(everyMs * 2 ** failures, Math.max(everyMs, maxWaitMs));

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error) => {
    signal.throwIfAborted();
    throw error;
  });
}
