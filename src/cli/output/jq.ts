/** `--jq EXPR`: prints the output of a jq program for the result. */
import { Worker } from 'node:worker_threads';
import type { JqResult } from 'jq-wasm';
import { jqExpression } from '../../parts.ts';
import { CliError, usage } from '../errors/exit.ts';
import { sanitize } from '../terminal/text.ts';
import { itemsOf, type Jq } from './format.ts';
import { escapeUnsafe } from './json.ts';

interface Options {
  readonly program: string;
  /** The flag or variable, for messages. */
  readonly origin: string;
  readonly terminal: boolean;
  readonly signal: AbortSignal;
  /** Receives the output of `debug` and `stderr` in the program. */
  readonly warn: (text: string) => void;
  readonly print: (text: string) => Promise<void>;
}

/** The largest document for jq, in characters: jq needs several times as much memory. */
const mostCharacters = 128 * 1024 * 1024;

/**
 * The thread gets several records at once, so `input` would consume the next record of the batch.
 */
const withoutInput =
  'def input: error("input: with -o ndjson the program sees one record at a time"); def inputs: input;\n';

/** Exit 2 with jq's message for an invalid program, before anything is done. */
export async function compileJq(options: Options): Promise<Jq> {
  const { program, origin, terminal, signal, warn, print } = options;
  const thread = startJq(signal);
  const { exitCode, stderr } = await thread.run('', program, ['-c']).catch(closing(thread));
  if (exitCode !== 0) {
    await thread.close();
    throw wrong(origin, stderr);
  }

  async function run(input: string, text: string, flags: readonly string[]): Promise<string> {
    const { stdout, stderr, exitCode: code } = await thread.run(input, text, flags);
    if (code === broken) throw tooMuch(origin);
    const shown = readable(stdout, terminal);
    if (code === 0) {
      if (stderr.trim() !== '') warn(stderr.trimEnd());
      return shown;
    }
    // Like jq: the output before a failure is printed.
    await print(shown);
    throw wrong(origin, stderr);
  }

  const layout = terminal ? ['--indent', '2'] : ['-c'];
  return {
    document() {
      const parts: string[] = [];
      let size = 0;
      return {
        records(rows) {
          const part = JSON.stringify(rows).slice(1, -1);
          size += part.length;
          if (size > mostCharacters) throw tooMuch(origin);
          parts.push(part);
          return '';
        },
        end: () => run(`[${parts.join(',')}]`, program, layout),
        one: (value) => run(JSON.stringify(value) ?? 'null', program, layout),
      };
    },
    perRecord() {
      const lines = (items: readonly unknown[]) =>
        items.length === 0
          ? ''
          : run(items.map((item) => JSON.stringify(item)).join('\n'), withoutInput + program, [
              '-c',
            ]);
      return { records: lines, end: () => '', one: (value) => lines(itemsOf(value)) };
    },
    close: () => thread.close(),
  };
}

/**
 * Strings without quotes, on a terminal one line each; everything else as JSON. In jq's output only
 * strings start a line with a quote.
 */
function readable(stdout: string, terminal: boolean): string {
  if (stdout === '') return '';
  const text = (line: string) =>
    line.startsWith('"') ? (JSON.parse(line) as string) : escapeUnsafe(line);
  const lines = stdout.split('\n').map((line) => (terminal ? sanitize(text(line)) : text(line)));
  return `${lines.join('\n')}\n`;
}

/** jq's message on one line, without its name, and without repetitions for each record. */
function wrong(origin: string, stderr: string): CliError {
  const lines = stderr
    .split('\n')
    .filter((line) => !/^jq: \d+ compile errors?$/.test(line))
    .map((line) => line.replace(/^jq: error( \([^)]*\))*: /, '').trim())
    .filter((line) => !/^[\^~]*$/.test(line));
  return usage(
    `${origin}: ${[...new Set(lines)].join(' ') || 'the program failed'}`,
    'the language: https://jqlang.org/manual; `cs help formatting` has examples',
  );
}

const tooMuch = (origin: string): CliError =>
  new CliError({
    code: 'usage',
    message: `${origin}: the result is too large for one jq run (about 100,000 records).`,
    hint: 'add -o ndjson to run the program for each record',
  });

const closing = (thread: JqThread) => async (error: unknown) => {
  await thread.close();
  throw error;
};

/** The worker's program as text, since the bundle has no separate file for it. */
const threadProgram = () => `
const { parentPort } = require('node:worker_threads');
const loading = ${jqExpression()}.loadJq();
parentPort.on('message', async ({ input, program, flags }) => {
  try {
    parentPort.postMessage((await loading).raw(input, program, flags));
  } catch {
    parentPort.postMessage({ stdout: '', stderr: '', exitCode: -1 });
  }
});`;

/** The exit code when jq runs out of its 256 MiB of memory. */
const broken = -1;

interface JqThread {
  /**
   * `input`: any number of JSON values in sequence. Exit code 3 is a compile error, 5 a failure at
   * run time.
   */
  run(input: string, program: string, flags: readonly string[]): Promise<JqResult>;
  close(): Promise<void>;
}

/**
 * Runs the real jq as WebAssembly in a worker thread, so that Ctrl-C also ends an endless program.
 */
function startJq(signal: AbortSignal): JqThread {
  const worker = new Worker(threadProgram(), {
    eval: true,
    // No environment for the program, and no messages of the runtime in the output.
    env: {},
    stdout: true,
    stderr: true,
  });
  return {
    run(input, program, flags) {
      const { promise, resolve, reject } = Promise.withResolvers<JqResult>();
      const stop = () => reject(signal.reason);
      const ended = () => resolve({ stdout: '', stderr: '', exitCode: broken });
      signal.addEventListener('abort', stop, { once: true });
      worker.once('message', resolve).once('error', ended);
      if (signal.aborted) stop();
      worker.postMessage({
        input,
        program: program.startsWith('-') ? ` ${program}` : program,
        flags,
      });
      return promise.finally(() => {
        signal.removeEventListener('abort', stop);
        worker.off('message', resolve).off('error', ended);
      });
    },
    close: async () => void (await worker.terminate()),
  };
}
