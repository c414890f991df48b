import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Place } from '../../src/service/database/open.ts';
import type { S3Place } from '../../src/service/files/s3.ts';

export interface ChildService {
  readonly url: string;
  readonly process: ChildProcess;
  /** Sends a signal and waits for the end; resolves with the exit code, null if the signal ended the process. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/**
 * Starts the service in a separate process, so that a test can kill it. E-mail goes to the mail server at `smtp`, and files into the S3 store
 * `files`, if given; with a store, bytes without a record are deleted at once.
 */
export async function startChildService(
  data: string,
  database = '',
  smtp = '',
  files?: S3Place,
): Promise<ChildService> {
  const words = [script('serve-script.ts'), data, database, smtp, files && JSON.stringify(files)];
  const child = spawn(
    process.execPath,
    words.filter((word) => word !== undefined),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  if (done) throw new Error(`The service ended before it was ready, with code ${(await ended)[0]}`);
  return {
    url: JSON.parse(value).url,
    process: child,
    async stop(signal) {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

/** Does the work of `cs admin` in a separate process. `act` is a function of src/service/admin.ts; resolves with its result. */
export async function administer(
  { data, database }: Place,
  act: string,
  ...given: unknown[]
  // biome-ignore lint/suspicious/noExplicitAny: any result of the function
): Promise<any> {
  const args = [
    script('admin-script.ts'),
    JSON.stringify({ data, database }),
    act,
    ...given.map((value) => JSON.stringify(value)),
  ];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

const script = (name: string): string => new URL(name, import.meta.url).pathname;
