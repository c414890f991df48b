/** Databases for tests, on the PostgreSQL that postgres-server.ts has started for the run. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Whether the tests are being run on PostgreSQL; on SQLite otherwise. */
export const onPostgres: boolean = process.env.CS_TEST_DATABASE === 'postgres';

/** A database with the tables and nothing in them; its address. It goes with the server, at the end of the run. */
export const newDatabase = (): Promise<string> => copyOf(inject('postgres').template);

/** A database without anything. */
export const emptyDatabase = (): Promise<string> => copyOf('template0');

async function copyOf(original: string): Promise<string> {
  const { url, serviceUrl } = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(`${url}/postgres`, `create database ${name} template ${original}`);
  return `${serviceUrl}/${name}`;
}

/** Asks as the server's owner, on a connection of its own. */
// biome-ignore lint/suspicious/noExplicitAny: rows of whatever is asked
export async function query(url: string, sql: string, parameters: unknown[] = []): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}
