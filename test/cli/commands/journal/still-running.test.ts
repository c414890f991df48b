/** A server without idempotency keys that is slower than the time-out: a request for which nobody waited may be carried out later. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseSummedLine, summedLine } from '../../../../src/cli/commands/bulk/summed-line.ts';
import { cs } from '../../../helpers/cli.ts';
import {
  type Fault,
  type ProxiedRequest,
  startFaultyProxy,
  type Unended,
} from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.service.close());

let state: string;
beforeEach(async () => {
  state = await makeFolder();
  onTestFinished(() => removeFolder(state));
});

/** Its first POST waits in the server until `arrive`. */
async function slowServer({
  withoutKeys = true,
  fault = 'silence',
}: {
  withoutKeys?: boolean;
  fault?: Fault | Unended;
} = {}) {
  let isSlow = true;
  const proxy = await startFaultyProxy(
    counter.service.url,
    ({ method }) => (method === 'POST' && isSlow ? fault : undefined),
    {
      withoutKeys,
    },
  );
  onTestFinished(() => proxy.close());
  const posts = () => proxy.requests.filter(({ method }) => method === 'POST');
  return {
    proxy,
    posts,
    env: { ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: state, CS_RETRIES: '0' },
    /** From now on it answers. */
    repair() {
      isSlow = false;
    },
    async arrive() {
      const { url, body } = posts()[0] as ProxiedRequest;
      await counter.service.call('POST', url.replace('/api/v1', ''), JSON.parse(String(body)));
    },
  };
}

async function cutOff(options?: { withoutKeys: boolean }) {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const line = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--yes'];
  const server = await slowServer(options);
  const first = await cs(line, { env: server.env, waiting: server.proxy.waiting });
  expect(first.error).toMatchObject({ code: 'timeout', exitCode: 9 });
  server.repair();
  return {
    car,
    line,
    ...server,
    stored: async () => (await counter.storedOf(car.id)).events.length,
  };
}

/** Eleven minutes go by: every time that the state folder keeps is so much older. */
async function elevenMinutesLater(folder: 'journal' | 'imports'): Promise<void> {
  const [name] = (await readdir(join(state, folder))).filter((one) => one.endsWith('.jsonl'));
  const path = join(state, folder, name as string);
  const older = (_: string, time: string) =>
    `"${new Date(Date.parse(time) - 660_000).toISOString()}"`;
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').map(parseSummedLine);
  const aged = lines.map((line) =>
    summedLine(JSON.parse(JSON.stringify(line).replace(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, older))),
  );
  await writeFile(path, aged.join(''));
}

/** The process was killed: it saw no end of its request. */
async function asKilled(folder: 'journal' | 'imports' = 'journal'): Promise<void> {
  const [name] = (await readdir(join(state, folder))).filter((one) => one.endsWith('.jsonl'));
  const path = join(state, folder, name as string);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  await writeFile(
    path,
    lines
      .filter((line) => !line.includes('mayStillRun'))
      .map((line) => `${line}\n`)
      .join(''),
  );
}

describe('after kill -9', () => {
  test('it looks again once the time-out of the first try has passed, and finds what arrived meanwhile', async () => {
    const { line, env, posts, arrive, stored } = await cutOff();
    await asKilled();
    const waits: number[] = [];
    const sleep = async (ms: number) => {
      waits.push(ms);
      await arrive();
    };
    const again = await cs(line, { env, waiting: { sleep } });
    expect(again.code, again.stderr).toBe(0);
    expect([posts().length, await stored(), waits.length]).toEqual([1, 1, 1]);
    expect(waits[0]).toBeGreaterThan(20_000);
    expect(waits[0]).toBeLessThanOrEqual(30_000);
  });

  test('it is sent once nothing arrived; a person is told why it waits', async () => {
    const { line, env, posts, stored } = await cutOff();
    await asKilled();
    const again = await cs(line, { env, as: 'terminal' });
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr.replace(/\s+/g, ' ')).toMatch(
      /The last request of the drop-off of HH-T \d+ .*may still be on its way to the server\. Looking again in \d\d s\./,
    );
    expect([posts().length, await stored()]).toEqual([2, 1]);
  });

  test.each([
    ['a server with idempotency keys', { withoutKeys: false }, false, []],
    ['its time-out has passed', undefined, true, []],
    ['--resend', undefined, false, ['pending', 'resume', '--resend']],
  ])('no wait: %s', async (_, options, isLater, other) => {
    const { line, env, stored } = await cutOff(options);
    await asKilled();
    if (isLater) await elevenMinutesLater('journal');
    const waits: number[] = [];
    const again = await cs(other.length > 0 ? other : line, {
      env,
      waiting: { sleep: async (ms) => void waits.push(ms) },
    });
    expect(again.code, again.stderr).toBe(0);
    expect([await stored(), waits]).toEqual([1, []]);
  });
});

test('the same line sends nothing while it may still run, and finds it once it has arrived', async () => {
  const { line, env, posts, arrive, stored } = await cutOff();
  const again = await cs(line, { env });
  expect(again.error).toMatchObject({
    code: 'outcome_unknown',
    exitCode: 7,
    message: expect.stringMatching(
      /^The server has nothing of the event of the drop-off of .* yet, and may still be at it until .*:\d\d/,
    ),
    hint: expect.stringMatching(
      /^wait until .* and run `cs pending resume [0-9a-f]{8}`, or send it now with `cs pending resume [0-9a-f]{8} --resend`$/,
    ),
  });
  expect(posts()).toHaveLength(1);
  await arrive();
  const found = await cs(line, { env });
  expect(found.code, found.stderr).toBe(0);
  expect(posts()).toHaveLength(1);
  expect(await stored()).toBe(1);
});

test.each<[Unended, number]>([
  ['202', 9],
  ['502', 10],
])(
  'an answer with the status %s is no end: nothing is sent again while it may still run',
  async (fault, exitCode) => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const line = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--yes'];
    const { env, repair, arrive, posts } = await slowServer({ fault });
    expect((await cs(line, { env })).code).toBe(exitCode);
    repair();
    const [{ id }] = (await cs(['pending', 'list'], { env })).json;
    const again = await cs(['pending', 'resume', id], { env });
    expect(again.error).toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringMatching(/may still be at it until/),
    });
    expect(posts()).toHaveLength(1);
    await arrive();
    const found = await cs(['pending', 'resume', id], { env });
    expect(found.code, found.stderr).toBe(0);
    expect([posts().length, (await counter.storedOf(car.id)).events.length]).toEqual([1, 1]);
  },
);

test('once its time is over it is sent', async () => {
  const { line, env, stored } = await cutOff();
  await elevenMinutesLater('journal');
  const again = await cs(line, { env });
  expect(again.code, again.stderr).toBe(0);
  expect(await stored()).toBe(1);
});

test('--resend sends it at once, and a person is asked', async () => {
  const { line, env, stored } = await cutOff();
  const terminal = openTerminal(
    line.filter((word) => word !== '--yes'),
    { env },
  );
  await terminal.waitFor('Forget it and start another');
  terminal.press('enter');
  expect((await terminal.waitFor('? Send it again?')).replace(/\s+/g, ' ')).toContain(
    'may still be at it until',
  );
  terminal.type('n\r');
  expect(await terminal.exited).toBe(13);
  const told = terminal.screen().replace(/\s+/g, ' ');
  expect(told).toMatch(/Not sent again\. The event of the drop-off of .* may be stored\./);
  expect(told).toMatch(
    /Finish it with `cs pending resume [0-9a-f]{8}`, or forget it with `cs pending discard [0-9a-f]{8}`/,
  );
  expect(told).not.toContain('Nothing was changed');
  expect(await stored()).toBe(0);
  const resent = await cs(['pending', 'resume', '--resend'], { env });
  expect(resent.code, resent.stderr).toBe(0);
  expect(await stored()).toBe(1);
});

test('a server with idempotency keys recognises it: it is sent at once', async () => {
  const { line, env, stored } = await cutOff({ withoutKeys: false });
  const again = await cs(line, { env });
  expect(again.code, again.stderr).toBe(0);
  expect(await stored()).toBe(1);
});

test('rows of an import: the same line sends them again only once their time is over', async () => {
  const { proxy, env, posts, repair, arrive } = await slowServer();
  const lastName = 'Slowly';
  await writeFile(
    join(state, 'rows.ndjson'),
    [1, 2].map((n) => `${JSON.stringify({ firstName: `Ann${n}`, lastName })}\n`).join(''),
  );
  const line = ['import', 'customers', 'rows.ndjson', '--parallel', '1', '--continue-on-error'];
  const stored = async () =>
    (await counter.service.call('GET', `/customers?q=${lastName}`)).body.data.length;
  const first = await cs(line, { env, cwd: state, waiting: proxy.waiting });
  expect(first.error).toMatchObject({
    code: 'timeout',
    message: '1 row got no answer, and 1 row was not tried.',
    hint: 'run it again: a row without an answer is looked up first, and imported rows are skipped',
  });
  repair();
  const again = await cs(line, { env, cwd: state });
  expect(again.json).toMatchObject([
    { did: 'failed', error: { code: 'outcome_unknown' } },
    { did: 'created' },
  ]);
  expect(again.json[0].error.message).toMatch(/may still be at it until /);
  expect(again.error).toMatchObject({
    exitCode: 11,
    hint: expect.stringMatching(/^run it again after the time that its message names/),
  });
  expect([posts().length, await stored()]).toEqual([2, 1]);
  await arrive();
  const found = await cs(line, { env, cwd: state });
  expect([found.code, await stored()]).toEqual([0, 2]);
  expect(found.json).toMatchObject([{ did: 'already_imported' }, { did: 'already_imported' }]);
});

test('a row whose time is over is sent', async () => {
  const { proxy, env, repair } = await slowServer();
  const lastName = 'Overly';
  await writeFile(
    join(state, 'rows.ndjson'),
    `${JSON.stringify({ firstName: 'Ann', lastName })}\n`,
  );
  const line = ['import', 'customers', 'rows.ndjson'];
  expect((await cs(line, { env, cwd: state, waiting: proxy.waiting })).error.code).toBe('timeout');
  repair();
  await elevenMinutesLater('imports');
  const later = await cs(line, { env, cwd: state });
  expect(later.json, later.stderr).toMatchObject([{ did: 'created' }]);
});

test('an import after kill -9 waits until the time-out has passed, and finds the row that arrived meanwhile', async () => {
  const { proxy, env, posts, repair, arrive } = await slowServer();
  const lastName = 'Killed';
  await writeFile(
    join(state, 'rows.ndjson'),
    `${JSON.stringify({ firstName: 'Ann', lastName })}\n`,
  );
  const line = ['import', 'customers', 'rows.ndjson'];
  expect((await cs(line, { env, cwd: state, waiting: proxy.waiting })).error.code).toBe('timeout');
  repair();
  await asKilled('imports');
  const again = await cs(line, { env, cwd: state, waiting: { sleep: arrive } });
  expect(again.json).toMatchObject([{ did: 'already_imported' }]);
  expect(posts()).toHaveLength(1);
});
