/** `cs watch`: each change once, in its order, through everything that happens to the network and to the command. */
import { lstat, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { revokeKey } from '../../../../src/service/admin.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { ownEnvironment } from '../../../helpers/own-home.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';

let service: TestService;
let make: Facility;
let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startTestService();
  make = facility(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await removeFolder(folder);
});

const envOf = (url: string) => ({ CS_BASE_URL: url, CS_API_KEY: service.key });
const watchOnce = (line: string[], options: CliOptions = {}) =>
  cs(['watch', ...line, '--once'], {
    cwd: folder,
    ...options,
    env: { ...envOf(service.url), ...options.env },
  });

interface Watching {
  /** Waits until this many lines were written. */
  lines(count: number): Promise<string[]>;
  /** Waits until stderr holds the text. */
  says(text: string): Promise<string>;
  stop(): Promise<number>;
}

/** `cs watch`, which runs until it is stopped; it looks every 20 milliseconds. */
function startWatch(
  line: string[],
  { url = service.url, terminal = false, key = service.key } = {},
): Watching {
  const stopping = new AbortController();
  const written = { out: '', err: '' };
  const changed = new Set<() => void>();
  const collect = (name: 'out' | 'err') =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += chunk;
        for (const look of [...changed]) look();
        done();
      },
    });
  const ended = cs(['watch', ...line, '--every', '20ms'], {
    as: terminal ? 'terminal' : 'pipe',
    cwd: folder,
    env: { ...envOf(url), CS_API_KEY: key },
    signal: stopping.signal,
    stdout: collect('out'),
    stderr: collect('err'),
  }).then((result) => result.code);
  let code: number | undefined;
  void ended.then((value) => {
    code = value;
    for (const look of [...changed]) look();
  });
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined && code === undefined) return;
        changed.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`cs watch ended with ${code}: ${written.err}`));
      };
      changed.add(look);
      look();
    });
  const stop = async () => {
    stopping.abort(new Interrupted('SIGINT'));
    return ended;
  };
  closing.push(stop);
  return {
    lines: (count) =>
      until(() => {
        const lines = written.out.split('\n').slice(0, -1);
        return lines.length >= count ? lines : undefined;
      }),
    says: (text) => until(() => (written.err.includes(text) ? written.err : undefined)),
    stop,
  };
}
const ids = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).id);

describe('changes from now on', () => {
  test('shows each change once, the oldest first, and no existing records', async () => {
    const { id: before } = await make.customer();
    const watching = startWatch(['customers']);
    await watching.says('Watching customers');
    const made = [await make.customer(), await make.customer()];
    expect(ids(await watching.lines(2))).toEqual(made.map(({ id }) => id));
    await make.change(`/customers/${before}`, { notes: 'First' });
    expect(ids(await watching.lines(3))).toEqual([...made.map(({ id }) => id), before]);
    await make.change(`/customers/${before}`, { notes: 'Second' });
    const lines = await watching.lines(4);
    expect(lines.slice(2).map((line) => JSON.parse(line).notes)).toEqual(['First', 'Second']);
    expect(await watching.stop()).toBe(130);
    expect(
      await watching.says('Continue here with: cs watch customers --every 20ms --since 20'),
    ).toBeTruthy();
    expect(await watching.lines(4)).toHaveLength(4);
  });

  test('applies filters, which take names', async () => {
    const hall = await make.location();
    const watching = startWatch([
      'parking-spots',
      '--filter',
      `location=${hall.name}`,
      '--filter',
      'is-active=yes',
    ]);
    await watching.says('Watching');
    await make.spot((await make.location()).id);
    const { id } = await make.spot(hall.id);
    expect(ids(await watching.lines(1))).toEqual([id]);
  });

  test('a terminal gets time, record and changed fields', async () => {
    const car = await make.car({ licensePlate: 'WN AB 123' });
    const owner = await make.customer({ firstName: 'Ann', lastName: 'Lee' });
    const watching = startWatch(['cars'], { terminal: true });
    await watching.says('Watching cars');
    await make.change(`/cars/${car.id}`, { status: 'archived', customerId: owner.id });
    const fresh = await make.car({ licensePlate: 'NEW 1\u001b[31m' });
    const [changed, created] = await watching.lines(2);
    expect(changed).toMatch(
      /^\d\d:\d\d:\d\d car WN AB 123 updated: customer none → Ann Lee, status expected → archived$/,
    );
    expect(created).toMatch(/^\d\d:\d\d:\d\d car NEW 1␛\[31M created$/);
    await make.change(`/cars/${fresh.id}`, {
      nickname: 'Greta',
      color: 'red',
      mileage: 5,
      notes: 'x'.repeat(60),
      trim: 'S',
    });
    expect((await watching.lines(3))[2]).toMatch(/ updated: .* → .*, 1 more$/);
  });

  test('child records', async () => {
    const thread = await make.thread({ subject: 'Oil' });
    await make.message(thread.id, {});
    const watching = startWatch(['messages', 'Oil']);
    await watching.says('Watching messages');
    const { id } = await make.message(thread.id, {});
    expect(ids(await watching.lines(1))).toEqual([id]);
  });

  test('--json with fields, and --jq, for each record', async () => {
    const watching = startWatch(['contacts', '--jq', '.lastName']);
    await watching.says('Watching');
    const { lastName } = await make.contact();
    expect(await watching.lines(1)).toEqual([lastName]);
    const picked = startWatch(['contacts', '--json=lastName']);
    await picked.says('Watching');
    const contact = await make.contact();
    expect(await picked.lines(1)).toEqual([JSON.stringify({ lastName: contact.lastName })]);
  });
});

describe('with an unreachable server', () => {
  test.each(['reset', '500', '429', 'lost'] as const)(
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
      const watching = startWatch(['customers', '--retries', '0'], { url: proxy.url });
      await watching.says('Watching');
      broken = true;
      const made = [await make.customer()];
      await failedTwice;
      made.push(await make.customer());
      broken = false;
      expect(ids(await watching.lines(2))).toEqual(made.map(({ id }) => id));
      expect(await watching.says('The server can be reached again.')).toContain(
        "Couldn't reach the server: ",
      );
      made.push(await make.customer());
      expect(ids(await watching.lines(3))).toEqual(made.map(({ id }) => id));
    },
  );

  test('a refused key ends it', async () => {
    const key = await service.keyWith(['read:customers']);
    const watching = startWatch(['customers'], { key });
    await watching.says('Watching');
    await revokeKey(service.admin, key);
    await expect(watching.lines(1)).rejects.toThrow(/ended with 4: .*API key revoked/s);
  });
});

describe('--state', () => {
  test('continues where it stopped, with the changes since, and repeats none', async () => {
    const first = await watchOnce(['customers', '--state', 'seen.json']);
    expect([first.code, first.stdout]).toEqual([0, '']);
    const made = [await make.customer(), await make.customer()];
    const line = ['customers', '--state', 'seen.json', '--since', '2000-01-01'];
    expect(ids((await watchOnce(line)).stdout.split('\n').filter(Boolean))).toEqual(
      made.map(({ id }) => id),
    );
    expect((await watchOnce(line)).stdout).toBe('');
    await make.change(`/customers/${made[0]?.id}`, { notes: 'x' });
    const watching = startWatch(['customers', '--state', 'seen.json']);
    expect(ids(await watching.lines(1))).toEqual([made[0]?.id]);
    expect(await watching.stop()).toBe(130);
    const last = await make.customer();
    expect(ids((await watchOnce(line, { env: {} })).stdout.split('\n').filter(Boolean))).toEqual([
      last.id,
    ]);
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, text.length / 2)],
    ['emptied', () => ''],
    ['overwritten with zeros', (text: string) => '\0'.repeat(text.length)],
  ])(
    'a file that was %s is named and moved aside, and only the next run starts over',
    async (_, damage) => {
      const path = join(folder, 'seen.json');
      await watchOnce(['customers', '--state', 'seen.json']);
      const damaged = damage(await readFile(path, 'utf8'));
      await writeFile(path, damaged);
      const { code, error, stdout } = await watchOnce(['customers', '--state', 'seen.json']);
      expect([code, stdout, error.code, error.details]).toEqual([
        7,
        '',
        'state_unusable',
        { movedTo: `${path}.damaged` },
      ]);
      expect(error.message).toContain(`${path} is damaged`);
      expect(error.hint).toContain('--since');
      expect(await readFile(`${path}.damaged`, 'utf8')).toBe(damaged);
      expect((await watchOnce(['customers', '--state', 'seen.json'])).code).toBe(0);
    },
  );

  test('a time in it that is none: the file is named, and stays', async () => {
    const path = join(folder, 'seen.json');
    await watchOnce(['customers', '--state', 'seen.json']);
    const damaged = (await readFile(path, 'utf8')).replace(
      /"since": ("[^"]*"|null)/,
      '"since": "garbage"',
    );
    await writeFile(path, damaged);
    expect((await watchOnce(['customers', '--state', 'seen.json'])).error).toMatchObject({
      code: 'state_unusable',
      message: expect.stringContaining(`${path}: it is damaged`),
    });
    expect(await readFile(path, 'utf8')).toBe(damaged);
  });

  test('a file of somebody else stays where it is', async () => {
    await writeFile(join(folder, 'notes.txt'), 'Buy oil.');
    expect(await watchOnce(['customers', '--state', 'notes.txt'])).toMatchObject({
      code: 7,
      error: { code: 'state_unusable' },
    });
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('Buy oil.');
  });

  test('through a link, also to a file that does not exist yet, the link stays', async () => {
    await symlink('elsewhere.json', join(folder, 'seen.json'));
    expect((await watchOnce(['customers', '--state', 'seen.json'])).code).toBe(0);
    const made = await make.customer();
    expect(
      ids(
        (await watchOnce(['customers', '--state', 'seen.json'])).stdout.split('\n').filter(Boolean),
      ),
    ).toEqual([made.id]);
    expect((await lstat(join(folder, 'seen.json'))).isSymbolicLink()).toBe(true);
    expect((await lstat(join(folder, 'elsewhere.json'))).isFile()).toBe(true);
  });

  test('on a full disk: nothing is shown, and the hint says what to do', async (context) => {
    const main = new URL('../../../../src/cli/main.ts', import.meta.url).pathname;
    const onFullDisk = (command: string) =>
      execa(
        'unshare',
        [
          '-rm',
          'sh',
          '-c',
          `mount -t tmpfs -o size=16k none "$0" && cd "$0" && ${command}`,
          folder,
        ],
        {
          env: { ...ownEnvironment(), ...envOf(service.url) },
          extendEnv: false,
          reject: false,
        },
      );
    if ((await onFullDisk('true')).exitCode !== 0) context.skip();
    const fill = 'dd if=/dev/zero of=filling bs=1k 2>/dev/null';
    const watch = `"${process.execPath}" "${main}" watch customers --once --state seen.json`;
    const { exitCode, stdout, stderr } = await onFullDisk(`${fill}; ${watch}`);
    expect([exitCode, stdout]).toEqual([7, '']);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'state_unusable',
      hint: 'free some space, or choose another place',
    });
  });

  test('repeats a failed poll from the same position', async () => {
    await watchOnce(['customers', '--state', 'seen.json']);
    const before = await readFile(join(folder, 'seen.json'), 'utf8');
    const { id } = await make.customer();
    const proxy = await startFaultyProxy(service.url, ({ url }) =>
      url.includes('/customers') ? '500' : undefined,
    );
    closing.push(() => proxy.close());
    await rm(join(folder, 'other.json'), { force: true });
    const failed = await watchOnce(['customers', '--state', 'other.json', '--retries', '0'], {
      env: { CS_BASE_URL: proxy.url },
    });
    expect([failed.code, failed.stdout]).toEqual([10, '']);
    expect(await readFile(join(folder, 'seen.json'), 'utf8')).toBe(before);
    expect(
      ids(
        (await watchOnce(['customers', '--state', 'seen.json'])).stdout.split('\n').filter(Boolean),
      ),
    ).toEqual([id]);
  });

  test.each([
    ['another resource', ['contacts'], 'other_origin'],
    ['other filters', ['customers', '--filter', 'status=lead'], 'other_origin'],
    ['another team', ['customers'], 'other_origin'],
  ])('of %s is refused', async (_, line, code) => {
    await watchOnce(['customers', '--state', 'seen.json']);
    const env: Record<string, string> =
      code === 'other_origin' ? { CS_API_KEY: service.otherKey } : {};
    const result = await watchOnce([...line, '--state', 'seen.json'], { env });
    expect([result.code, result.error.code]).toEqual([7, code]);
  });
});

describe('several resources', () => {
  test('each line names its own, filters are for one, and the state holds a position for each', async () => {
    const car = await make.car({ licensePlate: 'AB 1' });
    const line = [
      'customers',
      'car-events',
      car.id,
      'contacts',
      '--filter',
      'contacts.customer-id=019aa0a3-4d00-7000-8000-000000000001',
    ];
    await watchOnce([...line, '--state', 'several.json']);
    const customer = await make.customer();
    await make.contact();
    await service.call('POST', `/cars/${car.id}/events`, { activityType: 'inspection' });
    const { code, stdout } = await watchOnce([...line, '--state', 'several.json']);
    const found = stdout
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text));
    expect([code, found]).toMatchObject([
      0,
      [
        { resource: 'customers', id: customer.id, record: { id: customer.id } },
        { resource: 'car-events', record: { carId: car.id, activityType: 'inspection' } },
      ],
    ]);
    expect((await watchOnce([...line, '--state', 'several.json'])).stdout).toBe('');
    expect((await watchOnce(['customers', '--state', 'several.json'])).error).toMatchObject({
      code: 'other_origin',
      message: expect.stringContaining('belongs to a watch of customers, car-events, contacts'),
    });
  });

  test('a terminal gets readable lines of all, and Ctrl-C names the command that goes on', async () => {
    const watching = startWatch(['customers', 'contacts'], { terminal: true });
    await watching.says('Watching customers and contacts');
    const contact = await make.contact({ lastName: 'Ek' });
    expect((await watching.lines(1))[0]).toContain('contact');
    await make.customer({ lastName: 'Lee' });
    expect((await watching.lines(2))[1]).toContain('customer');
    expect(await watching.stop()).toBe(130);
    expect(await watching.says('cs watch customers contacts --every 20ms --since 20')).toBeTruthy();
    await service.call('DELETE', `/contacts/${contact.id}`);
  });

  describe('one that fails keeps no other one waiting', () => {
    async function failingCustomers() {
      const failing = { now: false };
      const proxy = await startFaultyProxy(service.url, ({ url }) =>
        failing.now && url.includes('/customers') ? '500' : undefined,
      );
      closing.push(() => proxy.close());
      return { failing, url: proxy.url };
    }

    test('the others are shown, and then what was missed', async () => {
      const { failing, url } = await failingCustomers();
      const watching = startWatch(['customers', 'contacts', '--retries', '0'], { url });
      await watching.says('Watching');
      failing.now = true;
      const customer = await make.customer();
      await watching.says("Couldn't read customers: ");
      const contact = await make.contact();
      expect(ids(await watching.lines(1))).toEqual([contact.id]);
      failing.now = false;
      expect(ids(await watching.lines(2))).toEqual([contact.id, customer.id]);
      await watching.says('customers can be read again.');
      await service.call('DELETE', `/contacts/${contact.id}`);
    });

    test('with --once, too: the state of each is its own, and the exit code tells', async () => {
      const { failing, url } = await failingCustomers();
      const line = ['customers', 'contacts', '--state', 'several.json', '--retries', '0'];
      const run = async () => {
        const { code, stdout } = await watchOnce(line, { env: { CS_BASE_URL: url } });
        return [code, ids(stdout.split('\n').filter(Boolean))];
      };
      expect(await run()).toEqual([0, []]);
      const [customer, contact] = [await make.customer(), await make.contact()];
      failing.now = true;
      expect(await run()).toEqual([10, [contact.id]]);
      failing.now = false;
      expect(await run()).toEqual([0, [customer.id]]);
      await service.call('DELETE', `/contacts/${contact.id}`);
    });

    test('with --once, a command that fails for one: the others have their turn, and it goes on there', async () => {
      const line = ['customers', 'contacts', '--state', 'several.json', '--every', '1ms', '--exec'];
      const run = (fails: boolean) =>
        watchOnce([
          ...line,
          `test $CS_CHANGE_RESOURCE = contacts || test ${fails ? 1 : 0} = 0 || exit 1; echo $CS_CHANGE_ID`,
        ]);
      expect((await run(false)).code).toBe(0);
      const [customer, contact] = [await make.customer(), await make.contact()];
      const failed = await run(true);
      expect([failed.code, failed.stdout, failed.stderr]).toEqual([
        11,
        `${contact.id}\n`,
        expect.stringContaining('"partial"'),
      ]);
      expect(await run(false)).toMatchObject({ code: 0, stdout: `${customer.id}\n` });
      await service.call('DELETE', `/contacts/${contact.id}`);
    });
  });

  test('a state of one resource by an earlier version is read', async () => {
    await watchOnce(['customers', '--state', 'seen.json']);
    const { watches, ...state } = JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8'));
    await writeFile(
      join(folder, 'seen.json'),
      JSON.stringify({ ...state, version: 1, ...watches[0] }),
    );
    const { id } = await make.customer();
    expect(
      ids(
        (await watchOnce(['customers', '--state', 'seen.json'])).stdout.split('\n').filter(Boolean),
      ),
    ).toEqual([id]);
  });
});

describe('--exec', () => {
  const exec = (command: string, ...line: string[]) =>
    watchOnce(['customers', '--state', 'exec.json', '--every', '1ms', '--exec', command, ...line]);

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

  test('a failing command is retried, and the position does not pass it', async () => {
    await exec('true');
    const made = [await make.customer(), await make.customer(), await make.customer()];
    const failing = await exec(`test "$CS_CHANGE_ID" != ${made[1]?.id} && echo "$CS_CHANGE_ID"`);
    expect([failing.code, failing.stdout]).toEqual([11, `${made[0]?.id}\n`]);
    expect(failing.stderr.match(/failed with exit code 1 for customer/g)).toHaveLength(3);
    expect(JSON.parse(failing.stderr.split('\n').at(-2) ?? '').error).toMatchObject({
      code: 'partial',
      details: { id: made[1]?.id },
    });
    // Goes on with the failed change; a command that works in the second attempt is not reported as failed.
    const again = await exec('test -e tried || { touch tried; exit 3; }; echo "$CS_CHANGE_ID"');
    expect([again.code, again.stdout]).toEqual([0, `${made[1]?.id}\n${made[2]?.id}\n`]);
    expect(again.stderr).toContain('failed with exit code 3');
  });

  test.each([
    ['a command', 'echo began; exec sleep 60'],
    ['what the shell of a command started', 'echo began; sleep 60; true'],
  ])('a stop ends %s: the change comes again', async (_what, command) => {
    await exec('true');
    const { id } = await make.customer();
    const stopping = new AbortController();
    const written = new Writable({
      write(_chunk, _encoding, done) {
        stopping.abort(new Interrupted('SIGINT'));
        done();
      },
    });
    const stopped = await watchOnce(['customers', '--state', 'exec.json', '--exec', command], {
      signal: stopping.signal,
      stdout: written,
    });
    expect(stopped.code).toBe(130);
    expect((await exec('echo "$CS_CHANGE_ID"')).stdout).toBe(`${id}\n`);
  });

  test('a second run with the same state is refused, and nothing stays behind', async () => {
    const line = ['customers', '--state', 'exec.json', '--exec', 'echo "$CS_CHANGE_ID"'];
    const watching = startWatch(line);
    const { id } = await make.customer().then(async (customer) => {
      await watching.says('Watching');
      return customer;
    });
    const { id: later } = await make.customer();
    expect((await watching.lines(1)).at(-1)).toContain(later);
    expect(id).not.toBe(later);
    const second = await watchOnce(line);
    expect([second.code, second.error]).toMatchObject([
      7,
      { code: 'already_running', message: expect.stringContaining('exec.json') },
    ]);
    await watching.stop();
    expect(await readdir(folder)).toEqual(['exec.json']);
    expect((await watchOnce(line)).code).toBe(0);
  });

  test('a command that reads nothing and fails to start is reported', async () => {
    await exec('true');
    await make.customer({ lastName: 'Long', notes: 'x'.repeat(9_000) });
    expect(await exec('exit 0')).toMatchObject({ code: 0, stderr: '' });
    await make.customer();
    expect((await exec('/no/such/command')).stderr).toContain('failed with exit code 127');
  });
});

test('--since takes a day of the week as the last one, and refuses the future', async () => {
  const hall = await make.location();
  const day = new Date(Date.now() + 86_400_000)
    .toLocaleDateString('en', { weekday: 'short' })
    .toLowerCase();
  const { stdout } = await watchOnce(['locations', '--since', day, '-o', 'id']);
  expect(stdout).toContain(hall.id);
  const { code, error } = await watchOnce(['locations', '--since', 'tomorrow']);
  expect([code, error.message]).toEqual([2, '--since: "tomorrow" is in the future.']);
});

test('--since starts in the past, and -o id shows ids', async () => {
  const hall = await make.location();
  const spot = await make.spot(hall.id);
  const { stdout } = await watchOnce([
    'parking-spots',
    '--filter',
    `location-id=${hall.id}`,
    '--since',
    '1 hour ago',
    '-o',
    'id',
  ]);
  expect(stdout).toBe(`${spot.id}\n`);
});

test.each([
  [['car-events'], 2, 'Missing CAR: car-events belong to other records.'],
  [['cars', 'x'], 2, '"x" isn\'t a resource.'],
  [['cars', 'car-events'], 2, 'Missing CAR: car-events belong to other records.'],
  [
    ['cars', 'customers', '--filter', 'status=stored'],
    2,
    '--filter "status=stored" names none of the resources.',
  ],
  [['cars', '--filter', 'statsu=stored'], 2, '"statsu" isn\'t a filter of cars.'],
  [['cars', '--filter', 'stored'], 2, 'Invalid --filter "stored".'],
  [
    ['cars', '--filter', 'status=stoed'],
    3,
    'status must be one of expected, stored, checked_out, archived',
  ],
  [['cars', '--every', 'soon'], 2, '--every: "soon" isn\'t a duration.'],
])('cs watch %j', async (line, code, message) => {
  const result = await watchOnce(line);
  expect([result.code, result.error.message, result.stdout]).toEqual([code, message, '']);
});
