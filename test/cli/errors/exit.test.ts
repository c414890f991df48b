import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PhotoFileError } from '../../../src/cli/commands/photos/photo-file.ts';
import { type ExitCode, exitCodes, ownCodes } from '../../../src/cli/errors/codes.ts';
import {
  Interrupted,
  UnprintedResult,
  UnwrittenResult,
} from '../../../src/cli/errors/ended-run.ts';
import {
  CliError,
  declined,
  type ErrorCode,
  summedUp,
  usage,
} from '../../../src/cli/errors/exit.ts';
import { exitCodeOf, reportOf } from '../../../src/cli/errors/report.ts';
import {
  ApiError,
  CarStorageError,
  NetworkError,
  type NetworkErrorCode,
  ProtocolError,
  type ProtocolErrorCode,
  UnsteadyListError,
  UsageError,
  type UsageErrorCode,
} from '../../../src/client/errors.ts';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import {
  type Behaviour,
  deadUrl,
  html,
  json,
  startMisbehavingServer,
} from '../../helpers/misbehaving-server.ts';
import { startTestService, type TestService } from '../../helpers/service.ts';

const none = '00000000-0000-4000-8000-000000000000';
const place = { method: 'GET', path: '/cars' };
const answer = (status: number, code = 'x') =>
  new ApiError('x', { ...place, code, status, details: null, unknownOutcome: false });

const errors: [string, unknown, ExitCode][] = [
  ['a bug', new TypeError('x is not a function'), 1],
  ['something that is no error', 'text', 1],
  ['usage', usage('x', 'y'), 2],
  ['an address that cannot be used', new UsageError('x', { code: 'invalid_base_url' }), 2],
  ['a key that cannot be sent', new UsageError('x', { code: 'invalid_key' }), 4],
  ['a file that is no photo', new PhotoFileError('a', 'not_a_photo', 'x', 'x'), 3],
  ['422', answer(422), 3],
  ['422 that is a conflict', answer(422, 'parking_spot_occupied'), 7],
  ['401', answer(401), 4],
  ['403', answer(403), 5],
  ['404', answer(404), 6],
  ['409', answer(409), 7],
  ['413', answer(413), 3],
  ['429', answer(429), 8],
  ['500', answer(500), 10],
  ['503', answer(503), 10],
  ['405', answer(405), 3],
  ['410', answer(410), 6],
  ['a refusal that nobody knows', answer(418), 3],
  ['an answer that is none', answer(304), 1],
  [
    'a result that could not be written',
    new UnwrittenResult(Object.assign(new Error('x'), { code: 'ENOSPC' })),
    1,
  ],
  [
    'no connection',
    new NetworkError('x', { ...place, code: 'connection_failed', unknownOutcome: false }),
    9,
  ],
  [
    'no secure connection',
    new NetworkError('x', { ...place, code: 'tls_failed', unknownOutcome: false }),
    9,
  ],
  ['HTML', new ProtocolError('x', { ...place, status: 200, unknownOutcome: false }), 9],
  [
    'HTML of another server',
    new ProtocolError('x', { ...place, status: 404, unknownOutcome: false }),
    9,
  ],
  [
    'HTML of a gateway',
    new ProtocolError('x', { ...place, status: 502, unknownOutcome: false }),
    10,
  ],
  [
    'HTML of a gateway that limits',
    new ProtocolError('x', { ...place, status: 429, unknownOutcome: false }),
    8,
  ],
  [
    'HTML of a gateway that did not wait',
    new ProtocolError('x', { ...place, status: 408, unknownOutcome: false }),
    9,
  ],
  ['a list that does not hold still', new UnsteadyListError('x'), 9],
  ['partial', new CliError({ code: 'partial', message: 'x' }), 11],
  ['drift', new CliError({ code: 'partial', message: 'x', exitCode: 12 }), 12],
  ['no', declined(), 13],
  ['ambiguous', new CliError({ code: 'ambiguous_name', message: 'x' }), 14],
  ['stored, not printed', new CliError({ code: 'stored_not_printed', message: 'x' }), 15],
  ['a result that could not be printed', new UnprintedResult(usage('x', 'y')), 2],
  ['Ctrl-C', new Interrupted('SIGINT'), 130],
  ['Ctrl-C in a question', Object.assign(new Error('x'), { name: 'ExitPromptError' }), 130],
  ['SIGTERM', new Interrupted('SIGTERM'), 143],
];

test.each(errors)('%s', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

/** The code and the exit code of every error of the client, where no status of an answer decides. */
const ofClient = {
  invalid_base_url: ['usage', 2],
  invalid_key: ['invalid_api_key', 4],
  invalid_ca: ['usage', 2],
  invalid_proxy: ['usage', 2],
  invalid_path: ['usage', 2],
  closed: ['usage', 2],
  connection_failed: ['connection_failed', 9],
  connection_lost: ['connection_lost', 9],
  timeout: ['timeout', 9],
  tls_failed: ['tls_failed', 9],
  unsafe_address: ['tls_failed', 9],
  unexpected_answer: ['unexpected_answer', 9],
  operation_missing: ['operation_missing', 9],
  answer_too_large: ['unexpected_answer', 9],
  filter_ignored: ['filter_ignored', 9],
  unsteady_list: ['unsteady_list', 9],
} as const satisfies Record<
  UsageErrorCode | NetworkErrorCode | ProtocolErrorCode | 'unsteady_list',
  readonly [ErrorCode, ExitCode]
>;

test.each(Object.entries(ofClient))('%s of the client', (code, [name, exit]) => {
  const report = reportOf(new CarStorageError('x', { code }));
  expect([report.code, report.exitCode]).toEqual([name, exit]);
});

test('scripts rely on the exit codes of the codes of the command, the default first', () => {
  const exits = Object.entries(ownCodes).map(([code, info]) => [code, info.exits]);
  expect(Object.fromEntries(exits)).toEqual({
    ...{ usage: [2, 1], declined: [13], interrupted: [130, 143], ambiguous_name: [14] },
    ...{ partial: [11, 12], not_tried: [11], unexpected: [1], not_signed_in: [4] },
    ...{ read_only_profile: [5], connection_failed: [9], connection_lost: [9], timeout: [9] },
    ...{ tls_failed: [9], unexpected_answer: [9, 10], operation_missing: [9] },
    ...{ filter_ignored: [9], unsteady_list: [9], invalid_file: [3, 9] },
    ...{ file_unusable: [1, 2, 6], file_exists: [7], stored_not_printed: [15] },
    ...{ already_running: [7], unfinished: [7], outcome_unknown: [9, 7, 11], other_origin: [7] },
    ...{ state_unusable: [7], data_unusable: [1, 2, 3, 7] },
  });
});

test('every code but 0 is reached by an error', () => {
  expect(new Set([0, ...errors.map(([, , code]) => code)])).toEqual(
    new Set(Object.keys(exitCodes).map(Number)),
  );
});

describe('command lines', () => {
  let service: TestService;
  let env: Record<string, string>;
  beforeAll(async () => {
    service = await startTestService();
    env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
    const make = facility(service);
    await make.car({ nickname: 'Twin', model: 'One' });
    await make.car({ nickname: 'Twin', model: 'Two' });
  });
  afterAll(() => service.close());

  test('2: a required flag that no prompt asks for', async () => {
    const { code, stderr } = await cs(['cars', 'events', 'log', 'One'], { as: 'terminal', env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/flag: --type\.\nhint: give --type/)]);
  });
  test('3: refused by the server', async () => {
    const id = (await cs(['cars', 'list', '--q', 'One', '-o', 'id'], { env })).stdout.trim();
    const make = facility(service);
    const spot = await make.spot((await make.location()).id);
    const { code, error } = await cs(
      ['cars', 'events', 'log', id, '--type', 'pick_up', '--spot', spot.id],
      { env },
    );
    expect([code, error.status, error.code]).toEqual([3, 422, 'parking_not_allowed']);
    expect(error.hint).toBe('leave out spot and zone: events of this type end the parking');
  });
  test('4: not signed in, and a refused key', async () => {
    const none = await cs(['cars', 'list'], { env: { CS_BASE_URL: service.url } });
    expect([none.code, none.error.code]).toEqual([4, 'not_signed_in']);
    expect(none.error.hint).toContain('cs auth login');
    const wrong = await cs(['cars', 'list'], {
      env: { ...env, CS_API_KEY: `${service.key.slice(0, -1)}!` },
    });
    expect([wrong.code, wrong.error.code, wrong.error.status]).toEqual([4, 'invalid_api_key', 401]);
  });
  test('5: names the missing scope', async () => {
    const key = await service.keyWith(['read:cars']);
    const { code, stderr } = await cs(['locations', 'list'], {
      as: 'terminal',
      env: { ...env, CS_API_KEY: key },
    });
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /^error: Missing scope: read:locations\nhint: sign in with a key that has read:locations: /,
    );
  });
  test('6: an unknown id', async () => {
    const gone = await cs(['cars', 'get', '00000000-0000-4000-8000-000000000000'], { env });
    expect([gone.code, gone.error.status, gone.error.requestId]).toEqual([
      6,
      404,
      expect.any(String),
    ]);
  });
  test.each([
    [['cars', 'get', none], '`cs cars list` shows them'],
    [['cars', 'photos', 'get', 'CAR', none], '`cs cars photos list CAR` shows them'],
    [
      ['api', 'PATCH', `/customers/${none}`, '-f', 'firstName=Ann'],
      '`cs customers list` shows them',
    ],
    [
      ['api', '/carz'],
      '`cs schema` shows the paths; `cs doctor` shows how the interface of this server differs',
    ],
    [['api', 'DELETE', '/cars/x', '-y'], '`cs schema` shows the paths with their methods'],
    [['api', '/cars/../../x'], '`cs schema` shows the paths'],
  ])('the next step of %j', async (line, hint) => {
    const id = (await cs(['cars', 'list', '--q', 'One', '-o', 'id'], { env })).stdout.trim();
    const { error } = await cs(
      line.map((word) => word.replace(/^CAR$/, id)),
      { env },
    );
    expect(error.hint).toBe(hint.replace('CAR', id));
  });
  test('suggests removing a wrong path from the address', async () => {
    const { code, error } = await cs(['cars', 'list'], {
      env: { ...env, CS_BASE_URL: `${service.url}/wrong` },
    });
    expect([code, error.code]).toEqual([9, 'operation_missing']);
    expect(error.hint).toMatch(/^the address has the path \/wrong: .*--base-url$/);
  });
});

describe('failing servers', () => {
  const ask = async (behaviour: Behaviour, ...flags: string[]) => {
    const server = await startMisbehavingServer([behaviour]);
    try {
      return await cs(['cars', 'list', '--retries', '0', ...flags], {
        env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_test.secret' },
      });
    } finally {
      await server.close();
    }
  };
  test('9: connection refused', async () => {
    const { code, error } = await cs(['cars', 'list', '--retries', '0'], {
      env: { CS_BASE_URL: await deadUrl(), CS_API_KEY: 'csk_test.secret' },
    });
    expect([code, error.code]).toEqual([9, 'connection_failed']);
    expect(error.hint).toContain('cs serve');
  });
  test("9: an unknown host doesn't suggest cs serve", async () => {
    const { error } = await cs(['cars', 'list', '--retries', '0'], {
      env: {
        CS_BASE_URL: 'http://nope.invalid',
        CS_API_KEY: 'csk_test.secret',
        CS_ALLOW_INSECURE_HTTP: '1',
      },
    });
    expect(error).toMatchObject({
      code: 'connection_failed',
      hint: 'check the address with --base-url, and the network',
    });
    expect(error.message).toMatch(/^Couldn't reach .*\.$/);
  });
  test('9: the hint for plain http appears once', async () => {
    const env = { CS_BASE_URL: 'http://192.0.2.1', CS_API_KEY: 'csk_test.secret' };
    const { stderr } = await cs(['cars', 'list'], { env, as: 'terminal' });
    expect(stderr.match(/https/g)).toHaveLength(1);
  });
  test("10: a page of a gateway isn't reported as another service", async () => {
    const { code, error } = await ask(html(502));
    expect([code, error.code, error.status]).toEqual([10, 'http_502', 502]);
  });
  test('JSON without an error message is quoted, with the sentence that it breaks', async () => {
    const { code, error } = await ask(json(422, { message: 'The VIN is taken.' }));
    expect([code, error.code, error.status]).toEqual([3, 'http_422', 422]);
    expect(error.message).toContain(
      '{"message":"The VIN is taken."}. The specification has { error, code, details } (section 7).',
    );
  });
});

test('the error object has its fields and no others', async () => {
  const { error } = await cs(['cars', 'list', '--bogus']);
  expect(Object.keys(error)).toEqual([
    'code',
    'message',
    'status',
    'details',
    'requestId',
    'hint',
    'exitCode',
  ]);
});

describe('an error that sums up several', () => {
  const failed = (exitCode: ExitCode) => ({ code: `code_${exitCode}`, exitCode });
  test.each([
    ['none was done, and all failed in one way', [failed(6), failed(6)], { done: 0 }, 6],
    ['none was done, and they failed in several ways', [failed(6), failed(3)], { done: 0 }, 11],
    ['some were done', [failed(6)], { done: 1 }, 11],
    ['one failure stopped the run', [failed(6), failed(9)], { done: 1, stop: failed(9) }, 9],
  ] as const)('%s', (_, failures, how, exitCode) => {
    const code = exitCode === 11 ? 'partial' : `code_${exitCode}`;
    expect(summedUp(failures, how)).toEqual({ code, exitCode });
  });
});
