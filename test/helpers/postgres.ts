/** Databases for tests, on the PostgreSQL of the run (postgres-server.ts). */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Whether the tests run on PostgreSQL (otherwise on SQLite). */
export const onPostgres: boolean = process.env.CS_TEST_DATABASE === 'postgres';

/** Creates a database with empty tables and returns its address. It is deleted with the server, at the end of the run. */
export const newDatabase = (): Promise<string> => copyOf(inject('postgres').template);

/** Creates an empty database without tables. */
export const emptyDatabase = (): Promise<string> => copyOf('template0');

async function copyOf(original: string): Promise<string> {
  const { url, serviceUrl } = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(`${url}/postgres`, `create database ${name} template ${original}`);
  return `${serviceUrl}/${name}`;
}

/** Runs a query as the server's owner, on a separate connection. */
// biome-ignore lint/suspicious/noExplicitAny: rows of any query
export async function query(url: string, sql: string, parameters: unknown[] = []): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}
