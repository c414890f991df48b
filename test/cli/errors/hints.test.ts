/** What is told of an error of the server or of the connection: message, code, and the next step. */
import { describe, expect, test } from 'vitest';
import { statusInfo } from '../../../src/cli/errors/codes.ts';
import { UnwrittenResult } from '../../../src/cli/errors/ended-run.ts';
import { CliError, type ExitCode } from '../../../src/cli/errors/exit.ts';
import { refusalText, refusedFields } from '../../../src/cli/errors/refusal.ts';
import { reportOf, sentence, wrapFailure } from '../../../src/cli/errors/report.ts';
import {
  ApiError,
  CarStorageError,
  NetworkError,
  type NetworkErrorCode,
  ProtocolError,
} from '../../../src/client/errors.ts';

const place = { method: 'POST', path: '/parking/assignments', requestId: 'r' };
const refusal = (code: string, status: number, more: object = {}) =>
  new ApiError('no', { ...place, code, status, details: null, unknownOutcome: false, ...more });
const page = (status: number, contentType?: string, more: object = {}) =>
  new ProtocolError('no JSON', { ...place, status, contentType, unknownOutcome: false, ...more });
const broken = (code: NetworkErrorCode, more: object = {}) =>
  new NetworkError('no', { ...place, code, unknownOutcome: false, ...more });
const tls = (code: string, more: object = {}) =>
  broken('tls_failed', { cause: Object.assign(new Error('x'), { code }), ...more });

const away = 'https://cars.example.org';
const isService = (address: string) =>
  `check that ${address} is a car storage service; change it with --base-url`;
const breaks = '; if it is one, it breaks the specification: tell its operator';
const retry = 'try again in a moment, or allow more retries with --retries';
const proxy = 'correct or unset HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY';
const checkFirst = 'it may have been carried out: check before you run it again';
const named = 'correct what the server names; -v shows the request';
const signIn =
  'sign in with `cs auth login`; where a gateway requires its own sign-in, ask the operator of the server';
const signInAgain = 'sign in again with `cs auth login`';
const scopes =
  '`cs auth status` shows the scopes of the key; where a gateway refused you, ask the operator of the server';
const badPath = 'the address has the path /old: leave it out, or correct it with --base-url';

describe('the next step', () => {
  test.each<[string, CarStorageError, string | null, string?]>([
    ['401 in words of the server', refusal('E-9', 401), signIn],
    ['403 in words of the server', refusal('E-9', 403), scopes],
    ['404 in words of the server', refusal('E-9', 404), null],
    ['422 in words of the server', refusal('E-9', 422), named],
    ['429 in words of the server', refusal('E-9', 429), retry],
    ['499 in words of the server', refusal('E-9', 499), named],
    ['500 in words of the server', refusal('E-9', 500), retry],
    [
      'a write without a certain outcome',
      refusal('E-9', 500, { unknownOutcome: true }),
      checkFirst,
    ],
    ['a write without an answer', broken('timeout', { unknownOutcome: true }), checkFirst],
    ['a code of the service', refusal('car_parked', 422), 'pick it up first: `cs pickup CAR`'],
    [
      'a missing scope',
      new ApiError('Missing scope: read:cars', {
        ...{ ...place, code: 'missing_scope', status: 403, details: null },
      }),
      'sign in with a key that has read:cars: `cs auth login`; `cs auth status` shows the scopes of yours',
    ],
    [
      'a scope that the message does not name',
      refusal('missing_scope', 403),
      'sign in with a key that has the missing scope: `cs auth login`; `cs auth status` shows the scopes of yours',
    ],
    [
      'a location that is used',
      refusal('resource_in_use', 422, { path: '/locations/a' }),
      'leave out --hard to deactivate it instead; the records that use it stay as they are',
    ],
    [
      'another record that is used',
      refusal('resource_in_use', 422, { path: '/marketing/assets/a' }),
      'change or delete the records that use it first, or deactivate this one, where it has --no-is-active',
    ],
    ['a path in the address', refusal('route_not_found', 404), badPath, `${away}/old`],
    [
      'a path in the address of an interface',
      refusal('operation_missing', 404),
      badPath.replace('/old', '/old/'),
      `${away}/old/api/v1/`,
    ],
    [
      'an unknown path of a server without a path',
      refusal('route_not_found', 404),
      '`cs schema` shows the paths; `cs doctor` shows how the interface of this server differs',
      `${away}/api/v1`,
    ],
    ['a missing operation', refusal('operation_missing', 404), isService(away), away],
    [
      'a missing operation of an unknown server',
      page(404, 'application/json', { code: 'operation_missing' }),
      isService('the address'),
    ],
    ['another server', page(200, 'text/html'), isService(away), away],
    ['JSON of another shape', page(200, 'application/json'), isService(away) + breaks, away],
    ['a status without a code', refusal('http_502', 502), retry],
    ['a page of a gateway', page(503, 'text/html'), retry],
    [
      'no service on this machine',
      broken('connection_failed'),
      'start the service with `cs serve`, or check the address with --base-url',
      'http://localhost:8787',
    ],
    [
      'no connection',
      broken('connection_failed'),
      'check the address with --base-url, and the network',
      away,
    ],
    [
      'no answer in time',
      broken('timeout'),
      'check the network, or allow more time with --timeout',
    ],
    [
      'records that do not tell',
      new CarStorageError('no', { code: 'filter_ignored' }),
      'leave out the filter, or name the records by their ids; `cs doctor` asks the server again what it promises',
    ],
    [
      'a list that changes',
      new CarStorageError('no', { code: 'unsteady_list' }),
      'try again when the list changes less, or name the records by their ids; if that never helps, the server breaks the specification: tell its operator',
    ],
    [
      'a port without TLS',
      tls('ERR_SSL_WRONG_VERSION_NUMBER'),
      'the port speaks plain http, or is the wrong one: check the address with --base-url',
    ],
    [
      'another version of TLS',
      tls('EPROTO'),
      'ask the operator of the server which versions of TLS and which certificates it accepts',
    ],
    ['a key with a line break', new CarStorageError('no', { code: 'invalid_key' }), signInAgain],
    ['a lost connection', broken('connection_lost'), 'check the network and try again'],
    [
      'no connection through a proxy',
      broken('connection_failed', { proxy: 'http://p' }),
      proxy,
      away,
    ],
    ['no secure proxy', tls('CERT_HAS_EXPIRED', { proxy: 'https://p' }), proxy],
    [
      'no secure server behind a proxy',
      tls('CERT_HAS_EXPIRED', { proxy: 'http://p' }),
      '`cs doctor` shows the certificate, and what to do',
    ],
    [
      'an address that is not encrypted',
      broken('unsafe_address'),
      'use an https address, or allow this one with --allow-insecure-http',
      'http://192.0.2.1',
    ],
    ['a reason that nobody knows', broken('tls_failed', { cause: undefined }), null],
    [
      'no address of a server',
      new CarStorageError('no', { code: 'invalid_base_url' }),
      'give it with --base-url, or sign in again with `cs auth login`',
    ],
    [
      'no address of a proxy',
      new CarStorageError('no', { code: 'invalid_proxy' }),
      'correct or unset HTTPS_PROXY and HTTP_PROXY',
    ],
    [
      'an address',
      new CarStorageError('no', { code: 'invalid_path' }),
      '`cs schema` shows the paths',
    ],
  ])('%s', (_, error, hint, baseUrl) => {
    expect(reportOf(error, { baseUrl }).hint).toBe(hint);
  });
});

describe('the report', () => {
  test('of an answer', () => {
    const details = { field: 'x' };
    expect(reportOf(refusal('E-9', 409, { details }))).toEqual({
      ...{ code: 'E-9', message: 'no', status: 409, details, requestId: 'r', hint: named },
      exitCode: 7,
    });
  });

  test.each<[number, ExitCode]>([
    [401, 4],
    [403, 5],
    [407, 9],
    [408, 9],
    [413, 3],
    [418, 3],
    [429, 8],
    [502, 10],
  ])('of a page of a gateway with %i', (status, exitCode) => {
    expect(reportOf(page(status, 'text/html; charset=utf-8'))).toEqual({
      code: `http_${status}`,
      message: `The server, or a gateway in front of it, answered ${status} with text/html.`,
      ...{ status, details: null, requestId: 'r', exitCode },
      // Its text is in codes.txt.
      hint: statusInfo(status).hint,
    });
  });

  test.each<[ProtocolError, string, string, ExitCode]>([
    [
      page(400),
      'http_400',
      'The server, or a gateway in front of it, answered 400 with no content type.',
      3,
    ],
    [page(400, 'application/JSON'), 'http_400', 'No JSON.', 3],
    [page(399, 'text/html'), 'unexpected_answer', 'No JSON.', 9],
    // Servers of other interfaces answer unknown paths like this.
    ...[404, 405, 410].map(
      (status) =>
        [page(status, 'text/html'), 'unexpected_answer', 'No JSON.', 9] as [
          ProtocolError,
          string,
          string,
          ExitCode,
        ],
    ),
    [page(502, 'text/html', { code: 'answer_too_large' }), 'unexpected_answer', 'No JSON.', 9],
  ])('of a page, %#', (error, code, message, exitCode) => {
    expect(reportOf(error)).toMatchObject({ code, message, exitCode });
  });

  test('of an error that sums up an answer has its status and request', () => {
    const cause = refusal('duplicate', 409, { details: [1] });
    const wrapped = wrapFailure(cause, { message: 'm', hint: 'h' });
    expect(reportOf(wrapped)).toEqual({
      ...{ code: 'duplicate', message: 'm', status: 409, details: [1], requestId: 'r' },
      ...{ hint: 'h', exitCode: 7 },
    });
    expect(
      reportOf(wrapFailure(wrapped, { message: 'm', hint: 'h', details: null })),
    ).toMatchObject({
      ...{ status: 409, requestId: 'r', details: null, exitCode: 7 },
    });
    expect(reportOf(new CliError({ code: 'usage', message: 'm' }))).toEqual({
      ...{ code: 'usage', message: 'm', status: null, details: null, requestId: null },
      ...{ hint: null, exitCode: 2 },
    });
  });

  test('of a result that could not be written has what to do', () => {
    const full = Object.assign(new Error('x'), { code: 'ENOSPC' });
    expect(reportOf(new UnwrittenResult(full))).toMatchObject({
      ...{ code: 'file_unusable', message: "Couldn't write the result: the disk is full." },
      hint: 'free some disk space or write somewhere else, and run the command again',
    });
  });

  test('of anything else may be a bug', () => {
    const hint =
      'this may be a bug in cs: run it again with -v, and report what it prints: `npm bugs car-storage` shows where';
    for (const [error, message] of [
      [new Error('x'), 'x'],
      ['text', 'text'],
    ] as const)
      expect(reportOf(error)).toEqual({
        ...{ code: 'unexpected', message, status: null, details: null, requestId: null },
        ...{ hint, exitCode: 1 },
      });
  });
});

test.each([
  ['it broke', 'It broke.'],
  ['It broke.', 'It broke.'],
  ['https://x is wrong', 'https://x is wrong.'],
  ['see https://x', 'See https://x.'],
])('%j as a sentence', (text, whole) => {
  expect(sentence(text)).toBe(whole);
});

describe('a refusal that can be corrected', () => {
  const issues = [
    { path: 'address.city', message: 'is empty' },
    { path: 'year', message: 'is told' },
    { message: 'both differ' },
    { path: 'vin' },
    null,
  ];
  test.each<[unknown, string[]]>([
    [{ issues }, ['address', 'year', 'vin']],
    [issues, ['address', 'year', 'vin']],
    [{ field: 'vin' }, ['vin']],
    [{ field: 1 }, []],
    [null, []],
    ['text', []],
  ])('names the fields of %j', (details, fields) => {
    expect(refusedFields(refusal('E-9', 422, { details }))).toEqual(fields);
  });

  test('says what is wrong once, and what the command advises', () => {
    const message = 'year is told';
    const given = { details: { issues: issues.slice(0, 4) } };
    expect(refusalText(refusal('E-9', 422, given))).toBe(
      'No. Address.city is empty; year is told; both differ.',
    );
    expect(refusalText(new CliError({ code: 'usage', message, hint: 'look', ...given }))).toBe(
      'Year is told. Address.city is empty; both differ. look',
    );
    expect(refusalText(refusal('E-9', 422))).toBe('No.');
  });
});
