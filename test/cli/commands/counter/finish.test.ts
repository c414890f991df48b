/** Work that was begun and not finished: the same line finishes it, on the same facility, and nothing is guessed. */
import { spawnSync } from 'node:child_process';
import { mkdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { lastDone } from '../../../../src/cli/state/work.ts';
import { scopes } from '../../../../src/contract/scopes.ts';
import { createKey, revokeKey } from '../../../../src/service/admin.ts';
import { builtWords } from '../../../helpers/built.ts';
import { type CliResult, cs } from '../../../helpers/cli.ts';
import { writePhotos } from '../../../helpers/commands-to-repeat.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { freePort } from '../../../helpers/free-port.ts';
import { ownEnvironment } from '../../../helpers/own-home.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { answer, counterOfFile, leave } from './counter.ts';

const counter = counterOfFile();
let cwd: string;
beforeAll(async () => {
  cwd = await makeFolder();
  await writePhotos(cwd);
});
afterAll(async () => {
  await removeFolder(cwd);
});

let state: string;
beforeEach(async () => {
  state = await makeFolder();
  onTestFinished(() => removeFolder(state));
});

const envOf = (url: string, key?: string) => ({ ...counter.env(key, url), CS_STATE_DIR: state });

interface Server {
  readonly proxy: FaultyProxy;
  readonly options: { env: Record<string, string>; cwd: string; waiting: FaultyProxy['waiting'] };
  /** What becomes of each write from now on. */
  fault: Parameters<typeof startFaultyProxy>[1];
}

async function between({
  withoutKeys = false,
  lacks,
}: Parameters<typeof startFaultyProxy>[2] = {}): Promise<Server> {
  const server = { fault: () => undefined } as unknown as {
    -readonly [K in keyof Server]: Server[K];
  };
  server.proxy = await startFaultyProxy(
    counter.service.url,
    (request) => (request.method === 'GET' ? undefined : server.fault(request)),
    { withoutKeys, ...(lacks && { lacks }) },
  );
  onTestFinished(() => server.proxy.close());
  server.options = { env: envOf(server.proxy.url), cwd, waiting: server.proxy.waiting };
  return server;
}

async function dropoff() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const line = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--yes'];
  return { car, spot, line: [...line, '--photo', '1.png'] };
}

/** What is sent is stored, and has no answer. */
async function unanswered(server: Server, line: readonly string[]): Promise<void> {
  server.fault = () => 'lost';
  expect((await cs(line, server.options)).code).toBe(9);
  server.fault = () => undefined;
}

const newKey = async (name: string) =>
  (await createKey(counter.service.admin, { team: 'first', name, scopes })).key;

const pending = async (env = envOf(counter.service.url)) =>
  (await cs(['pending', 'list'], { env })).json;

describe('on a server with idempotency keys', () => {
  test('an event without an answer, and the same line again, at another port of the facility: one event, and its photo', async () => {
    const { car, line } = await dropoff();
    const [server, there] = [await between(), await between()];
    server.fault = () => 'lost';
    const first = await cs(line, server.options);
    expect([first.code, first.error.message]).toEqual([
      9,
      expect.stringMatching(/The drop-off may be stored; no photo was sent\.$/),
    ]);
    const [left] = await pending();
    expect(left).toMatchObject({
      what: `drop-off of ${car.licensePlate}`,
      state: 'may be stored: event sent, unconfirmed: the server was unreachable',
    });
    expect(first.error.hint).toContain(`cs pending resume ${left.id}`);
    const again = await cs(line, there.options);
    expect(again.code, again.stderr).toBe(0);
    const { events, photos, assignments } = await counter.storedOf(car.id);
    expect([events.length, assignments.length, photos.length]).toEqual([1, 1, 1]);
    // Its facts stay for the command that takes it back.
    const io = { env: server.options.env, home: '/nowhere', platform: 'linux' } as const;
    const done = lastDone(io as never, String(car.teamId));
    expect(done).toMatchObject({ id: left.id, command: 'dropoff', car: car.id });
    expect(again.json).toMatchObject({
      event: { id: events[0]?.id },
      photos: [{ status: 'stored' }],
    });
    expect(await pending()).toEqual([]);
  });

  test('the same facility with another key, which has other idempotency keys: a person decides', async () => {
    const { car, line } = await dropoff();
    const server = await between();
    await unanswered(server, line);
    const env = envOf(server.proxy.url, await newKey('New'));
    const again = await cs(line, { ...server.options, env });
    expect([again.code, again.error.code]).toEqual([9, 'outcome_unknown']);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test.each([0, 30])(
    'queued %i hours ago with one key, sent with another: its idempotency keys are those of the sender',
    async (hours) => {
      const { car, line } = await dropoff();
      const server = await between();
      const key = await newKey('Two');
      const other = { ...server.options, env: envOf(server.proxy.url, key) };
      expect((await cs(['pending', 'resume'], server.options)).code).toBe(0);
      const earlier = new Date(Date.now() - hours * 3_600_000);
      const queued = await cs([...line, '--offline'], { ...server.options, now: earlier });
      expect(queued.code, queued.stderr).toBe(0);
      server.fault = () => 'lost';
      expect((await cs(['pending', 'resume'], other)).code).toBe(9);
      server.fault = () => undefined;
      const wrongKey = await cs(['pending', 'resume'], server.options);
      expect([wrongKey.code, wrongKey.error.code]).toEqual([9, 'outcome_unknown']);
      expect((await counter.storedOf(car.id)).events).toHaveLength(1);
      const again = await cs(['pending', 'resume'], other);
      expect(again.code, again.stderr).toBe(0);
      expect((await counter.storedOf(car.id)).events).toHaveLength(1);
    },
  );

  test('after a day a person decides', async () => {
    const { car, line } = await dropoff();
    const server = await between();
    server.fault = () => 'lost';
    expect((await cs(line, server.options)).code).toBe(9);
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    // Sent again without an answer: the day began with the first.
    expect((await cs(line, { ...server.options, now: later(20) })).error.code).not.toBe(
      'outcome_unknown',
    );
    server.fault = () => undefined;
    const again = await cs(line, { ...server.options, now: later(23.5) });
    expect([again.code, again.error.code]).toEqual([9, 'outcome_unknown']);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('a key that is revoked after the event: the same line with another one sends the photo', async () => {
    const { car, line } = await dropoff();
    const key = await newKey('Revoked');
    const server = await between();
    server.fault = async ({ url }) => {
      if (url.endsWith('/photos')) await revokeKey(counter.service.admin, 'Revoked');
      return undefined;
    };
    const first = await cs(line, { ...server.options, env: envOf(server.proxy.url, key) });
    expect(first.code, first.stderr).toBe(11);
    server.fault = () => undefined;
    const again = await cs(line, server.options);
    expect(again.code, again.stderr).toBe(0);
    const { events, photos } = await counter.storedOf(car.id);
    expect([events.length, photos.length]).toEqual([1, 1]);
  });

  test('a photo that failed: cs pending resume sends it, without knowing the command', async () => {
    const { car, line } = await dropoff();
    const server = await between();
    server.fault = ({ url }) => (url.endsWith('/photos') ? '500' : undefined);
    const first = await cs(line, server.options);
    expect([first.code, first.json.photos[0].status]).toEqual([11, 'failed']);
    // The same line again is the same work, whose photo is still missing.
    const repeated = await cs(line, server.options);
    expect([repeated.code, repeated.json.photos[0].status]).toEqual([11, 'failed']);
    server.fault = () => undefined;
    // What is stored isn't sent again.
    const planned = await cs(['pending', 'resume', '--dry-run'], server.options);
    expect(planned.json).toMatchObject({ path: `/api/v1/cars/${car.id}/photos` });
    const resumed = await cs(['pending', 'resume'], server.options);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.json).toMatchObject([{ status: 'finished', result: { car: { id: car.id } } }]);
    expect((await counter.storedOf(car.id)).photos).toHaveLength(1);
  });

  test('a refusal after the event is stored: the same line sends what is left', async () => {
    const { car, line } = await dropoff();
    const server = await between();
    server.fault = ({ method }) => (method === 'PATCH' ? '429' : undefined);
    const first = await cs([...line, '--mileage', '48300'], server.options);
    expect(first.code, first.stderr).toBe(8);
    expect((await pending())[0].state).toMatch(/^1 of 3 steps stored/);
    server.fault = () => undefined;
    const again = await cs([...line, '--mileage', '48300'], server.options);
    expect(again.code, again.stderr).toBe(0);
    expect(await counter.storedOf(car.id)).toMatchObject({
      car: { mileage: 48_300 },
      events: [{}],
      photos: [{}],
    });
  });

  test('a refusal leaves nothing behind: the next line plans anew', async () => {
    const { car, spot, line } = await dropoff();
    const server = await between();
    server.fault = async ({ url }) => {
      if (url.endsWith('/events'))
        await counter.make.event((await counter.car()).id, { parkingSpotId: spot.id });
      return undefined;
    };
    expect((await cs(line, server.options)).code).toBe(7);
    expect(await pending()).toEqual([]);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
  });
});

describe('on a server without idempotency keys', () => {
  test('a person decides: it says what may be stored and when it was sent, and names two commands', async () => {
    const { car, line } = await dropoff();
    const server = await between({ withoutKeys: true });
    server.fault = () => 'lost';
    const first = await cs(line, server.options);
    const [{ id }] = await pending();
    const commands = [`\`cs pending resume ${id} --send\``, `\`cs pending discard ${id}\``];
    for (const command of commands) expect(first.error.hint).toContain(command);
    server.fault = () => undefined;
    const sent = server.proxy.requests.filter(({ method }) => method === 'POST').length;
    for (const argv of [line, ['pending', 'resume', id]]) {
      const again = await cs(argv, server.options);
      const error = JSON.parse(again.stderr.trim().split('\n').at(-1) as string).error;
      expect([again.code, error.code]).toEqual([9, 'outcome_unknown']);
      expect(error.message).toMatch(
        /^The event of the drop-off of .* was sent at \d{4}-[\d :-]+ and isn't confirmed: it may be stored\. cs doesn't send it again by itself: the server can't recognise it, since it announces no Idempotency-Key, or it was sent with another key or more than a day ago\.$/,
      );
      expect(error.hint).toBe(
        `look on the server whether it is stored. If it isn't: ${commands[0]}; if it is: ${commands[1]}`,
      );
      expect(error.details).toMatchObject({ id, step: 'event' });
    }
    expect(server.proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(sent);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
    const discarded = await cs(
      ['pending', 'discard', id, id.toUpperCase(), '--yes'],
      server.options,
    );
    expect([discarded.code, discarded.json]).toMatchObject([0, [{ id }]]);
    expect(await pending()).toEqual([]);
  });

  test("another key, where the server doesn't tell its team: the same line sends nothing, and names two commands", async () => {
    const { car, line } = await dropoff();
    const server = await between({ withoutKeys: true, lacks: ({ url }) => url.endsWith('/me') });
    await unanswered(server, line);
    const [{ id, key }] = await pending();
    const env = envOf(server.proxy.url, await newKey('Of an unknown team'));
    const { code, error } = await cs(line, { ...server.options, env });
    expect([code, error.code, error.message, error.hint]).toEqual([
      ...[7, 'unfinished'],
      `The drop-off of ${car.licensePlate} was begun with the key ${key} and isn't finished. Nothing was sent.`,
      `if both keys are of one team: \`cs pending resume ${id}\`; otherwise \`cs pending discard ${id}\``,
    ]);
    // Whoever names it decides.
    const resumed = await cs(['pending', 'resume', id], { ...server.options, env });
    expect([resumed.code, resumed.error.code]).toEqual([9, 'outcome_unknown']);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });
});

/** Where the system lets this user make one. */
const hasSmallDisks =
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs none /tmp']).status === 0;

describe('the journal', () => {
  test.each([
    ['is unreadable', async () => writeFile(join(state, 'state.db'), 'no database at all')],
    [
      "can't be written",
      async () => {
        await mkdir(join(state, 'state.db'));
      },
    ],
  ])('%s: nothing is sent, and it says why', async (_, spoil) => {
    const { line } = await dropoff();
    const server = await between();
    await spoil();
    const { code, error } = await cs(line, server.options);
    expect([code, error.code]).toEqual([7, 'state_unusable']);
    expect(error.message).toContain(join(state, 'state.db'));
    expect(server.proxy.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test.skipIf(!hasSmallDisks).each([
    [
      'is on a full disk',
      '; head -c 2m /dev/zero >"$0/filling" 2>/dev/null',
      [1, 'file_unusable', 'the disk is full'],
    ],
    ['is read-only', '; mount -o remount,ro "$0"', [7, 'state_unusable', 'readonly|read-only']],
  ] as const)('%s: nothing is sent, and it says why', async (_, spoil, [exit, expected, why]) => {
    const { car, line } = await dropoff();
    const disk = `mount -t tmpfs -o size=1m none "$0"${spoil}; exec "$@"`;
    const command = [...builtWords, ...line];
    const { exitCode, stderr } = await execa(
      'unshare',
      ['-rm', 'sh', '-c', disk, state, ...command],
      {
        env: { ...ownEnvironment(), ...envOf(counter.service.url) },
        cwd,
        extendEnv: false,
        reject: false,
      },
    );
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) as string);
    expect([exitCode, error.code, error.message]).toEqual([
      exit,
      expected,
      expect.stringMatching(new RegExp(`^Couldn't use ${join(state, 'state.db')}.*(${why})`)),
    ]);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
  });

  /** Until `mend`: nothing can be noted. */
  const spoil = async () => {
    await rename(join(state, 'state.db'), join(state, 'kept.db'));
    await mkdir(join(state, 'state.db'));
  };
  const mend = async () => {
    await rmdir(join(state, 'state.db'));
    await rename(join(state, 'kept.db'), join(state, 'state.db'));
  };

  test.each(['events', 'photos'])(
    "can't be written once the request of the %s was sent: it may be stored, and the same line stores it once",
    async (of) => {
      const { car, line } = await dropoff();
      const server = await between();
      server.fault = async ({ url }) => {
        if (url.endsWith(`/${of}`)) await spoil();
        return undefined;
      };
      const { code, error } = await cs(line, server.options);
      expect([code, error.code]).toEqual([1, 'file_unusable']);
      expect(error.message).toMatch(
        /^The drop-off of .* was sent and may be stored, but this couldn't be noted\. Couldn't use .*state\.db, where commands keep what they remember: it is a folder\.$/,
      );
      await mend();
      const [{ id }] = await pending();
      expect(error.hint).toBe(
        `free disk space, or end what locks the file; then finish it with \`cs pending resume ${id}\`, or run the same line again. Don't change CS_STATE_DIR: it would be stored twice`,
      );
      server.fault = () => undefined;
      const again = await cs(line, server.options);
      expect(again.code, again.stderr).toBe(0);
      const { events, photos } = await counter.storedOf(car.id);
      expect([events.length, photos.length]).toEqual([1, 1]);
    },
  );

  test.each(['GET', 'POST'])(
    "can't be written when the queue is sent (%s): nothing is called refused, and the rest isn't tried",
    async (at) => {
      const works = [await dropoff(), await dropoff()];
      const proxy = await startFaultyProxy(counter.service.url, async ({ method, url }) => {
        if (method === at && /\/(cars\?|.*events)/.test(url)) await spoil();
        return undefined;
      });
      onTestFinished(() => proxy.close());
      const options = { env: envOf(proxy.url), cwd };
      for (const { line } of works)
        expect((await cs([...line, '--offline'], options)).code).toBe(0);
      const { json, stderr } = await cs(['pending', 'resume'], options);
      expect(json).toMatchObject([{ status: 'unfinished' }, { status: 'not_tried' }]);
      expect(stderr).not.toContain("isn't stored");
    },
  );

  test("can't be written once the result is printed: says that it is stored", async () => {
    const { id } = await counter.car();
    const proxy = await startFaultyProxy(counter.service.url, async ({ method, url }) => {
      if (method === 'GET' && url.includes('/photos')) await spoil();
      return undefined;
    });
    onTestFinished(() => proxy.close());
    const line = ['cars', 'photos', 'add', id, '1.png', '--verify'];
    const { code, error, json } = await cs(line, { env: envOf(proxy.url), cwd });
    expect([code, error.code, json]).toMatchObject([1, 'file_unusable', [{ status: 'stored' }]]);
    expect(error.message).toContain("was sent and is stored, but this couldn't be noted");
  });

  test('the same line in two windows at once: one event', async () => {
    const { car, line } = await dropoff();
    const server = await between();
    const both = await Promise.all([cs(line, server.options), cs(line, server.options)]);
    expect(both.map(({ code }) => code).sort()).toContain(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('the same line while another window sends it: says so, and sends nothing', async () => {
    const { car, line } = await dropoff();
    const server = await between();
    const others: CliResult[] = [];
    const methods: (string | undefined)[] = [];
    server.fault = async () => {
      server.fault = () => undefined;
      const [{ id }] = await pending();
      const sent = server.proxy.requests.length;
      const here = ['pending', 'discard', id, '--yes'];
      for (const argv of [line, here, ['pending', 'resume']])
        others.push(await cs(argv, server.options));
      methods.push(...server.proxy.requests.slice(sent).map(({ method }) => method));
      return undefined;
    };
    expect((await cs(line, server.options)).code).toBe(0);
    expect(methods.filter((method) => method !== 'GET')).toEqual([]);
    const of = `drop-off of ${car.licensePlate}`;
    const told = {
      code: 'already_running',
      message: `Another process is sending the ${of}.`,
      exitCode: 7,
    };
    const hint = 'wait for it, then look at `cs pending list`';
    const [again, discarded, resumed] = others;
    expect([again?.error, discarded?.error]).toMatchObject([
      { ...told, hint },
      { ...told, hint },
    ]);
    // It isn't called refused: nobody should forget it and type it again.
    expect([resumed?.code, resumed?.json]).toMatchObject([
      7,
      [{ status: 'unfinished', error: told }],
    ]);
    expect(resumed?.stderr.split('\n')[0]).toMatch(
      new RegExp(
        `^The ${of} \\(.*\\) isn't finished: ${told.message} Wait for it, then look at \`cs pending list\`\\.$`,
      ),
    );
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('what another window sends waits, what a third one finishes meanwhile is done, the rest is sent, and nothing that was finished is forgotten', async () => {
    const [held, left, other] = [await dropoff(), await dropoff(), await dropoff()];
    const server = await between();
    await unanswered(server, left.line);
    await unanswered(server, other.line);
    const [, { id: others }] = await pending();
    let resumed: CliResult | undefined;
    const inTurn = [
      async () => {
        resumed = await cs(['pending', 'resume'], server.options);
      },
      async () => {
        expect((await cs(['pending', 'resume', others], server.options)).code).toBe(0);
      },
    ];
    server.fault = async () => {
      await inTurn.shift()?.();
      return undefined;
    };
    expect((await cs(held.line, server.options)).code).toBe(0);
    expect([resumed?.code, resumed?.stderr]).toEqual([
      11,
      expect.stringContaining(
        `1 command stays open. Another process is sending the drop-off of ${held.car.licensePlate}.`,
      ),
    ]);
    expect(resumed?.json.map(({ status }: { status: string }) => status).sort()).toEqual([
      ...['finished', 'gone', 'unfinished'],
    ]);
    for (const { car } of [left, other])
      expect((await counter.storedOf(car.id)).events).toHaveLength(1);

    await unanswered(server, (await dropoff()).line);
    const [{ id }] = await pending();
    const terminal = openTerminal(['pending', 'discard', id], server.options);
    await terminal.waitFor('Forget the drop-off');
    const done = await cs(['pending', 'resume', id, id.toUpperCase()], server.options);
    expect([done.code, done.json]).toMatchObject([0, [{ id }]]);
    terminal.type('y\r');
    await terminal.waitFor(`No unfinished command has the id ${id}. It may be finished by now.`);
    expect(await terminal.exited).toBe(6);
  });

  test('a script goes past no open work on the same car', async () => {
    const { car, line } = await dropoff();
    const server = await between();
    await unanswered(server, line);
    const { code, error } = await cs(['pickup', car.licensePlate, '--yes'], server.options);
    const [{ id }] = await pending();
    expect([code, error.code, error.message.replace(/\(.*\)/, '(TIME)'), error.hint]).toEqual([
      ...[
        7,
        'unfinished',
        `The drop-off of ${car.licensePlate} (TIME) is unfinished. Nothing was sent.`,
      ],
      `finish it with \`cs pending resume ${id}\`, or forget it with \`cs pending discard ${id}\``,
    ]);
    // A person is told, and goes on.
    const terminal = counter.open(
      ['pickup', car.licensePlate, '--notes', 'x', '--photo', '1.png'],
      {
        env: envOf(server.proxy.url),
        cwd,
      },
    );
    await answer(terminal, '? Hand this car over?');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen().replace(/\s+/g, ' ')).toMatch(
      new RegExp(
        `The drop-off of ${car.licensePlate} \\(.*\\) is unfinished\\. Finish it with \`cs pending resume ${id}\`, or`,
      ),
    );
  });

  test('work of another team is listed, and not sent', async () => {
    const { line } = await dropoff();
    const server = await between();
    server.fault = () => 'lost';
    expect((await cs(line, server.options)).code).toBe(9);
    const [{ id }] = await pending();
    const env = envOf(server.proxy.url, counter.service.otherKey);
    expect(await pending(env)).toMatchObject([{ id, server: server.proxy.url }]);
    const { code, error } = await cs(['pending', 'resume', id], { env });
    expect([code, error.code, error.hint]).toEqual([
      ...[7, 'other_origin'],
      `run this with a key of that team, or forget it with \`cs pending discard ${id}\``,
    ]);
    expect(error.message).toMatch(
      /^The drop-off of .* was begun on http:.* with the key csk_.*, for another team or server than this one\. Nothing was sent\.$/,
    );
    const second = await dropoff();
    expect((await cs(second.line, server.options)).code).toBe(9);
    server.fault = () => undefined;
    const all = await cs(['pending', 'resume'], { env });
    expect([all.code, all.json, all.stderr]).toEqual([
      0,
      [],
      expect.stringMatching(/\nUnfinished for another team or server: drop-off of .* and 1 more\./),
    ]);
    expect((await pending(env)).length).toBe(2);
  });
});

test('on a terminal the same line asks: finish it, or start another', async () => {
  const { car, line } = await dropoff();
  const server = await between();
  await unanswered(server, line);
  const env = envOf(server.proxy.url);
  const typed = line.filter((word) => word !== '--yes');
  const stopped = counter.open(typed, { env, cwd });
  await stopped.waitFor('❯ Finish it');
  await leave(stopped);
  const leaving = counter.open(typed, { env, cwd });
  await leaving.waitFor('❯ Finish it');
  leaving.press('down');
  await answer(leaving, '❯ Start another');
  await leaving.waitFor('Log another drop-off');
  await leave(leaving);
  // Nothing was begun: it asks again.
  const terminal = counter.open(typed, { env, cwd });
  await answer(terminal, /Unfinished +drop-off of[\s\S]*❯ Finish it/);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain('is parked in');
  expect((await counter.storedOf(car.id)).events).toHaveLength(1);
});

test('an unreachable server: a script, and a person without names to work by, is told of --offline, and leaves nothing behind', async () => {
  const { line } = await dropoff();
  const away = envOf(`http://127.0.0.1:${await freePort()}`);
  const { code, error } = await cs(line, { env: away, cwd });
  expect(code).toBe(9);
  expect(error.hint).toMatch(/; to go on without the server, add --offline$/);
  const terminal = counter.open(['dropoff', '--retries', '0'], { env: away, cwd });
  expect(await terminal.exited).toBe(9);
  expect(terminal.screen().replace(/\s+/g, ' ')).toContain(
    '; to go on without the server, give the car, the type and the place as flags and add --offline',
  );
  expect(await pending()).toEqual([]);
});
