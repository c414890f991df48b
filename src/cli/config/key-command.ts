/** Runs the command that gives a key, such as `pass show cars`. */
import { spawn } from 'node:child_process';
import { CliError } from '../errors/exit.ts';
import { decodeText } from '../input/decode.ts';
import type { Io } from '../terminal/io.ts';
import { parseKey } from './key-argument.ts';

/** Bytes of either stream that are looked at; a key is far shorter. */
const longest = 10_000;

interface Ended {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Why it is no success, in words. */
  readonly failure?: string;
}

/**
 * The first line that it prints. It is run by the platform's shell, in the current folder, and may ask on the terminal.
 * What it writes to stderr is shown: at once where a person could answer it, and otherwise when it fails. What it writes to stdout
 * is never shown.
 * Fails with `key_command_failed`, exit 4: it cannot be run, ends with a failure, takes too long or prints nothing. What isn't UTF-8 is exit 3.
 */
export async function runKeyCommand(io: Io, asked: { command: string; origin: string; timeoutMs: number }): Promise<string> {
  const { command, origin, timeoutMs } = asked;
  const { stdout, stderr, failure } = await run(io, command, timeoutMs);
  io.signal.throwIfAborted();
  const key = failure === undefined ? parseKey(await decodeLine(stdout, asked)) : '';
  const why = failure ?? (key === '' ? 'printed nothing on its first line' : undefined);
  if (why === undefined) return key;
  const said = stderr.toString().trim();
  throw new CliError({
    code: 'key_command_failed',
    message: `The command that gives the key (${origin}) ${why}.`,
    hint: `run it yourself to see what it needs: \`${command}\``,
    details: said === '' ? null : { stderr: said },
    exitCode: 4,
  });
}

/** Only the first line: the others are no part of the key, whatever they hold. */
function decodeLine(stdout: Buffer, { command, origin }: { command: string; origin: string }): Promise<string> {
  const end = stdout.indexOf('\n');
  const name = `The output of the command that gives the key (${origin})`;
  return decodeText(end < 0 ? stdout : stdout.subarray(0, end), { name, hint: `have it print UTF-8: \`${command}\`` });
}

function run(io: Io, command: string, timeoutMs: number): Promise<Ended> {
  // Its question must be seen by who is to answer it.
  const asks = io.stdinIsTerminal && io.stderrIsTerminal;
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      cwd: io.cwd,
      env: { ...io.env },
      // What is piped into us is a command's input, and not the helper's.
      stdio: [io.stdinIsTerminal ? 'inherit' : 'ignore', 'pipe', asks ? 'inherit' : 'pipe'],
    });
    const heard = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    const end = (failure?: string) => {
      clearTimeout(timer);
      io.signal.removeEventListener('abort', stop);
      resolve({ ...heard, failure });
    };
    const give = (failure?: string) => {
      child.kill();
      // What it has started may live on and hold the pipes; nobody waits for that.
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      end(failure);
    };
    const stop = () => give();
    const timer = setTimeout(() => give(`did not end within ${timeoutMs / 1_000} s`), timeoutMs);
    io.signal.addEventListener('abort', stop, { once: true });
    if (io.signal.aborted) stop();
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (bytes: Buffer) => {
        heard[name] = Buffer.concat([heard[name], bytes]).subarray(0, longest);
      });
    }
    child.on('error', (error) => end(`cannot be run: ${error.message}`));
    child.on('close', (code, signal) => end(code === 0 ? undefined : signal ? `was ended by ${signal}` : `failed with exit code ${code}`));
  });
}
