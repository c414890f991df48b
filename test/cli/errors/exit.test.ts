import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PhotoFileError } from '../../../src/cli/commands/photos/photo-file.ts';
import type { ExitCode } from '../../../src/cli/errors/codes.ts';
import {
  Interrupted,
  UnprintedResult,
  UnwrittenResult,
} from '../../../src/cli/errors/ended-run.ts';
import { CliError, type ErrorCode, summedUp, usage } from '../../../src/cli/errors/exit.ts';
import { exitCodeOf, reportOf } from '../../../src/cli/errors/report.ts';
import {
  ApiError,
  CarStorageError,
  type NetworkErrorCode,
  type ProtocolErrorCode,
  type UsageErrorCode,
} from '../../../src/client/errors.ts';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService, type TestService } from '../../helpers/service.ts';

const none = '00000000-0000-4000-8000-000000000000';
const refusal = (status: number, code = 'x') =>
  new ApiError('x', { method: 'GET', path: '/cars', code, status, details: null });

test.each<[string, unknown, ExitCode]>([
  ['a bug', new TypeError('x is not a function'), 1],
  ['a conflict with status 422', refusal(422, 'parking_spot_occupied'), 7],
  ['a file that is no photo', new PhotoFileError('a', 'not_a_photo', 'x', 'x'), 3],
  ['a full disk', new UnwrittenResult(Object.assign(new Error('x'), { code: 'ENOSPC' })), 1],
  ['another exit code', new CliError({ code: 'partial', message: 'x', exitCode: 12 }), 12],
  ['a result that could not be printed', new UnprintedResult(usage('x', 'y')), 2],
  ['Ctrl-C', new Interrupted('SIGINT'), 130],
  ['Ctrl-C in a question', Object.assign(new Error('x'), { name: 'ExitPromptError' }), 130],
  ['SIGTERM', new Interrupted('SIGTERM'), 143],
])('%s', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

describe('scripts rely on the exit codes', () => {
  const ofStatus = {
    ...{ 304: 1, 401: 4, 403: 5, 404: 6, 405: 3, 409: 7, 410: 6, 412: 7, 413: 3, 418: 3 },
    ...{ 422: 3, 429: 8, 500: 10, 503: 10 },
  };

  test('of each status', () => {
    const found = Object.keys(ofStatus).map((status) => [
      status,
      exitCodeOf(refusal(Number(status))),
    ]);
    expect(Object.fromEntries(found)).toEqual(ofStatus);
  });

  /** Where no status of an answer decides. */
  const ofClient = {
    ...{ invalid_base_url: ['usage', 2], invalid_key: ['invalid_api_key', 4] },
    ...{ invalid_ca: ['usage', 2], invalid_proxy: ['usage', 2], invalid_path: ['usage', 2] },
    ...{ closed: ['usage', 2], connection_failed: ['connection_failed', 9] },
    ...{ connection_lost: ['connection_lost', 9], timeout: ['timeout', 9] },
    ...{ tls_failed: ['tls_failed', 9], unsafe_address: ['tls_failed', 9] },
    ...{ unexpected_answer: ['unexpected_answer', 9], operation_missing: ['operation_missing', 9] },
    ...{ answer_too_large: ['unexpected_answer', 9], filter_ignored: ['filter_ignored', 9] },
    unsteady_list: ['unsteady_list', 9],
  } satisfies Record<
    UsageErrorCode | NetworkErrorCode | ProtocolErrorCode | 'unsteady_list',
    [ErrorCode, ExitCode]
  >;

  test('of each error of the client', () => {
    const found = Object.keys(ofClient).map((code) => {
      const report = reportOf(new CarStorageError('x', { code }));
      return [code, [report.code, report.exitCode]];
    });
    expect(Object.fromEntries(found)).toEqual(ofClient);
  });
});

describe('the next step', () => {
  let service: TestService;
  let env: Record<string, string>;
  let car: string;
  beforeAll(async () => {
    service = await startTestService();
    env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
    car = (await facility(service).car({})).id;
  });
  afterAll(() => service.close());

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
    [
      ['cars', 'list', '--base-url', 'URL/wrong'],
      'the address has the path /wrong: leave it out, or correct it with --base-url',
    ],
  ])('of %j', async (line, hint) => {
    const withValues = (text: string) => text.replace('CAR', car).replace('URL', service.url);
    expect((await cs(line.map(withValues), { env })).error.hint).toBe(withValues(hint));
  });

  test('of a required flag that no prompt asks for', async () => {
    const { code, stderr } = await cs(['cars', 'events', 'log', car], { as: 'terminal', env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/flag: --type\.\nhint: give --type/)]);
  });
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
