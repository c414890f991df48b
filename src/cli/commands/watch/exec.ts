/** `cs watch --exec`: a command for each change, at least once and in order. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { kill } from 'node:process';
import type { Readable, Writable } from 'node:stream';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import type { Row } from '../../output/view.ts';
import { labelRuleOf } from '../../resources/labels.ts';
import { type Io, write } from '../../terminal/io.ts';
import { sanitize } from '../../terminal/text.ts';
import { kebabName, resourceOf } from '../bulk/resources.ts';
import { formatDuration } from '../connection/server-clock.ts';
import {
  backOffMs,
  type Changes,
  type Position,
  pause,
  positionAmong,
  type Watched,
} from './watcher.ts';

/** With --once, a job must end. */
const maxAttemptsOnce = 3;

interface ExecOptions {
  /** For a shell. */
  readonly command: string;
  readonly watched: readonly Watched[];
  readonly changes: AsyncIterable<Changes>;
  /** The current positions, which `advance` changes. */
  readonly positions: readonly Position[];
  readonly advance: (index: number, position: Position) => Promise<void>;
  /** Keeps the position of a resource. */
  readonly hold: (index: number) => void;
  readonly everyMs: number;
  readonly once: boolean;
}

/**
 * The position passes a change when its command has succeeded. Exit 11 if it fails with --once: the resource stays where it is, and the
 * others have their turn first.
 */
export async function runForChanges(context: Context, options: ExecOptions): Promise<void> {
  const { watched, changes, positions, advance, hold } = options;
  let failure: CliError | undefined;
  for await (const found of changes) {
    const one = watched[found.index] as Watched;
    const before = positions[found.index] as Position;
    for (const [at, record] of found.records.entries()) {
      const failed = await runUntilDone(context, { ...options, one, record });
      if (failed) {
        failure ??= failed;
        hold(found.index);
        break;
      }
      await advance(found.index, positionAmong(before, found, at + 1));
    }
  }
  if (failure) throw failure;
}

/** The error of a command that failed too often, with --once. */
async function runUntilDone(
  { io, warn }: Context,
  { command, one, record, everyMs, once: isJob }: ExecOptions & { one: Watched; record: Row },
): Promise<CliError | undefined> {
  const title = `${resourceOf(one.name).singular} ${nameOf(one, record) || record.id}`;
  for (let attempts = 1; ; attempts++) {
    const problem = await runCommand(io, command, one, record);
    if (problem === undefined) return undefined;
    const message = `The command ${problem} for ${title}`;
    if (isJob && attempts === maxAttemptsOnce)
      return new CliError({
        code: 'partial',
        message: `${message}, ${maxAttemptsOnce} times.`,
        hint: 'fix the command and run it again with the same --state: it goes on with this change',
        details: { resource: kebabName(one.name), id: record.id },
      });
    const waitMs = backOffMs(everyMs, attempts);
    warn(`${message}. Retrying in ${formatDuration(waitMs)}.`);
    await pause(waitMs, io.signal);
  }
}

/** What went wrong, if anything. */
async function runCommand(
  io: Io,
  command: string,
  { name, within }: Watched,
  record: Row,
): Promise<string | undefined> {
  const env = {
    ...io.env,
    CS_CHANGE_RESOURCE: kebabName(name),
    CS_CHANGE_ID: sanitize(String(record.id)),
    CS_CHANGE_NAME: nameOf({ name }, record),
    CS_CHANGE_UPDATED_AT: sanitize(String(record.updatedAt ?? '')),
    CS_CHANGE_PARENT_ID: within.at(-1) ?? '',
  };
  // A group of its own: what the shell starts is stopped with it. Windows has no groups.
  const detached = io.platform !== 'win32';
  const child = spawn(command, {
    shell: true,
    detached,
    cwd: io.cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stop = () => (detached && child.pid !== undefined ? killGroup(child.pid) : child.kill());
  io.signal.addEventListener('abort', stop, { once: true });
  // A command may end without reading its stdin.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(record)}\n`);
  try {
    const ended = once(child, 'close');
    const [[code, signal]] = await Promise.all([
      ended,
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

const nameOf = ({ name }: Pick<Watched, 'name'>, record: Row): string =>
  sanitize(String(labelRuleOf(name)?.label(record) ?? ''));
