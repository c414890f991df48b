import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Place } from '../../src/service/database/open.ts';
import { s3Address } from '../../src/service/files/store.ts';
import { bin } from '../helpers/built.ts';
import type { FloorTask } from './floor-script.ts';

/** A server in a process of its own. */
export interface Child {
  readonly url: string;
  /** The most memory that it has had, in bytes. */
  peakMemory(): Promise<number>;
  /** The longest that its event loop stood still since this was last asked, in milliseconds. */
  longestHold(): Promise<number>;
  /** The processor time of all its threads, in milliseconds. On a busy machine it tells more than the clock. */
  processorTime(): Promise<number>;
  stop(): Promise<void>;
}

/** `cs serve` as it is installed, without limits for callers; its log goes to where nothing is kept. */
export function startService(
  { data, database, files }: Place,
  more: readonly string[] = [],
): Promise<Child> {
  const limits = ['--rate-limit', '0', '--rate-burst', '0', '--upload-limit', '0'];
  const args = [
    'serve',
    '--port',
    '0',
    '--data',
    data,
    ...(database ? ['--database', database] : []),
    ...(files ? ['--files', s3Address(files)] : []),
    ...limits,
    ...more,
  ];
  const env = files && {
    CS_FILES_ENDPOINT: files.endpoint,
    CS_FILES_REGION: files.region,
    AWS_ACCESS_KEY_ID: files.accessKeyId,
    AWS_SECRET_ACCESS_KEY: files.secretAccessKey,
  };
  return start(bin, args, { env });
}

export const startFloor = (task: FloorTask): Promise<Child> =>
  start(new URL('floor-script.ts', import.meta.url), [], { task });

/** Looks at its memory and its event loop many times a second, and tells the parent who asks the most that it was, whatever else the process does. Its threads load this, too, and have no channel. */
const tellMost = `data:text/javascript,
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let most = 0;
  setInterval(() => { most = Math.max(most, process.memoryUsage.rss()); }, 20).unref();
  process.on('message', (message) => {
    if (message === 'memory') process.send(most);
    if (message === 'processor') { const { user, system } = process.cpuUsage(); process.send((user + system) / 1000); }
    if (message !== 'hold') return;
    process.send(delay.max / 1e6);
    delay.reset();
  });
  process.channel?.unref();`;

/** Waits for the line on stdout that says where it listens. */
async function start(
  script: string | URL,
  args: string[],
  { task, env }: { task?: FloorTask; env?: NodeJS.ProcessEnv | undefined },
): Promise<Child> {
  const child = fork(script, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    execArgv: [...process.execArgv, '--import', tellMost],
  });
  const ended = once(child, 'exit');
  if (task) child.send(task);
  const [line] = await Promise.race([
    once(createInterface(child.stdout as NodeJS.ReadableStream), 'line'),
    ended,
  ]);
  if (typeof line !== 'string') throw new Error('The server ended before it was ready');
  return {
    url: JSON.parse(line).url,
    peakMemory: () => ask(child, 'memory'),
    longestHold: () => ask(child, 'hold'),
    processorTime: () => ask(child, 'processor'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function ask(child: ChildProcess, what: string): Promise<number> {
  child.send(what);
  const [answer] = await once(child, 'message');
  return answer as number;
}
