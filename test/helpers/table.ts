/** Service tests as tables: a row is a request with its expected result. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { contract, type StoredName } from '../../src/contract/contract.ts';
import type { Issue, ProblemCode } from '../../src/contract/problems.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { expectWellFormed } from './answers.ts';
import type { Answer, TeamService } from './service.ts';

export interface Row {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below `/api/v1`. */
  readonly path: string;
  /** Default: the team's key with all scopes; `null` for no key. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly expect: {
    readonly status: number;
    /** The code of a problem. */
    readonly code?: ProblemCode;
    /** The exact message (default: the one beside the test, in `__snapshots__`). */
    readonly error?: string;
    /** Part of `details`, or null. */
    readonly details?: Record<string, unknown> | null;
    /** `details.issues`: the rule of each path, complete. */
    readonly issues?: Record<string, string>;
    /** Part of the record. */
    readonly data?: Record<string, unknown>;
    /** Ids of a list, in order. */
    readonly ids?: readonly string[];
    /** Part of a list without its records. */
    readonly page?: { readonly page?: number; readonly limit?: number; readonly total?: number };
  };
}

type Expected = Row['expect'];

/** Rows of one request with several bodies; `more` is another key, or headers. */
export const row =
  (method: Row['method'], path: string) =>
  (
    name: string,
    body: unknown,
    expect: Expected,
    more: Pick<Row, 'key' | 'headers'> = {},
  ): Row => ({
    name,
    method,
    path,
    body,
    expect,
    ...more,
  });

/** The same for one of several records. */
export const rowOf =
  (method: Row['method'], path: (id: string) => string) =>
  (name: string, id: string, body: unknown, expect: Expected): Row =>
    row(method, path(id))(name, body, expect);

/** A record with this among its data. */
export const shows = (name: string, path: string, data: Record<string, unknown>): Row =>
  row('GET', path)(name, undefined, ok(data));

/** A list of this many records. */
export const total = (path: string, count: number): Row =>
  row('GET', path)(path, undefined, { status: 200, page: { total: count } });

export const made = (data?: Record<string, unknown>): Expected => ({ status: 201, data });
export const ok = (data?: Record<string, unknown>): Expected => ({ status: 200, data });

/** A list of exactly these records, in this order. */
export const list = (path: string, ...ids: string[]): Row => ({
  name: path,
  method: 'GET',
  path,
  expect: { status: 200, ids },
});

/** Invalid values: the rule of each path. */
export const issues = (found: Record<string, string>): Expected => ({
  status: 422,
  code: 'validation_failed',
  issues: found,
});

export const refused = (code: ProblemCode, details?: Record<string, unknown>): Expected => ({
  status: code === 'not_found' ? 404 : 422,
  code,
  details,
});

/**
 * Makes a test of each row, in this order even if tests are shuffled: a row may depend on the previous ones.
 * Every answer must be well formed, and a refused request must not change any data. Messages are compared last, each once.
 */
export function testTable(service: TeamService, rows: readonly Row[]): void {
  describe('row by row', { shuffle: false }, () => {
    const messages = new Set<string>();
    for (const row of rows)
      test(`${row.method} ${row.name}: ${row.expect.status}${row.expect.code ? ` ${row.expect.code}` : ''}`, async () => {
        const answer = await run(service, row);
        if (answer.status >= 400 && row.expect.error === undefined)
          for (const line of wordsOf(answer.body)) messages.add(line);
      });
    if (rows.some(({ expect: { status, error } }) => status >= 400 && error === undefined))
      test('in words', () => expect([...messages].sort().join('\n')).toMatchSnapshot());
  });
}

async function run(
  service: TeamService,
  { method, path, key, headers, body, expect: expected }: Row,
): Promise<Answer> {
  const before = await everything(service);
  const answer = await service.call(method, path, body, key, headers);
  expect({ status: answer.status, code: answer.body?.code }, JSON.stringify(answer.body)).toEqual({
    status: expected.status,
    code: expected.code,
  });
  expectWellFormed(method, path, answer);
  if (expected.error !== undefined) expect(answer.body.error).toBe(expected.error);
  if (expected.details === null) expect(answer.body.details).toBeNull();
  else if (expected.details) expect(answer.body.details).toMatchObject(expected.details);
  if (expected.issues) expect(issuesOf(answer.body)).toEqual(expected.issues);
  if (expected.data) expect(answer.body.data).toMatchObject(expected.data);
  if (expected.ids)
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(expected.ids);
  if (expected.page) expect(answer.body).toMatchObject(expected.page);
  if (answer.status >= 400 || method === 'GET') expect(await everything(service)).toEqual(before);
  return answer;
}

/** The code and what is wrong in words, a line for each value; without ids, times and numbers that are others in each run. No file holds U+0000. */
function wordsOf({ error, code, details }: Answer['body']): string[] {
  const [, ...more]: Issue[] = details?.issues ?? [];
  return [error, ...more.map(({ path, message }) => `${path} ${message}`)].map((line) =>
    `${code}: ${line}`
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(String(new Date().getUTCFullYear() + 1), '<next year>')
      .replace(/\b([A-Z][a-z]+) \d+/g, '$1 <number>')
      .replace(/[\p{Cc}\p{Cs}]/gu, (char) => JSON.stringify(char).slice(1, -1)),
  );
}

/** `{ path: rule }` for a `validation_failed`. */
export const issuesOf = (body: {
  details: { issues: { path: string; rule: string }[] };
}): Record<string, string> =>
  Object.fromEntries(body.details.issues.map(({ path, rule }) => [path, rule]));

const kept = Object.values(contract).filter(
  (resource: Resource) => !resource.singleton && !resource.computed,
);
const tables = [
  ...kept.map(({ name }) => name as StoredName),
  'idempotencyRecords' as const,
  'outbox' as const,
];

/** What was read last from each SQLite file, and the version of the file then: it differs once somebody has stored something. */
const lastRead = new WeakMap<object, { version: number; contents: Record<string, unknown> }>();

/** All stored data that requests can change. */
async function everything({ admin, database }: TeamService): Promise<Record<string, unknown>> {
  const { read } = admin.database;
  if (database) {
    // In one query, to save round trips.
    const rows = tables.map((name) => `'${name}', (select json_agg(t) from "${name}" t)`);
    const { rows: found } = await sql<{
      all: Record<string, unknown>;
    }>`select json_build_object(${sql.raw(rows.join())}) as "all"`.execute(read);
    return found[0]?.all ?? {};
  }
  const { rows } = await sql<{
    version: number;
  }>`select data_version as version from pragma_data_version`.execute(read);
  const version = rows[0]?.version ?? 0;
  const last = lastRead.get(read);
  if (last?.version === version) return last.contents;
  const reading = tables.map(
    async (name) => [name, await read.selectFrom(name).selectAll().execute()] as const,
  );
  const contents = Object.fromEntries(await Promise.all(reading));
  lastRead.set(read, { version, contents });
  return contents;
}
