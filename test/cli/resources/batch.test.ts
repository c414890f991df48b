import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/cli/context.ts';
import { ClosedPipe, Interrupted, UnwrittenResult } from '../../../src/cli/errors/ended-run.ts';
import { CliError } from '../../../src/cli/errors/exit.ts';
import type { Row, View } from '../../../src/cli/output/view.ts';
import { forEachRecord } from '../../../src/cli/resources/batch.ts';
import { NetworkError } from '../../../src/client/errors.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { startFaultyProxy } from '../../helpers/faulty-proxy.ts';
import { testService } from '../../helpers/service.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

const run = (line: string[], options: CliOptions = {}) =>
  cs(line, {
    ...options,
    env: { CS_BASE_URL: service.url, CS_API_KEY: service.key, ...options.env },
  });
const service = await testService();
const make = facility(service);

const update = (...names: string[]) => ['contacts', 'update', ...names, '--role', 'other'];
const idsIn = (json: { readonly id: string }[]) => json.map(({ id }) => id);

test('names, ids and lines of stdin, which may have commas, are each updated once', async () => {
  const [a, b, c] = [
    await make.contact({ lastName: 'Abel' }),
    await make.contact({ lastName: 'Babel' }),
    await make.contact({ lastName: 'van der Berg, senior' }),
  ];
  const { code, json } = await run(update('Grace Abel', a.id, b.id, '--ids', `${b.id},`));
  expect([code, idsIn(json), json.map(({ role }: { role: string }) => role)]).toEqual([
    ...[0, [a.id, b.id], ['other', 'other']],
  ]);
  const both = await run(update(a.id, '--ids', b.id));
  expect(idsIn(both.json)).toEqual([a.id, b.id]);
  const stdin = `${b.id}\nGrace van der Berg, senior\r\n\n`;
  const clear = ['contacts', 'update', '--ids', '-', '--clear', 'role', '-o', 'id'];
  expect((await run(clear, { stdin })).stdout).toBe(`${b.id}\n${c.id}\n`);
  expect((await make.read(`/contacts/${b.id}`)).role).toBeNull();
});

test.each([
  ['contacts', 'delete', '', '--yes'],
  ['contacts', 'update', 'Grace', ' ', '--role', 'other'],
  ['appointments', 'cancel', ''],
])('an empty name is a usage error: cs %s %s', async (...line) => {
  const { code, error } = await run(line);
  expect([code, error.message]).toEqual([2, 'A name is empty.']);
});

test('a record must be named', async () => {
  const { code, error } = await run(['cars', 'photos', 'delete', unknown, '--yes']);
  expect([code, error.message, error.hint]).toEqual([
    ...[2, 'Missing required argument "photo".'],
    'give one, several, or --ids; `cs cars photos delete --help` shows how',
  ]);
});

test("an empty --ids doesn't mean all", async () => {
  const empty = await run(['contacts', 'delete', '--ids', '', '--confirm', '0']);
  expect([empty.code, empty.error.message]).toEqual([2, '--ids is empty.']);
  const line = ['contacts', 'delete', '--ids', '-', '--confirm', '0'];
  const { code, json } = await run(line, { stdin: '\n' });
  expect([code, json]).toEqual([0, []]);
});

test('nothing changes when one of the names is unknown', async () => {
  const a = await make.contact();
  const { code } = await run(update(a.id, 'Nobody Known'));
  expect([code, (await make.read(`/contacts/${a.id}`)).role]).toEqual([6, null]);
});

test('a failure stops no other; what was done is told when it is stopped', async () => {
  const [first, second, third] = [await make.contact(), await make.contact(), await make.contact()];
  const stop = new AbortController();
  const proxy = await startFaultyProxy(service.url, ({ method, url }) => {
    if (method !== 'PATCH' || !url.includes(second.id)) return undefined;
    stop.abort(new Interrupted('SIGINT'));
    return 'silence';
  });
  const { code, json, error } = await run(update(unknown, first.id, second.id, third.id), {
    env: { CS_BASE_URL: proxy.url },
    signal: stop.signal,
  });
  await proxy.close();
  expect([code, error.code]).toEqual([130, 'interrupted']);
  expect(json).toMatchObject([
    { id: unknown, error: { code: 'not_found' } },
    { id: first.id, role: 'other' },
    { id: second.id, error: { code: 'interrupted' } },
    { id: third.id, error: { code: 'not_tried' } },
  ]);
});

test('an error that concerns every record stops the rest', async () => {
  const reader = await service.keyWith(['read:contacts']);
  const [a, b] = [await make.contact(), await make.contact()];
  const { code, json } = await run(update(a.id, b.id), { env: { CS_API_KEY: reader } });
  expect(code).toBe(5);
  expect(json).toMatchObject([
    { id: a.id, error: { code: 'missing_scope' } },
    { id: b.id, error: { code: 'not_tried' } },
  ]);
});

test('a flag takes a list, at once and again', async () => {
  const { id } = await make.customer();
  const line = ['customers', 'update', id, '--tags', 'vip,classic', '--tags', 'winter'];
  expect((await run(line)).json.tags).toEqual(['vip', 'classic', 'winter']);
});

describe('what is told of several', () => {
  const view: View = { one: 'car', many: 'cars', columns: [], title: () => '' };
  const missing = () => Promise.reject(new CliError({ code: 'not_found', message: 'Gone.' }));
  const duplicate = () => Promise.reject(new CliError({ code: 'duplicate', message: 'Twice.' }));
  const lost = () => {
    const facts = { code: 'timeout', method: 'PATCH', path: '/', unknownOutcome: true } as const;
    return Promise.reject(new NetworkError('no answer', facts));
  };
  const stop = new Interrupted('SIGTERM');
  const done = async () => ({});
  type Act = () => Promise<Row>;
  interface How {
    readonly format?: string;
    readonly written?: (row: Row) => Promise<void>;
    readonly more?: object;
  }

  /** Records a, b, c …, one for each act; what was printed, and the error. */
  async function told(acts: readonly Act[], { format = 'table', written, more }: How = {}) {
    const stopping = new AbortController();
    const printed: unknown[] = [];
    const output = {
      ...{ format, forPeople: format === 'table' },
      async written(_: View, row: Row, did: string) {
        printed.push(`${row.id} ${did}`);
        await written?.(row);
      },
      async list({ records }: { readonly records: AsyncIterable<Row> }) {
        for await (const row of records) printed.push(row);
      },
    };
    const context = { io: { signal: stopping.signal }, output } as unknown as Context;
    const ids = acts.map((_, at) => 'abcdef'[at] as string);
    const act = async (id: string) => ({
      ...(await (acts[ids.indexOf(id)] as Act)().catch((error) => {
        if (error === stop) stopping.abort(stop);
        throw error;
      })),
      id,
    });
    const error = await forEachRecord(context, {
      view,
      ids,
      pastTense: 'moved',
      act,
      ...more,
    }).then(
      () => undefined,
      (reason) => reason,
    );
    if (!(error instanceof CliError)) return { printed, error };
    const { code, exitCode, message, hint, details } = error;
    return { printed, error: { code, exitCode, message, hint, details } };
  }
  const hint = 'fix what the errors name, then run it again with the remaining ids';
  const gone = (id: string) => ({ id, name: undefined, code: 'not_found', message: 'Gone.' });
  const untried = (id: string) => ({ ...gone(id), code: 'not_tried', message: 'Not tried.' });

  test('nothing where all was done', async () => {
    expect(await told([done, done])).toEqual({ printed: ['a moved', 'b moved'], error: undefined });
  });
  test('each refusal, in one way or in several', async () => {
    expect(await told([missing])).toEqual({
      printed: [],
      error: {
        ...{ code: 'not_found', exitCode: 6, message: '1 car was not moved.', hint },
        details: { failed: [gone('a')] },
      },
    });
    const several = await told([missing, done, duplicate], {
      more: {
        retryHint: (left: number) => `${left} left`,
        known: (id: string) => ({ name: `Car ${id}` }),
      },
    });
    expect(several).toEqual({
      printed: ['b moved'],
      error: {
        ...{ code: 'partial', exitCode: 11, message: '2 cars were not moved.', hint: '2 left' },
        details: {
          failed: [
            { ...gone('a'), name: 'Car a' },
            { id: 'c', name: 'Car c', code: 'duplicate', message: 'Twice.' },
          ],
        },
      },
    });
    expect((await told([missing, duplicate])).error).toMatchObject({ code: 'partial' });
    expect((await told([missing, missing])).error).toMatchObject({ exitCode: 6 });
  });
  test('a failure of any record stops, and the rest is not tried', async () => {
    const uncertain = { code: 'timeout', message: 'no answer; it may still be moved' };
    const { printed, error } = await told([done, lost, done], {
      format: 'json',
      more: { known: (id: string) => ({ name: `Car ${id}` }) },
    });
    expect(printed).toEqual([
      { id: 'a' },
      { name: 'Car b', id: 'b', error: uncertain },
      { name: 'Car c', id: 'c', error: { code: 'not_tried', message: 'Not tried.' } },
    ]);
    expect(error).toMatchObject({ code: 'partial', message: '2 cars were not moved.' });
    expect(await told([lost, done], { format: 'id' })).toMatchObject({
      printed: [],
      error: { code: 'timeout', exitCode: 9, details: { failed: [{ id: 'a' }, untried('b')] } },
    });
  });
  test('an interruption, with what is uncertain and what is left', async () => {
    const interrupted = () => Promise.reject(stop);
    expect(await told([done, missing, interrupted, done])).toEqual({
      printed: ['a moved'],
      error: {
        ...{ code: 'interrupted', exitCode: 143, hint },
        message: 'Stopped: 1 of 4 cars moved, 1 uncertain, 1 left.',
        details: {
          failed: [
            gone('b'),
            {
              ...gone('c'),
              ...{
                code: 'interrupted',
                message: 'Stopped before the answer arrived; it may be moved.',
              },
            },
            untried('d'),
          ],
        },
      },
    });
  });
  test('a result that is not printed stops no record; a reader that went away is no error', async () => {
    const full = new UnwrittenResult(Object.assign(new Error('x'), { code: 'ENOSPC' }));
    const failing = (error: Error) => ({ written: () => Promise.reject(error) });
    let count = 0;
    const counted = async () => ({ count: ++count });
    expect(await told([counted, counted], failing(full))).toEqual({
      ...{ printed: ['a moved'], error: full },
    });
    expect(await told([counted, counted], failing(new ClosedPipe()))).toEqual({
      ...{ printed: ['a moved'], error: undefined },
    });
    expect(count).toBe(4);
  });
});
