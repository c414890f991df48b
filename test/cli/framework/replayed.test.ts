/** A command that repeats its idempotency key says that nothing new was stored, and reads nothing again. */
import { expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { record, startMisbehavingServer } from '../../helpers/misbehaving-server.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const make = facility(service);
const run = (line: string[], as: 'terminal' | 'pipe' = 'pipe', more: Record<string, string> = {}) =>
  cs(line, {
    as,
    // Work that others left open is told.
    env: {
      CS_STATE_DIR: service.data,
      CS_BASE_URL: service.url,
      CS_API_KEY: service.key,
      ...more,
    },
  });
const told = (what: string) =>
  `Already done with the same idempotency key: ${what}, shown as stored then. Nothing new was stored.\n`;

test('create', async () => {
  const line = 'contacts create --first-name Ida --last-name Ray --idempotency-key k'.split(' ');
  const first = await run(line);
  expect([first.code, first.stderr]).toEqual([0, '']);
  const { id } = first.json;
  const again = await run(line);
  expect([again.code, again.stdout, again.stderr]).toEqual([
    0,
    first.stdout,
    told(`/contacts/${id}`),
  ]);
  // Also with --quiet: whoever relies on it would take it for new.
  expect((await run([...line, '--quiet'])).stderr).toBe(told(`/contacts/${id}`));
  expect((await run(line, 'terminal')).stdout).toBe('contact already created  Ida Ray\n');

  // What became of the record since is another question.
  await service.call('DELETE', `/contacts/${id}`);
  const gone = await run(line);
  expect([gone.code, gone.stdout, gone.stderr]).toEqual([0, first.stdout, told(`/contacts/${id}`)]);
  const api = 'api POST /customers -f lastName=Ray --idempotency-key api'.split(' ');
  expect((await run(api)).stderr).toBe('');
  expect((await run(api)).stderr).toMatch(/^Already done/);
});

test('a range, each of its names with a key of its own', async () => {
  const place = await make.location();
  const line = ['parking', 'spots', 'create', '--location', place.id, '--name', 'R1..R3'];
  const [first, again] = [
    await run([...line, '--idempotency-key', 'range']),
    await run([...line, '--idempotency-key', 'range']),
  ];
  expect([first.code, first.json.length, first.stderr]).toEqual([0, 3, '']);
  expect([again.code, again.stdout, again.stderr]).toEqual([
    ...[0, first.stdout, told(`/parking/spots/${first.json[0].id} and 2 more`)],
  ]);
});

test('drop-off, move and pick-up', async () => {
  const place = await make.location();
  const [spot, other] = [await make.spot(place.id), await make.spot(place.id)];
  const car = await make.car();
  for (const line of [
    ['dropoff', '--car', car.id, '--type', 'drop_off', '--spot', spot.id],
    ['move', car.id, '--spot', other.id],
    ['pickup', car.id, '--type', 'pick_up'],
  ]) {
    const [first, again] = [
      await run([...line, '--yes', '--idempotency-key', line[0] as string]),
      await run([...line, '--yes', '--idempotency-key', line[0] as string]),
    ];
    expect([first.code, first.json.replayed, first.stderr], line[0]).toEqual([0, undefined, '']);
    expect([again.code, again.json.replayed, again.stderr], line[0]).toEqual([
      0,
      true,
      expect.stringContaining('Already done'),
    ]);
  }
});

test.each([
  ['says nothing of a replay', {}, ''],
  ['announces one', { 'idempotent-replayed': 'true' }, told('/locations/a')],
])('a server that %s is asked for nothing else', async (_, headers, stderr) => {
  const server = await startMisbehavingServer([record({ id: 'a', name: 'Annex' }, headers)]);
  const line = ['locations', 'create', '--name', 'Annex', '--idempotency-key', 'k'];
  const result = await run(line, 'pipe', { CS_BASE_URL: server.url });
  expect([result.code, result.stderr]).toEqual([0, stderr]);
  expect(server.requests.map(({ method }) => method)).toEqual(['POST']);
  await server.close();
});
