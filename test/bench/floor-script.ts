/** What no service of this kind can beat: the same framework, answering ready texts after one prepared statement each. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fastify from 'fastify';
import pg from 'pg';
import type { Place } from '../../src/service/database/open.ts';

export interface FloorTask {
  readonly place: Place;
  readonly routes: readonly FloorRoute[];
}

export interface FloorRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly text: string;
  /** What reads the records of the answer; for a POST, the text is inserted durably instead. */
  readonly reads?: { readonly sql: string; readonly parameters: readonly string[] };
}

process.channel?.ref();
const { place, routes } = (await once(process, 'message'))[0] as FloorTask;
const app = fastify({ genReqId: () => randomUUID(), requestIdHeader: false });
app.addHook('onRequest', async (request, reply) => {
  reply.header('x-request-id', request.id);
});
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
const { ask, close } = await (place.database ? onPostgres(place.database) : onSqlite(place.data));
for (const { method, path, text, reads } of routes) {
  const statement = ask(reads?.sql, reads?.parameters ?? [text]);
  app.route({
    method,
    url: path,
    handler: async (_request, reply) => {
      await statement();
      return reply
        .code(method === 'POST' ? 201 : 200)
        .type('application/json; charset=utf-8')
        .send(text);
    },
  });
}
process.on('SIGTERM', async () => {
  await app.close();
  await close();
  process.disconnect();
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url })}\n`);

type Ask = (sql: string | undefined, parameters: readonly string[]) => () => unknown;

async function onSqlite(folder: string): Promise<{ ask: Ask; close: () => Promise<void> }> {
  const records = new DatabaseSync(join(folder, 'cs.sqlite'), { readOnly: true });
  records.exec('pragma cache_size = -32000');
  const own = new DatabaseSync(join(folder, 'floor.sqlite'));
  own.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table if not exists texts (text)',
  );
  return {
    ask(sql, parameters) {
      const statement = sql ? records.prepare(sql) : own.prepare('insert into texts values (?)');
      return () => statement.all(...parameters);
    },
    async close() {
      records.close();
      own.close();
    },
  };
}

async function onPostgres(url: string): Promise<{ ask: Ask; close: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query(
    'create schema if not exists floor; create table if not exists floor.texts (text text)',
  );
  let statements = 0;
  return {
    ask(sql, parameters) {
      const name = `s${++statements}`;
      let n = 0;
      const text = sql?.replaceAll('?', () => `$${++n}`) ?? 'insert into floor.texts values ($1)';
      return () => pool.query({ name, text, values: [...parameters] });
    },
    close: () => pool.end(),
  };
}
