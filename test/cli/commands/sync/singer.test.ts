/** `cs sync --to -`: messages that every Singer target reads. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';

let service: TestService;
let make: Facility;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  make = facility(service);
  folder = await makeFolder();
});
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});

// biome-ignore lint/suspicious/noExplicitAny: messages of any type
type Message = any;

async function run(
  line: string[],
  { url = service.url, ...options }: CliOptions & { url?: string } = {},
) {
  const result = await cs(['sync', ...line, '--to', '-'], {
    cwd: folder,
    ...options,
    env: { CS_BASE_URL: url, CS_API_KEY: service.key, ...options.env },
  });
  const messages: Message[] = result.stdout
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text));
  return Object.assign(result, {
    messages,
    states: messages.filter(({ type }) => type === 'STATE'),
    records: messages.filter(({ type }) => type === 'RECORD'),
  });
}

const keep = async (name: string, state: Message) =>
  writeFile(join(folder, name), JSON.stringify(state.value));

/** What the Singer specification demands of the order and the content of messages. */
function expectValid(messages: Message[]): void {
  const ajv = addFormats.default(new Ajv({ strict: false }));
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();
  for (const message of messages) {
    switch (message.type) {
      case 'SCHEMA':
        expect(message).toMatchObject({
          stream: expect.any(String),
          key_properties: ['id'],
          bookmark_properties: ['updatedAt'],
        });
        validators.set(message.stream, ajv.compile(message.schema));
        break;
      case 'RECORD': {
        const isValid = validators.get(message.stream);
        expect(isValid, 'the schema comes before its records').toBeDefined();
        expect(isValid?.(message.record), JSON.stringify(isValid?.errors)).toBe(true);
        break;
      }
      case 'STATE':
        expect(message.value).toEqual(expect.any(Object));
        break;
      default:
        expect.unreachable(`a message of the type ${message.type}`);
    }
  }
}

test('everything, then only changes, each with its schema', async () => {
  const customer = await make.customer({
    lastName: 'Lee',
    address: { city: 'Lübeck' },
    tags: ['vip'],
  });
  const car = await make.car();
  const first = await run(['customers', 'cars', 'parking-spots']);
  expect([first.code, first.stderr]).toEqual([0, '']);
  expectValid(first.messages);
  expect(
    first.messages.map(({ type, stream }) => [type, stream].filter(Boolean).join(' ')),
  ).toEqual([
    'SCHEMA customers',
    ...first.records.filter(({ stream }) => stream === 'customers').map(() => 'RECORD customers'),
    'STATE',
    'SCHEMA cars',
    ...first.records.filter(({ stream }) => stream === 'cars').map(() => 'RECORD cars'),
    'STATE',
    'SCHEMA parking_spots',
    'STATE',
  ]);
  expect(first.messages[0].schema.properties).toMatchObject({
    id: { type: ['string'] },
    createdAt: { type: ['null', 'string'], format: 'date-time' },
    emailOptOut: { type: ['null', 'boolean'] },
    tags: { type: ['null', 'array'] },
    address: { type: ['null', 'object'] },
  });
  expect(first.records.find(({ record }) => record.id === customer.id).record).toEqual({
    ...customer,
    extra: null,
  });

  await keep('state.json', first.states.at(-1));
  await make.change(`/cars/${car.id}`, { nickname: 'Greta' });
  const second = await run(['customers', 'cars', '--state', 'state.json']);
  expectValid(second.messages);
  expect(second.records.find(({ record }) => record.id === car.id).record.nickname).toBe('Greta');
  expect(Object.keys(second.states.at(-1).value.bookmarks)).toEqual([
    'customers',
    'cars',
    'parking-spots',
  ]);
});

test('a run that stops within a resource goes on after its last state', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    id: `c${100 - index}`,
    updatedAt: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
    emailOptOut: { since: 2025 },
  }));
  let broken = true;
  const pages: number[] = [];
  const server = await startMisbehavingServer(({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname.endsWith('/me'))
      return json(404, { error: 'not here', code: 'route_not_found', details: null });
    const page = Number(searchParams.get('page') ?? 1);
    const [after, ids] = [
      searchParams.get('updatedAfter') ?? '',
      searchParams.get('ids')?.split(','),
    ];
    if (!ids && after === '') pages.push(page);
    if (broken && page > 27)
      return json(500, { error: 'broken', code: 'internal_error', details: null });
    const found = rows.filter(
      ({ id, updatedAt }) => updatedAt >= after && (!ids || ids.includes(id)),
    );
    return json(200, {
      data: ids ? found : found.slice(page * 2 - 2, page * 2),
      page,
      limit: ids ? 200 : 2,
      total: found.length,
    });
  });
  const stopped = await run(['customers', '--retries', '0'], { url: server.url });
  expect([stopped.code, stopped.states.length]).toEqual([10, 1]);
  expectValid(stopped.messages);
  expect(stopped.records[0].record).toMatchObject({
    emailOptOut: null,
    extra: { emailOptOut: { since: 2025 } },
  });
  const after = stopped.messages
    .slice(0, stopped.messages.indexOf(stopped.states[0]))
    .filter(({ type }) => type === 'RECORD');
  await keep('half.json', stopped.states[0]);
  broken = false;
  pages.length = 0;
  const rest = await run(['customers', '--state', 'half.json'], { url: server.url });
  expect(rest.code).toBe(0);
  expect(new Set([...after, ...rest.records].map(({ record }) => record.id)).size).toBe(60);
  expect(rest.records.length).toBeLessThan(20);
  const codesOf = async (running: ReturnType<typeof run>) => [
    (await running).code,
    (await running).error.code,
  ];
  // Another server, and one in an older state.
  await keep('whole.json', rest.states.at(-1));
  expect(await codesOf(run(['customers', '--state', 'whole.json']))).toEqual([7, 'other_origin']);
  Object.assign(rows[0] as object, { updatedAt: rows[1]?.updatedAt });
  expect(await codesOf(run(['customers', '--state', 'whole.json'], { url: server.url }))).toEqual([
    7,
    'data_unusable',
  ]);
  await server.close();
});

test.each([
  [['customers', '--state', 'missing.json'], 2],
  [['customers', '--full-every', '7d'], 2],
  [['customers', '--exit-code'], 2],
])('cs sync %j --to - is refused', async (line, code) => {
  expect(await run(line)).toMatchObject({ code, stdout: '' });
});

test('a time of the state that is none', async () => {
  const since = {
    version: 1,
    server: 'http://x',
    team: null,
    key: 'k',
    bookmarks: { customers: { since: 'garbage', newest: {} } },
  };
  await writeFile(join(folder, 'time.json'), JSON.stringify(since));
  expect(await run(['customers', '--state', 'time.json'])).toMatchObject({
    code: 7,
    error: { code: 'state_unusable' },
    stdout: '',
  });
});

test('a state of something else', async () => {
  await writeFile(join(folder, 'other.json'), '{"bookmarks":{}}');
  expect(await run(['customers', '--state', 'other.json'])).toMatchObject({
    code: 7,
    error: { code: 'state_unusable' },
    stdout: '',
  });
});

test.each([
  ['cut off', '{"version":1,"bookm'],
  ['emptied', ''],
])('a state that was %s: damaged, and left in place', async (_, text) => {
  await writeFile(join(folder, 'state.json'), text);
  expect(await run(['customers', '--state', 'state.json'])).toMatchObject({
    code: 7,
    error: {
      code: 'state_unusable',
      hint: expect.stringMatching(/last STATE message.*leave --state out/),
    },
    stdout: '',
  });
  expect(await readFile(join(folder, 'state.json'), 'utf8')).toBe(text);
});
