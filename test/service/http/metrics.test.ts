import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { send, startTestService, testService } from '../../helpers/service.ts';
import { toolsAreRequired } from '../../helpers/tools.ts';

const service = await testService({ metrics: true });

/** Every sample by its name and labels, as a scraper reads them. */
async function scrape({ url } = service): Promise<Map<string, number>> {
  const answer = await send(`${url}/metrics`, 'GET');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = new TextDecoder().decode(answer.bytes).split('\n');
  expect(lines.pop()).toBe('');
  const samples = new Map<string, number>();
  let family = '';
  for (const line of lines.filter(Boolean)) {
    const [, name] = /^# (?:HELP|TYPE) ([a-z_]+) .+$/.exec(line) ?? [];
    if (name) {
      family = name;
      continue;
    }
    const [, sample = '', value] =
      /^([a-z_]+(?:\{(?:[a-z]+="[\w.+]+",?)+\})?) (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line) ??
      [];
    expect(sample, line).toContain(family);
    expect(samples.has(sample), line).toBe(false);
    samples.set(sample, Number(value));
  }
  return samples;
}

test('each is described', async () => {
  const { bytes } = await send(`${service.url}/metrics`, 'GET');
  const heads = new TextDecoder().decode(bytes).match(/(?<=^# (HELP|TYPE) ).*/gm);
  expect(heads?.join('\n')).toMatchInlineSnapshot(`
    "cs_http_requests_total Requests answered.
    cs_http_requests_total counter
    cs_http_request_duration_seconds From the arrival of a request to the end of its answer.
    cs_http_request_duration_seconds histogram
    cs_http_requests_in_flight Requests that aren't answered yet.
    cs_http_requests_in_flight gauge
    cs_outbox_waiting Messages, sends and posts that wait for delivery.
    cs_outbox_waiting gauge
    cs_build_info Always 1, with the version of cs.
    cs_build_info gauge
    process_cpu_seconds_total Time on the processor.
    process_cpu_seconds_total counter
    process_resident_memory_bytes Memory in use.
    process_resident_memory_bytes gauge
    process_start_time_seconds Start of the process, as seconds since 1970.
    process_start_time_seconds gauge
    nodejs_eventloop_utilization Share of the time that the event loop was busy.
    nodejs_eventloop_utilization gauge"
  `);
});

test('requests by operation, method and status, and their durations', async () => {
  const service = await startTestService({ metrics: true });
  onTestFinished(() => service.close());
  await facility(service).car();
  await service.call('POST', '/cars', {});
  await service.call('GET', '/cars');
  await service.call('GET', '/cars', undefined, null);
  await service.call('GET', '/boats');
  const cut = connect(Number(new URL(service.url).port), '127.0.0.1');
  onTestFinished(() => void cut.destroy());
  cut.write(
    `POST /api/v1/cars HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${service.key}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
  );
  const open = async () => (await scrape(service)).get('cs_http_requests_in_flight');
  await expect.poll(open).toBe(2);
  cut.destroy();
  await expect.poll(open).toBe(1);
  const samples = await scrape(service);
  const count = (operation: string, method: string, status: number) =>
    samples.get(
      `cs_http_requests_total{operation="${operation}",method="${method}",status="${status}"}`,
    );
  expect(count('cars.create', 'POST', 499)).toBe(1);
  expect([
    count('cars.create', 'POST', 201),
    count('cars.create', 'POST', 422),
    count('cars.list', 'GET', 200),
    count('cars.list', 'GET', 401),
    count('none', 'GET', 404),
  ]).toEqual([1, 1, 1, 1, 1]);

  const buckets = [...samples].filter(([name]) =>
    /^cs_http_request_duration_seconds_bucket\{.*operation="cars\.list"/.test(name),
  );
  const counts = buckets.map(([, value]) => value);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(buckets.at(-1)).toEqual([
    'cs_http_request_duration_seconds_bucket{le="+Inf",operation="cars.list"}',
    2,
  ]);
  expect(samples.get('cs_http_request_duration_seconds_count{operation="cars.list"}')).toBe(2);
  expect(
    samples.get('cs_http_request_duration_seconds_sum{operation="cars.list"}'),
  ).toBeGreaterThan(0);
});

test('open requests, the outbox queue, and the process', async () => {
  const samples = await scrape();
  // The scrape itself.
  expect(samples.get('cs_http_requests_in_flight')).toBe(1);
  expect(samples.get('cs_outbox_waiting')).toBe(0);
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  expect(samples.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(samples.get('process_start_time_seconds')).toBeGreaterThan(1_700_000_000);
  expect(samples.get('nodejs_eventloop_utilization')).toBeLessThanOrEqual(1);
});

test('contain no team, key, id or text of a caller', async () => {
  const car = await facility(service).car({ make: 'Secretive' });
  await service.call('GET', `/cars/${car.id}?q=private`);
  await service.call('GET', '/%22%0Ainjected{a="b"}');
  const text = new TextDecoder().decode((await send(`${service.url}/metrics`, 'GET')).bytes);
  for (const word of [
    car.id,
    car.teamId,
    service.team,
    service.key.slice(4, 16),
    'Secretive',
    'private',
    'injected',
  ])
    expect(text).not.toContain(word);
});

test('without the option, /metrics is not found', async () => {
  const plain = await startTestService();
  const answer = await send(`${plain.url}/metrics`, 'GET');
  await plain.close();
  expect({ status: answer.status, code: answer.body.code }).toEqual({
    status: 404,
    code: 'route_not_found',
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.runIf(hasPromtool || toolsAreRequired)(
  'the job and the rules of docs/operating.md are right, and name metrics that exist',
  async () => {
    const folder = await makeFolder();
    onTestFinished(() => removeFolder(folder));
    const docs = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
    const files = [...docs.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)];
    for (const [, name = '', text = ''] of files) await writeFile(join(folder, name), text);
    expect(files.map(([, name]) => name)).toEqual(['prometheus.yml', 'cs-rules.yml']);
    const checked = spawnSync('promtool', ['check', 'config', join(folder, 'prometheus.yml')], {
      encoding: 'utf8',
    });
    expect(checked.status, checked.stderr).toBe(0);
    const samples = [...(await scrape()).keys()];
    for (const [name] of docs.matchAll(/\bcs_[a-z_]+/g))
      expect(
        samples.some((sample) => sample.startsWith(name)),
        name,
      ).toBe(true);
  },
);
