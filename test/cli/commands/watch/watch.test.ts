/** `cs watch`: each change once, in its order, through everything that happens to the network and to the command. */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backOffMs } from '../../../../src/cli/commands/watch/exec.ts';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { revokeKey } from '../../../../src/service/admin.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { testService } from '../../../helpers/service.ts';

const service = await testService();
const make = facility(service);
let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await removeFolder(folder);
});

const envOf = (url: string) => ({
  CS_BASE_URL: url,
  CS_API_KEY: service.key,
  CS_STATE_DIR: join(folder, 'state'),
});
const watchOnce = (line: string[], options: CliOptions = {}) =>
  cs(['watch', ...line, '--once'], {
    cwd: folder,
    ...options,
    env: { ...envOf(service.url), ...options.env },
  });
const ids = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).id);
/** The ids of the changes since the last run of this state. */
async function changed(...line: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await watchOnce([...line, '--state', 'seen']);
  expect([code, stderr]).toEqual([0, '']);
  return ids(stdout.split('\n').filter(Boolean));
}

/** `cs watch`, which runs until it is stopped; it looks every 20 milliseconds. */
function startWatch(
  line: string[],
  { url = service.url, terminal = false, key = service.key, every = ['--every', '20ms'] } = {},
) {
  const stopping = new AbortController();
  const written = { out: '', err: '' };
  const changes = new Set<() => void>();
  const lookAgain = () => {
    for (const look of [...changes]) look();
  };
  const collect = (name: 'out' | 'err') =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += chunk;
        lookAgain();
        done();
      },
    });
  let code: number | undefined;
  const ended = cs(['watch', ...line, ...every], {
    as: terminal ? 'terminal' : 'pipe',
    cwd: folder,
    env: { ...envOf(url), CS_API_KEY: key },
    signal: stopping.signal,
    stdout: collect('out'),
    stderr: collect('err'),
  }).then((result) => {
    code = result.code;
    lookAgain();
    return code;
  });
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined && code === undefined) return;
        changes.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`cs watch ended with ${code}: ${written.err}`));
      };
      changes.add(look);
      look();
    });
  const stop = async () => {
    stopping.abort(new Interrupted('SIGINT'));
    return ended;
  };
  closing.push(stop);
  return {
    /** Waits until this many lines were written. */
    lines: (count: number) =>
      until(() => {
        const lines = written.out.split('\n').slice(0, -1);
        return lines.length >= count ? lines : undefined;
      }),
    /** Waits until stderr holds the text. */
    says: (text: string) => until(() => (written.err.includes(text) ? written.err : undefined)),
    stop,
  };
}

describe('changes from now on', () => {
  test('shows each change once, the oldest first, and no existing records', async () => {
    const { id: before } = await make.customer();
    const watching = startWatch(['customers']);
    expect(await watching.says('. Press Ctrl-C to stop.\n')).toMatch(/^Watching customers on http/);
    const made = [await make.customer(), await make.customer()];
    expect(ids(await watching.lines(2))).toEqual(made.map(({ id }) => id));
    await make.change(`/customers/${before}`, { notes: 'First' });
    await watching.lines(3);
    await make.change(`/customers/${before}`, { notes: 'Second' });
    const lines = (await watching.lines(4)).map((line) => JSON.parse(line));
    expect(lines.map(({ id }) => id)).toEqual([...made.map(({ id }) => id), before, before]);
    expect(lines.slice(2).map(({ notes }) => notes)).toEqual(['First', 'Second']);
    expect(await watching.stop()).toBe(130);
    expect(await watching.lines(4)).toHaveLength(4);
  });

  test('of several resources, each line names its own; --jq selects', async () => {
    const watching = startWatch(['customers', 'contacts', '-o', 'ndjson']);
    await watching.says('Watching customers and contacts');
    const [customer, contact] = [await make.customer(), await make.contact()];
    const lines = (await watching.lines(2)).map((line) => JSON.parse(line));
    expect(lines).toEqual(
      expect.arrayContaining([
        { resource: 'customers', id: customer.id, record: customer },
        { resource: 'contacts', id: contact.id, record: contact },
      ]),
    );
    const picked = startWatch(['contacts', '--jq', '.lastName']);
    await picked.says('Watching');
    const { lastName } = await make.contact();
    expect(await picked.lines(1)).toEqual([lastName]);
  });

  test('a terminal gets a line for each', async () => {
    const watching = startWatch(['cars'], { terminal: true });
    await watching.says('Watching cars');
    const car = await make.car({ licensePlate: 'NEW 1\u001b[31m' });
    await watching.lines(1);
    await make.change(`/cars/${car.id}`, { status: 'archived' });
    const [created, updated] = await watching.lines(2);
    expect(created).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d car NEW 1␛\[31M created$/);
    expect(updated).toMatch(/ car NEW 1.* updated$/);
  });

  test.each([
    ['by default', [], '5 seconds'],
    ['with --every', ['--every', '1h'], '1 hour'],
  ])('says how long it waits between two looks, %s', async (_name, every, words) => {
    const watching = startWatch(['customers'], { every });
    expect(await watching.says('Press Ctrl-C')).toContain(`, every ${words}. `);
    await watching.stop();
  });

  test('--since begins in the past', async () => {
    const hall = await make.location();
    const { stdout } = await watchOnce(['locations', '--since', '1 hour ago', '-o', 'id']);
    expect(stdout.split('\n')).toContain(hall.id);
  });
});

describe('a server that fails', () => {
  test.each(['reset', '500', '429'] as const)(
    '%s: it says so, goes on, and misses nothing',
    async (fault) => {
      let broken = false;
      let tries = 0;
      let next = () => {};
      const failedTwice = new Promise<void>((resolve) => {
        next = resolve;
      });
      const proxy: FaultyProxy = await startFaultyProxy(service.url, ({ url }) => {
        if (!broken || !url.includes('/customers')) return undefined;
        if (++tries === 2) next();
        return fault;
      });
      closing.push(() => proxy.close());
      const watching = startWatch(['customers', 'contacts', '--retries', '0'], { url: proxy.url });
      await watching.says('Watching');
      broken = true;
      const made = [await make.customer()];
      await failedTwice;
      // Another resource isn't kept waiting.
      const contact = await make.contact();
      expect(ids(await watching.lines(1))).toEqual([contact.id]);
      made.push(await make.customer());
      broken = false;
      expect(ids(await watching.lines(3)).slice(1)).toEqual(made.map(({ id }) => id));
      expect(await watching.says('The server can be reached again.')).toMatch(
        /Couldn't read customers: .+ Retrying in 0\.04 seconds\./,
      );
    },
  );

  test('waits longer after each failure, and never less than --every', () => {
    expect([1, 2, 99].map((failures) => backOffMs(5_000, failures))).toEqual([
      10_000, 20_000, 300_000,
    ]);
    expect(backOffMs(600_000, 3)).toBe(600_000);
  });

  test('a refused key ends it', async () => {
    const key = await service.keyWith(['read:customers']);
    const watching = startWatch(['customers'], { key });
    await watching.says('Watching');
    await revokeKey(service.admin, key);
    await expect(watching.lines(1)).rejects.toThrow(/ended with 4: .*API key revoked/s);
  });
});

describe('--state', () => {
  test('goes on where it stopped, for each resource, with another key of the team too', async () => {
    expect(await changed('customers')).toEqual([]);
    const made = [await make.customer(), await make.customer()];
    expect(await changed('customers', '--since', '2000-01-01')).toEqual(made.map(({ id }) => id));
    expect(await changed('customers')).toEqual([]);
    expect(await changed('contacts', 'customers')).toEqual([]);
    const contact = await make.contact();
    await make.change(`/customers/${made[0]?.id}`, { notes: 'x' });
    const key = await service.keyWith(['read:customers', 'read:contacts']);
    const line = ['customers', 'contacts', '--state', 'seen'];
    const { stdout } = await watchOnce(line, { env: { CS_API_KEY: key } });
    expect(ids(stdout.split('\n').filter(Boolean))).toEqual([made[0]?.id, contact.id]);
    expect(await changed('customers')).toEqual([]);
    const other = await watchOnce(line, { env: { CS_API_KEY: service.otherKey } });
    expect([other.code, other.stdout]).toEqual([0, '']);
  });

  test('a failed poll is repeated from the same position, and the other resource has its own', async () => {
    let failing = false;
    const proxy = await startFaultyProxy(service.url, ({ url }) =>
      failing && url.includes('/customers') ? '500' : undefined,
    );
    closing.push(() => proxy.close());
    const run = async () => {
      const { code, stdout } = await watchOnce(
        ['customers', 'contacts', '--state', 'seen', '--retries', '0'],
        { env: { CS_BASE_URL: proxy.url } },
      );
      return [code, ids(stdout.split('\n').filter(Boolean))];
    };
    expect(await run()).toEqual([0, []]);
    const [customer, contact] = [await make.customer(), await make.contact()];
    failing = true;
    expect(await run()).toEqual([10, [contact.id]]);
    failing = false;
    expect(await run()).toEqual([0, [customer.id]]);
  });

  test('a state that cannot be used stops it before anything is shown', async () => {
    await changed('customers');
    await make.customer();
    await writeFile(
      join(folder, 'state', 'state.db'),
      'not a database, but long enough'.repeat(99),
    );
    const { code, stdout, error } = await watchOnce(['customers', '--state', 'seen']);
    expect([code, stdout, error.code]).toEqual([7, '', 'state_unusable']);
    expect(error.hint).toContain('mv ');
  });
});

describe('--exec', () => {
  const exec = (command: string) =>
    watchOnce(['customers', '--state', 'exec', '--every', '1ms', '--exec', command]);

  test('runs for each change in its order, with the record on stdin and its names in the environment', async () => {
    await exec('true');
    const made = [
      await make.customer({ firstName: 'Ann', lastName: 'Lee' }),
      await make.customer({ lastName: 'Ek', firstName: null }),
    ];
    const { code, stdout, stderr } = await exec(
      'cat; echo "$CS_CHANGE_RESOURCE|$CS_CHANGE_ID|$CS_CHANGE_NAME|$CS_CHANGE_UPDATED_AT"; echo note >&2',
    );
    const lines = stdout.trim().split('\n');
    expect([code, stderr]).toEqual([0, 'note\nnote\n']);
    expect(lines.filter((_, at) => at % 2 === 0).map((text) => JSON.parse(text))).toEqual(made);
    expect(lines.filter((_, at) => at % 2 === 1)).toEqual([
      `customers|${made[0]?.id}|Ann Lee|${made[0]?.updatedAt}`,
      `customers|${made[1]?.id}|Ek|${made[1]?.updatedAt}`,
    ]);
    expect((await exec('cat')).stdout).toBe('');
  });

  test('a failing command is retried, and the state does not pass it', async () => {
    await exec('true');
    const made = [await make.customer(), await make.customer(), await make.customer()];
    const failing = await exec(`test "$CS_CHANGE_ID" != ${made[1]?.id} && echo "$CS_CHANGE_ID"`);
    expect([failing.code, failing.stdout]).toEqual([11, `${made[0]?.id}\n`]);
    expect(failing.stderr.match(/failed with exit code 1 for customer/g)).toHaveLength(3);
    expect(JSON.parse(failing.stderr.split('\n').at(-2) ?? '').error).toMatchObject({
      code: 'partial',
      details: { resource: 'customers', id: made[1]?.id },
    });
    // A command that works in the second attempt isn't reported as failed.
    const again = await exec('test -e tried || { touch tried; exit 3; }; echo "$CS_CHANGE_ID"');
    expect([again.code, again.stdout]).toEqual([0, `${made[1]?.id}\n${made[2]?.id}\n`]);
    expect(again.stderr).toContain('failed with exit code 3');
    await make.customer();
    expect((await exec('/no/such/command')).stderr).toContain('failed with exit code 127');
    expect((await exec('kill -9 $$')).stderr).toContain('was stopped by SIGKILL');
  });

  const untilStopped = 'trap "touch ended; exit" TERM; echo began; while :; do sleep 1; done';

  test.each([
    ['a command with what its shell started', 'linux', `sh -c '${untilStopped}'; true`],
    ['a command, without groups of processes', 'win32', untilStopped],
  ] as const)('a stop ends %s: the change comes again', async (_, platform, command) => {
    await rm(join(folder, 'ended'), { force: true });
    await exec('true');
    const { id } = await make.customer();
    const stopping = new AbortController();
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        stopping.abort(new Interrupted('SIGINT'));
        done();
      },
    });
    const line = ['customers', '--state', 'exec', '--exec', command];
    const how = { signal: stopping.signal, stdout, platform };
    expect((await watchOnce(line, how)).code).toBe(130);
    await expect.poll(() => readdir(folder)).toContain('ended');
    expect((await exec('echo "$CS_CHANGE_ID"')).stdout).toBe(`${id}\n`);
  });

  test('a second run with the same state is refused, and no lock stays behind', async () => {
    const line = ['customers', '--state', 'exec', '--exec', 'echo "$CS_CHANGE_ID"'];
    const watching = startWatch(line);
    await watching.says('Watching');
    const { id } = await make.customer();
    expect(await watching.lines(1)).toEqual([id]);
    expect(await watchOnce(line)).toMatchObject({
      code: 7,
      error: {
        code: 'already_running',
        message: 'Another cs watch is running with --state exec.',
        hint: 'wait until it ends, or use another name with --state for each watch',
      },
    });
    await watching.stop();
    expect(await readdir(join(folder, 'state'))).toEqual(['state.db']);
    expect((await watchOnce(line)).code).toBe(0);
  });
});

test.each([
  [['cars', 'x'], '"x" isn\'t a resource.'],
  [['cars', '--every', 'soon'], '--every: "soon" isn\'t a duration.'],
])('cs watch %j', async (line, message) => {
  const { code, error, stdout } = await watchOnce(line);
  expect([code, error.message, stdout]).toEqual([2, message, '']);
});
