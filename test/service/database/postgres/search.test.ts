/** PostgreSQL without the extensions of the index: the same answers, the slow way, and a note. */
import { Writable } from 'node:stream';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { checkData } from '../../../../src/service/check/check.ts';
import { facility } from '../../../helpers/facility.ts';
import { emptyDatabase, query } from '../../../helpers/postgres.ts';
import { send, testService } from '../../../helpers/service.ts';

/** A database whose user may make no extension. */
const superuser = await emptyDatabase();
const address = new URL(superuser);
const user = `${address.pathname.slice(1)}_plain`.slice(0, 40);
await query(superuser, `create role ${user} login createrole password 'plain'`);
await query(superuser, `grant create, usage on schema public to ${user}`);
Object.assign(address, { username: user, password: 'plain' });

const lines: string[] = [];
const logger = pino(
  { level: 'warn' },
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
);
const service = await testService({ database: address.href, logger });

const indexes = async () =>
  (await query(
    superuser,
    `select indexdef from pg_indexes where indexname = 'searchEntries_trigrams'`,
  )) as { indexdef: string }[];

const warningsOf = async () => ({
  ready: (await send(`${service.url}/readyz`, 'GET')).body.warnings,
  check: (await checkData({ data: service.data, database: service.database })).warnings,
});

/** The second goes on from where the first ended. */
describe('without the extension, then with it', { shuffle: false }, () => {
  test('the log, /readyz and the check warn, and searches still find parts of words', async () => {
    expect(lines.join('')).toContain('pg_trgm');
    const warning = {
      code: 'search_without_index',
      message: expect.stringContaining('create extension pg_trgm'),
    };
    expect(await warningsOf()).toEqual({ ready: [warning], check: [warning] });
    expect(await indexes()).toEqual([]);
    const { id } = await facility(service).car({ licensePlate: 'HH-RS 73', make: 'Porsche' });
    for (const q of ['hhrs73', 'orsch', 'hrs7', 'h']) {
      const { body } = await service.call('GET', `/cars?q=${q}`);
      expect({ q, total: body.total, found: body.data[0]?.id }).toEqual({ q, total: 1, found: id });
    }
  });

  test('after an administrator creates the extensions, the next start creates the index', async () => {
    await query(superuser, 'create extension pg_trgm');
    await query(superuser, 'create extension btree_gin');
    lines.length = 0;
    await service.restart();
    expect(lines).toEqual([]);
    expect(await warningsOf()).toEqual({ ready: undefined, check: [] });
    expect((await indexes())[0]?.indexdef).toMatch(
      /USING gin \("teamId", "table", text gin_trgm_ops\)/,
    );
    expect((await service.call('GET', '/cars?q=orsch')).body.total).toBe(1);
  });

  test('the role of requests finds only entries of its own team', async () => {
    await facility(service, service.otherKey).car({ make: 'Porsche', licensePlate: 'OTHER' });
    expect((await service.call('GET', '/cars?q=orsch')).body.total).toBe(1);
    const found = await query(superuser, `select find_entries('cars', '[["%orsch%"]]', 'x', 10)`);
    expect(found).toEqual([]);
  });
});
