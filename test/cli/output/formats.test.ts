/** Every format, the fields and columns that are picked, and --jq: command lines and what they print, against the real service. */

import { describe, expect, test } from 'vitest';
import { formatNames, formatOf } from '../../../src/cli/output/formats.ts';
import { compileJq } from '../../../src/cli/output/jq.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
const location = await make.location({ name: 'Main' });
const spot = await make.spot(location.id, { name: 'A12' });
const owner = await make.customer({ firstName: 'Ann', lastName: 'Lee', phone: '+49 151 1234' });
const greta = await make.car({
  licensePlate: 'WN AB 123',
  nickname: 'Greta',
  model: '911',
  customerId: owner.id,
});
const etype = await make.car({
  year: 1965,
  make: 'Jaguar',
  model: 'E-Type',
  nickname: '=1+1',
  notes: 'red\u001b[31m\u0007 "quoted"\nsecond',
});
await make.event(greta.id, { parkingSpotId: spot.id });

const on = (as: 'terminal' | 'pipe', line: string[], options: CliOptions = {}) =>
  cs(line, { as, ...options, env: { ...env, ...options.env } });
const piped = async (...line: string[]) => (await on('pipe', line)).stdout;
const cars = ['cars', 'list'];

describe('-o', () => {
  test('csv: every field in the order of the contract, the header also without records', async () => {
    const [header = '', ...records] = (await piped(...cars, '-o', 'csv', '--all')).split('\r\n');
    expect(header).toMatch(/^id,teamId,createdAt,updatedAt,year,make,/);
    expect(records.find((line) => line.startsWith(greta.id))).toContain(',Porsche,911,');
    expect(await piped(...cars, '--status', 'archived', '-o', 'csv')).toBe(`${header}\r\n`);
    const [one, values] = (await piped('cars', 'get', greta.id, '-o', 'csv')).split('\r\n');
    expect([one, values]).toEqual([header, expect.stringContaining(greta.id)]);
  });

  test('csv without formulas, tsv as it is, and signs for control characters on a terminal', async () => {
    const line = ['cars', 'get', etype.id, '--columns', 'nickname,notes', '-o'];
    const escapes = '"red\u001b[31m\u0007 ""quoted""\nsecond"';
    expect(await piped(...line, 'csv')).toBe(`nickname,notes\r\n'=1+1,${escapes}\r\n`);
    expect(await piped(...line, 'tsv')).toBe(`nickname\tnotes\n=1+1\t${escapes}\n`);
    expect((await on('terminal', [...line, 'csv'])).stdout).toBe(
      'nickname,notes\n\'=1+1,"red␛[31m␇ ""quoted""␊second"\n',
    );
  });

  test.each(formatNames)('%s, of a list and of a record that is written', async (format) => {
    const { stdout } = await on('pipe', cars, { env: { CS_OUTPUT: format } });
    expect(stdout).toContain(format === 'table' ? 'WN AB 123' : greta.id);
    const written = await piped('cars', 'update', greta.id, '--color', 'red', '-o', format);
    expect(written).toContain(format === 'table' ? 'WN AB 123' : greta.id);
  });
});

test('an id is one line, so that --ids of the next command reads one id', async () => {
  const { records, one } = await formatOf('id').open({} as never);
  const rows = [{ id: 'a\nb' }, { id: 'c\r\u2028d' }, { name: 'Hall' }, { days: 2 }];
  expect(await records(rows)).toBe('a␊b\nc␍\ufffdd\nHall\n{"days":2}\n');
  expect(await one('Hall')).toBe('Hall\n');
});

describe('--json', () => {
  test.each([
    ['--json id cars list', 'Unknown command "id".', 'id'],
    ['cars list --json id,year', 'Unexpected argument "id,year".', 'id,year'],
    ['cars list --json nicknam', 'Unexpected argument "nicknam".', 'nicknam'],
  ])("the next word isn't its value: cs %s", async (line, message, field) => {
    const { code, error } = await on('pipe', line.split(' '));
    expect([code, error.message, error.hint]).toEqual([
      ...[2, message, `to select a field, write --json=${field}`],
    ]);
  });

  test.each(['cars get --json Greta', 'cars get Greta --json', 'cars get --json= Greta'])(
    'every field, and no argument is lost: cs %s',
    async (line) => {
      const { code, json } = await on('terminal', line.split(' '));
      expect([code, json.id, Object.keys(json)]).toEqual([0, greta.id, Object.keys(greta)]);
    },
  );

  test.each([
    ['cars get Greta --json=nickname', '{"nickname":"Greta"}'],
    ['--json=nickname cars get Greta', '{"nickname":"Greta"}'],
    ['cars list --q Greta --json=year,make', '[{"year":1973,"make":"Porsche"}]'],
    ['cars list --q Greta --json=year -o ndjson', '{"year":1973}'],
    ['auth status --json=origins.baseUrl', '{"origins.baseUrl":"environment CS_BASE_URL"}'],
  ])('names select and order, dots select nested fields: cs %s', async (line, json) => {
    expect(JSON.stringify(JSON.parse((await on('terminal', line.split(' '))).stdout))).toBe(json);
  });
});

describe('--columns', () => {
  test.each([
    [
      'terminal',
      'list --q Greta',
      'year,PLATE,owner,trim',
      'YEAR  PLATE      OWNER    TRIM\n1973  WN AB 123  Ann Lee\n',
    ],
    ['terminal', 'get Greta', 'nickname,owner', 'Nickname  Greta\nOwner     Ann Lee\n'],
    [
      'pipe',
      'list --q Greta -o csv',
      'parked,owner,year',
      'parked,owner,year\r\nA12,Ann Lee,1973\r\n',
    ],
  ] as const)(
    'columns of the table or fields, in order, on a %s: cs cars %s',
    async (as, line, columns, text) => {
      const words = ['cars', ...line.split(' ')];
      expect((await on(as, [...words, '--columns', columns])).stdout).toBe(text);
      const variables = { CS_COLUMNS: columns };
      expect((await on(as, words, { env: variables })).stdout).toBe(text);
    },
  );

  test("can't be used with JSON, which has --json", async () => {
    const { code, error } = await on('pipe', [...cars, '--columns', 'plate']);
    expect([code, error.message, error.hint]).toEqual([
      ...[2, "--columns can't be used with json."],
      'add -o table, csv or tsv; --json=id,createdAt selects the fields of JSON',
    ]);
    // A variable holds for many commands, so it is heeded where it has a meaning.
    expect((await on('pipe', cars, { env: { CS_COLUMNS: 'plate' } })).code).toBe(0);
  });
});

describe('--jq', () => {
  test('runs over one document: the page, or every page with --all', async () => {
    expect(await piped(...cars, '--jq', 'map(.nickname) | sort[]', '--all', '--limit', '1')).toBe(
      '=1+1\nGreta\n',
    );
    const page = await on('pipe', [...cars, '--jq', 'length', '--limit', '1']);
    expect([page.stdout, page.stderr]).toEqual(['1\n', '1 of 2; --all for the rest\n']);
  });

  test('writes strings unchanged and other values as JSON: compact in a pipe, indented on a terminal', async () => {
    const line = ['cars', 'get', 'Greta', '--jq', '.nickname, .year, {nickname}, null'];
    expect(await piped(...line)).toBe('Greta\n1973\n{"nickname":"Greta"}\nnull\n');
    expect((await on('terminal', line)).stdout).toBe(
      'Greta\n1973\n{\n  "nickname": "Greta"\n}\nnull\n',
    );
  });

  test('runs for each record with -o ndjson', async () => {
    expect(
      await piped(...cars, '--all', '-o', 'ndjson', '--jq', 'select(.year < 1970) | {make}'),
    ).toBe('{"make":"Jaguar"}\n');
    const one = ['cars', 'get', 'Greta', '-o', 'ndjson', '--jq', '.make'];
    expect(await piped(...one)).toBe('Porsche\n');
    const { code, error } = await on('pipe', [...cars, '-o', 'ndjson', '--jq', 'input']);
    expect([code, error.message]).toEqual([
      2,
      '--jq: input: with -o ndjson the program sees one record at a time',
    ]);
  });

  test('a program that fails on a record exits 2, after its earlier output', async () => {
    const { code, stdout, error } = await on('pipe', [
      ...cars,
      '--jq',
      '"first", (.[0].year | .x)',
    ]);
    expect([code, stdout, error.message]).toEqual([
      2,
      'first\n',
      '--jq: Cannot index number with string ("x")',
    ]);
    const silent = await on('pipe', [...cars, '--jq', '"" | halt_error']);
    expect([silent.code, silent.error.message]).toEqual([2, '--jq: the program failed']);
  });

  test('debug goes to stderr', async () => {
    const { stdout, stderr } = await on('pipe', [...cars, '--jq', 'length | debug']);
    expect([stdout, stderr]).toEqual(['2\n', '["DEBUG:",2]\n']);
  });

  test('an endless program ends with the command', async () => {
    const stopping = new AbortController();
    const jq = await compileJq({
      ...{ program: 'def f: f; f', origin: '--jq', terminal: false, signal: stopping.signal },
      ...{ warn: () => {}, print: async () => {} },
    });
    const running = jq.document().one({});
    stopping.abort(new Error('Stopped.'));
    await expect(running).rejects.toThrow('Stopped.');
    await jq.close();
  });
});

test.each([
  [
    '--json=id,fristName',
    /\(--json\) isn't a field of a customer\.",.*did you mean firstName\? valid: id, .*firstName/,
  ],
  [
    '--columns nam',
    /\(--columns\) isn't a column of customers\. hint: did you mean name\? valid: name, /,
  ],
  ['--jq .a|foo', /--jq: foo\/0 is not defined at <top-level>, line 1, column 4: \.a\|foo/],
])('%s exits 2 before any request', async (flags, told) => {
  const line = ['customers', 'create', '--first-name', 'Never', ...flags.split(' ')];
  const { code, stdout, stderr } = await on('terminal', line);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.replace(/\s+/g, ' ')).toMatch(told);
  expect((await on('pipe', ['customers', 'list', '--q', 'Never'])).json).toEqual([]);
});
