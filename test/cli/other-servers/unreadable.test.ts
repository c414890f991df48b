/** A drop-off, a pick-up and a move that name everything by ids, where the server can't show the records beyond the specification. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer } from '../../helpers/other-server.ts';
import { otherFacilities, runOn } from './run.ts';

const { open, closeAll } = otherFacilities();
let facility: OtherFacility;
let answer: Answer;
const proxy = createServer(async (request, response) => {
  if (
    request.method === 'GET' &&
    /\/(parking|me|locations|appointments)\b/.test(request.url ?? '')
  ) {
    response.writeHead(answer.status, answer.headers).end(answer.body);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { 'x-api-key': key = '' } = request.headers;
  const body = request.method === 'GET' ? undefined : Buffer.concat(chunks);
  const sent = await fetch(`${facility.server.url}${request.url}`, {
    method: request.method,
    headers: { 'x-api-key': String(key) },
    body,
  });
  response
    .writeHead(sent.status, { 'content-type': sent.headers.get('content-type') ?? '' })
    .end(Buffer.from(await sent.arrayBuffer()));
});

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const json = { 'content-type': 'application/json' };
const answers: Record<string, Answer> = {
  'a refusal: no scope': {
    status: 403,
    headers: json,
    body: '{"error":"Missing scope: read:parking"}',
  },
  'a page with 200': {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Car storage</h1>',
  },
  'a redirect': { status: 302, headers: { location: '/sign-in' } },
  nothing: { status: 204 },
  'an empty object': { status: 200, headers: json, body: '{}' },
  'an error': { status: 500, headers: json, body: '{"error":"Internal error"}' },
};

beforeAll(async () => {
  proxy.listen(0, '127.0.0.1');
});
afterAll(async () => {
  proxy.close();
  await closeAll();
});
beforeEach(async () => {
  ({ facility } = await open('plain'));
});

const run = (line: string) =>
  runOn(facility, line, {
    env: {
      ...facility.env,
      CS_BASE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    },
    now: noon,
  });

describe.each(Object.keys(answers))('%s', (name) => {
  beforeEach(() => {
    answer = answers[name] as Answer;
  });

  test.each([
    [
      'dropoff --car {Greta} --type drop_off --spot {A3} --yes',
      'POST /cars/{Greta}/events {"activityType":"drop_off","parkingSpotId":"{A3}"',
      /Couldn't check whether the spot \S+ is free: .+\. The server decides\./,
    ],
    [
      'dropoff --car {Greta} --type {drop_off} --zone {Hall A} --yes',
      'POST /cars/{Greta}/events {"activityType":"drop_off","parkingZoneId":"{Hall A}"',
      /Couldn't check whether the zone \S+ is free: /,
    ],
    [
      'pickup {Ferdi} --type pick_up --yes',
      'POST /cars/{Ferdi}/events {"activityType":"pick_up"',
      /^/,
    ],
    [
      'pickup {Ferdi} --type pick_up --yes -o table',
      'POST /cars/{Ferdi}/events {"activityType":"pick_up"',
      /^/,
    ],
    [
      'move {Ferdi} --spot {A3}',
      'POST /parking/assignments {"carId":"{Ferdi}","parkingSpotId":"{A3}"',
      /Couldn't check whether the spot/,
    ],
  ])('cs %s', async (line, request, says) => {
    const { code, told } = await run(line);
    expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
    expect(facility.writes()).toEqual([expect.stringContaining(request)]);
    expect(told).toMatch(says);
  });
});

test('a spot that the server lists others of, but not this one, is still an error', async () => {
  answer = { status: 404, headers: json, body: '{"error":"Not found"}' };
  const { code, told } = await runOn(
    facility,
    'dropoff --car {Greta} --type drop_off --spot 7f3c9a52-0000-4000-8000-0000000000ff --yes',
  );
  expect([code, told]).toEqual([6, expect.stringContaining('not found')]);
  expect(facility.writes()).toEqual([]);
});

test('a key that the server refuses is still an error', async () => {
  answer = { status: 401, headers: json, body: '{"error":"API key expired"}' };
  expect((await run('dropoff --car {Greta} --type drop_off --spot {A3} --yes')).code).toBe(4);
  expect(facility.writes()).toEqual([]);
});

describe.each(['uuid', 'integer', 'integer by list', 'cuid'] as const)(
  'specified paths alone, and ids of the kind %s',
  (ids) => {
    test.each([
      [
        'dropoff --car id:{Greta} --type drop_off --spot id:{A3} --yes',
        '"activityType":"drop_off","parkingSpotId":"{A3}"',
      ],
      [
        'dropoff --car id:{Greta} --type id:{drop_off} --zone id:{Hall A} --yes',
        '"activityType":"drop_off","parkingZoneId":"{Hall A}"',
      ],
      [
        'cars events log id:{Greta} --type id:{drop_off} --spot id:{A3}',
        '"activityType":"drop_off","parkingSpotId":"{A3}"',
      ],
      [
        'appointments create --type id:{drop_off} --at 2026-06-01T09:00:00Z --for 45m --car id:{Greta}',
        '"eventTypeId":"{drop_off}"',
      ],
    ])('cs %s', async (line, request) => {
      const server = await startOtherServer({ paths: 'specified', ids }, () => noon);
      try {
        const counted = furnish(server);
        const { code, told } = await runOn(counted, line);
        expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
        expect(counted.writes()).toEqual([expect.stringContaining(request)]);
      } finally {
        await server.close();
      }
    });
  },
);
