/** PgBouncer in front of a test's PostgreSQL. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { makeFolder, removeFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { toolsAreRequired } from './tools.ts';

/** On Debian it is in /usr/sbin, which may be missing in PATH. */
const path = `${process.env.PATH}:/usr/sbin`;

/** Whether PgBouncer is installed, or required. */
export const withPooler: boolean =
  toolsAreRequired || spawnSync('pgbouncer', ['--version'], { env: { PATH: path } }).status === 0;

export interface Pooler {
  /** Replaces the server's address. */
  readonly url: string;
  start(): Promise<void>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Stops it permanently. */
  remove(): Promise<void>;
}

interface PoolerOptions {
  readonly mode?: 'transaction' | 'session' | 'statement';
  /** Maximum number of connections to each database. */
  readonly size?: number;
  /** A parameter that it accepts at sign-in and drops. */
  readonly ignores?: string;
}

/** Starts one on a free port. Every client signs in as the server's owner. */
export async function startPooler(
  server: string,
  { mode = 'transaction', size = 1, ignores = '' }: PoolerOptions = {},
): Promise<Pooler> {
  const { hostname, port: serverPort, username, password } = new URL(server);
  const port = await freePort();
  const folder = await makeFolder();
  // It refuses to run as root, and reads its settings as the user that it switches to.
  await chmod(folder, 0o711);
  const settings = `${folder}/pgbouncer.ini`;
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 500
ignore_startup_parameters = ${ignores}
`,
  );
  await chmod(settings, 0o644);
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    const user = process.getuid?.() === 0 ? ['--user=nobody'] : [];
    child = spawn('pgbouncer', [...user, settings], {
      env: { PATH: path },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
      lines.push(line);
      if (line.includes('process up')) break;
    }
    child.stderr?.resume();
    if (!lines.at(-1)?.includes('process up'))
      throw new Error(`PgBouncer didn't start: ${lines.join('\n')}`);
  };
  await start();
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}`,
    start,
    kill,
    async remove() {
      await kill();
      await removeFolder(folder);
    },
  };
}
