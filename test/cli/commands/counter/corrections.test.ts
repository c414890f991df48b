/** What a person at the counter can take back, and what happens when something goes wrong between two questions. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtWords } from '../../../helpers/built.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import {
  addNewCar,
  answer,
  type Counter,
  choose,
  counterOfFile,
  folderWith,
  intoSpot,
  jpeg,
  leave,
  linesOf,
  unbroken,
} from './counter.ts';

const counter = counterOfFile();
let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(200, 150);
});

const open: Counter['open'] = (...how) => counter.open(...how);

describe('a step back', () => {
  test.each([
    ['Shift-Tab', '\u001b[Z'],
    ['Esc', '\u001b'],
  ])('%s returns to the question before, with its answer', async (_, key) => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const terminal = open(['dropoff', car.licensePlate, '--spot', spot.id]);
    await answer(terminal, '? Notes', 'left mirror lose');
    await terminal.waitFor('? Photos');
    terminal.type(key);
    await terminal.waitFor(/\? Notes +left mirror lose/);
    // The question that was left has gone from the screen.
    expect(terminal.screen()).not.toContain('Photos');
    terminal.press('backspace');
    terminal.press('backspace');
    terminal.type('ose\r');
    await answer(terminal, '? Photos');
    expect(await terminal.waitFor('? Store this drop-off?')).toContain(
      '  Notes      left mirror loose',
    );
    terminal.type(key);
    await terminal.waitFor(/\? Photos +files/);
    terminal.press('enter');
    await answer(terminal, '? Store this drop-off?');
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(car.id)).events).toMatchObject([{ notes: 'left mirror loose' }]);
  });

  test('from the place to the car: another car is stored', async () => {
    const [wrong, right] = [
      await counter.car({ nickname: 'Wrongly chosen' }),
      await counter.car({ nickname: 'Rightly chosen' }),
    ];
    await counter.spot();
    const terminal = open(['dropoff', '--notes', 'x', '--photo', '.'], {
      cwd: await folderWith({ 'a.jpg': photo }),
    });
    await terminal.waitFor('＋ Add a new car');
    terminal.type('wrongly');
    await answer(terminal, /❯ .*Wrongly chosen/);
    await terminal.waitFor('? Place');
    terminal.type('\u001b[Z');
    await terminal.waitFor(/\? Car +wrongly/);
    terminal.press('ctrl-u');
    terminal.type('rightly');
    await answer(terminal, /❯ .*Rightly chosen/);
    await answer(terminal, /\? Place[\s\S]*type to search/);
    await answer(terminal, /Rightly chosen[\s\S]*\? Store this drop-off\?/);
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(wrong.id)).events).toEqual([]);
    expect((await counter.storedOf(right.id)).events).toHaveLength(1);
  });
});

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

describe('the answer no at the summary', () => {
  test('changes one answer and keeps the others', async () => {
    const [car, first, second] = [
      await counter.car(),
      await counter.spot({ name: 'First choice' }),
      await counter.spot({ name: 'Other choice' }),
    ];
    const terminal = open(['dropoff', car.licensePlate, '--spot', first.id, '--notes', 'kept'], {
      cwd: await folderWith({ 'a.jpg': photo }),
    });
    await answer(terminal, '? Photos', 'a.jpg');
    await answer(terminal, '? Store this drop-off?', 'n');
    await choose(terminal, 'Place', 2);
    await terminal.waitFor(/\? Place[\s\S]*type to search/);
    terminal.type('other');
    await answer(terminal, /❯ +Other choice/);
    const summary = await terminal.waitFor(
      /Place +Other choice[\s\S]*Notes +kept[\s\S]*Photos +1 photo[\s\S]*\? Store this drop-off\?/,
    );
    expect(summary).toContain(car.licensePlate);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    const stored = await counter.storedOf(car.id);
    expect(stored.events).toMatchObject([{ notes: 'kept', parkingSpotId: second.id }]);
    expect(stored.photos).toHaveLength(1);
  });

  test('shows the pattern of the photos again, not the files that it found', async () => {
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

  test('adds photos to a pick-up', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    await counter.make.event(car.id, { parkingSpotId: spot.id });
    const terminal = open(['pickup', car.licensePlate], {
      cwd: await folderWith({ 'key.jpg': photo }),
    });
    await answer(terminal, '? Notes');
    await answer(terminal, '? Hand this car over?', 'n');
    await choose(terminal, 'Photos', 3);
    await answer(terminal, '? Photos', 'key.jpg');
    await answer(terminal, /Photos +1 photo[\s\S]*\? Hand this car over\?/);
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(car.id)).photos).toHaveLength(1);
  });
});

test('a terminal that changes its size gets the question drawn again, with what was typed', async () => {
  const [car, spot] = [await counter.car({ nickname: 'Resized' }), await counter.spot()];
  const terminal = open(['dropoff', '--spot', spot.id, '--photo', '.'], {
    cwd: await folderWith({ 'a.jpg': photo }),
    columns: 100,
    ownProcess: true,
  });
  await terminal.waitFor('＋ Add a new car');
  terminal.type('resized');
  await terminal.waitFor(/❯ .*Resized.*\n {2}＋/);
  terminal.resize(50, 20);
  const narrow = linesOf(
    await terminal.waitFor(/\? Car +resized\n❯ [^\n]*\n {2}＋ Add a new car\n/),
  );
  expect(narrow.filter((line) => line.startsWith('❯'))).toHaveLength(1);
  terminal.press('enter');
  await terminal.waitFor('? Notes');
  terminal.type('half a no');
  await terminal.waitFor('half a no');
  terminal.resize(80, 24);
  await terminal.waitFor(/\? Notes +half a no/);
  terminal.type('te\r');
  await answer(terminal, /Notes +half a note[\s\S]*\? Store this drop-off\?/);
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
    await terminal.waitFor(/\? Make +Volvo\nMake is required\./);
    terminal.press('enter');
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

test('junk confirms nothing', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const terminal = open(
    ['dropoff', car.licensePlate, '--spot', spot.id, '--notes', 'x', '--photo', '.'],
    {
      cwd: await folderWith({ 'a.jpg': photo }),
    },
  );
  await terminal.waitFor('? Store this drop-off?');
  terminal.type('Dear Mr Beck,\r');
  await terminal.waitFor('Type y for yes or n for no.');
  expect((await counter.storedOf(car.id)).events).toEqual([]);
  await leave(terminal);
});

test('unusable files are listed, and skipped where the person agrees', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const cwd = await folderWith({ 'good one.jpg': photo, 'note.jpg': 'wash it' });
  const terminal = open(['dropoff', car.licensePlate, '--spot', spot.id, '--notes', 'x'], { cwd });
  await answer(terminal, '? Photos', "'good one.jpg', note.jpg, gone.jpg");
  const listed = await terminal.waitFor('❯ Skip these 2 and go on with 1 photo');
  expect(listed).toMatch(
    /✗ gone\.jpg: doesn't exist\n {2}✗ note\.jpg: isn't a supported photo type[^\n]*\n {4}\S/,
  );
  terminal.press('down');
  await terminal.waitFor('❯ Choose the photos again');
  terminal.press('enter');
  await answer(terminal, /\? Photos +'good one\.jpg', note\.jpg, gone\.jpg/);
  await answer(terminal, '❯ Skip these 2 and go on with 1 photo');
  await answer(terminal, /Photos +1 photo[\s\S]*\? Store this drop-off\?/);
  expect(await terminal.exited).toBe(0);
  expect((await counter.storedOf(car.id)).photos).toMatchObject([{ filename: 'good one.jpg' }]);
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
    await first.waitFor(/^\? Where is this counter\?[\s\S]*❯ Harbour/m);
    first.type('y');
    await answer(first, '❯ Yankee wharf');
    // Not again after a step back.
    await first.waitFor(/\? Place[^\n]*\n\s* Yankee wharf *\n❯ +Y1/);
    first.press('enter');
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

  test('the spots of a full zone stand below its name', async () => {
    const yard = await counter.make.location({ name: 'Quay' });
    const full = await counter.make.zone(yard.id, { name: 'Narrow hall', capacity: 1 });
    const guest = await counter.car();
    await counter.make.event(guest.id, { parkingZoneId: full.id });
    await counter.make.spot(yard.id, { zoneId: full.id, name: 'N1' });
    await counter.make.zone(yard.id, { name: 'Above', capacity: 3 });
    const car = await counter.car();
    const terminal = open(['dropoff', car.licensePlate]);
    await terminal.waitFor(/\? Place[\s\S]*type to search/);
    terminal.type('quay');
    const shown = linesOf(await terminal.waitFor(/^ Quay\n.*\n.*\n +N1/m));
    const at = shown.indexOf(' Quay');
    expect(shown.slice(at, at + 4)).toEqual([
      ' Quay',
      expect.stringMatching(/Above · room for 3 cars$/),
      '  Narrow hall · 1 spot free',
      '    N1',
    ]);
    await leave(terminal);
  });

  test('the name of a zone in full shows its free spots too, below the zone', async () => {
    const mill = await counter.make.location({ name: 'Wind mill' });
    const loft = await counter.make.zone(mill.id, { name: 'Loft', capacity: 3 });
    for (const name of ['W3', 'W4']) await counter.make.spot(mill.id, { zoneId: loft.id, name });
    const terminal = open(['dropoff', (await counter.car()).licensePlate]);
    await terminal.waitFor(/\? Place[\s\S]*type to search/);
    terminal.type('loft');
    await terminal.waitFor(
      / Wind mill\n {2}Loft · 2 spots free\n❯ {3}anywhere in Loft · room for 3 cars\n {4}W3\n {4}W4\n\ntype to search/,
    );
    await leave(terminal);
  });

  test('a full zone without a free spot is told when it is searched for', async () => {
    const mill = await counter.make.location({ name: 'Old mill' });
    const full = await counter.make.zone(mill.id, { name: 'Barn', capacity: 1 });
    const guest = await counter.car();
    await counter.make.event(guest.id, { parkingZoneId: full.id });
    await counter.make.zone(mill.id, { name: 'Barn loft', capacity: 1 });
    const terminal = open(['dropoff', (await counter.car()).licensePlate]);
    await terminal.waitFor(/\? Place[\s\S]*type to search/);
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

  test('after the approval: another try stores it once', async () => {
    const [car, spot, server] = [await counter.car(), await counter.spot(), await behindProxy()];
    const terminal = open(
      ['dropoff', car.licensePlate, '--spot', spot.id, '--notes', 'x', '--photo', '.'],
      {
        env: server.env,
        cwd: await folderWith({ 'a.jpg': photo }),
      },
    );
    await terminal.waitFor('? Store this drop-off?');
    server.setAway(true);
    terminal.press('enter');
    await terminal.waitFor('What now?');
    server.setAway(false);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    const stored = await counter.storedOf(car.id);
    expect([stored.events.length, stored.photos.length]).toEqual([1, 1]);
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

test('no id is shown without -v', async () => {
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
  const [car, spot] = [await counter.car(), await counter.spot({ name: 'Plain 1' })];
  const terminal = open([
    'dropoff',
    car.licensePlate,
    '--spot',
    'Plain 1',
    '--type',
    'drop_off',
    '--yes',
  ]);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain(spot.name);
  expect(terminal.screen()).not.toMatch(uuid);
  const moved = open(['move', car.licensePlate, (await counter.spot({ name: 'Plain 2' })).name]);
  expect(await moved.exited).toBe(0);
  expect(moved.screen()).not.toMatch(uuid);
  const pickedUp = open(['pickup', car.licensePlate, '--yes', '-v']);
  expect(await pickedUp.exited).toBe(0);
  expect(pickedUp.screen()).toMatch(/Event +[0-9a-f]{8}-/);
});
