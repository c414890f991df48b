/** What is told of an error that ends a run, with what the run has stored before it. */
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  Interrupted,
  UnprintedResult,
  UnwrittenResult,
} from '../../../src/cli/errors/ended-run.ts';
import { CliError, usage } from '../../../src/cli/errors/exit.ts';
import { type FindHint, reportError } from '../../../src/cli/framework/report-error.ts';
import type { Io } from '../../../src/cli/terminal/io.ts';
import { createRun, type Ledger, rememberInput } from '../../../src/cli/terminal/run.ts';
import { ApiError } from '../../../src/client/errors.ts';

const env = { CS_BASE_URL: 'https://cars.example.org', CS_API_KEY: 'csk_a.secret', NO_COLOR: '1' };
const id = '00000000-0000-4000-8000-00000000000a';

interface How extends Partial<Parameters<typeof reportError>[2]> {
  readonly ledger?: Partial<Ledger>;
  readonly io?: Partial<Io>;
}

async function told(error: unknown, { ledger, io: more, ...how }: How = {}) {
  let text = '';
  const stderr = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  const run = createRun();
  Object.assign(run.ledger, ledger);
  const signal = new AbortController().signal;
  const io = { env, run, signal, stderr, now: () => new Date(), runtime: 'Node.js 1', ...more };
  rememberInput(io as Io, id, 'HH 1');
  const code = await reportError(error, io as unknown as Io, { options: {}, ...how });
  return { code, text };
}
const json = async (...given: Parameters<typeof told>) => {
  const { code, text } = await told(...given);
  const printed = JSON.parse(text).error;
  expect(Object.keys(printed)).toEqual([
    ...['code', 'message', 'status', 'details', 'requestId', 'hint', 'exitCode'],
  ]);
  const { status, requestId, exitCode, ...error } = printed;
  expect(exitCode).toBe(code);
  return { ...error, exitCode };
};

const terminal = { stdoutIsTerminal: true, stderrIsTerminal: true, columns: 30 };

describe('for a person', () => {
  test('in the width of the terminal, with names in place of ids, and no secret', async () => {
    const error = new CliError({
      ...{ code: 'not_found', message: `No ${id} for csk_a.secret here and there.` },
      names: { [id]: 'Emma' },
    });
    expect(await told(error, { io: terminal })).toEqual({
      code: 6,
      text: 'error: No Emma for\n       csk_… here and\n       there.\n(not_found)\n',
    });
    expect((await told(error, { io: { ...terminal, columns: undefined } })).text).toBe(
      'error: No Emma for csk_… here and there.\n(not_found)\n',
    );
    const wide = (letters: number) =>
      told(usage(`${'x'.repeat(letters)} y`, 'z'), { io: { ...terminal, columns: undefined } });
    expect((await wide(71)).text).toContain('x y\n');
    expect((await wide(72)).text).toContain('x\n       y\n');
    const verbose = await told(error, { io: terminal, options: { verbose: true } });
    expect(verbose.text).toMatch(`error: No\n       ${id}`);
    expect(verbose.text).toMatch(/\(not_found\)\n[\s\S]*\n {4}at /);
    expect((await told(error, { io: { ...terminal, stderrIsTerminal: false } })).text).toBe(
      'error: No Emma for csk_… here and there.\n(not_found)\n',
    );
  });
  test('a better hint for an answer of the server, in the words of the person', async () => {
    const facts = { code: 'duplicate', method: 'POST', path: '/cars', status: 422, details: null };
    const how: How = {
      io: terminal,
      options: { profile: undefined, baseUrl: 'https://cars.example.org' },
      operations: ['cars.create'],
      findHint: async (_, { code }, { nameOf, operations, flags }) =>
        [code, nameOf(id), nameOf('other'), ...operations, ...flags].join(' '),
    };
    const { text } = await told(new ApiError('Taken', facts), {
      ...how,
      io: { stdoutIsTerminal: true },
    });
    expect(text).toContain(
      'hint: duplicate HH 1 other cars.create --base-url https://cars.example.org\n',
    );
    const own = await told(usage('x', 'as it is'), how);
    expect(own.text).toContain('hint: as it is\n');
    expect((await told(new ApiError('Taken', facts), { io: terminal })).text).toContain(
      'hint: choose another value,',
    );
  });
  test('also where a setting is wrong', async () => {
    const facts = { code: 'E-9', method: 'POST', path: '/cars', status: 422, details: null };
    for (const options of [{ timeout: 'soon' }, { profile: 'nope' }]) {
      const findHint = async (...[, , { flags }]: Parameters<FindHint>) => `${flags.length} flags`;
      const how = {
        options,
        findHint,
        io: { ...terminal, env: { ...env, CS_CONFIG_DIR: '/nope' } },
      };
      expect((await told(new ApiError('Taken', facts), how)).text).toContain('hint: 0 flags\n');
    }
  });
  test('whether or not somebody reads it', async () => {
    const stderr = new Writable({ write() {} }).destroy();
    expect((await told(usage('x', 'y'), { io: { stderr } })).code).toBe(2);
  });
});

describe('after writes', () => {
  const car = { did: 'POST /cars', id: 'c1' };
  const failed = [{ id: 'POST /keys', code: 'duplicate', message: 'Taken' }];
  const unknown = ['PATCH /cars/c2'];
  const full = new UnwrittenResult(Object.assign(new Error('x'), { code: 'ENOSPC' }));
  const stop = new Interrupted('SIGTERM');
  const checkFirst = 'it may have been carried out: check before you run it again';
  const diskFull = "Couldn't write the result: the disk is full.";
  const look = "don't run it again; see it with `cs api /cars/c1`";

  test.each<[string, unknown, Partial<Ledger>, object]>([
    [
      'nothing was stored',
      full,
      {},
      { code: 'file_unusable', exitCode: 1, message: diskFull, details: null },
    ],
    [
      'a record was stored, and not printed',
      full,
      { stored: [car], failed, unknown },
      {
        ...{ code: 'stored_not_printed', exitCode: 15, hint: look },
        ...{ message: `Stored, but not printed. ${diskFull}` },
        details: { stored: [car], failed, unknown },
      },
    ],
    [
      'what was stored has no id',
      new UnprintedResult(usage('No such field.', 'x')),
      { stored: [{ did: 'file written' }] },
      {
        ...{ code: 'stored_not_printed', exitCode: 15 },
        ...{ message: 'Stored, but not printed. No such field.' },
        hint: "it is done: don't run it again",
        details: { stored: [{ did: 'file written' }] },
      },
    ],
    [
      'what was stored has a hint of its own',
      full,
      { stored: [{ ...car, hint: 'look there' }] },
      { code: 'stored_not_printed', hint: 'look there' },
    ],
    [
      'nobody knows, and the result is not printed',
      full,
      { unknown },
      {
        ...{ code: 'file_unusable', exitCode: 1, message: diskFull, hint: checkFirst },
        details: { unknown },
      },
    ],
    [
      'stopped before the answer',
      stop,
      { unknown },
      {
        ...{ code: 'interrupted', exitCode: 143, hint: checkFirst, details: { unknown } },
        message: 'Stopped before the answer came.',
      },
    ],
    [
      'stopped after one',
      stop,
      { stored: [car] },
      {
        ...{ code: 'interrupted', exitCode: 143, hint: look, details: { stored: [car] } },
        message: 'Stopped after 1 change was stored.',
      },
    ],
    [
      'stopped after several',
      stop,
      { stored: [car, car] },
      { message: 'Stopped after 2 changes were stored.' },
    ],
    ['stopped after none', stop, { failed }, { message: 'Stopped.', details: null }],
    [
      'the command told of them itself when it was stopped',
      new CliError({ code: 'interrupted', message: 'Stopped: 1 of 2.', exitCode: 130 }),
      { stored: [car] },
      { message: 'Stopped: 1 of 2.', exitCode: 130, details: null },
    ],
    [
      'another error of the command tells of them itself',
      usage('No.', 'x'),
      { stored: [car] },
      { code: 'usage', message: 'No.', details: null },
    ],
  ])('%s', async (_, error, ledger, expected: { readonly details?: unknown }) => {
    const report = await json(error, { ledger });
    expect(report).toMatchObject(expected);
    if ('details' in expected) expect(report.details).toEqual(expected.details);
  });

  test('the signal is the cause, whatever a stopped command threw', async () => {
    const stopping = new AbortController();
    stopping.abort(stop);
    const io = { signal: stopping.signal };
    expect(await json(new TypeError('x'), { io })).toMatchObject({ message: 'Stopped.' });
    const own = new CliError({ code: 'interrupted', message: 'Left.', exitCode: 130 });
    expect(await json(own, { io })).toMatchObject({ message: 'Left.' });
  });
});
