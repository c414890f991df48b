/** Entries that a run left: how they are found, shown, finished and forgotten, and what happens when their files are damaged. */
import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseSummedLine, summedLine } from '../../../../src/cli/commands/bulk/summed-line.ts';
import { createEntry, newEntry } from '../../../../src/cli/commands/journal/entry.ts';
import { cs } from '../../../helpers/cli.ts';
import { writePhotos } from '../../../helpers/commands-to-repeat.ts';
import { png } from '../../../helpers/facility.ts';
import {
  type Fault,
  type FaultyProxy,
  type ProxiedRequest,
  startFaultyProxy,
} from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.service.close());

let cwd: string;
let state: string;
beforeEach(async () => {
  [cwd, state] = [await makeFolder(), await makeFolder()];
  await writePhotos(cwd);
  onTestFinished(async () => {
    await removeFolder(cwd);
    await removeFolder(state);
  });
});

/** A server that goes away with its first fault. */
interface Broken {
  readonly proxy: FaultyProxy;
  readonly env: Record<string, string>;
  /** From now on nothing fails. */
  repair(): void;
}

async function broken(
  fault: (request: ProxiedRequest) => Fault | undefined,
  options?: Parameters<typeof startFaultyProxy>[2],
): Promise<Broken> {
  let isBroken = true;
  let isAway = false;
  const proxy = await startFaultyProxy(
    counter.service.url,
    (request) => {
      if (!isBroken) return undefined;
      const chosen = isAway ? 'reset' : fault(request);
      isAway ||= chosen !== undefined;
      return chosen;
    },
    options,
  );
  onTestFinished(() => proxy.close());
  return {
    proxy,
    env: { ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: state },
    repair() {
      isBroken = false;
    },
  };
}

const lostEvent = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && url.endsWith('/events') ? 'lost' : undefined;
const lostPhotos = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && url.endsWith('/photos') ? 'lost' : undefined;

async function dropoffLine() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const argv = [
    'dropoff',
    '--car',
    car.licensePlate,
    '--type',
    'drop_off',
    '--spot',
    spot.name,
    '--yes',
    '--retries',
    '0',
  ];
  return { car, spot, argv };
}

const journalFiles = async () =>
  (await readdir(join(state, 'journal'))).filter((name) => name.endsWith('.jsonl'));

describe('the entry', () => {
  test('is readable by its owner alone and holds no key', async () => {
    const { argv } = await dropoffLine();
    const { env, proxy } = await broken(lostEvent);
    const { code } = await cs(argv, { env, waiting: proxy.waiting });
    expect(code).toBe(9);
    const [name] = await journalFiles();
    const path = join(state, 'journal', name as string);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(state, 'journal'))).mode & 0o777).toBe(0o700);
    expect(await readFile(path, 'utf8')).not.toContain(counter.service.key);
  });

  test('is gone after a success, and after a refusal that stored nothing', async () => {
    const { argv, car } = await dropoffLine();
    const { env } = await broken(() => undefined);
    expect((await cs(argv, { env })).code).toBe(0);
    expect(await journalFiles()).toEqual([]);
    const { spot } = await dropoffLine();
    const refused = await cs(
      [
        'dropoff',
        '--car',
        car.licensePlate,
        '--type',
        'drop_off',
        '--spot',
        spot.name,
        '--yes',
        '--at',
        '1999-01-01',
      ],
      { env },
    );
    expect(refused.code).not.toBe(0);
    expect(await journalFiles()).toEqual([]);
  });

  test('is not written by --dry-run', async () => {
    const { argv } = await dropoffLine();
    const { env } = await broken(() => undefined);
    expect((await cs([...argv, '--dry-run'], { env })).code).toBe(0);
    await expect(readdir(join(state, 'journal'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('cs pending', () => {
  test('list and show tell the steps; resume finishes; discard forgets', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostPhotos);
    const first = await cs([...argv, '--photo', '*.png'], { env, cwd, waiting: proxy.waiting });
    expect(first.code).toBe(11);
    const [listed] = (await cs(['pending', 'list'], { env })).json;
    expect(listed).toMatchObject({
      command: 'dropoff',
      what: `drop-off of ${car.licensePlate}`,
      state: 'event stored, 0 of 2 photos stored',
      steps: [
        { step: 'event', state: 'done', file: null },
        { step: 'photo-1', state: 'sent', file: join(cwd, '1.png') },
        { step: 'photo-2', state: 'sent', file: join(cwd, '2.png') },
      ],
    });
    const shown = await cs(['pending', 'show', listed.id], { env, as: 'terminal' });
    expect(shown.stdout).toContain(`drop-off of ${car.licensePlate}`);
    expect(shown.stdout).toMatch(
      / event +stored\n +photo 1 +sent without an answer · \/.*1\.png\n/,
    );
    repair();
    const resumed = await cs(['pending', 'resume'], { env });
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect(resumed.json).toMatchObject([{ id: listed.id, status: 'finished', error: null }]);
    expect((await counter.storedOf(car.id)).photos).toHaveLength(2);
    expect((await cs(['pending', 'list'], { env })).json).toEqual([]);
  });

  test('discard asks, forgets, and stores nothing', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy } = await broken(() => 'reset' as const);
    const lost = await broken(lostEvent);
    expect((await cs(argv, { env: { ...lost.env }, waiting: proxy.waiting })).code).toBe(9);
    const [{ id }] = (await cs(['pending', 'list'], { env })).json;
    expect((await cs(['pending', 'discard', id], { env })).error).toMatchObject({
      exitCode: 2,
      hint: 'add --yes to confirm',
    });
    expect((await cs(['pending', 'discard', id, '--yes'], { env })).code).toBe(0);
    expect((await cs(['pending', 'list'], { env })).json).toEqual([]);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
    expect((await cs(['pending', 'show', id], { env })).error).toMatchObject({
      code: 'not_found',
      exitCode: 6,
    });
  });

  test('an entry of another server is not sent to this one', async () => {
    const { argv } = await dropoffLine();
    const [{ env, proxy }, other] = [await broken(lostEvent), await broken(() => undefined)];
    await cs(argv, { env, waiting: proxy.waiting });
    const [{ id }] = (await cs(['pending', 'list'], { env })).json;
    expect((await cs(['pending', 'resume', id], { env: other.env })).error).toMatchObject({
      code: 'other_origin',
      exitCode: 7,
    });
    expect((await cs(['pending', 'resume'], { env: other.env })).json).toEqual([]);
    expect(other.proxy.requests).toEqual([]);
  });

  test('two resumes at once: one does it, and everything is stored once', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs([...argv, '--photo', '*.png'], { env, cwd, waiting: proxy.waiting });
    repair();
    const both = await Promise.all([1, 2].map(() => cs(['pending', 'resume'], { env })));
    expect(both.some(({ code }) => code === 0)).toBe(true);
    for (const { code, error } of both.filter(({ code }) => code !== 0)) {
      expect(code).toBe(7);
      expect(error.code).toBe('already_running');
    }
    const { events, photos } = await counter.storedOf(car.id);
    expect([events.length, photos.length]).toEqual([1, 2]);
  });
});

describe('cs pending resume', () => {
  test.each<Fault>(['429', '500', 'reset'])(
    'the server fails again (%s): the entry stays',
    async (fault) => {
      const { argv, car } = await dropoffLine();
      let next: Fault | undefined = 'lost';
      const { env, proxy } = await broken((request) => lostEvent(request) && next, {
        withoutKeys: true,
      });
      await cs(argv, { env, waiting: proxy.waiting });
      next = fault;
      const failed = await cs(['pending', 'resume', '--retries', '0'], {
        env,
        waiting: proxy.waiting,
      });
      expect(failed.code).not.toBe(0);
      expect(failed.json).toMatchObject([
        { status: 'unfinished', error: { exitCode: failed.code } },
      ]);
      expect(await journalFiles()).toHaveLength(1);
      expect((await counter.storedOf(car.id)).events.length).toBeLessThanOrEqual(1);
    },
  );

  test('a refusal for good ends the entry, and is told as that', async () => {
    const { argv, car, spot } = await dropoffLine();
    const { env, proxy, repair } = await broken(({ method }) =>
      method === 'POST' ? 'reset' : undefined,
    );
    await cs(argv, { env, waiting: proxy.waiting });
    repair();
    expect((await cs(['pending', 'list'], { env })).json).toMatchObject([
      { state: 'event sent without an answer' },
    ]);
    await counter.make.event((await counter.car()).id, { parkingSpotId: spot.id });
    const refused = await cs(['pending', 'resume'], { env });
    expect(refused.code).toBe(7);
    expect(refused.json).toMatchObject([{ status: 'refused', error: { exitCode: 7 } }]);
    expect(await journalFiles()).toEqual([]);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
  });
});

test('an entry that cannot be locked leaves nothing behind, so that nothing is sent twice', async () => {
  const folder = join(state, 'journal');
  const entry = newEntry({
    command: 'move',
    what: 'move of HH-T 1',
    startedAt: '2026-03-01T09:00:00.000Z',
    serverTime: '2026-03-01T09:00:00.000Z',
    words: '[]',
    server: 'http://127.0.0.1:1',
    key: 'csk_test',
    files: [],
    plan: {},
  });
  const name = `20260301T090000000Z-${entry.id}.jsonl`;
  await mkdir(join(folder, `${name}.lock`), { recursive: true });
  await expect(createEntry(folder, entry)).rejects.toThrow();
  expect(await readdir(folder)).toEqual([`${name}.lock`]);
});

describe('the same command', () => {
  test('with the address spelled otherwise finishes it', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    repair();
    const again = await cs(argv, { env: { ...env, CS_BASE_URL: `${proxy.url}/api/v1/` } });
    expect(again.code, again.stderr).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
    expect(await journalFiles()).toEqual([]);
  });

  test('with absolute photos finishes it from any folder', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    const line = [...argv, '--photo', join(cwd, '1.png')];
    await cs(line, { env, cwd, waiting: proxy.waiting });
    repair();
    const again = await cs(line, { env, cwd: state });
    expect(again.code, again.stderr).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('after another event of the car is refused in a script: it may be new work', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    const line = [...argv, '--at', '10 minutes ago'];
    await cs(line, { env, waiting: proxy.waiting });
    repair();
    await counter.make.event(car.id, { activityType: 'pick_up' });
    const again = await cs(line, { env });
    expect(again.error).toMatchObject({
      code: 'unfinished',
      exitCode: 7,
      message: expect.stringContaining('the car had another event since (pick_up at '),
    });
    expect((await counter.storedOf(car.id)).events).toHaveLength(2);
  });

  test('after the clock of this machine was corrected by two days finishes it: its age is that of the server', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent, { withoutKeys: true });
    await cs(argv, { env, waiting: proxy.waiting, now: new Date(Date.now() - 2 * 24 * 3_600_000) });
    repair();
    const again = await cs(argv, { env });
    expect(again.code, again.stderr).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('with other arguments is another command, which a script starts once the first is finished', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    repair();
    const line = [...argv, '--notes', 'again'];
    expect((await cs(line, { env })).error).toMatchObject({ code: 'unfinished', exitCode: 7 });
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
    await cs(['pending', 'resume'], { env });
    const other = await cs(line, { env });
    expect(other.code, other.stderr).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(2);
  });

  test('while the first one runs is refused in a script', async () => {
    const { argv, car } = await dropoffLine();
    const { env, repair, proxy } = await broken(({ method }) =>
      method === 'POST' ? 'silence' : undefined,
    );
    const first = cs(argv, { env });
    await expect.poll(() => proxy.requests.some(({ method }) => method === 'POST')).toBe(true);
    const second = await cs(argv, { env });
    expect(second.error).toMatchObject({ code: 'already_running', exitCode: 7 });
    repair();
    await proxy.close();
    await first;
    expect((await counter.storedOf(car.id)).events).toEqual([]);
  });
});

describe('the same command in a script after more than a day', () => {
  /** Every time of the entry but that of its event is a day older. */
  async function nextDay() {
    const path = join(state, 'journal', (await journalFiles())[0] as string);
    const older = (_: string, name: string, time: string) =>
      `"${name}":"${new Date(Date.parse(time) - 25 * 3_600_000).toISOString()}"`;
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').map(parseSummedLine);
    const aged = lines.map((line) =>
      JSON.stringify(line).replace(/"(startedAt|serverTime|from|until)":"([^"]+)"/g, older),
    );
    await writeFile(path, aged.map((line) => summedLine(JSON.parse(line))).join(''));
  }
  const inspection = async () => {
    const car = await counter.car();
    return {
      car,
      argv: ['dropoff', car.licensePlate, '--type', 'inspection', '--yes', '--retries', '0'],
    };
  };

  test.each([{ withoutKeys: true }, { withoutKeys: false }])(
    'is new work where the earlier one is stored: %j',
    async (options) => {
      const { argv, car } = await inspection();
      const { env, proxy, repair } = await broken(lostEvent, options);
      await cs(argv, { env, waiting: proxy.waiting });
      await nextDay();
      repair();
      const again = await cs(argv, { env });
      expect(again.code, again.stderr).toBe(0);
      expect((await counter.storedOf(car.id)).events).toHaveLength(2);
      expect(await journalFiles()).toEqual([]);
    },
  );

  test('is new work where the earlier one was never stored, which is told', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(({ url }) =>
      url.endsWith('/events') ? 'reset' : undefined,
    );
    await cs(argv, { env, waiting: proxy.waiting });
    await nextDay();
    repair();
    const again = await cs(argv, { env });
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toMatch(
      /The drop-off of HH-T \d+ that was begun .* was never stored: the server has nothing of it\./,
    );
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
    expect(await journalFiles()).toEqual([]);
  });

  test.each([
    [
      'the server can tell nothing',
      lostEvent,
      ({ method, url }: { method: string; url: string }) =>
        method === 'GET' && /\/events/.test(url),
    ],
    ['photos of a stored event are missing', lostPhotos, () => false],
  ])('is refused where %s: it may not mean the same', async (_, fault, lacks) => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(fault, { withoutKeys: true, lacks });
    const line = [...argv, '--photo', '1.png', '--photo', '2.png'];
    await cs(line, { env, cwd, waiting: proxy.waiting });
    await nextDay();
    repair();
    const later = await cs(line, { env, cwd });
    expect(later.error).toMatchObject({
      code: 'unfinished',
      exitCode: 7,
      hint: expect.stringMatching(/cs pending resume [0-9a-f]{8}.*cs pending discard/),
    });
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
    expect(await journalFiles()).toHaveLength(1);
  });
});

describe('two processes with the same line at the same moment', () => {
  /** The first one waits for its first answer, while it has written nothing yet. */
  async function waiting() {
    const { argv, car } = await dropoffLine();
    const gate = Promise.withResolvers<undefined>();
    let asked = 0;
    const proxy = await startFaultyProxy(counter.service.url, () =>
      ++asked === 1 ? gate.promise : undefined,
    );
    onTestFinished(() => proxy.close());
    const env = { ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: state };
    const first = cs(argv, { env });
    await expect.poll(() => asked).toBe(1);
    return { argv, car, env, first, goOn: () => gate.resolve(undefined) };
  }

  test('a script is refused, and one stores it', async () => {
    const { argv, car, env, first, goOn } = await waiting();
    const second = await cs(argv, { env });
    expect(second.error).toMatchObject({ code: 'already_running', exitCode: 7 });
    const other = await cs([...argv, '--notes', 'another line', '--dry-run'], { env });
    expect(other.code, other.stderr).toBe(0);
    goOn();
    expect((await first).code).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
    expect(await readdir(join(state, 'journal'))).toEqual([]);
  });

  test('a person is told', async () => {
    const { argv, env, first, goOn } = await waiting();
    const terminal = openTerminal(
      argv.filter((word) => word !== '--yes'),
      { env },
    );
    await terminal.waitFor('already open in another window on this computer');
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
    goOn();
    expect((await first).code).toBe(0);
  });
});

describe('a server that can tell nothing', () => {
  const lacks = ({ method, url }: { method: string; url: string }) =>
    method === 'GET' && /\/events(\?|$)/.test(url);

  test('nothing is sent again without --resend', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(
      ({ method }) => (method === 'POST' ? 'reset' : undefined),
      { withoutKeys: true, lacks },
    );
    await cs(argv, { env, waiting: proxy.waiting });
    repair();
    const again = await cs(argv, { env });
    expect(again.error).toMatchObject({
      code: 'outcome_unknown',
      exitCode: 7,
      hint: expect.stringContaining('--resend'),
    });
    expect((await counter.storedOf(car.id)).events).toEqual([]);
    const resent = await cs(['pending', 'resume', again.error.details.id, '--resend'], { env });
    expect(resent.code, resent.stderr).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('a refusal of the second try says nothing about the first: the entry waits for a person', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    await counter.make.event(car.id, { parkingSpotId: spot.id });
    const { env, proxy, repair } = await broken(lostEvent, { withoutKeys: true, lacks });
    await cs(['pickup', car.licensePlate, '--yes', '--retries', '0'], {
      env,
      waiting: proxy.waiting,
    });
    repair();
    const [{ id }] = (await cs(['pending', 'list'], { env })).json;
    const resent = await cs(['pending', 'resume', id, '--resend'], { env });
    expect(resent.error).toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringContaining(
        `the first may have stored the event of the pick-up of ${car.licensePlate}`,
      ),
    });
    expect(resent.json).toMatchObject([{ status: 'unfinished' }]);
    expect((await cs(['pending', 'list'], { env })).json).toMatchObject([
      { id, state: 'event sent without an answer' },
    ]);
    expect((await counter.storedOf(car.id)).events).toHaveLength(2);
  });

  test('a photo waits for --resend too', async () => {
    const { argv, car } = await dropoffLine();
    const isPhotos = ({ url }: { url: string }) => /\/photos(\?|$)/.test(url);
    const { env, proxy, repair } = await broken(
      (request) => (request.method === 'POST' && isPhotos(request) ? 'lost' : undefined),
      {
        withoutKeys: true,
        lacks: (request) => request.method === 'GET' && isPhotos(request),
      },
    );
    const line = [...argv, '--photo', '1.png'];
    await cs(line, { env, cwd, waiting: proxy.waiting });
    repair();
    const again = await cs(line, { env, cwd });
    expect(again.json.photos).toMatchObject([
      { status: 'failed', error: { code: 'outcome_unknown', exitCode: 7 } },
    ]);
    const [{ id }] = (await cs(['pending', 'list'], { env })).json;
    expect(again.error.hint).toMatch(
      new RegExp(`cs pending resume ${id} .*--resend\` sends them again$`),
    );
    const resent = await cs(['pending', 'resume', id, '--resend'], { env });
    expect(resent.code, resent.stderr).toBe(0);
    expect((await cs(['pending', 'list'], { env })).json).toEqual([]);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('but keeps idempotency keys: the same key is sent', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent, { lacks });
    await cs(argv, { env, waiting: proxy.waiting });
    repair();
    const again = await cs(argv, { env });
    expect(again.code, again.stderr).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });
});

test('a server whose clock is far off dates the event, which is found by the time since the command began', async () => {
  const { argv, car } = await dropoffLine();
  const { env, proxy, repair } = await broken(lostEvent, { withoutKeys: true });
  const wrong = { env, waiting: proxy.waiting, now: new Date(Date.now() - 3 * 3_600_000) };
  await cs(argv, wrong);
  repair();
  const again = await cs(argv, wrong);
  expect(again.code, again.stderr).toBe(0);
  const { events } = await counter.storedOf(car.id);
  expect(events).toHaveLength(1);
  expect(Math.abs(Date.parse(events[0]?.occurredAt as string) - Date.now())).toBeLessThan(60_000);
});

describe('photos that came into the folder in between', () => {
  test('are sent too, and only they are new', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostPhotos);
    const line = [...argv, '--photo', '*.png'];
    await cs(line, { env, cwd, waiting: proxy.waiting });
    repair();
    await writeFile(join(cwd, '3.png'), png(3));
    const again = await cs(line, { env, cwd });
    expect(again.code, again.stderr).toBe(0);
    const { events, photos } = await counter.storedOf(car.id);
    expect(events).toHaveLength(1);
    expect(photos.map(({ filename }) => filename).sort()).toEqual(['1.png', '2.png', '3.png']);
  });
});

describe('photos that changed in between', () => {
  test('or are gone: those that the first run stored are told as stored', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostPhotos);
    const line = [...argv, '--photo', '*.png'];
    await cs(line, { env, cwd, waiting: proxy.waiting });
    const stored = (await counter.storedOf(car.id)).photos.map(({ filename }) => filename);
    expect(stored).toEqual(['1.png']);
    repair();
    await rm(join(cwd, '1.png'));
    const again = await cs(line, { env, cwd });
    expect(again.code, again.stderr).toBe(0);
    expect(again.json.photos).toMatchObject([{ status: 'stored' }, { status: 'stored' }]);
    expect((await counter.storedOf(car.id)).photos).toHaveLength(2);
  });

  test('after the first run stored them: a warning names them', async () => {
    const { argv } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostPhotos);
    const line = [...argv, '--photo', '*.png'];
    await cs(line, { env, cwd, waiting: proxy.waiting });
    repair();
    await writeFile(join(cwd, '1.png'), png(8));
    const again = await cs(line, { env, cwd });
    expect([again.code, again.json.photos]).toMatchObject([
      0,
      [{ status: 'stored' }, { status: 'stored' }],
    ]);
    expect(again.stderr).toContain(
      '1.png changed after the earlier bytes were stored. If the new ones are right, add them with `cs cars photos add',
    );
  });

  test('are named and not sent; the others are', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(({ method, url }) =>
      method === 'POST' && url.endsWith('/photos') ? 'reset' : undefined,
    );
    await cs([...argv, '--photo', '*.png'], { env, cwd, waiting: proxy.waiting });
    repair();
    await writeFile(join(cwd, '1.png'), png(7));
    const [id] = (await journalFiles()).map((name) => /-(\w+)\.jsonl$/.exec(name)?.[1]);
    for (const again of [1, 2, 3]) {
      const { code, json, error } = await cs([...argv, '--photo', '*.png'], { env, cwd });
      expect([again, code]).toEqual([again, 11]);
      expect(json.photos).toMatchObject([
        { status: 'failed', error: { code: 'invalid_file' } },
        { status: 'stored' },
      ]);
      expect(error.hint).toBe(
        `fix the files listed above, then run \`cs cars photos add ${car.id} --session ${json.sessionId} 1.png\`, and end this command with \`cs pending discard ${id}\``,
      );
    }
    const { events, photos } = await counter.storedOf(car.id);
    expect([events.length, photos.map(({ filename }) => filename)]).toEqual([1, ['2.png']]);
    await cs(['pending', 'discard', String(id), '--yes'], { env });
    expect(await journalFiles()).toEqual([]);
  });
});

describe('a damaged file', () => {
  test('a line that was cut is as if it had never begun', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostPhotos);
    await cs([...argv, '--photo', '*.png'], { env, cwd, waiting: proxy.waiting });
    const path = join(state, 'journal', (await journalFiles())[0] as string);
    await truncate(path, (await stat(path)).size - 5);
    repair();
    const again = await cs([...argv, '--photo', '*.png'], { env, cwd });
    expect(again.code, again.stderr).toBe(0);
    const { events, photos } = await counter.storedOf(car.id);
    expect([events.length, photos.length]).toEqual([1, 2]);
  });

  test.each([
    [
      'the first line',
      (text: string) => `{"version":1,${text.slice(40)}`,
      /It belongs to a drop-off: check/,
    ],
    [
      'a later line',
      (text: string) => text.replace('"state":"sent"', '"state":"se'),
      /It belongs to the drop-off of HH-T \d+, begun /,
    ],
    [
      'a letter of a later line',
      (text: string) => text.replace('"step":"event"', '"step":"evens"'),
      /It belongs to the drop-off of HH-T/,
    ],
  ])('%s: is set aside and named, and nothing is sent for it', async (_, damage, told) => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    const [name] = await journalFiles();
    const path = join(state, 'journal', name as string);
    await writeFile(path, damage(await readFile(path, 'utf8')));
    repair();
    const listed = await cs(['pending', 'list'], { env });
    const [, id] = /-(\w+)\.jsonl$/.exec(String(name)) ?? [];
    for (const { json, stderr } of [listed, await cs(['pending', 'list'], { env })]) {
      expect(json).toMatchObject([
        {
          id,
          state: 'damaged',
          startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ]);
      expect(stderr).toMatch(told);
    }
    expect(await readdir(join(state, 'journal'))).toContain(`${name}.damaged`);
    for (const verb of ['show', 'resume'])
      expect((await cs(['pending', verb, String(id)], { env })).error).toMatchObject({
        code: 'state_unusable',
        details: { id },
      });
    expect((await cs(['pending', 'discard', String(id), '--yes'], { env })).json).toMatchObject([
      { id },
    ]);
    expect((await cs(['pending', 'list'], { env })).json).toEqual([]);
    expect(await readdir(join(state, 'journal'))).toEqual([]);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test.each([
    ['the first line', (text: string) => `{"version":1,${text.slice(40)}`],
    ['a letter of the first line', (text: string) => text.replace('"spot\\"', '"spat\\"')],
    ['a later line', (text: string) => text.replace('"state":"sent"', '"state":"se')],
    [
      'a letter of a later line',
      (text: string) => text.replace('"step":"event"', '"step":"evens"'),
    ],
    [
      'another version',
      (text: string) =>
        summedLine({ ...parseSummedLine(text.split('\n', 1)[0] as string), version: 5 }),
    ],
  ])(
    '%s: the same command is refused until it is forgotten, and sends nothing',
    async (_, damage) => {
      const { argv, car } = await dropoffLine();
      const { env, proxy, repair } = await broken(lostEvent);
      await cs(argv, { env, waiting: proxy.waiting });
      const path = join(state, 'journal', (await journalFiles())[0] as string);
      await writeFile(path, damage(await readFile(path, 'utf8')));
      repair();
      const other = await dropoffLine();
      await cs(other.argv, { env });
      for (const again of [await cs(argv, { env }), await cs(argv, { env })])
        expect(again.error).toMatchObject({
          code: 'state_unusable',
          exitCode: 7,
          hint: expect.stringMatching(
            /^once you know what is stored, forget it with `cs pending discard \w{8}`/,
          ),
          details: { path: `${path}.damaged` },
        });
      expect((await counter.storedOf(car.id)).events).toHaveLength(1);
      const [{ id }] = (await cs(['pending', 'list'], { env })).json;
      await cs(['pending', 'discard', id, '--yes'], { env });
      expect((await cs(argv, { env })).code).toBe(0);
    },
  );

  test('a person decides, once they were told', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    const path = join(state, 'journal', (await journalFiles())[0] as string);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"spot\\"', '"spat\\"'));
    repair();
    await cs(['pending', 'list'], { env });
    const terminal = openTerminal(
      argv.filter((word) => word !== '--yes'),
      { env },
    );
    await terminal.waitFor('Go on?');
    terminal.press('enter');
    expect(await terminal.exited).toBe(13);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('one of yesterday warns a script, which goes on: its line means new work', async () => {
    const { argv } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    const folder = join(state, 'journal');
    const [name] = (await journalFiles()) as [string];
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString().replace(/[-:.]/g, '');
    const old = join(folder, name.replace(/^\w+Z/, yesterday));
    await writeFile(
      old,
      (await readFile(join(folder, name), 'utf8')).replace('"spot\\"', '"spat\\"'),
    );
    await rm(join(folder, name));
    repair();
    for (const line of [(await dropoffLine()).argv, (await dropoffLine()).argv]) {
      const { code, stderr } = await cs(line, { env });
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(
        /is damaged.* It belongs to a drop-off: check .* Then forget it with `cs pending discard \w{8}`\./,
      );
    }
    expect(
      (await cs(['pickup', (await counter.car()).licensePlate, '--yes'], { env })).stderr,
    ).not.toContain('damaged');
  });

  test('a line that tells its command stops that command alone', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    const path = join(state, 'journal', (await journalFiles())[0] as string);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"spot\\"', '"spat\\"'));
    repair();
    const pickup = await cs(['pickup', car.licensePlate, '--yes'], { env });
    expect(pickup.code, pickup.stderr).toBe(0);
  });
});

describe('a journal that cannot be read may hold an unfinished command', () => {
  test.each([
    ['the folder', (path: string) => writeFile(path, 'a file where the folder should be'), ''],
    ['a file', (path: string) => mkdir(join(path, 'x.jsonl'), { recursive: true }), '/x.jsonl'],
  ])('%s: nothing is sent, and nothing is said to be finished', async (_, block, name) => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    repair();
    const folder = join(state, 'journal');
    await rename(folder, `${folder}-kept`);
    await block(folder);
    for (const line of [argv, ['pending', 'list'], ['pending', 'resume'], [...argv, '--offline']]) {
      const { error, stdout } = await cs(line, { env });
      expect(error).toMatchObject({
        code: 'state_unusable',
        exitCode: 7,
        details: { path: folder + name },
      });
      expect(stdout).toBe('');
    }
    await rm(folder, { recursive: true });
    await rename(`${folder}-kept`, folder);
    expect((await cs(argv, { env })).code).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });
});

test('a journal that cannot be written: a warning, and the drop-off is stored', async () => {
  const { argv, car } = await dropoffLine();
  const { env } = await broken(() => undefined);
  await symlink(join(state, 'nowhere', 'journal'), join(state, 'journal'));
  const result = await cs(argv, { env });
  expect(result.code).toBe(0);
  expect(result.stderr).toMatch(
    /^Couldn't write the journal in .*journal: .*\. If this run is cut off, check what is stored before you repeat it\.\n$/,
  );
  expect((await counter.storedOf(car.id)).events).toHaveLength(1);
});

describe('on a terminal', () => {
  const open = (argv: readonly string[], env: Record<string, string>) =>
    openTerminal(argv, { env, cwd });

  test('the same command asks, and Enter finishes it', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    repair();
    const terminal = open(
      argv.filter((word) => word !== '--yes'),
      env,
    );
    const asked = await terminal.waitFor('Forget it and start another');
    expect(asked).toContain(`Unfinished drop-off of ${car.licensePlate}\n`);
    expect(asked).toMatch(/So far +event sent without an answer/);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(`Finishing the drop-off of ${car.licensePlate}`);
    expect(terminal.screen()).toContain(`✓ ${car.licensePlate} is parked in`);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('another command tells in one line what is unfinished', async () => {
    const { argv, car } = await dropoffLine();
    const { env, proxy, repair } = await broken(lostEvent);
    await cs(argv, { env, waiting: proxy.waiting });
    repair();
    const terminal = open(['move', car.licensePlate], env);
    const screen = await terminal.waitFor('? Place');
    expect(screen.split('\n')[0]).toBe(
      `Unfinished: drop-off of ${car.licensePlate}. Finish with \`cs pending resume\`.`,
    );
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
  });

  test('a new car whose drop-off got no answer is stored once', async () => {
    const spot = await counter.spot();
    const { env, repair } = await broken(({ method, url }) =>
      method === 'POST' && /\/(events|cars)$/.test(url) ? 'lost' : undefined,
    );
    const line = [
      'dropoff',
      '--type',
      'drop_off',
      '--spot',
      spot.name,
      '--retries',
      '0',
      '--no-appointment',
      '--notes',
      '-',
    ];
    const first = open(line, env);
    await first.waitFor('? Car');
    first.type('HH-NEW 77');
    await first.waitFor('“HH-NEW 77” not found');
    first.press('enter');
    for (const [label, text] of [
      ['Plate', ''],
      ['Make', 'Jaguar'],
      ['Model', 'E-Type'],
      ['Year', '1961'],
      ['Colour', ''],
      ['Owner', ''],
      ['Photos', ''],
    ] as const) {
      await first.waitFor(label === 'Owner' ? /❯ (No owner yet|＋ Add a new owner)/ : `? ${label}`);
      first.type(`${text}\r`);
    }
    await first.waitFor('? Store this drop-off?');
    first.press('enter');
    await first.waitFor(/❯ Try again/);
    first.press('down');
    await first.waitFor('❯ Leave');
    first.press('enter');
    expect(await first.exited).toBe(9);
    expect(first.screen()).toMatch(/finish it with `cs pending resume [0-9a-f]{8}`/);
    repair();
    const second = open(line, env);
    await second.waitFor('Forget it and start another');
    second.press('enter');
    expect(await second.exited).toBe(0);
    const cars = (await counter.service.call('GET', '/cars?q=HH-NEW%2077')).body.data;
    expect(cars).toHaveLength(1);
    expect((await counter.storedOf(cars[0].id)).events).toHaveLength(1);
  });
});
