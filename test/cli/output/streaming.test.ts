/** Long lists: whole and in flat memory, to a reader that goes away, and from a server that fails midway. */
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin, builtInShell } from '../../helpers/built.ts';
import { cs } from '../../helpers/cli.ts';
import {
  json,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../helpers/misbehaving-server.ts';
import { ownEnvironment } from '../../helpers/own-home.ts';

const many = 10_000;
/** Megabytes for everything that lives longer than a moment: what a start takes and a little more. The records alone would take half as much again. */
const memory = 36;
let server: MisbehavingServer;
let env: Record<string, string>;
/** The page that is answered with an error; none unless set. */
let failing = 0;

const notes = 'n'.repeat(5_000);
const idOf = (index: number) => `01a1f775-5ed2-757e-a517-${index.toString(16).padStart(12, '0')}`;

beforeAll(async () => {
  server = await startMisbehavingServer(({ url }) => {
    server.requests.length = 0;
    const query = new URL(url, 'http://127.0.0.1').searchParams;
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)];
    if (page === failing) return json(403, { error: 'No.', code: 'missing_scope' });
    if (query.has('updatedAfter')) return json(200, { data: [], page, limit, total: 0 });
    const count = Math.max(0, Math.min(limit, many - (page - 1) * limit));
    const data = Array.from({ length: count }, (_, row) => {
      const index = (page - 1) * limit + row;
      return {
        id: idOf(index),
        updatedAt: new Date(1_800_000_000_000 - index * 1000).toISOString(),
        licensePlate: `CS ${index}`,
        notes,
      };
    });
    return json(200, { data, page, limit, total: many });
  });
  env = {
    CS_BASE_URL: server.url,
    CS_API_KEY: 'csk_test.0123456789012345678901234567890123456789012',
  };
});
afterAll(() => server.close());

describe('every record in flat memory', () => {
  test.each([
    ['ndjson', (line: string) => JSON.parse(line).id],
    ['csv', (line: string) => line.split(',')[0]],
    ['json', (line: string) => /^ {4}"id": "(.*)",$/.exec(line)?.[1]],
    ['yaml', (line: string) => /^- id: (.*)$/.exec(line)?.[1]],
  ])(
    '%s',
    async (format, idIn) => {
      const reading = execa(
        process.execPath,
        [`--max-old-space-size=${memory}`, bin, 'cars', 'list', '--all', '-o', format],
        {
          env: { ...ownEnvironment(), ...env },
          extendEnv: false,
          buffer: { stdout: false },
          reject: false,
        },
      );
      let found = 0;
      for await (const line of reading.iterable())
        if (idIn(line.replace(/\r$/, '')) === idOf(found)) found += 1;
      const { exitCode, stderr } = await reading;
      expect([exitCode, stderr, found]).toEqual([0, '', many]);
    },
    60_000,
  );
});

test("a closed pipe isn't an error, and the rest isn't read", async () => {
  let asked = 0;
  const counting = await startMisbehavingServer(({ url }) => {
    asked += 1;
    const page = Number(new URL(url, 'http://127.0.0.1').searchParams.get('page'));
    const data = Array.from({ length: 200 }, (_, row) => ({ id: idOf(page * 200 + row), notes }));
    return json(200, { data, page, limit: 200, total: many });
  });
  const { stdout, exitCode } = await execa(
    'sh',
    ['-c', `${builtInShell} cars list --all -o ndjson | { head -n 1 > /dev/null; }; echo done`],
    {
      env: { ...ownEnvironment(), ...env, CS_BASE_URL: counting.url },
      extendEnv: false,
      reject: false,
    },
  );
  await counting.close();
  expect([exitCode, stdout]).toEqual([0, 'done']);
  expect(asked).toBeLessThan(many / 200);
});

describe('a failed page ends the list', () => {
  test('nothing is printed of a short document', async () => {
    failing = 3;
    const { code, stdout, error } = await cs(['cars', 'list', '--all', '-o', 'json'], { env });
    failing = 0;
    expect([code, stdout, error.exitCode]).toEqual([5, '', 5]);
  });
  test("a long document stays unclosed, so that it can't look complete", async () => {
    failing = 30;
    const { code, stdout } = await cs(['cars', 'list', '--all', '-o', 'json'], { env });
    failing = 0;
    expect([code, stdout.length > 0]).toEqual([5, true]);
    expect(() => JSON.parse(stdout)).toThrow();
  });
});

test('too much input for jq is reported with a hint', async () => {
  const large = 'reduce range(30) as $i ("x"; . + .) | length';
  const { code, error } = await cs(['cars', 'list', '--jq', large], { env });
  expect([code, error.code, error.hint]).toEqual([
    2,
    'usage',
    expect.stringContaining('-o ndjson'),
  ]);
});
