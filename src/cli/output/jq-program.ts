/** Runs jq: the real one, as WebAssembly, in a thread of its own, so that Ctrl-C ends a program that does not end by itself. */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { JqResult } from 'jq-wasm';

/** What the thread does. It is text, since a bundle has no file of its own for it. */
const thread = `
const { parentPort, workerData } = require('node:worker_threads');
const loading = require(workerData).loadJq();
parentPort.on('message', async ({ input, program, flags }) => {
  try {
    parentPort.postMessage((await loading).raw(input, program, flags));
  } catch {
    parentPort.postMessage({ stdout: '', stderr: '', exitCode: -1 });
  }
});`;

/** The exit code when jq itself broke, which is when its 256 MiB of memory do not suffice. */
export const broken = -1;

export interface JqThread {
  /** Input is JSON, any number of values after one another. Compile errors are exit code 3, failures of the program 5. */
  run(input: string, program: string, flags: readonly string[]): Promise<JqResult>;
  close(): Promise<void>;
}

export function startJq(signal: AbortSignal): JqThread {
  const worker = new Worker(thread, {
    eval: true,
    workerData: createRequire(import.meta.url).resolve('jq-wasm'),
    // The program sees nothing of the environment, and what the runtime says of itself nobody.
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
      worker.postMessage({ input, program: program.startsWith('-') ? ` ${program}` : program, flags });
      return promise.finally(() => {
        signal.removeEventListener('abort', stop);
        worker.off('message', resolve).off('error', ended);
      });
    },
    close: async () => void (await worker.terminate()),
  };
}
