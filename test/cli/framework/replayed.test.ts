/** A command that repeats its idempotency key says that nothing new was stored, and never speaks of a record that is gone. */
import { afterAll, describe, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { json, problem, record, startMisbehavingServer } from '../../helpers/misbehaving-server.ts';
import { startTestService } from '../../helpers/service.ts';

const service = await startTestService();
afterAll(() => service.close());
const make = facility(service);
const run = (line: string[], as: 'terminal' | 'pipe' = 'pipe', more: Record<string, string> = {}) =>
  cs(line, { as, env: { CS_BASE_URL: service.url, CS_API_KEY: service.key, ...more } });
const told = (what: string) =>
  `Already done with the same idempotency key (${what}); nothing new was stored.\n`;

test('create', async () => {
  const line = [
    'contacts',
    'create',
    '--first-name',
    'Ida',
    '--last-name',
    'Ray',
    '--idempotency-key',
    'contact',
  ];
  const first = await run(line);
  expect([first.code, first.stderr]).toEqual([0, '']);
  const { id } = first.json;
  const again = await run(line);
  expect([again.code, again.stdout, again.stderr]).toEqual([
    0,
    first.stdout,
    told(`contact ${id}`),
  ]);
  // Also with --quiet: whoever relies on it would take it for new.
  expect((await run([...line, '--quiet'])).stderr).toBe(told(`contact ${id}`));
  expect((await run(line, 'terminal')).stdout).toBe('contact already created  Ida Ray\n');

  await service.call('DELETE', `/contacts/${id}`);
  const gone = await run(line);
  expect([gone.code, gone.stdout, gone.error]).toEqual([
    7,
    '',
    expect.objectContaining({
      code: 'deleted_since',
      message: `An earlier run with the same idempotency key stored the contact ${id}, which has been deleted since. Nothing new was stored.`,
      hint: 'use another --idempotency-key to store it again',
    }),
  ]);
  expect(
    (await run(['api', 'POST', '/customers', '-f', 'lastName=Ray', '--idempotency-key', 'api']))
      .stderr,
  ).toBe('');
  expect(
    (await run(['api', 'POST', '/customers', '-f', 'lastName=Ray', '--idempotency-key', 'api']))
      .stderr,
  ).toMatch(/^Already done/);
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

describe('a server', () => {
  const made = { id: '019aa0a3-4d00-7000-8000-0000000000aa', name: 'Annex' };
  const line = ['locations', 'create', '--name', 'Annex', '--idempotency-key', 'k'];
  const replay = { 'idempotent-replayed': 'true' };

  test.each([
    ['that says nothing of a replay', record(made), problem(404, 'not_found'), 0, ''],
    [
      'whose key may not read the record',
      record(made, replay),
      problem(403, 'missing_scope'),
      0,
      told(`location ${made.id}`),
    ],
    [
      'that does not know the path',
      record(made, replay),
      problem(404, 'route_not_found'),
      0,
      told(`location ${made.id}`),
    ],
    [
      'whose record is gone',
      record(made, replay),
      json(404, { error: 'Location not found' }),
      7,
      expect.stringContaining('deleted_since'),
    ],
  ])('%s', async (_, answer, reading, code, stderr) => {
    const server = await startMisbehavingServer(({ method }) =>
      method === 'POST' ? answer : reading,
    );
    const result = await run(line, 'pipe', { CS_BASE_URL: server.url, CS_RETRIES: '0' });
    expect([result.code, result.stderr]).toEqual([code, stderr]);
    await server.close();
  });
});
