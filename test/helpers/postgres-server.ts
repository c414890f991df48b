/** One PostgreSQL for a whole run of the tests, and in it a database with the tables, of which each test's is a copy. */
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
    /** Addresses without a database: the server's, and the one that services use. And the database that is copied. */
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

/** Starts a server of its own on a free port. Unless it's `durable`, a crash may lose data. */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = await makeFolder();
  // The server's own user must be able to enter it.
  await chmod(folder, 0o711);
  const port = await freePort();
  // Detached, so that Ctrl-C reaches the test runner alone, which then stops the server in order.
  const child = fork(new URL('postgres-script.ts', import.meta.url), [JSON.stringify({ folder, port, durable })], { detached: true });
  const ended = once(child, 'exit');
  const request = async (act: 'initialise' | 'start' | 'stop') => {
    child.send(act);
    const [reply] = await Promise.race([once(child, 'message'), ended.then(() => [{ error: 'its process ended' }])]);
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

/** Of the run: vitest calls it before the first test, and what it returns after the last. */
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
