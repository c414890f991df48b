/** What a person at the counter can take back, and what happens when something goes wrong between two questions. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtWords } from '../../../helpers/built.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import {
  addNewCar,
  answer,
  type Counter,
  counterOfFile,
  folderWith,
  intoSpot,
  jpeg,
  leave,
  pick,
  unbroken,
} from './counter.ts';

const counter = counterOfFile();
let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(200, 150);
});

const open: Counter['open'] = (...how) => counter.open(...how);

test('Esc after “Move it” leads back to that question', async () => {
  const { car, spot } = await counter.parkedCar();
  await counter.spot();
  const terminal = open(['dropoff', car.licensePlate]);
  await answer(terminal, new RegExp(`is parked in ${spot.name}[\\s\\S]*❯ Move it`));
  await terminal.waitFor(/\? Place[\s\S]*Esc to go back/);
  terminal.press('escape');
  await terminal.waitFor(new RegExp(`is parked in ${spot.name}[\\s\\S]*❯ Move it`));
  await leave(terminal);
});

test('a step back from the summary shows the pattern of the photos again, not the files that it found', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const cwd = await folderWith({ 'front.jpg': photo, 'rear.jpg': photo });
  const terminal = open(['dropoff', ...intoSpot(car.id, spot.id), '--notes', ''], { cwd });
  await answer(terminal, '? Photos', '*.jpg');
  await terminal.waitFor('? Store this drop-off?');
  terminal.press('escape');
  await answer(terminal, '? Photos     *.jpg');
  await answer(terminal, /Photos +2 photos[\s\S]*\? Store this drop-off\?/);
  expect(await terminal.exited).toBe(0);
});

test('a terminal that changes its size gets the question drawn again, with what was typed', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const terminal = open(['dropoff', ...intoSpot(car.id, spot.id), '--photo', '.'], {
    cwd: await folderWith({ 'a.jpg': photo }),
    columns: 50,
    ownProcess: true,
  });
  await terminal.waitFor('? Notes');
  terminal.type('half a no');
  await terminal.waitFor('half a no');
  terminal.resize(80, 24);
  await pick(
    terminal,
    /\? Notes +half a no/,
    'te\r',
    /Notes +half a note[\s\S]*\? Store this drop-off\?/,
  );
  expect(await terminal.exited).toBe(0);
  expect((await counter.storedOf(car.id)).events).toMatchObject([{ notes: 'half a note' }]);
});

test('Ctrl-Z takes a list from the screen until it goes on, with what was typed', async () => {
  const { car } = await counter.parkedCar({ nickname: 'Suspended' });
  const terminal = openTerminal(
    ['-c', 'set -m; "$@"; echo stopped; read -r _; fg', 'bash', ...builtWords, 'move'],
    { env: counter.env(), program: 'bash' },
  );
  await terminal.waitFor('? Car');
  terminal.type('suspended');
  await terminal.waitFor(/\? Car +suspended\n❯ .*Suspended/);
  terminal.type('\u001a');
  await terminal.waitFor(/^stopped$/m);
  expect(terminal.screen()).not.toContain('? Car');
  terminal.type('\r');
  await answer(terminal, /\? Car +suspended\n❯ .*Suspended/);
  await terminal.waitFor(new RegExp(`✓ Car +${car.licensePlate}[\\s\\S]*\\? Place`));
  await leave(terminal);
});

test('Ctrl-C in one piece with the Enter before it stops', async () => {
  const car = await counter.car();
  await counter.spot();
  const terminal = open(['dropoff', car.licensePlate]);
  await terminal.waitFor(/\? Place[\s\S]*type to search/);
  terminal.type('\r\u0003');
  expect(await terminal.exited).toBe(130);
  expect((await counter.storedOf(car.id)).events).toEqual([]);
});

describe('what is typed ahead', () => {
  test('is the text of the next question, and shown there alone', async () => {
    const [car, server] = [
      await counter.car(),
      await heldBack((url) => url.startsWith('/api/v1/appointments')),
    ];
    await counter.spot();
    const terminal = open(['dropoff', car.licensePlate], { env: server.env });
    await answer(terminal, /\? Place[\s\S]*type to search/);
    await server.waiting;
    terminal.type('two keys\rwash it\r');
    expect((await counter.storedOf(car.id)).events).toEqual([]);
    expect(terminal.screen()).not.toContain('two keys');
    server.open();
    await terminal.waitFor(/✓ Place[^\n]*\n\? Notes +two keys$/);
    await answer(terminal, '', ' and a cable');
    await terminal.waitFor(/✓ Notes +two keys and a cable\n\? Photos/);
    await leave(terminal);
  });

  test('stores nothing', async () => {
    const [car, server] = [
      await counter.car(),
      await heldBack((url) => url.startsWith('/api/v1/appointments')),
    ];
    const spot = await counter.spot();
    const terminal = open(
      ['dropoff', car.licensePlate, '--spot', spot.id, '--notes', 'x', '--photo', '.'],
      {
        env: server.env,
        cwd: await folderWith({ 'a.jpg': photo }),
      },
    );
    await server.waiting;
    terminal.type('y\r');
    expect((await counter.storedOf(car.id)).events).toEqual([]);
    server.open();
    await terminal.waitFor(/\? Store this drop-off\? y$/);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test('goes on in the line of an answer that is refused, and is shown there', async () => {
    const terminal = open(['cars', 'create', '--license-plate', 'HH-NEW 1']);
    await terminal.waitFor('? Make');
    terminal.type('\rSaab');
    await terminal.waitFor(/\? Make +Saab\nMake is required\./);
    // The same before it is refused again: the line is erased and typed anew.
    terminal.type('\u0015\r\u0015Volvo');
    await answer(terminal, /\? Make +Volvo\nMake is required\./);
    await terminal.waitFor(/✓ Make +Volvo\n\? Model/);
    await leave(terminal);
  });

  test('Ctrl-C stops', async () => {
    const [car, server] = [
      await counter.car(),
      await heldBack((url) => url.startsWith('/api/v1/appointments')),
    ];
    const spot = await counter.spot();
    const terminal = open(['dropoff', car.licensePlate, '--spot', spot.id], { env: server.env });
    await server.waiting;
    await leave(terminal);
    expect(terminal.screen()).toContain('Stopped. Nothing was stored.');
  });

  /** In front of the service: requests for such an address wait until it opens. */
  async function heldBack(isHeld: (url: string) => boolean) {
    const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const proxy = await startFaultyProxy(counter.service.url, async ({ url }) => {
      if (!isHeld(url)) return undefined;
      reached.resolve();
      await gate.promise;
      return undefined;
    });
    onTestFinished(() => {
      gate.resolve();
      return proxy.close();
    });
    return { env: { CS_BASE_URL: proxy.url }, waiting: reached.promise, open: gate.resolve };
  }
});

describe('places', () => {
  test('the name of a taken spot in full takes no other that contains it', async () => {
    const [car, there, taken] = [
      await counter.car(),
      await counter.car(),
      await counter.spot({ name: 'Q1' }),
    ];
    await counter.spot({ name: 'Q10' });
    await counter.make.event(there.id, { parkingSpotId: taken.id });
    const terminal = open(['dropoff', car.licensePlate]);
    await terminal.waitFor(/\? Place[\s\S]*type to search/);
    terminal.type('q1');
    await terminal.waitFor(`Q1 · Hall A · Harbour is taken by ${there.licensePlate}`);
    expect(terminal.screen()).not.toContain('Q10');
    // Nothing can be chosen.
    terminal.press('enter');
    terminal.type('0');
    // With the headings that it stands below in the whole list.
    await terminal.waitFor(/\? Place +q10\n Harbour\n {2}Hall A · \d+ spots? free\n❯ {3}Q10\n\n/);
    await leave(terminal);
  });

  test('several locations and none is set: where the counter is, once, kept in the profile', async () => {
    const wharf = await counter.make.location({ name: 'Yankee wharf' });
    const spot = await counter.make.spot(wharf.id, { name: 'Y1' });
    const car = await counter.car();
    const profile = { baseUrl: counter.service.url, key: counter.service.key };
    const config = { currentProfile: 'desk', profiles: { desk: profile } };
    const folder = await folderWith({ 'config.json': JSON.stringify(config) });
    const env = { CS_CONFIG_DIR: folder, CS_BASE_URL: '', CS_API_KEY: '' };
    // Nothing is kept of a dry run.
    const dryRun = open(['dropoff', car.licensePlate, '--dry-run'], { env });
    expect(await dryRun.waitFor(/\? (Place|Where)/)).toContain('? Place');
    await leave(dryRun);
    const first = open(['dropoff', car.licensePlate], { env });
    await pick(
      first,
      /^\? Where is this counter\? Its free places come first:\n❯ Harbour\n[\s\S]*In no fixed place$/m,
      'y',
      '❯ Yankee wharf',
    );
    // Not again after a step back.
    await answer(first, /\? Place[^\n]*\n\s* Yankee wharf *\n❯ +Y1/);
    await first.waitFor('? Notes');
    first.press('escape');
    await first.waitFor(/\? Place[^\n]*\n\s* Yankee wharf *\n❯ +Y1/);
    await leave(first);
    const second = open(['dropoff', car.licensePlate], { env });
    const screen = await second.waitFor(/\? Place[^\n]*\n\s* Yankee wharf *\n❯ +Y1/);
    expect(screen).not.toContain('Where is');
    await leave(second);
    await counter.make.change(`/parking/spots/${spot.id}`, { isActive: false });
  });

  test('a search finds zones with their free spots below them, and says which are full', async () => {
    const mill = await counter.make.location({ name: 'Wind mill' });
    const zone = (name: string, capacity: number) => counter.make.zone(mill.id, { name, capacity });
    const [full, loft, barn] = [
      await zone('Narrow', 1),
      await zone('Loft', 3),
      await zone('Barn', 1),
    ];
    await zone('Barn loft', 1);
    for (const { id } of [full, barn])
      await counter.make.event((await counter.car()).id, { parkingZoneId: id });
    await counter.make.spot(mill.id, { zoneId: full.id, name: 'N1' });
    for (const name of ['W3', 'W4']) await counter.make.spot(mill.id, { zoneId: loft.id, name });
    const terminal = open(['dropoff', (await counter.car()).licensePlate]);
    await terminal.waitFor(/\? Place[\s\S]*type to search/);
    terminal.type('wind mill');
    await terminal.waitFor(
      / Wind mill\n {2}Barn · full\n❯ Barn loft · room for 1 car\n {2}Loft · 2 spots free\n[\s\S]*\n {2}Narrow · 1 spot free\n {4}N1\n/,
    );
    terminal.press('ctrl-u');
    terminal.type('loft');
    await terminal.waitFor(
      / Wind mill\n {2}Loft · 2 spots free\n❯ {3}anywhere in Loft · room for 3 cars\n {4}W3\n {4}W4\n\ntype to search/,
    );
    terminal.press('ctrl-u');
    terminal.type('barn');
    await terminal.waitFor('Barn · full');
    // Enter must not take the other zone.
    expect(terminal.screen()).not.toContain('Barn loft');
    await leave(terminal);
  });
});

describe('the server goes away between two questions', () => {
  async function behindProxy() {
    let isAway = false;
    const proxy = await startFaultyProxy(counter.service.url, () => (isAway ? 'reset' : undefined));
    onTestFinished(() => proxy.close());
    return {
      env: { CS_BASE_URL: proxy.url, CS_RETRIES: '0' },
      setAway: (away: boolean) => {
        isAway = away;
      },
    };
  }

  test('and comes back: the answers are kept', async () => {
    const [car, server] = [await counter.car({ nickname: 'Patience' }), await behindProxy()];
    await counter.spot();
    const terminal = open(['dropoff', '--notes', 'kept', '--photo', '.'], {
      env: server.env,
      cwd: await folderWith({ 'a.jpg': photo }),
    });
    await terminal.waitFor('＋ Add a new car');
    terminal.type('patience');
    // Alone: the search is answered.
    await terminal.waitFor(/❯ .*Patience.*\n {2}＋/);
    server.setAway(true);
    terminal.press('enter');
    await terminal.waitFor('What now?');
    expect(unbroken(terminal.screen())).toContain(unbroken('Your answers are kept.'));
    server.setAway(false);
    terminal.press('enter');
    await answer(terminal, /\? Place[\s\S]*type to search/);
    await answer(terminal, /Notes +kept[\s\S]*\? Store this drop-off\?/);
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(car.id)).events).toMatchObject([{ notes: 'kept' }]);
  });

  test('and the person leaves: the command that goes on, with the plate of a new car', async () => {
    const server = await behindProxy();
    const terminal = open(['dropoff', '--type', 'drop_off'], { env: server.env });
    await addNewCar(terminal, 'hh-gn 5');
    await terminal.waitFor(/❯ (No owner yet|＋ Add a new owner)/);
    server.setAway(true);
    terminal.press('enter');
    await terminal.waitFor('Leave, with the command that goes on from here');
    for (let down = 0; down < 2; down += 1) terminal.press('down');
    await answer(terminal, /❯ +Leave/);
    expect(await terminal.exited).toBe(9);
    expect(unbroken(terminal.screen())).toContain(unbroken("cs dropoff 'HH-GN 5' --type drop_off"));
    expect((await counter.service.call('GET', '/cars?licensePlate=HH-GN%205')).body.total).toBe(0);
  });
});

test('LANG=C prints ASCII only', async () => {
  const [car, spot] = [
    await counter.car({ nickname: 'Zoë “Z”' }),
    await counter.spot({ name: 'Ä1' }),
  ];
  const terminal = open(
    ['dropoff', car.licensePlate, '--spot', spot.id, '--notes', 'für Ørsted, Łódź'],
    {
      env: { LANG: 'C', LC_ALL: 'C' },
    },
  );
  await answer(terminal, '? Photos');
  await answer(terminal, /Notes +fur Orsted, Lodz\n[\s\S]*\? Store this drop-off\?/);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain(`+ ${car.licensePlate} is parked in A1 - Hall A - Harbour`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII is looked for
  expect(terminal.raw()).not.toMatch(/[^\x00-\x7f]/);
});

test('-v shows the ids of what was stored', async () => {
  const { car } = await counter.parkedCar();
  const terminal = open(['pickup', car.licensePlate, '--yes', '-v']);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toMatch(/Event +[0-9a-f]{8}-/);
});
