/** Work without the server: queued with its time, sent in order; a refusal stops the work on its car alone. */
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { png } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { readNames } from '../../../helpers/names.ts';
import { openTerminal, type Terminal } from '../../../helpers/terminal.ts';
import { answer, answerEach, counterOfFile, jpeg, leave, pick } from './counter.ts';

const counter = counterOfFile();

let state: string;
beforeEach(async () => {
  state = await makeFolder();
  onTestFinished(() => removeFolder(state));
});

const env = () => ({ ...counter.env(), CS_STATE_DIR: state });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const pending = async () => (await cs(['pending', 'list'], { env: env() })).json;
const typesOf = async ({ id }: { id: string }) =>
  (await counter.storedOf(id)).events.map(({ activityType }) => activityType).sort();

async function carAndSpot() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const dropoff = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--yes'];
  return { car, spot, dropoff };
}

async function queue(line: readonly string[], at: number | Date, cwd = '/') {
  const now = typeof at === 'number' ? minutesAgo(at) : at;
  const result = await cs([...line, '--offline'], { env: env(), now, cwd });
  expect(result.code, result.stderr).toBe(0);
  return result;
}

async function resume(at: Record<string, string> = env()): Promise<void> {
  const { code, stderr } = await cs(['pending', 'resume'], { env: at });
  expect(code, stderr).toBe(0);
}

/** Through a proxy that is closed with the test. */
async function through(choose: Parameters<typeof startFaultyProxy>[1]) {
  const proxy = await startFaultyProxy(counter.service.url, choose);
  onTestFinished(() => proxy.close());
  return { env: { ...env(), CS_BASE_URL: proxy.url }, waiting: proxy.waiting };
}

async function folder(): Promise<string> {
  const made = await makeFolder();
  onTestFinished(() => removeFolder(made));
  return made;
}

describe('in a script', () => {
  test('--offline asks the server nothing, and cs pending resume stores it with its time', async () => {
    const { car, spot, dropoff } = await carAndSpot();
    const typed = ['--notes', 'two keys', '--mileage', '41200'];
    const queued = await queue([...dropoff, ...typed], 30);
    const { id, at } = queued.json.queued;
    expect(queued.json.queued).toMatchObject({
      command: 'dropoff',
      what: `drop-off of ${car.licensePlate}`,
    });
    expect((await counter.storedOf(car.id)).events).toEqual([]);
    expect(await pending()).toMatchObject([
      { id, state: 'queued, not sent', queued: { car: car.licensePlate, at } },
    ]);
    const shown = await cs(['pending', 'show', id], { env: env(), as: 'terminal' });
    expect(shown.stdout).toMatch(
      /State +queued, not sent\n +Time .*\n +Line +cs dropoff .*two keys/,
    );
    const planned = await cs(['pending', 'resume', '--dry-run'], { env: env() });
    expect(planned.json).toMatchObject([
      {
        path: `/api/v1/cars/${car.id}/events`,
        body: { parkingSpotId: spot.id, occurredAt: at, notes: 'two keys' },
      },
      { method: 'PATCH', body: { mileage: 41_200 } },
    ]);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
    await resume();
    const stored = await counter.storedOf(car.id);
    expect(stored.events).toMatchObject([{ occurredAt: at, notes: 'two keys' }]);
    expect(stored.car.mileage).toBe(41200);
    expect(await pending()).toEqual([]);
  });

  test('a time that is said of now is the moment when it was queued', async () => {
    const { car, dropoff } = await carAndSpot();
    const now = minutesAgo(30);
    await queue([...dropoff, '--at', '10 minutes ago'], now);
    await resume();
    const [event] = (await counter.storedOf(car.id)).events;
    expect(now.getTime() - Date.parse(String(event?.occurredAt))).toBe(10 * 60_000);
  });

  test('the next command sends the queue first, in the order in which it happened', async () => {
    const { car, spot, dropoff } = await carAndSpot();
    const next = await carAndSpot();
    // Typed in another order: the pick-up frees the spot.
    const swapped = next.dropoff.map((word) => (word === next.spot.name ? spot.name : word));
    await queue([...swapped, '--at', '10 minutes ago'], 0);
    await queue(['pickup', car.licensePlate, '--yes', '--at', '20 minutes ago'], 0);
    await queue([...dropoff, '--at', '30 minutes ago'], 0);
    const { code, stderr } = await cs(['pickup', next.car.licensePlate, '--yes'], { env: env() });
    expect(code, stderr).toBe(0);
    expect([await typesOf(car), await typesOf(next.car)]).toEqual([
      ['drop_off', 'pick_up'],
      ['drop_off', 'pick_up'],
    ]);
    expect(await pending()).toEqual([]);
  });

  test('what failed for a moment is told, stops no other car, and is sent by the next command', async () => {
    const [failing, other] = [await carAndSpot(), await carAndSpot()];
    let fails = true;
    const here = await through(({ method, url }) =>
      fails && method === 'POST' && url.includes(failing.car.id) ? '500' : undefined,
    );
    expect((await cs([...failing.dropoff, '--offline'], here)).code).toBe(0);
    const first = await cs(other.dropoff, here);
    expect(first.code, first.stderr).toBe(0);
    const plate = failing.car.licensePlate;
    expect(first.stderr.split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^The drop-off of ${plate} .* isn't finished: .* Finish it with \`cs pending resume .*\`, or forget it with \`cs pending discard .*\`\\.$`,
        ),
      ),
      `Unfinished: drop-off of ${plate}. See \`cs pending list\`.`,
      '',
    ]);
    expect(await typesOf(failing.car)).toEqual([]);
    fails = false;
    const next = await cs(['pickup', other.car.licensePlate, '--yes'], here);
    expect(next.code, next.stderr).toBe(0);
    expect(await typesOf(failing.car)).toEqual(['drop_off']);
    expect(await pending()).toEqual([]);
  });

  test('a server that is away is asked for the first alone', async () => {
    const here = await through(({ method }) => (method === 'POST' ? 'reset' : undefined));
    for (const { dropoff } of [await carAndSpot(), await carAndSpot()])
      expect((await cs([...dropoff, '--offline'], here)).code).toBe(0);
    const { code, json } = await cs(['pending', 'resume'], here);
    expect([code, json.map(({ status }: { status: string }) => status)]).toEqual([
      9,
      ['unfinished', 'not_tried'],
    ]);
  });

  test('photos are sent too, as their flags say, and one that is gone by then is told after the event is stored', async () => {
    const { car, dropoff } = await carAndSpot();
    const cwd = await folder();
    const located = await jpeg(200, 150, { gps: true });
    await writeFile(join(cwd, 'a.jpg'), located);
    await writeFile(join(cwd, 'b.png'), png(7));
    const flags = ['--photo', 'a.jpg', '--photo', 'b.png', '--keep-location'];
    await queue([...dropoff, ...flags], 30, cwd);
    await rm(join(cwd, 'b.png'));
    const resumed = await cs(['pending', 'resume'], { env: env() });
    expect(resumed.code).toBe(11);
    const { events, photos } = await counter.storedOf(car.id);
    expect([events.length, photos.length]).toEqual([1, 1]);
    expect(photos[0]?.sha256).toBe(createHash('sha256').update(located).digest('hex'));
    // Sent by another command, which goes on.
    const [second, next] = [await carAndSpot(), await carAndSpot()];
    await writeFile(join(cwd, 'b.png'), png(7));
    await queue([...second.dropoff, '--photo', 'b.png'], 30, cwd);
    await rm(join(cwd, 'b.png'));
    const sent = await cs(next.dropoff, { env: env() });
    expect([sent.code, sent.stderr]).toEqual([
      0,
      `The drop-off of ${second.car.licensePlate} is stored, 1 of 1 photo not stored: the file doesn't exist.\n`,
    ]);
  });

  test('the same line again is the same work, unless the car was about since', async () => {
    const { car, dropoff } = await carAndSpot();
    await queue(dropoff, 40);
    expect((await queue(dropoff, 39)).stderr).toMatch(
      /^Queued already \d{4}-.*\. To queue it again, give its time with --at\.\n/,
    );
    await queue(['pickup', car.licensePlate, '--yes'], 30);
    await queue(dropoff, 20);
    await resume();
    expect(await typesOf(car)).toEqual(['drop_off', 'drop_off', 'pick_up']);
  });

  test('a relative photo is another one in another folder', async () => {
    const { dropoff } = await carAndSpot();
    for (const shade of [1, 2]) {
      const cwd = await folder();
      await writeFile(join(cwd, 'a.png'), png(shade));
      await queue([...dropoff, '--photo', 'a.png'], 5, cwd);
    }
    expect(await pending()).toHaveLength(2);
  });

  test('online, the same line sends the queued work and nothing more', async () => {
    const { car, dropoff } = await carAndSpot();
    await queue(dropoff, 30);
    const online = await cs(dropoff, { env: env() });
    expect([online.code, online.json.car.id]).toEqual([0, car.id]);
    expect(await typesOf(car)).toEqual(['drop_off']);
  });
});

describe('a refusal', () => {
  test("stops the work on its car, not the queue: the server's sentence, exit 11, and what is left", async () => {
    const [mine, other] = [await carAndSpot(), await carAndSpot()];
    await queue(mine.dropoff, 30);
    await queue(['move', mine.car.licensePlate, '--spot', (await counter.spot()).name], 25);
    await queue(other.dropoff, 20);
    // Another counter was faster with the spot.
    const taker = await counter.car();
    await counter.make.event(taker.id, { parkingSpotId: mine.spot.id });
    const resumed = await cs(['pending', 'resume'], { env: env() });
    expect(resumed.code, resumed.stderr).toBe(11);
    expect(resumed.json.map(({ status }: { status: string }) => status)).toEqual([
      'refused',
      'not_tried',
      'finished',
    ]);
    expect(resumed.json[0].error.message).toContain(`is taken by ${taker.licensePlate}`);
    // The line to correct, with its time.
    const [refused] = await pending();
    expect(resumed.stderr).toContain(
      `Try again with \`cs pending resume ${refused.id}\`, or forget it with \`cs pending discard ${refused.id}\` and correct it: \`cs dropoff '${mine.car.licensePlate}' `,
    );
    expect(resumed.stderr).toContain('`. Later work on this car waits.\n');
    expect(JSON.parse(resumed.stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      message: expect.stringMatching(/^2 commands stay open\. The spot .* is taken by .*\.$/),
      hint: 'look at them with `cs pending list`',
    });
    const shown = await cs(['pending', 'show', refused.id], { env: env(), as: 'terminal' });
    expect(shown.stdout.replace(/\s+/g, '')).toContain(`--at${refused.at}`);
    expect(await pending()).toMatchObject([
      { state: expect.stringMatching(/^refused: The spot .* is taken by/) },
      { state: 'queued, not sent' },
    ]);
    const narrow = await cs(['pending', 'list'], { env: env(), as: 'terminal', columns: 60 });
    expect(narrow.stdout.replace(/\s+/g, ' ')).toContain((await pending())[0].state);
    const again = await cs(['pending', 'resume'], { env: env(), as: 'terminal' });
    expect(again.stderr).toContain('0 commands finished, 1 refused, 1 left.\n');
    // An ordinary command doesn't try it again, and goes on.
    const free = await counter.parkedCar();
    const next = await cs(['pickup', free.car.licensePlate, '--yes'], { env: env() });
    expect([next.code, next.stderr]).toEqual([
      0,
      `Unfinished: drop-off of ${mine.car.licensePlate} and 1 more. See \`cs pending list\`.\n`,
    ]);
    for (const command of ['today', 'board'])
      expect((await cs([command], { env: env() })).stderr).toContain('See `cs pending list`');
    expect(await pending()).toHaveLength(2);
  });

  test('of a time that is too early: the list has it in the time of this machine', async () => {
    const { car } = await counter.parkedCar();
    await queue(['move', car.licensePlate, '--spot', (await counter.spot()).name], 600);
    const { code, stderr } = await cs(['pending', 'resume'], { env: env() });
    expect([code, stderr]).toEqual([7, expect.stringContaining('latest parking change')]);
    const [{ state }] = await pending();
    expect(state).toMatch(/^refused: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d is before the latest/);
  });

  test("of a pick-up whose drop-off another counter hasn't sent yet: waits for it, and goes through", async () => {
    const { car, spot } = await carAndSpot();
    await queue(['pickup', car.licensePlate, '--yes'], 10);
    const early = await cs(['pending', 'resume'], { env: env() });
    expect(early.code).toBe(7);
    expect(early.stderr).toMatch(
      /hasn't arrived yet[\s\S]*Another counter may not have sent its drop-off yet/,
    );
    await counter.make.event(car.id, {
      parkingSpotId: spot.id,
      occurredAt: minutesAgo(30).toISOString(),
    });
    await resume();
    expect(await typesOf(car)).toEqual(['drop_off', 'pick_up']);
    // Of a car that the server doesn't know yet.
    await queue(['pickup', 'PI-Q 99', '--yes'], 10);
    const unknown = await cs(['pending', 'resume'], { env: env() });
    expect([unknown.code, unknown.stderr]).toEqual([
      7,
      expect.stringMatching(
        /No car found[\s\S]*Another counter may not have sent its drop-off yet/,
      ),
    ]);
  });

  test('a spot that no name is known of is told, with those that are near, and queued', async () => {
    const { car, spot } = await carAndSpot();
    await readNames(env());
    const line = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', `${spot.name}x`];
    const { stderr } = await queue([...line, '--yes'], 0);
    expect(stderr).toMatch(
      new RegExp(
        `No spot "${spot.name}x" is known from the names of .*\\. It is checked when it is sent\\. Did you mean .*${spot.name}`,
      ),
    );
  });

  test('a mirror of another server or team, or that is none, is told', async () => {
    const { dropoff } = await carAndSpot();
    // The team of the key is known from then on.
    await resume();
    const here = { env: env(), cwd: state };
    const sources = {
      'another server': (await through(() => undefined)).env,
      'the team Second': { ...env(), CS_API_KEY: counter.service.otherKey },
    };
    const told = async (file: string) =>
      (await cs([...dropoff, '--offline'], { ...here, env: { ...here.env, CS_MIRROR: file } }))
        .stderr;
    for (const [of, source] of Object.entries(sources)) {
      const mirror = `${of}.db`;
      const synced = await cs(['sync', 'cars', '--to', mirror], { ...here, env: source });
      expect(synced.code, synced.stderr).toBe(0);
      expect(await told(mirror)).toContain(
        `The mirror ${mirror} belongs to ${of}, so its names aren't used.\n`,
      );
    }
    expect(await told('none.db')).toContain(
      "Couldn't read the names in the mirror none.db: The mirror none.db doesn't exist.\n",
    );
  });

  test('names that a cache has wrong refuse nothing', async () => {
    const { car, spot } = await counter.parkedCar();
    await readNames(env());
    // Another counter moved it meanwhile.
    await counter.service.call('POST', '/parking/assignments', {
      carId: car.id,
      parkingSpotId: (await counter.spot()).id,
    });
    expect(spot.id).toBeDefined();
    const later = new Date(Date.now() + 1_000);
    await cs(['pickup', car.licensePlate, '--yes', '--offline'], { env: env(), now: later });
    await resume();
  });
});

describe('on a terminal', () => {
  /** A new car, up to its colour. */
  async function typeSaab(terminal: Terminal, plate: string): Promise<void> {
    await pick(terminal, '＋ Add a new car', plate, 'not found');
    await answerEach(terminal, { Plate: '', Make: 'Saab', Model: '96', Year: '1967' });
  }

  async function workOffline(terminal: Terminal): Promise<void> {
    await terminal.waitFor('What now?');
    terminal.press('down');
    await answer(terminal, '❯ Work offline: it is sent when the server is back');
  }

  /** At the summary. */
  async function change(terminal: Terminal, part: string): Promise<void> {
    await terminal.waitFor('What would you like to change?');
    terminal.type(`${part.toLowerCase()}\r`);
  }

  /** A server that can go away, whose names were read before. */
  async function knownServer() {
    let [isAway, isLost] = [false, false];
    const { env: here } = await through(({ method }) =>
      isAway ? 'reset' : isLost && method === 'POST' ? 'lost' : undefined,
    );
    // Without a car there are no names to work by.
    await counter.car();
    await readNames(here);
    return {
      env: here,
      set away(value: boolean) {
        isAway = value;
      },
      /** What is sent is stored, and has no answer. */
      set lost(value: boolean) {
        isLost = value;
      },
    };
  }

  test('an unreachable server: the questions of the command, by the names of the day', async () => {
    const { car, spot } = await carAndSpot();
    const server = await knownServer();
    server.away = true;
    const terminal = openTerminal(['dropoff', '--retries', '0'], { env: server.env });
    await answer(
      terminal,
      /The server can't be reached\. Cars and places are known from the names of\s+\d{4}-.*\.\n[\s\S]*Work offline/,
    );
    await pick(
      terminal,
      '? Car        plate, VIN, make, model, nickname or owner',
      car.licensePlate,
      `❯ ${car.licensePlate}`,
    );
    await pick(terminal, '? Place      a spot, or anywhere in a zone', spot.name, `❯ ${spot.name}`);
    await answer(terminal, '? Notes');
    await answer(terminal, '? Photos');
    const summary = await terminal.waitFor('? Queue this drop-off?');
    expect(summary).toMatch(/Event +Drop-off · now\n +Place[\s\S]*\n +Known from +the names of /);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(`✓ drop-off of ${car.licensePlate}: queued, not sent`);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
    // Names, although the queue keeps the ids that they had.
    const [{ id, queued }] = await pending();
    expect([queued.car, queued.spot]).toEqual([car.id, spot.id]);
    expect(queued).not.toHaveProperty('words');
    const shown = await cs(['pending', 'show', id], { env: server.env, as: 'terminal' });
    expect(shown.stdout.replace(/\s+/g, ' ')).toContain(
      `cs dropoff '${car.licensePlate}' --type drop_off --spot ${spot.name} --at`,
    );
    server.away = false;
    const move = openTerminal(['move', car.licensePlate], { env: server.env });
    await move.waitFor('? Place');
    expect(move.screen()).toContain(`✓ ${car.licensePlate} is parked in ${spot.name}`);
    await leave(move);
  });

  test('equal names and natural order: spots with their zones, B2 before B10, and a part of a plate', async () => {
    const spots: { id: string }[] = [];
    for (const zone of ['Left', 'Right']) {
      const site = await counter.make.location({ name: `${zone} yard` });
      const { id: zoneId } = await counter.make.zone(site.id, { name: zone });
      for (const name of ['Twin 10', 'Twin 2'])
        spots.push(await counter.make.spot(site.id, { name, zoneId }));
    }
    const { car } = await counter.parkedCar({ licensePlate: 'HH-HALF 4711' });
    const server = await knownServer();
    server.away = true;
    const terminal = openTerminal(['move', '4711', '--notes', 'by the wall', '--retries', '0'], {
      env: server.env,
    });
    await answer(terminal, 'Work offline');
    await answer(terminal, /\? Car +4711\n❯ HH-HALF 4711/);
    await terminal.waitFor('? Place');
    terminal.type('twin');
    await terminal.waitFor(
      /❯ Twin 2 {3}Left · Left yard\n {2}Twin 10 {2}Left.*\n {2}Twin 2 {3}Right.*\n {2}Twin 10 {2}Right/,
    );
    terminal.press('down');
    terminal.press('down');
    await answer(terminal, /❯ Twin 2 {3}Right/);
    await answer(
      terminal,
      /Place +Twin 2 · Right · Right yard\n +Notes +by the wall\n[\s\S]*\? Queue this move\?/,
    );
    expect(await terminal.exited).toBe(0);
    server.away = false;
    await resume(server.env);
    expect(await counter.make.read(`/cars/${car.id}`)).toMatchObject({
      parkingSpotId: spots[3]?.id,
    });
    // A name that two spots have stays a name: nobody chose one of them.
    const flags = ['--spot', 'Twin 2', '--location', 'Left yard', '--offline'];
    const named = openTerminal(['move', '4711', ...flags], { env: server.env });
    await answer(named, /❯ HH-HALF 4711/);
    await answer(named, '? Queue this move?');
    expect(await named.exited).toBe(0);
    const spot = { spot: 'Twin 2', location: 'Left yard' };
    expect(await pending()).toMatchObject([{ queued: { car: car.id, ...spot } }]);
  });

  test("a pick-up isn't asked for its type, which the names don't tell; what is erased at the summary is queued without it", async () => {
    const { car } = await counter.parkedCar();
    await readNames(env());
    const flags = ['--mileage', '41200', '--offline'];
    const terminal = openTerminal(['pickup', car.licensePlate, ...flags], { env: env() });
    await answer(terminal, '? Notes', 'one key');
    await answer(terminal, /Mileage +41200[\s\S]*\? Queue this pick-up\?/, 'n');
    await change(terminal, 'Mileage');
    await answer(terminal, '? Mileage', '\u0015');
    const summary = `Car +${car.licensePlate}[\\s\\S]*Notes +one key[\\s\\S]*\\? Queue this pick-up\\?`;
    await answer(terminal, new RegExp(summary));
    expect(await terminal.exited).toBe(0);
    const [{ queued }] = await pending();
    expect([queued.notes, queued.type, queued.mileage]).toEqual(['one key', undefined, undefined]);
    await resume();
    expect(await typesOf(car)).toEqual(['drop_off', 'pick_up']);
  });

  test('the names of a mirror: cars and places in use, with the zone and the location of a place', async () => {
    const { car } = await counter.parkedCar({ licensePlate: 'MI-R 1' });
    await counter.car({ licensePlate: 'MI-R 2', status: 'archived' });
    const spot = await counter.spot({ name: 'Mirrored 1' });
    await counter.spot({ name: 'Mirrored 2', isActive: false });
    const here = { env: { ...env(), CS_MIRROR: 'own.db' }, cwd: state };
    const kinds = ['cars', 'event-types', 'parking-spots', 'parking-zones', 'locations'];
    const synced = await cs(['sync', ...kinds, '--to', 'own.db'], here);
    expect(synced.code, synced.stderr).toBe(0);
    const terminal = openTerminal(['move', '--offline'], here);
    await pick(terminal, '? Car', 'mi-r', /❯ MI-R 1[^\n]*\n {2}“mi-r”, as typed/);
    await pick(
      terminal,
      '? Place',
      'mirrored',
      /❯ Mirrored 1 {2}Hall A · Harbour\n {2}“mirrored”, as typed/,
    );
    await answer(terminal, /Known from +the mirror own\.db of \d{4}-[\s\S]*\? Queue this move\?/);
    expect(await terminal.exited).toBe(0);
    await resume();
    expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(spot.id);
  });

  test('without names it asks nothing', async () => {
    const terminal = openTerminal(['move', '--offline'], { env: env() });
    expect(await terminal.exited).toBe(2);
    expect(terminal.screen().replace(/\s+/g, ' ')).toContain(
      'error: No names of cars and places are known on this machine. hint: give the car, the type and the place as flags, or name a mirror of `cs sync` with `cs config set mirror FILE`',
    );
    const named = openTerminal(['move', 'HH-N 1', '--spot', 'N1', '--offline'], { env: env() });
    expect(await named.exited).toBe(0);
    expect(named.screen()).toContain('✓ move of HH-N 1: queued, not sent');
  });

  test("--spot with a zone's name stays a spot, and is told as unknown", async () => {
    const [car] = [await counter.car(), await counter.spot()];
    await readNames(env());
    const flags = ['--spot', counter.hall.name, '--offline'];
    const terminal = openTerminal(['move', car.licensePlate, ...flags], { env: env() });
    await answer(terminal, '? Queue this move?');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(`No spot "${counter.hall.name}" is known`);
    const { queued } = (await pending())[0];
    expect([queued.spot, queued.zone]).toEqual([counter.hall.name, undefined]);
  });

  test('a line that is queued again and left stays that of the first', async () => {
    const { car, dropoff } = await carAndSpot();
    await readNames(env());
    await queue(dropoff, 30);
    await queue(['pickup', car.licensePlate, '--yes'], 20);
    const terminal = openTerminal([...dropoff.slice(0, -1), '--offline'], { env: env() });
    await terminal.waitFor('? Notes');
    await leave(terminal);
    const [first, pickup] = await pending();
    await cs(['pending', 'discard', pickup.id, '--yes'], { env: env() });
    const { stderr } = await queue(dropoff, 0);
    expect(stderr).toContain('Queued already');
    expect(await pending()).toMatchObject([{ id: first.id }]);
  });

  test.each(['begun', 'queued'])(
    'another drop-off with the line of one that was %s, and is unfinished: queued beside it',
    async (how) => {
      const { car, spot, dropoff } = await carAndSpot();
      const server = await knownServer();
      const line = [...dropoff.slice(0, -1), '--notes', 'two keys', '--retries', '0'];
      if (how === 'queued') {
        // Refused: another counter was faster with the spot.
        await counter.make.event((await counter.car()).id, { parkingSpotId: spot.id });
        await cs([...line, '--yes', '--offline'], { env: server.env });
        expect((await cs(['pending', 'resume'], { env: server.env })).code).toBe(7);
      } else {
        server.lost = true;
        expect((await cs([...line, '--yes'], { env: server.env })).code).toBe(9);
        server.lost = false;
        const again = await cs([...line, '--yes', '--offline'], { env: server.env });
        expect([again.code, again.error.message]).toEqual([
          7,
          expect.stringMatching(
            /^The drop-off of .* was begun \d{4}-.* and isn't finished\. Nothing was sent\.$/,
          ),
        ]);
      }
      const [{ id }] = await pending();
      const terminal = openTerminal(line, { env: server.env });
      await terminal.waitFor('❯ Finish it');
      server.away = true;
      terminal.press('down');
      await answer(terminal, '❯ Start another');
      await answer(terminal, '❯ Work offline');
      await answer(terminal, '? Photos');
      await answer(terminal, '? Queue this drop-off?');
      expect(await terminal.exited).toBe(0);
      expect(terminal.screen()).toContain(`✓ drop-off of ${car.licensePlate}: queued, not sent`);
      expect(await pending()).toMatchObject([{ id }, { queued: { notes: 'two keys' } }]);
    },
  );

  test('another place than that of the flags is queued without them', async () => {
    const { car } = await counter.parkedCar();
    const yard = await counter.make.location({ name: 'Far yard' });
    const spot = await counter.make.spot(yard.id, { name: 'Fy 1' });
    await readNames(env());
    const flags = ['--zone', counter.hall.name, '--location', 'Harbour', '--offline'];
    const terminal = openTerminal(['move', car.licensePlate, ...flags], { env: env() });
    await answer(terminal, /Place +Hall A[\s\S]*\? Queue this move\?/, 'n');
    await change(terminal, 'Place');
    await pick(terminal, '? Place', spot.name, `❯ ${spot.name}`);
    await answer(terminal, /Place +Fy 1[\s\S]*\? Queue this move\?/);
    expect(await terminal.exited).toBe(0);
    const [{ id, queued }] = await pending();
    expect([queued.spot, queued.zone, queued.location]).toEqual([spot.id, undefined, undefined]);
    const shown = await cs(['pending', 'show', id], { env: env(), as: 'terminal' });
    expect(shown.stdout).toContain(`cs move '${car.licensePlate}' --spot 'Fy 1' --at`);
    await resume();
    expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(spot.id);
  });

  test('a server that goes away at the approval: left, and stored once by cs pending resume', async () => {
    const { car, dropoff } = await carAndSpot();
    const server = await knownServer();
    const line = [...dropoff.slice(0, -1), '--notes', 'x', '--retries', '0'];
    const terminal = openTerminal(line, { env: server.env });
    await answer(terminal, '? Photos');
    await terminal.waitFor('? Store this drop-off?');
    server.away = true;
    terminal.press('enter');
    await answer(terminal, /What now\?\n❯ Try again/);
    await terminal.waitFor(/✓ What now\? +Try again[\s\S]*\? What now\?/);
    terminal.press('down');
    await answer(terminal, /❯ +Leave, and finish it later/);
    expect(await terminal.exited).toBe(9);
    server.away = false;
    await resume(server.env);
    expect(await typesOf(car)).toEqual(['drop_off']);
  });

  test("a new car without a plate whose server goes away after its owner: the owner is stored too, and what was answered with nothing isn't asked again", async () => {
    const [spot, server] = [await counter.spot(), await knownServer()];
    const flags = ['--type', 'drop_off', '--retries', '0'];
    const terminal = openTerminal(['dropoff', ...flags], { env: server.env });
    await typeSaab(terminal, 'a blue one');
    for (const label of ['Colour', 'Nickname']) await answer(terminal, `? ${label}`);
    await pick(terminal, '＋ Add a new owner', 'offlinder', /❯ ＋ Add a new owner/);
    for (const label of ['First name', 'Last name', 'Phone']) await answer(terminal, `? ${label}`);
    await terminal.waitFor('? E-mail');
    server.away = true;
    terminal.type('\r');
    await workOffline(terminal);
    await pick(terminal, '? Place', spot.name, `❯ ${spot.name}`);
    await answer(terminal, '? Notes');
    await answer(terminal, '? Photos');
    await answer(terminal, /Owner +Offlinder \(new\)[\s\S]*\? Queue this drop-off\?/, 'n');
    await change(terminal, 'Owner');
    for (const label of ['First name', 'Last name', 'Phone', 'E-mail'])
      await answer(terminal, `? ${label}`);
    await answer(terminal, /Owner +Offlinder \(new\)[\s\S]*\? Queue this drop-off\?/);
    expect(await terminal.exited).toBe(0);
    server.away = false;
    await resume(server.env);
    const { data } = (await counter.service.call('GET', '/cars?q=Saab&limit=200')).body;
    expect(
      data.filter((car: { parkingSpotId: unknown }) => car.parkingSpotId === spot.id),
    ).toMatchObject([{ customerId: expect.any(String), licensePlate: null }]);
  });

  test("this counter's places come first", async () => {
    const { car } = await counter.parkedCar();
    const yard = await counter.make.location({ name: 'Own yard' });
    await counter.make.spot(yard.id, { name: 'Zz 1' });
    const server = await knownServer();
    server.away = true;
    const terminal = openTerminal(['move', car.licensePlate, '--retries', '0'], {
      env: { ...server.env, CS_LOCATION: 'own yard' },
    });
    await answer(terminal, 'Work offline');
    await terminal.waitFor(/\? Place[^\n]*\n❯ Zz 1 +Own yard/);
    await leave(terminal);
  });

  test('a new car whose server goes away at the place: queued, and refused where it exists by then', async () => {
    const [spot, second] = [await counter.spot(), await counter.spot()];
    const owner = await counter.make.customer({ firstName: 'Ines', lastName: 'Placeholt' });
    const server = await knownServer();
    const queueNew = async (plate: string, spot: { readonly name: string }) => {
      server.away = false;
      const terminal = openTerminal(['dropoff', '--type', 'drop_off', '--retries', '0'], {
        env: server.env,
      });
      await typeSaab(terminal, plate);
      await answer(terminal, '? Colour');
      await terminal.waitFor('＋ Add a new owner');
      terminal.type('placeholt');
      await terminal.waitFor('❯ Ines Placeholt');
      server.away = true;
      terminal.press('enter');
      await workOffline(terminal);
      await pick(terminal, '? Place', spot.name, `❯ ${spot.name}`);
      await answer(terminal, '? Notes');
      await answer(terminal, '? Photos');
      await answer(terminal, '? Queue this drop-off?');
      expect(await terminal.exited).toBe(0);
      server.away = false;
    };
    await queueNew('HH-QA 1', spot);
    const [{ id, what }] = await pending();
    expect(what).toBe('drop-off of HH-QA 1');
    const resumed = await cs(['pending', 'resume', id], { env: server.env });
    expect(resumed.code, resumed.stderr).toBe(0);
    const carOf = async (plate: string) =>
      (await counter.service.call('GET', `/cars?licensePlate=${plate}`)).body.data;
    expect(await carOf('HH-QA%201')).toMatchObject([{ make: 'Saab', parkingSpotId: spot.id }]);
    await queueNew('HH-QB 1', second);
    await counter.car({ licensePlate: 'HH-QB 1' });
    const refused = await cs(['pending', 'resume'], { env: server.env });
    expect([refused.code, refused.stderr]).toEqual([
      7,
      // The facts of the new car are in the lines to correct. Another owner can have the name of its own.
      expect.stringMatching(
        new RegExp(
          `exists by now[\\s\\S]*\`cs cars create --license-plate 'HH-QB 1' --make Saab --model 96 --year 1967 --customer ${owner.id}\`, then \`cs dropoff 'HH-QB 1' `,
        ),
      ),
    ]);
    expect(await carOf('HH-QB%201')).toHaveLength(1);
  });

  test('a server that goes away in the middle: the answers so far are kept, and the rest is asked', async () => {
    await counter.spot();
    const { id: customerId } = await counter.make.customer({ lastName: 'Middleton' });
    const car = await counter.car({ customerId });
    const server = await knownServer();
    const terminal = openTerminal(['dropoff', car.licensePlate, '--retries', '0'], {
      env: server.env,
    });
    await terminal.waitFor(/\? Place[\s\S]*❯ +\w/);
    server.away = true;
    terminal.press('enter');
    await workOffline(terminal);
    await answer(terminal, '? Notes', 'wet');
    await answer(terminal, '? Photos');
    await answer(terminal, '? Queue this drop-off?', 'n');
    // The same car again: what the server told of it isn't asked again.
    await change(terminal, 'Car');
    await answer(terminal, new RegExp(`\\? Car[\\s\\S]*❯ ${car.licensePlate}`));
    const summary = await terminal.waitFor('? Queue this drop-off?');
    expect(summary).toMatch(
      // What was looked up before stays.
      new RegExp(
        `Car +${car.licensePlate}[\\s\\S]*Owner +Middleton[^\\n]*\\n +Event[\\s\\S]*Place +\\w`,
      ),
    );
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(await pending()).toMatchObject([{ queued: { notes: 'wet', spot: expect.any(String) } }]);
  });
});
