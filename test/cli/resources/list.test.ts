/** Which records a list reads, and what it cannot do without. */
import { beforeAll, describe, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { json, startMisbehavingServer } from '../../helpers/misbehaving-server.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';
import { answer } from '../commands/counter/counter.ts';

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
for (let index = 0; index < 60; index += 1) await make.contact();

test.each([
  ['every page', [], '60\n', ''],
  ['every record with ndjson', ['-o', 'ndjson'], '', ''],
] as const)('--jq sees %s', async (_, flags, stdout, stderr) => {
  const result = await cs(
    ['contacts', 'list', '--jq', flags[0] === '-o' ? 'empty' : 'length', ...flags],
    { env },
  );
  expect([result.code, result.stdout, result.stderr]).toEqual([0, stdout, stderr]);
});

test('spots come by their names for a person, and as the server orders them for a script', async () => {
  const own = await service.newTeam();
  const make = facility(own);
  const { id } = await make.location();
  for (const name of ['A2', 'A10', 'A1']) await make.spot(id, { name });
  const names = async (...flags: string[]) => {
    const { stdout } = await cs(['parking', 'spots', 'list', '--columns', 'name', ...flags], {
      env: { CS_BASE_URL: service.url, CS_API_KEY: own.key },
      as: flags.length === 0 ? 'terminal' : 'pipe',
    });
    return stdout.trim().split(/\s+/).slice(1);
  };
  const { data } = (await own.call('GET', '/parking/spots')).body;
  expect([await names(), await names('-o', 'csv')]).toEqual([
    ['A1', 'A2', 'A10'],
    data.map(({ name }: { name: string }) => name),
  ]);
  expect(data[1].name).toBe('A10');
});

test.each([
  [[], 'Missing required flags: --from, --to.'],
  [['--from', 'now'], 'Missing required flag: --to.'],
])('cs calendar list %j names missing flags before any request', async (flags, message) => {
  const { code, error } = await cs(['calendar', 'list', ...flags], {
    env: { CS_BASE_URL: 'http://127.0.0.1:9', CS_API_KEY: 'csk_a.b' },
  });
  expect([code, error.message]).toEqual([2, message]);
});

test('a terminal asks for the missing flags', async () => {
  const terminal = openTerminal(['calendar', 'list', '--to', '2090-03-02'], { env });
  await answer(terminal, '? From', '2090-03-01');
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain('No calendar entries.');
});

test.each(['--q', '--status', '--email', '--external-id'])(
  'an empty %s is exit 2: a script with an empty variable must not read every customer',
  async (flag) => {
    const { code, error } = await cs(['customers', 'list', flag, ''], { env });
    expect([code, error.message]).toEqual([2, `${flag} is empty.`]);
  },
);

describe('cs parking assignments list', () => {
  let team: Record<string, string>;
  beforeAll(async () => {
    const own = await service.newTeam();
    team = { CS_BASE_URL: service.url, CS_API_KEY: own.key };
    const make = facility(own);
    const [main, depot] = [
      await make.location({ name: 'Main' }),
      await make.location({ name: 'Depot' }),
    ];
    const zone = await make.zone(main.id, { name: 'Hall' });
    const spot = await make.spot(main.id, { name: 'A1' });
    const yard = await make.zone(depot.id, { name: 'Yard' });
    const park = async (notes: string, place: object, days: readonly string[]) => {
      const car = await make.car();
      const at = (day = '') => `2026-${day}T12:00:00Z`;
      const body = { carId: car.id, ...place, notes, startedAt: at(days[0]) };
      const { id } = (await own.call('POST', '/parking/assignments', body)).body.data;
      if (days[1]) await own.call('PATCH', `/parking/assignments/${id}`, { endedAt: at(days[1]) });
    };
    await park('September', { parkingSpotId: spot.id }, ['09-01', '09-30']);
    await park('Both', { parkingZoneId: zone.id }, ['09-20', '10-02']);
    await park('Depot', { parkingZoneId: yard.id }, ['10-05', '10-06']);
    await park('Still here', { parkingSpotId: spot.id }, ['10-31']);
    await park('November', { parkingZoneId: zone.id }, ['11-02']);
  });
  const october = ['--from', '2026-10-01', '--to', '2026-11-01'];

  test.each([
    [october, ['Both', 'Depot', 'Still here']],
    [
      [...october, '--location', 'Main'],
      ['Both', 'Still here'],
    ],
    [['--location', 'Depot'], ['Depot']],
    [['--from', '2026-10-03', '--no-active'], ['Depot']],
    [['--to', '2026-09-20T12:00:00Z'], ['September']],
    [['--from', '2026-10-02T12:00:00Z', '--to', '2026-10-05T12:00:00Z'], []],
    [
      [...october, '--limit', '2'],
      ['Depot', 'Still here'],
    ],
    [[...october, '--limit', '2', '--page', '2'], ['Both']],
  ])('%j', async (flags, found) => {
    const line = ['parking', 'assignments', 'list', ...flags, '-o', 'csv', '--columns', 'notes'];
    const { code, stdout } = await cs(line, { env: team });
    const notes = stdout.trim().split(/\r?\n/).slice(1);
    expect([code, notes.sort()]).toEqual([0, found]);
  });

  test('a page past the end says how many there are', async () => {
    const line = ['parking', 'assignments', 'list', ...october, '--page', '2'];
    const { code, json, stderr } = await cs(line, { env: team });
    expect([code, json, stderr]).toEqual([
      0,
      [],
      'Nothing on this page; 3 parking assignments in total.\n',
    ]);
  });

  test('a period that ends before it starts is exit 2', async () => {
    const line = ['parking', 'assignments', 'list', '--from', '2026-11-01', '--to', '2026-10-01'];
    const { code, error } = await cs(line, { env: team });
    expect([code, error.message]).toEqual([2, '--from must be before --to.']);
  });

  test('records without an end are told, not left out', async () => {
    const record = { id: 'a', carId: 'c', startedAt: '2026-10-01T00:00:00Z' };
    const server = await startMisbehavingServer([
      json(200, { data: [record], page: 1, limit: 200, total: 1 }),
    ]);
    const line = ['parking', 'assignments', 'list', '--from', '2026-10-01'];
    const { code, stdout } = await cs(line, { env: { ...team, CS_BASE_URL: server.url } });
    await server.close();
    expect([code, stdout]).toEqual([9, '']);
  });
});

test('a note says that cs reads the whole list of a server that may not apply the filter', async () => {
  const all = Array.from({ length: 2_001 }, (_, at) => ({
    id: `c${at}`,
    email: `${at}@a.example`,
  }));
  const server = await startMisbehavingServer(({ url }) => {
    const { searchParams } = new URL(url, 'http://x');
    const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
    const data = all.slice((page - 1) * limit, page * limit);
    return json(200, { data, page, limit, total: all.length });
  });
  const list = (...flags: string[]) =>
    cs(['customers', 'list', '--email', '2000@a.example', '-o', 'id', ...flags], {
      env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' },
    });
  const told = [await list(), await list('-q')].map(({ stdout, stderr }) => [
    stdout,
    stderr.replace(server.url, 'SERVER'),
  ]);
  await server.close();
  expect(told).toEqual([
    [
      'c2000\n',
      "Note: GET /customers on SERVER doesn't promise to apply filters, so the whole list is read.\n",
    ],
    ['c2000\n', ''],
  ]);
});
