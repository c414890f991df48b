/** Work without the server: queued with its time, sent in order, and every conflict shown. */
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { writePhotos } from '../../../helpers/commands-to-repeat.ts';
import { png } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { freePort } from '../../../helpers/free-port.ts';
import { readNames } from '../../../helpers/names.ts';
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

const env = () => ({ ...counter.env(), CS_STATE_DIR: state });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const pending = async () => (await cs(['pending', 'list'], { env: env() })).json;

async function carAndSpot() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  return {
    car,
    spot,
    dropoff: [
      'dropoff',
      '--car',
      car.licensePlate,
      '--type',
      'drop_off',
      '--spot',
      spot.name,
      '--yes',
    ],
  };
}

describe('in a script', () => {
  test('an unreachable server: the hint names the flag that queues the work', async () => {
    const { dropoff } = await carAndSpot();
    const away = { ...env(), CS_BASE_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, error } = await cs(dropoff, { env: away });
    expect(code).toBe(9);
    expect(error.hint).toMatch(/; to go on without the server, add --offline$/);
  });

  test('--offline asks the server nothing, and cs pending resume stores it with its time', async () => {
    const { car, dropoff } = await carAndSpot();
    const now = minutesAgo(30);
    const queued = await cs([...dropoff, '--offline'], {
      env: { ...env(), CS_BASE_URL: counter.service.url },
      now,
    });
    expect(queued.code, queued.stderr).toBe(0);
    expect(queued.json).toEqual({
      queued: {
        id: expect.any(String),
        command: 'dropoff',
        what: `drop-off of ${car.licensePlate}`,
        startedAt: now.toISOString(),
        at: now.toISOString(),
      },
    });
    expect((await counter.storedOf(car.id)).events).toEqual([]);
    const at = now.toISOString();
    expect(await pending()).toMatchObject([
      { id: queued.json.queued.id, state: 'queued', queued: { car: car.licensePlate, at } },
    ]);
    const shown = await cs(['pending', 'show', queued.json.queued.id], {
      env: env(),
      as: 'terminal',
    });
    for (const text of [
      /State +queued/,
      /Time +\d/,
      /Type +drop_off/,
      `Car        ${car.licensePlate}`,
    ])
      expect(shown.stdout).toEqual(expect.stringMatching(text));
    const resumed = await cs(['pending', 'resume'], { env: env() });
    expect(resumed.code, resumed.stderr).toBe(0);
    const { events, assignments } = await counter.storedOf(car.id);
    expect(events.map(({ activityType, occurredAt }) => [activityType, occurredAt])).toEqual([
      ['drop_off', now.toISOString()],
    ]);
    expect(assignments).toMatchObject([{ startedAt: now.toISOString(), endedAt: null }]);
    expect(await pending()).toEqual([]);
  });

  test('a time that is said of now is the moment when it was queued', async () => {
    const { car, dropoff } = await carAndSpot();
    const now = minutesAgo(30);
    const server = { ...env(), CS_BASE_URL: counter.service.url };
    expect(
      (await cs([...dropoff, '--offline', '--at', 'someday'], { env: server, now })).code,
    ).toBe(2);
    expect(
      (await cs([...dropoff, '--offline', '--at', '10 minutes ago'], { env: server, now })).code,
    ).toBe(0);
    expect((await cs(['pending', 'resume', '--yes'], { env: server })).code).toBe(0);
    const { events } = await counter.storedOf(car.id);
    expect(events).toMatchObject([{ occurredAt: new Date(now.getTime() - 600_000).toISOString() }]);
  });

  test('the next command that reaches the server sends what was queued first', async () => {
    const { car, dropoff } = await carAndSpot();
    await cs([...dropoff, '--offline'], { env: env(), now: minutesAgo(30) });
    const pickup = await cs(['pickup', car.licensePlate, '--yes'], { env: env() });
    expect(pickup.code, pickup.stderr).toBe(0);
    expect(
      (await counter.storedOf(car.id)).events.map(({ activityType }) => activityType).sort(),
    ).toEqual(['drop_off', 'pick_up']);
    expect(await pending()).toEqual([]);
  });

  test('cs pending resume --dry-run shows what would be sent, in order, and which conflict it meets', async () => {
    const [mine, theirs] = [await carAndSpot(), await carAndSpot()];
    const now = minutesAgo(30);
    await cs([...mine.dropoff, '--offline'], { env: env(), now });
    await cs(['pickup', mine.car.licensePlate, '--yes', '--offline'], {
      env: env(),
      now: minutesAgo(20),
    });
    await cs(
      [
        ...theirs.dropoff.map((word) => (word === theirs.spot.name ? mine.spot.name : word)),
        '--offline',
      ],
      { env: env() },
    );
    const resume = ['pending', 'resume', '--dry-run'];
    const free = await cs(resume, { env: env() });
    expect(free.code, free.stderr).toBe(0);
    const ids = free.json.map(({ id }: { id: string }) => id);
    expect(free.json).toMatchObject([
      { status: 'planned', sends: ['event'], after: null, error: null },
      // It follows the drop-off, which isn't sent yet.
      { status: 'planned', sends: [], after: ids[0], error: null },
      { status: 'planned', sends: ['event'], after: null, error: null },
    ]);
    await counter.make.event((await counter.car({ nickname: 'Blocker' })).id, {
      parkingSpotId: mine.spot.id,
    });
    const taken = await cs(resume, { env: env(), as: 'terminal' });
    expect(taken.code).toBe(7);
    expect(taken.stdout.replace(/\s+/g, ' ')).toMatch(
      new RegExp(
        `${ids[0]} drop-off of ${mine.car.licensePlate} · [-0-9: ]*conflict: The spot ${mine.spot.name} is taken by`,
      ),
    );
    expect((await counter.storedOf(mine.car.id)).events).toEqual([]);
    expect((await pending()).map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('the same command finishes it, and prints its result', async () => {
    const { car, dropoff } = await carAndSpot();
    await cs([...dropoff, '--offline'], { env: env(), now: minutesAgo(30) });
    const again = await cs(dropoff, { env: env() });
    expect(again.json.car.id).toBe(car.id);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('a conflict is told and waits: the queue stops there, and the command itself goes on', async () => {
    const [mine, theirs, third] = [await carAndSpot(), await carAndSpot(), await carAndSpot()];
    await cs([...mine.dropoff, '--offline'], { env: env(), now: minutesAgo(30) });
    await cs([...third.dropoff, '--offline'], { env: env(), now: minutesAgo(20) });
    await counter.make.event(theirs.car.id, { parkingSpotId: mine.spot.id });
    const other = await carAndSpot();
    const result = await cs(other.dropoff, { env: env() });
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(
      new RegExp(
        `^The queued drop-off of ${mine.car.licensePlate} \\([-0-9: ]+\\) isn't finished. The spot ${mine.spot.name} is taken by ${theirs.car.licensePlate}.*cs pending resume`,
      ),
    );
    expect((await counter.storedOf(mine.car.id)).events).toEqual([]);
    expect((await counter.storedOf(third.car.id)).events).toEqual([]);
    expect(await pending()).toHaveLength(2);
    // With the place free again, both follow.
    await counter.make.event(theirs.car.id, { activityType: 'pick_up' });
    const [first] = await pending();
    const late = await cs(['pending', 'resume', first.id], { env: env() });
    expect(late.error).toMatchObject({ code: 'occurred_at_conflict', exitCode: 7 });
    expect(await pending()).toHaveLength(2);
  });

  test('one whose answer was lost stays in the queue: the next command finishes it before its own work', async () => {
    const { car, dropoff } = await carAndSpot();
    let isBroken = true;
    const proxy = await startFaultyProxy(
      counter.service.url,
      ({ method, attempt }) =>
        isBroken && method === 'POST' ? (attempt === 0 ? 'lost' : 'reset') : undefined,
      {
        withoutKeys: true,
        lacks: ({ method, url }) => isBroken && method === 'GET' && /\/events/.test(url),
      },
    );
    onTestFinished(() => proxy.close());
    const server = { ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: state };
    await cs([...dropoff, '--offline'], { env: server, now: minutesAgo(30) });
    const resumed = await cs(['pending', 'resume', '--retries', '0'], {
      env: server,
      waiting: proxy.waiting,
    });
    expect(resumed.json).toMatchObject([{ status: 'unfinished' }]);
    expect((await cs(['pending', 'list'], { env: server })).json).toMatchObject([
      { state: 'event sent without an answer' },
    ]);
    isBroken = false;
    const pickup = await cs(['pickup', car.licensePlate, '--yes'], { env: server });
    expect(pickup.code, pickup.stderr).toBe(0);
    const { events } = await counter.storedOf(car.id);
    expect(events.map(({ activityType }) => activityType).sort()).toEqual(['drop_off', 'pick_up']);
    expect((await cs(['pending', 'list'], { env: server })).json).toEqual([]);
  });

  test('the same line again is queued once; after other work on the car it is new', async () => {
    const { car, dropoff } = await carAndSpot();
    const first = await cs([...dropoff, '--offline'], { env: env(), now: minutesAgo(30) });
    const again = await cs([...dropoff, '--offline'], { env: env(), now: minutesAgo(29) });
    expect(again.json).toEqual(first.json);
    expect(await pending()).toHaveLength(1);
    await cs(['pickup', car.licensePlate, '--yes', '--offline'], {
      env: env(),
      now: minutesAgo(20),
    });
    await cs([...dropoff, '--offline'], { env: env(), now: minutesAgo(10) });
    expect(await pending()).toHaveLength(3);
    const resumed = await cs(['pending', 'resume'], { env: env() });
    expect(resumed.code, resumed.stderr).toBe(0);
    const { events } = await counter.storedOf(car.id);
    expect(events.map(({ activityType }) => activityType).sort()).toEqual([
      'drop_off',
      'drop_off',
      'pick_up',
    ]);
  });

  test('the same line again adds the photos that came into its folder since', async () => {
    const { car, dropoff } = await carAndSpot();
    const cwd = await makeFolder();
    onTestFinished(() => removeFolder(cwd));
    await writePhotos(cwd);
    const line = [...dropoff, '--photo', '*.png', '--offline'];
    await cs(line, { env: env(), cwd, now: minutesAgo(30) });
    await writeFile(join(cwd, '3.png'), png(3));
    const again = await cs(line, { env: env(), cwd, now: minutesAgo(29) });
    expect(again.stderr).toMatch(/Queued already .*\n1 new photo found: queued too\.\n/);
    expect((await cs(line, { env: env(), cwd, now: minutesAgo(28) })).stderr).not.toContain(
      'new photo',
    );
    expect(await pending()).toHaveLength(1);
    const resumed = await cs(['pending', 'resume'], { env: env() });
    expect(resumed.code, resumed.stderr).toBe(0);
    const { events, photos } = await counter.storedOf(car.id);
    expect(events).toHaveLength(1);
    expect(photos.map(({ filename }) => filename).sort()).toEqual(['1.png', '2.png', '3.png']);
  });

  test('the same line online, after other work on the car was queued, is new work', async () => {
    const { car, dropoff } = await carAndSpot();
    await cs([...dropoff, '--offline'], { env: env(), now: minutesAgo(30) });
    await cs(['pickup', car.licensePlate, '--yes', '--offline'], {
      env: env(),
      now: minutesAgo(20),
    });
    const online = await cs(dropoff, { env: env() });
    expect(online.code, online.stderr).toBe(0);
    const { events, car: stored } = await counter.storedOf(car.id);
    expect(events.map(({ activityType }) => activityType).sort()).toEqual([
      'drop_off',
      'drop_off',
      'pick_up',
    ]);
    expect(stored.parkingSpotId).not.toBeNull();
    expect(await pending()).toEqual([]);
  });

  test('a photo that is gone by then is told, and holds neither its drop-off nor the queue', async () => {
    const { car, dropoff } = await carAndSpot();
    const photos = await makeFolder();
    onTestFinished(() => removeFolder(photos));
    await writePhotos(photos);
    const queued = [
      ...dropoff,
      '--offline',
      '--photo',
      join(photos, '1.png'),
      '--photo',
      join(photos, '2.png'),
    ];
    await cs(queued, { env: env(), now: minutesAgo(30) });
    await rm(join(photos, '1.png'));
    const resumed = await cs(['pending', 'resume'], { env: env() });
    expect(resumed.json).toMatchObject([
      { result: { photos: [{ status: 'failed' }, { status: 'stored' }] } },
    ]);
    const { events, photos: stored } = await counter.storedOf(car.id);
    expect([events.length, stored.length]).toEqual([1, 1]);
  });

  test('while the server is away nothing is lost and nothing is told twice', async () => {
    const { car, dropoff } = await carAndSpot();
    const url = `http://127.0.0.1:${await freePort()}`;
    const away = { ...env(), CS_BASE_URL: url };
    await cs([...dropoff, '--offline'], { env: away });
    const failed = await cs(['pickup', car.licensePlate, '--yes', '--retries', '0'], { env: away });
    expect(failed.error).toMatchObject({ code: 'connection_failed', exitCode: 9 });
    const shown = await cs(['pickup', car.licensePlate, '--yes', '--retries', '0'], {
      env: away,
      as: 'terminal',
    });
    expect(shown.stderr).not.toContain('Finishing');
    expect((await cs(['pending', 'list'], { env: away })).json).toHaveLength(1);
  });

  test('a journal that cannot be written: nothing is queued, and that is told', async () => {
    const { dropoff } = await carAndSpot();
    await symlink(join(state, 'nowhere', 'journal'), join(state, 'journal'));
    const { error } = await cs([...dropoff, '--offline'], { env: env() });
    expect(error).toMatchObject({
      code: 'state_unusable',
      exitCode: 7,
      message: expect.stringMatching(/isn't queued\.$/),
    });
  });

  test('cs cars photos add has no --offline', async () => {
    expect(
      (await cs(['cars', 'photos', 'add', 'X', 'a.png', '--offline'], { env: env() })).code,
    ).toBe(2);
  });
});

describe('on a terminal', () => {
  /** A server that can go away, whose names were read before. */
  async function knownServer() {
    let isAway = false;
    const proxy = await startFaultyProxy(counter.service.url, () => (isAway ? 'reset' : undefined));
    onTestFinished(() => proxy.close());
    const here = { ...env(), CS_BASE_URL: proxy.url };
    await readNames(here);
    return {
      env: here,
      set away(value: boolean) {
        isAway = value;
      },
    };
  }

  test('an unreachable server: offers to work offline, asks by the names of the day, and queues', async () => {
    const { car, spot } = await carAndSpot();
    const server = await knownServer();
    server.away = true;
    const terminal = openTerminal(['dropoff', '--retries', '0'], { env: server.env });
    expect(await terminal.waitFor('Work offline')).toMatch(
      /The server can't be reached\. Cars and places are known from the names of/,
    );
    terminal.press('enter');
    await terminal.waitFor('? Car');
    terminal.type(car.licensePlate);
    await terminal.waitFor(`❯ ${car.licensePlate}`);
    terminal.press('enter');
    await terminal.waitFor('❯ drop_off');
    terminal.press('enter');
    await terminal.waitFor('? Place');
    terminal.type(spot.name);
    await terminal.waitFor(`❯ ${spot.name}`);
    terminal.press('enter');
    await terminal.waitFor('? Notes');
    terminal.press('enter');
    await terminal.waitFor('? Photos');
    terminal.press('enter');
    const summary = await terminal.waitFor('? Queue this drop-off?');
    expect(summary.replace(/\s+/g, ' ')).toMatch(
      /Assumed the car and the place are as in the names of \d{4}-.*; checked when it is sent/,
    );
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(`✓ drop-off of ${car.licensePlate}: queued, not sent`);
    expect((await counter.storedOf(car.id)).events).toEqual([]);

    server.away = false;
    const move = openTerminal(['move', car.licensePlate], { env: server.env });
    await move.waitFor('? Place');
    expect(move.screen()).toContain(`✓ ${car.licensePlate} is parked in ${spot.name}`);
    move.press('ctrl-c');
    expect(await move.exited).toBe(130);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('its answers can be corrected, on the way and at the summary', async () => {
    const { car, spot } = await carAndSpot();
    const other = await carAndSpot();
    const server = await knownServer();
    server.away = true;
    const terminal = openTerminal(['dropoff', '--type', 'drop_off', '--retries', '0'], {
      env: server.env,
    });
    await terminal.waitFor('Work offline');
    terminal.press('enter');
    await terminal.waitFor('? Car');
    terminal.type(other.car.licensePlate);
    await terminal.waitFor(`❯ ${other.car.licensePlate}`);
    terminal.press('enter');
    await terminal.waitFor('? Place');
    terminal.type('\u001b');
    await terminal.waitFor(
      new RegExp(`\\? Car +${other.car.licensePlate}\\n❯ ${other.car.licensePlate}`),
    );
    terminal.press('ctrl-u');
    terminal.type(car.licensePlate);
    await terminal.waitFor(`❯ ${car.licensePlate}`);
    terminal.press('enter');
    await terminal.waitFor('? Place');
    terminal.type(spot.name);
    await terminal.waitFor(`❯ ${spot.name}`);
    terminal.press('enter');
    await terminal.waitFor('? Notes');
    terminal.type('wet\r');
    await terminal.waitFor('? Photos');
    terminal.press('enter');
    await terminal.waitFor('? Queue this drop-off?');
    terminal.type('n\r');
    await terminal.waitFor('❯ Car');
    for (let press = 0; press < 3; press += 1) terminal.press('down');
    await terminal.waitFor('❯ Notes');
    terminal.press('enter');
    await terminal.waitFor(/\? Notes +wet/);
    terminal.type(' roof\r');
    await terminal.waitFor(
      new RegExp(
        `Car +${car.licensePlate}[\\s\\S]*Notes +wet roof[\\s\\S]*\\? Queue this drop-off\\?`,
      ),
    );
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    server.away = false;
    expect((await cs(['pending', 'resume', '--yes'], { env: server.env })).code).toBe(0);
    expect((await counter.storedOf(car.id)).events).toMatchObject([
      { notes: 'wet roof', parkingSpotId: spot.id },
    ]);
  });

  describe('with a mirror', () => {
    /** A mirror of two cars, one of them parked, and a server that can't be reached under the same address. */
    async function mirrored(to = 'mirror.db') {
      let isAway = false;
      const proxy = await startFaultyProxy(counter.service.url, () =>
        isAway ? 'reset' : undefined,
      );
      onTestFinished(() => proxy.close());
      const folder = await makeFolder();
      onTestFinished(() => removeFolder(folder));
      const here = { ...env(), CS_BASE_URL: proxy.url, CS_MIRROR: to };
      const [parked, absent] = [await carAndSpot(), await carAndSpot()];
      await counter.make.event(parked.car.id, { parkingSpotId: parked.spot.id });
      const synced = await cs(
        ['sync', 'cars', 'event-types', 'parking-spots', 'parking-zones', '--to', to],
        { env: here, cwd: folder },
      );
      expect(synced.code, synced.stderr).toBe(0);
      isAway = true;
      return { parked, absent, folder, env: here, proxy };
    }

    test.each(['mirror.db'])(
      '%s: its cars and places are offered with their state, and its age is shown',
      async (to) => {
        const { parked, absent, folder, env: away } = await mirrored(to);
        const terminal = openTerminal(['dropoff', '--retries', '0'], { env: away, cwd: folder });
        expect((await terminal.waitFor('Work offline')).replace(/\s+/g, ' ')).toContain(
          `Cars and places are known from the mirror ${to} of ${new Date().getFullYear()}-`,
        );
        terminal.press('enter');
        await terminal.waitFor('? Car');
        terminal.type(parked.car.licensePlate);
        await terminal.waitFor(`parked in ${parked.spot.name}`);
        for (const _ of parked.car.licensePlate) terminal.press('backspace');
        terminal.type(absent.car.licensePlate);
        await terminal.waitFor(`❯ ${absent.car.licensePlate}`);
        terminal.press('enter');
        await terminal.waitFor('❯ drop_off');
        terminal.press('enter');
        // Free ones come first.
        const places = await terminal.waitFor('? Place');
        expect(places).not.toMatch(/❯ .*taken by/);
        terminal.type(parked.spot.name);
        await terminal.waitFor(
          new RegExp(`❯ ${parked.spot.name} +taken by ${parked.car.licensePlate}`),
        );
        for (const _ of parked.spot.name) terminal.press('backspace');
        terminal.type(absent.spot.name);
        await terminal.waitFor(`❯ ${absent.spot.name}`);
        terminal.press('enter');
        await terminal.waitFor('? Notes');
        terminal.press('enter');
        await terminal.waitFor('? Photos');
        terminal.press('enter');
        await terminal.waitFor('? Queue this drop-off?');
        terminal.press('enter');
        expect(await terminal.exited).toBe(0);
        expect(await pending()).toMatchObject([
          { what: `drop-off of ${absent.car.licensePlate}`, state: 'queued' },
        ]);
      },
    );

    test('a script is refused a spot and a type that the mirror lacks, with the nearest ones; cached names alone only warn', async () => {
      const { absent, folder, env: away } = await mirrored();
      const line = (spot: string, type: string) => [
        'dropoff',
        absent.car.licensePlate,
        '--type',
        type,
        '--spot',
        spot,
        '--yes',
        '--offline',
      ];
      const wrong = `${absent.spot.name}x`;
      for (const [argv, message, near] of [
        [line(wrong, 'drop_off'), `No spot "${wrong}" is known from the mirror`, absent.spot.name],
        [
          line(absent.spot.name, 'drop_of'),
          'No event type "drop_of" is known from the mirror',
          'drop_off',
        ],
      ] as const) {
        const { code, error } = await cs(argv, { env: away, cwd: folder });
        expect([code, error.code]).toEqual([6, 'not_found']);
        expect(error.message).toMatch(/Nothing was queued\.$/);
        expect(error.message).toContain(message);
        expect(error.hint).toContain(`did you mean ${near}`);
      }
      expect((await cs(['pending', 'list'], { env: away })).json).toEqual([]);
      expect((await cs(line(absent.spot.id, 'drop_off'), { env: away, cwd: folder })).code).toBe(0);
      await readNames(env(), ['cars', 'parkingSpots']);
      const warned = await cs([...line(wrong, 'drop_off'), '--notes', 'new'], { env: env() });
      expect([warned.code, warned.stderr]).toEqual([
        0,
        expect.stringMatching(/No spot ".*" is known from the names of/),
      ]);
    });

    test('a pick-up shows where the mirror has the car, and a name that it lacks', async () => {
      const { parked, folder, env: away } = await mirrored();
      for (const [car, shown] of [
        [parked.car.licensePlate, `parked in ${parked.spot.name}`],
        ['HH-XX 99', 'HH-XX 99 (not a known name)'],
      ] as const) {
        const terminal = openTerminal(
          ['pickup', car, '--notes', 'x', '--photo', 'none.jpg', '--offline'],
          { env: away, cwd: folder },
        );
        expect((await terminal.waitFor('? Queue this pick-up?')).replace(/\s+/g, ' ')).toContain(
          shown,
        );
        terminal.press('ctrl-c');
        expect(await terminal.exited).toBe(130);
      }
    });

    test.each<[string, (folder: string) => Record<string, string>, RegExp]>([
      [
        'of another server',
        () => ({ CS_BASE_URL: 'http://127.0.0.1:1' }),
        /The mirror mirror\.db belongs to http.*, so its names aren't used/,
      ],
      [
        'that is missing',
        () => ({ CS_MIRROR: 'other.db' }),
        /Couldn't read the names in the mirror other\.db: .*doesn't exist\./,
      ],
    ])('a mirror %s is told and not used', async (_name, change, told) => {
      const { folder, env: away } = await mirrored();
      const terminal = openTerminal(['dropoff', '--retries', '0'], {
        env: { ...away, ...change(folder) },
        cwd: folder,
      });
      expect(await terminal.exited).toBe(9);
      expect(terminal.screen().replace(/\s+/g, ' ')).toMatch(told);
      expect(terminal.screen()).not.toContain('Work offline');
    });
  });

  test('a conflict is asked: another place is chosen, and the drop-off keeps its time', async () => {
    const [mine, theirs, free] = [await carAndSpot(), await carAndSpot(), await carAndSpot()];
    const server = await knownServer();
    const now = minutesAgo(10);
    await cs([...mine.dropoff, '--offline'], { env: server.env, now });
    await counter.make.event(theirs.car.id, { parkingSpotId: mine.spot.id });
    const terminal = openTerminal(['pending', 'resume'], { env: server.env });
    const asked = await terminal.waitFor('Choose another place');
    expect(asked.replace(/\s+/g, ' ')).toContain(
      `can't be stored. The spot ${mine.spot.name} is taken by ${theirs.car.licensePlate}`,
    );
    terminal.press('enter');
    await terminal.waitFor('? Place');
    terminal.type(free.spot.name);
    await terminal.waitFor(new RegExp(`❯ +${free.spot.name}`));
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    const { events, assignments } = await counter.storedOf(mine.car.id);
    expect(events).toMatchObject([{ occurredAt: now.toISOString() }]);
    expect(assignments).toMatchObject([{ parkingSpotId: free.spot.id }]);
  });

  test('without names it stops, and names the flag that queues the work', async () => {
    const proxy = await startFaultyProxy(counter.service.url, () => 'reset');
    onTestFinished(() => proxy.close());
    const terminal = openTerminal(['dropoff', '--retries', '0'], {
      env: { ...env(), CS_BASE_URL: proxy.url },
    });
    expect(await terminal.exited).toBe(9);
    expect(terminal.screen()).not.toContain('What now?');
    expect(terminal.screen().replace(/\s+/g, ' ')).toContain('as flags and add --offline');
  });
});

interface Step {
  readonly car: number;
  readonly counter: 'A' | 'B';
  readonly verb: 'dropoff' | 'pickup';
}

/** 40 drop-offs and pick-ups at two counters, in their order. A car stays at its counter, and some spots are used twice. */
const day: readonly Step[] = Array.from({ length: 40 }, (_, index) => {
  const car = index < 20 ? index : index - 20;
  return { car, counter: car % 2 === 0 ? 'A' : 'B', verb: index < 20 ? 'dropoff' : 'pickup' };
});

describe('a day of 40 drop-offs and pick-ups at two counters', () => {
  /** Carries the day out; where `offline` says so, without the server until the counter has it again. */
  async function carryOut(offline: (step: Step, index: number) => boolean) {
    const cars = await Promise.all(Array.from({ length: 20 }, () => counter.car()));
    const spots = await Promise.all(Array.from({ length: 20 }, () => counter.spot()));
    const folders = { A: await makeFolder(), B: await makeFolder() };
    onTestFinished(async () => {
      await removeFolder(folders.A);
      await removeFolder(folders.B);
    });
    const start = minutesAgo(120).getTime();
    const told: string[] = [];
    for (const [index, step] of day.entries()) {
      const car = cars[step.car] as (typeof cars)[number];
      const spot = spots[step.car] as (typeof spots)[number];
      const at = new Date(start + index * 60_000).toISOString();
      const line =
        step.verb === 'dropoff'
          ? ['dropoff', '--car', car.licensePlate, '--type', 'drop_off', '--spot', spot.name]
          : ['pickup', car.licensePlate, '--type', 'pick_up'];
      const argv = [...line, '--at', at, '--yes', ...(offline(step, index) ? ['--offline'] : [])];
      const { code, stderr } = await cs(argv, {
        env: { ...counter.env(), CS_STATE_DIR: folders[step.counter] },
      });
      expect(code, stderr).toBe(0);
      if (stderr) told.push(stderr);
    }
    for (const folder of Object.values(folders)) {
      const { code, stderr } = await cs(['pending', 'resume'], {
        env: { ...counter.env(), CS_STATE_DIR: folder },
      });
      if (code !== 0) told.push(stderr);
    }
    const stored = await Promise.all(cars.map(({ id }) => counter.storedOf(id)));
    const since = (time: string | null) =>
      time === null ? null : Math.round((Date.parse(time) - start) / 60_000);
    return {
      told,
      cars: stored.map(({ car, events, assignments }, index) => ({
        status: car.status,
        events: events
          .map(({ activityType, occurredAt }) => [activityType, since(occurredAt)])
          .sort(),
        assignments: assignments.map(({ parkingSpotId, startedAt, endedAt }) => [
          spots.findIndex(({ id }) => id === parkingSpotId) === index,
          since(startedAt),
          since(endedAt),
        ]),
      })),
    };
  }

  test('half of it offline ends equal to the same day online', async () => {
    const online = await carryOut(() => false);
    const half = await carryOut(({ counter: at }, index) => at === 'B' && index >= 5 && index < 35);
    expect(online.told).toEqual([]);
    expect(half).toEqual(online);
    expect(
      online.cars.every(({ status, events }) => status === 'checked_out' && events.length === 2),
    ).toBe(true);
  });

  test('a spot that the other counter gave away meanwhile is told, and nothing else differs', async () => {
    const [mine, theirs] = [await carAndSpot(), await carAndSpot()];
    await cs([...mine.dropoff, '--offline'], { env: env(), now: minutesAgo(20) });
    await counter.make.event(theirs.car.id, { parkingSpotId: mine.spot.id });
    const resumed = await cs(['pending', 'resume'], { env: env() });
    expect(resumed.error).toMatchObject({ code: 'parking_spot_occupied', exitCode: 7 });
    expect(resumed.error.message).toContain(theirs.car.licensePlate);
    expect(resumed.json).toMatchObject([
      {
        what: `drop-off of ${mine.car.licensePlate}`,
        status: 'unfinished',
        error: { code: 'parking_spot_occupied' },
      },
    ]);
    expect((await counter.storedOf(theirs.car.id)).assignments).toMatchObject([
      { parkingSpotId: mine.spot.id, endedAt: null },
    ]);
  });
});
