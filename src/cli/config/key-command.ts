/** Runs a helper command that prints a key, such as `pass show cars`. */
import { spawn } from 'node:child_process';
import { CliError } from '../errors/exit.ts';
import { decodeText } from '../input/decode.ts';
import type { Io } from '../terminal/io.ts';
import { lendKeyboard } from '../terminal/keyboard.ts';
import { parseKey } from './secrets.ts';

/** Bytes kept of each stream. */
const maxBytes = 10_000;

interface Result {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Why it failed, in words. */
  readonly failure?: string;
}

/**
 * Returns the first line of its output. The platform's shell runs it in the current folder, and it
 * may prompt on the terminal. Its stderr is shown at once on a terminal, otherwise when it fails;
 * its stdout is never shown. Fails with `not_signed_in`, exit 4, when it can't run, fails, times
 * out or prints nothing. Output that isn't UTF-8 is exit 3.
 */
export async function runKeyCommand(
  io: Io,
  request: { command: string; origin: string; timeoutMs: number },
): Promise<string> {
  const { command, origin, timeoutMs } = request;
  const { stdout, stderr, failure } = await lendKeyboard(io, () => run(io, command, timeoutMs));
  io.signal.throwIfAborted();
  const key = failure === undefined ? parseKey(await decodeFirstLine(stdout, request)) : '';
  const why = failure ?? (key === '' ? 'printed nothing on its first line' : undefined);
  if (why === undefined) return key;
  const stderrText = stderr.toString().trim();
  throw new CliError({
    code: 'not_signed_in',
    message: `The key command (${origin}) ${why}.`,
    hint: `run it yourself to see the problem: \`${command}\``,
    details: stderrText === '' ? null : { stderr: stderrText },
  });
}

/** The other lines may hold anything, so they aren't decoded. */
function decodeFirstLine(
  stdout: Buffer,
  { command, origin }: { command: string; origin: string },
): Promise<string> {
  const end = stdout.indexOf('\n');
  const name = `The output of the key command (${origin})`;
  return decodeText(end < 0 ? stdout : stdout.subarray(0, end), {
    name,
    hint: `have it print UTF-8: \`${command}\``,
  });
}

function run(io: Io, command: string, timeoutMs: number): Promise<Result> {
  // Prompts of the command must be visible.
  const canPrompt = io.stdinIsTerminal && io.stderrIsTerminal;
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      cwd: io.cwd,
      env: { ...io.env },
      // Piped input belongs to the command that needs the key.
      stdio: [io.stdinIsTerminal ? 'inherit' : 'ignore', 'pipe', canPrompt ? 'inherit' : 'pipe'],
    });
    const output = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    const end = (failure?: string) => {
      clearTimeout(timer);
      io.signal.removeEventListener('abort', stop);
      resolve({ ...output, failure });
    };
    const abort = (failure?: string) => {
      child.kill();
      // Its own child processes may hold the pipes open; don't wait for them.
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      end(failure);
    };
    const stop = () => abort();
    const timer = setTimeout(() => abort(`timed out after ${timeoutMs / 1_000} s`), timeoutMs);
    io.signal.addEventListener('abort', stop, { once: true });
    if (io.signal.aborted) stop();
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (bytes: Buffer) => {
        output[name] = Buffer.concat([output[name], bytes]).subarray(0, maxBytes);
      });
    }
    child.on('error', (error) => end(`couldn't be run: ${error.message}`));
    child.on('close', (code, signal) =>
      end(
        code === 0
          ? undefined
          : signal
            ? `was stopped by ${signal}`
            : `failed with exit code ${code}`,
      ),
    );
  });
}
