/** Names in place of ids: left out where the key may not read them, and never by luck. */
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { liveTree } from '../../../src/cli/commands/catalogue.ts';
import { readLine } from '../../../src/cli/framework/tree/line.ts';
import { type LabelRule, labelRuleOf } from '../../../src/cli/resources/labels.ts';
import { contract } from '../../../src/contract/contract.ts';
import type { Resource } from '../../../src/contract/resource.ts';
import { cs } from '../../helpers/cli.ts';
import { anyId } from '../../helpers/command-line.ts';
import { facility } from '../../helpers/facility.ts';
import { type Behaviour, json, problem } from '../../helpers/misbehaving-server.ts';
import { offenders } from '../../helpers/offenders.ts';
import { type SampleServer, startSampleServer } from '../../helpers/sample-server.ts';
import { startTestService } from '../../helpers/service.ts';

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
  const car = (await cs(['cars', 'list', '--jq', '.[0].id'], { env: env() })).stdout.trim();
  server.scene = { carId: car };
});
afterAll(() => server.close());
afterEach(() => {
  server.instead = undefined;
});

const env = () => ({ CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b', CS_RETRIES: '0' });
const list = (more: Record<string, string> = {}) =>
  cs(['appointments', 'list', '-o', 'csv', '--columns', 'car'], { env: { ...env(), ...more } });

/** Answers the first requests for names so. */
function names(behaviour: Behaviour, times = Number.POSITIVE_INFINITY): void {
  let left = times;
  server.instead = (request) =>
    request.url.includes('/cars?') && left-- > 0 ? behaviour : undefined;
}

test.each([
  [403, 'missing_scope'],
  [404, 'route_not_found'],
] as const)('%i: shows the id', async (status, code) => {
  names(problem(status, code));
  const result = await list();
  expect([result.code, result.stdout]).toEqual([
    0,
    expect.stringMatching(/^car\r\n[0-9a-f-]{36}\r\n$/),
  ]);
});

test('a record without a name shows its id', async () => {
  names(json(200, { data: [{ id: server.scene.carId }], page: 1, limit: 200, total: 1 }));
  expect((await list()).stdout).toBe(`car\r\n${server.scene.carId}\r\n`);
});

test.each([
  [429, 'rate_limited', 8],
  [500, 'internal_error', 10],
  [401, 'invalid_api_key', 4],
] as const)('%i is an error', async (status, code, exit) => {
  names(problem(status, code));
  const result = await list();
  expect([result.code, result.stdout.includes('\r\n0')]).toEqual([exit, false]);
});

test('waits for the retry of a name', async () => {
  names(problem(429, 'rate_limited', { 'retry-after': '0' }), 1);
  const result = await list({ CS_RETRIES: '2' });
  expect([result.code, result.stdout]).toEqual([0, expect.not.stringMatching(/[0-9a-f]{8}-/)]);
});

test('labels after a finished write are best effort', async () => {
  names(problem(500, 'internal_error'));
  const id = '019aa0a3-4d00-7000-8000-0000000000aa';
  const result = await cs(
    ['appointments', 'update', id, '--title', 'x', '-o', 'csv', '--columns', 'car'],
    { env: env() },
  );
  expect([result.code, result.stdout]).toEqual([
    0,
    expect.stringMatching(/^car\r\n[0-9a-f-]{36}\r\n$/),
  ]);
});

const listed = Object.values(contract as Record<string, Resource>).filter(
  ({ operations, computed }) => operations.list && !computed,
);

test('each has a label, and a command that lists its records', async () => {
  const found = await offenders(listed, async ({ name }) => {
    const rule = labelRuleOf(name);
    expect(rule, 'its label in src/cli/resources/labels.ts').toBeDefined();
    const line = await readLine(liveTree, rule?.list.split(' ').slice(1) ?? []);
    expect(
      line.chain.at(-1)?.operations,
      `the command \`${rule?.list}\`, by src/cli/commands/catalogue.ts`,
    ).toEqual([`${name}.list`]);
  });
  expect(found).toEqual([]);
});

test('what people call an example of each, and how they tell it from another', async () => {
  vi.stubEnv('TZ', 'UTC');
  onTestFinished(() => void vi.unstubAllEnvs());
  server.scene = {};
  const shown: string[] = [];
  for (const { name, path } of listed) {
    const { json } = await cs(['api', 'GET', path.replace(/\{\w+\}/g, anyId)], { env: env() });
    const { label, detail, names } = labelRuleOf(name) as LabelRule;
    const [row] = json;
    const texts = [label(row), detail?.(row) || '-', names(row).filter(Boolean).join(', ') || '-'];
    shown.push(`${name}: ${texts.join(' | ').replaceAll(row.id, 'ID')}\n`);
  }
  await expect(shown.join('')).toMatchFileSnapshot('labels.txt');
});

test('a spot is shown with its zone where two have one name, and where nobody knows', async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const make = facility(service);
  const { id: harbour } = await make.location({ name: 'Harbour' });
  const halls = [];
  for (const name of ['Hall A', 'Hall B']) halls.push(await make.zone(harbour, { name }));
  const spots = [
    await make.spot(harbour, { zoneId: halls[0]?.id, name: 'A3' }),
    await make.spot(harbour, { zoneId: halls[1]?.id, name: 'A4' }),
  ];
  for (const [at, spot] of spots.entries()) {
    const car = await make.car({ licensePlate: `HH-Z ${at}` });
    await make.event(car.id, { parkingSpotId: spot.id });
  }
  const parked = async (line: string) => {
    const { stdout } = await cs([...line.split(' '), '-o', 'csv', '--columns', 'parked'], {
      env: { CS_BASE_URL: service.url, CS_API_KEY: service.key },
    });
    return stdout.split('\r\n').slice(1, -1).sort();
  };
  expect(await parked('cars list')).toEqual(['A3', 'A4']);
  // The other one of the name isn't in the list.
  const { id: quay } = await make.location({ name: 'Quay' });
  await make.spot(quay, { name: 'A3' });
  for (const line of ['cars list', 'parking assignments list'])
    expect(await parked(line)).toEqual(['A3 · Hall A', 'A4']);
  // More than a page: the names of the others aren't read.
  for (let at = 0; at < 200; at += 1) await make.spot(harbour, { name: `Z${at}` });
  expect(await parked('cars list')).toEqual(['A3 · Hall A', 'A4 · Hall B']);
});
