/** What is told of a write when the command ends before its result is printed, or no answer says what came of it. */
import { Writable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { Interrupted } from '../../../src/cli/errors/ended-run.ts';
import type { Io } from '../../../src/cli/terminal/io.ts';
import { recordResult } from '../../../src/cli/terminal/ledger.ts';
import { createRun } from '../../../src/cli/terminal/run.ts';
import { NetworkError } from '../../../src/client/errors.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import {
  type Behaviour,
  html,
  type MisbehavingServer,
  problem,
  record,
  reset,
  type Script,
  startMisbehavingServer,
} from '../../helpers/misbehaving-server.ts';

const id = '019aa0a3-4d00-7000-8000-0000000000aa';
const create = ['locations', 'create', '--name', 'Annex'];
const checkFirst = 'it may have been carried out: check before you run it again';

let server: MisbehavingServer | undefined;
afterEach(() => server?.close());
async function run(line: readonly string[], script: Script, options: CliOptions = {}) {
  server = await startMisbehavingServer(script);
  return cs(line, {
    ...options,
    env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b', CS_RETRIES: '0' },
  });
}

test('a write without an answer is uncertain, and one that was refused has failed', () => {
  const io = { run: createRun() } as Io;
  const place = { method: 'POST', path: '/cars' };
  for (const unknownOutcome of [true, false]) {
    const code = unknownOutcome ? 'connection_lost' : 'connection_failed';
    const error = new NetworkError('no answer', { ...place, code, unknownOutcome });
    recordResult(io, { ...place, method: 'POST', body: {}, resource: 'cars', error });
  }
  const { unknown, failed } = io.run.ledger;
  expect([unknown, failed.map((one) => one.code)]).toEqual([['POST /cars'], ['connection_failed']]);
});

describe('a write with an unknown outcome', () => {
  const writes: readonly (readonly [string, readonly string[]])[] = [
    ['POST', create],
    ['PATCH', ['locations', 'update', id, '--name', 'Annex']],
    ['DELETE', ['locations', 'delete', id, '--yes']],
    ['POST by cs api', ['api', 'POST', '/locations', '-f', 'name=Annex']],
  ];
  const answers: readonly (readonly [string, Behaviour, number])[] = [
    ['500 of the service', problem(500, 'internal_error'), 10],
    ['503 without a time', problem(503, 'unavailable'), 10],
    ['500 of a gateway', html(500), 10],
    ['502 of a gateway', html(502), 10],
    ['504 of a gateway', html(504), 10],
    ['408 of a gateway', html(408), 9],
    ['a page in place of the answer', html(200), 9],
    ['a connection that breaks', reset(), 9],
  ];
  // Every answer to the first, and one to each of the others.
  const cases = writes.flatMap(([name, line], at) =>
    (at === 0 ? answers : answers.slice(0, 1)).map(
      ([after, answer, code]) => [name, after, { line, answer, code }] as const,
    ),
  );

  test.each(cases)('%s after %s', async (method, _, { line, answer, code }) => {
    const result = await run(line, ({ method }) =>
      method === 'GET' ? problem(404, 'not_found') : answer,
    );
    const get = `; \`cs locations get ${id}\` shows whether it is still there`;
    const where = method.startsWith('POST')
      ? '; `cs locations list` shows them'
      : method === 'DELETE'
        ? get
        : '';
    expect([result.code, result.error.hint]).toEqual([code, `${checkFirst}${where}`]);
  });
});

describe('stopped by', () => {
  const made: Script = ({ method }) =>
    method === 'POST' ? record({ id, name: 'Annex' }) : problem(404, 'not_found');

  /** Stops the command as soon as it has told of a request. */
  function stopping() {
    const stop = new AbortController();
    let text = '';
    const stderr = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        if (text.includes('* POST')) stop.abort(new Interrupted('SIGINT'));
        done();
      },
    });
    return { options: { stderr, signal: stop.signal }, text: () => text };
  }

  test('SIGINT while the result of a write is printed', async () => {
    const { options, text } = stopping();
    expect((await run([...create, '-v', '--jq', 'def f: f; f'], made, options)).code).toBe(130);
    const { error } = JSON.parse(
      text()
        .split('\n')
        .find((line) => line.startsWith('{')) as string,
    );
    expect(error).toMatchObject({
      code: 'interrupted',
      message: 'Stopped after 1 change was stored.',
      hint: `don't run it again; see it with \`cs api /locations/${id}\``,
      details: { stored: [{ did: 'POST /locations', id }] },
      exitCode: 130,
    });
    // Where it was stopped, and not where it was told.
    expect(text()).toContain('}}\nInterrupted in cs ');
  });

  test('SIGINT after the reader closed the pipe, on a terminal', async () => {
    const { options, text } = stopping();
    const stdout = new Writable();
    stdout.destroy();
    expect((await run([...create, '-v'], made, { ...options, stdout, as: 'terminal' })).code).toBe(
      130,
    );
    expect(text()).toContain(
      `error: Stopped after 1 change was stored.\n  stored:  POST /locations  ${id}\nhint: don't run it again;`,
    );
  });

  test('SIGTERM before the answer to a write', async () => {
    const stop = new AbortController();
    const { code, error } = await run(create, () => () => stop.abort(new Interrupted('SIGTERM')), {
      signal: stop.signal,
    });
    expect(code).toBe(143);
    expect(error).toMatchObject({
      code: 'interrupted',
      message: 'Stopped before the answer came.',
      hint: checkFirst,
      details: { unknown: ['POST /locations'] },
    });
  });

  test('SIGINT before any request: reports nothing else', async () => {
    const stop = new AbortController();
    stop.abort(new Interrupted('SIGINT'));
    const { code, stderr } = await run(create, made, { signal: stop.signal, as: 'terminal' });
    expect([code, stderr]).toEqual([130, 'Stopped.\n']);
  });
});
