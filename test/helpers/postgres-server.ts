/** One PostgreSQL for a whole test run, with a template database; each test gets a copy of it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/service/database/postgres/open.ts';
import { makeFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { startPooler } from './pooler.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses without a database: that of the server, and that for services. And the name of the template database. */
    postgres: { url: string; serviceUrl: string; template: string };
  }
}

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good and deletes its files. */
  remove(): Promise<void>;
}

/** Starts a separate server on a free port. Only a `durable` one keeps its data in a crash. */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = await makeFolder();
  // The user of the server must have access.
  await chmod(folder, 0o711);
  const port = await freePort();
  // Detached, so that Ctrl-C reaches only the test runner, which then stops the server cleanly.
  const child = fork(
    new URL('postgres-script.ts', import.meta.url),
    [JSON.stringify({ folder, port, durable })],
    { detached: true },
  );
  const ended = once(child, 'exit');
  const request = async (act: 'initialise' | 'start' | 'stop') => {
    child.send(act);
    const [reply] = await Promise.race([
      once(child, 'message'),
      ended.then(() => [{ error: 'its process ended' }]),
    ]);
    if (reply.error) throw new Error(`PostgreSQL server: couldn't ${act}: ${reply.error}`);
  };
  await request('initialise');
  await request('start');
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    stop: () => request('stop'),
    start: () => request('start'),
    async remove() {
      child.disconnect();
      await ended;
    },
  };
}

/** Global setup: vitest calls it before the first test, and the returned function after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const template = 'tables';
  const maker = new pg.Client({ connectionString: `${server.url}/postgres` });
  await maker.connect();
  await maker.query(`create database ${template}`);
  await maker.end();
  const database = await openPostgres(`${server.url}/${template}`);
  await database.close();
  const pooler = project.config.env.CS_TEST_POOLER ? await startPooler(server.url) : undefined;
  project.provide('postgres', { url: server.url, serviceUrl: pooler?.url ?? server.url, template });
  return async () => {
    await pooler?.remove();
    await server.remove();
  };
}
