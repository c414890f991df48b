/** The questions of `cs dropoff`, answered on a real pseudo-terminal. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { facility } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import {
  afternoon,
  counterOfFile,
  folderWith,
  intoSpot,
  jpeg,
  leave,
  linesOf,
  noon,
  unbroken,
} from '../counter/counter.ts';

const counter = counterOfFile();
let photo: Buffer;
let large: Buffer;
beforeAll(async () => {
  await counter.spot({ name: 'A1' });
  await counter.spot({ name: 'A2', kind: 'lift' });
  await counter.spot({ name: 'A10' });
  await counter.make.customer({ firstName: 'Zoë', lastName: 'Müller', email: 'zoe@example.com' });
  photo = await jpeg(400, 300, { gps: true });
  large = await jpeg(2400, 1800);
});

const open = (argv: readonly string[] = [], { env, ...options }: TerminalOptions = {}) =>
  openTerminal(['dropoff', ...argv], { env: { ...counter.env(), ...env }, ...options });

test('a returning car: found by part of its nickname, parked in its last spot, with two photos', async () => {
  const car = await counter.car({
    year: 1961,
    make: 'Jaguar',
    model: 'E-Type',
    licensePlate: 'HH-E 61H',
    nickname: 'Emma',
  });
  const spot = await counter.spot({ name: 'E7' });
  await counter.make.event(car.id, { parkingSpotId: spot.id });
  await counter.make.event(car.id, { activityType: 'pick_up' });
  const cwd = await folderWith({ 'front left.jpg': photo, 'rear.jpg': large });
  const terminal = open([], { cwd, ownProcess: true });

  expect(linesOf(await terminal.waitFor('＋ Add a new car'))[0]).toBe(
    '? Car        plate, VIN, make, model, nickname or owner, or a part of it',
  );
  terminal.type('emm');
  expect(linesOf(await terminal.waitFor(/\? Car +emm\n❯ HH-E 61H/))[1]).toBe(
    '❯ HH-E 61H  1961 Jaguar E-Type “Emma”  picked up',
  );
  terminal.press('enter');

  const places = linesOf(await terminal.waitFor(/❯ {3}E7[\s\S]*type to search/));
  expect(places.slice(0, 9)).toEqual([
    '✓ Car        HH-E 61H · 1961 Jaguar E-Type · “Emma”',
    '  Last place E7',
    '? Place      a spot, or anywhere in a zone',
    ' Harbour',
    '  Hall A · 4 spots free',
    '    A1',
    '    A2  lift',
    '    A10',
    '❯   E7',
  ]);
  terminal.press('enter');

  await terminal.waitFor('? Notes      optional, Enter to skip');
  terminal.type('left mirror loose');
  terminal.press('enter');

  await terminal.waitFor('? Photos     files, a folder or a pattern');
  terminal.type(`"front left.jpg" rear.jpg`);
  terminal.press('enter');

  const summary = linesOf(await terminal.waitFor('? Store this drop-off? (Y/n)'));
  expect(summary.slice(1)).toEqual([
    '  Last place E7',
    '✓ Place      E7 · Hall A · Harbour',
    '✓ Notes      left mirror loose',
    '✓ Photos     "front left.jpg" rear.jpg',
    expect.stringMatching(/^ {4}front left\.jpg +1\d\d KB {4}400 × 300 {2}location removed$/),
    expect.stringMatching(/^ {4}rear\.jpg +4(\.\d)? MB {2}2400 × 1800 {2}will be shrunk$/),
    '',
    '  Car        HH-E 61H · 1961 Jaguar E-Type · “Emma”',
    '  Event      Drop-off · now',
    '  Place      E7 · Hall A · Harbour',
    '  Notes      left mirror loose',
    expect.stringMatching(
      /^ {2}Photos {5}2 photos, 4(\.\d)? MB \(1 will be shrunk, location removed from 1\)$/,
    ),
    '',
    '? Store this drop-off? (Y/n)',
  ]);
  expect((await counter.storedOf(car.id)).events).toHaveLength(2);
  terminal.press('enter');

  expect(await terminal.exited).toBe(0);
  const end = linesOf(terminal.screen());
  expect(end).toEqual(
    expect.arrayContaining([
      '✓ Store this drop-off? Yes',
      '✓ HH-E 61H is parked in E7 · Hall A · Harbour',
      '  Photos     2 stored',
      "  Next       cs cars events list 'HH-E 61H'",
    ]),
  );
  const stored = await counter.storedOf(car.id);
  expect(stored.car).toMatchObject({ status: 'stored', parkingSpotId: spot.id });
  expect(stored.events.find(({ notes }) => notes === 'left mirror loose')).toBeDefined();
  expect(stored.photos.map(({ filename }) => filename).sort()).toEqual([
    'front left.jpg',
    'rear.jpg',
  ]);
});

test("fast typing and scanning don't need to wait for the search", async () => {
  const [car, spot] = [await counter.car({ vin: 'WP0ZZZ91ZES100001' }), await counter.spot()];
  const terminal = open(['--type', 'drop_off', '--spot', spot.id, '--notes', '', '--photo', '.'], {
    cwd: await folderWith({ 'a.jpg': photo }),
  });
  await terminal.waitFor('＋ Add a new car');
  terminal.type('wp0zzz91zes100001\r');
  expect(await terminal.waitFor('? Store this drop-off?')).toContain(
    `✓ Car        ${car.licensePlate}`,
  );
  await leave(terminal);

  const mistyped = open(['--type', 'drop_off', '--spot', spot.id]);
  await mistyped.waitFor('＋ Add a new car');
  mistyped.type('wp0zzz91zes100002\r');
  await mistyped.waitFor(/\? Car[\s\S]*not found/);
  await leave(mistyped);
});

test('a new car with its owner, into a zone', async () => {
  const yard = await counter.make.zone(counter.harbour.id, { name: 'Yard' });
  const terminal = open();
  await terminal.waitFor('＋ Add a new car');
  terminal.type('2cv 69');
  await terminal.waitFor('❯ ＋ Add a new car (“2cv 69” not found)');
  terminal.press('enter');
  // What was looked for stands there, and can be changed.
  await terminal.waitFor(/\? Plate +2CV 69/);
  terminal.press('ctrl-u');
  await terminal.waitFor(/\? Plate +optional/);
  terminal.type('hh-cv 69\r');
  await terminal.waitFor('? Make');
  terminal.type('Citroën\r');
  await terminal.waitFor('? Model');
  terminal.type('2CV\r');
  await terminal.waitFor('? Year');
  terminal.type('1066\r');
  await terminal.waitFor('Year must be at least 1886.');
  terminal.press('ctrl-u');
  terminal.type('1969\r');
  await terminal.waitFor('? Colour');
  terminal.press('enter');
  await terminal.waitFor('❯ No owner yet');
  terminal.type('müller');
  await terminal.waitFor('❯ Zoë Müller');
  terminal.press('enter');
  await terminal.waitFor('? Place');
  terminal.type('yard');
  await terminal.waitFor('❯ Yard · no limit');
  terminal.press('enter');
  await terminal.waitFor('? Notes');
  terminal.press('enter');
  await terminal.waitFor('? Photos');
  terminal.press('enter');
  const summary = await terminal.waitFor('? Store this drop-off?');
  expect(summary).toMatch(
    / {2}Car {8}HH-CV 69 · 1969 Citroën 2CV \(new\)\n {2}Owner {6}Zoë Müller\n {2}Event {6}Drop-off · now\n {2}Place {6}Yard · Harbour\n {2}Photos {5}none/,
  );
  expect((await counter.service.call('GET', '/cars?licensePlate=HH-CV%2069')).body.total).toBe(0);
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain('✓ HH-CV 69 is parked in Yard · Harbour');
  const [car] = (await counter.service.call('GET', '/cars?licensePlate=HH-CV%2069')).body.data;
  expect(car).toMatchObject({ make: 'Citroën', status: 'stored', parkingZoneId: yard.id });
  expect(car.customerId).not.toBeNull();
});

test('Tab completes the paths of photos', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const cwd = await folderWith({
    'shots of today/front left.jpg': photo,
    'shots of today/front right.jpg': large,
    'shots of today/list.txt': 'none',
  });
  const terminal = open([...intoSpot(car.id, spot.id), '--notes', ''], {
    cwd,
  });
  await terminal.waitFor('? Photos');
  terminal.type('sh\t');
  await terminal.waitFor('? Photos     shots\\ of\\ today/');
  terminal.press('tab');
  await terminal.waitFor('? Photos     shots\\ of\\ today/front\\');
  terminal.type('r\t');
  await terminal.waitFor('today/front\\ right.jpg');
  terminal.type('"shots of today/front l\t');
  await terminal.waitFor('"shots of today/front left.jpg"');
  terminal.press('enter');
  expect(await terminal.waitFor('? Store this drop-off?')).toMatch(
    /front right\.jpg .*\n {4}front left\.jpg /,
  );
  await leave(terminal);
});

test('a spot taken meanwhile: asks for another one, and for nothing else, also not for an appointment that was declined', async () => {
  const proxy = await startFaultyProxy(counter.service.url, () => undefined);
  onTestFinished(() => proxy.close());
  const [car, other, spot, next] = [
    await counter.car(),
    await counter.car(),
    await counter.spot(),
    await counter.spot({ name: 'Second choice' }),
  ];
  await counter.make.appointment({ carId: car.id, eventType: 'drop_off', ...afternoon() });
  const terminal = open(
    [...intoSpot(car.id, spot.id), '--no-appointment', '--notes', 'kept', '--photo', '.'],
    {
      cwd: await folderWith({ 'a.jpg': photo }),
      now: noon,
      env: { CS_BASE_URL: proxy.url },
    },
  );
  await terminal.waitFor('? Store this drop-off?');
  await counter.make.event(other.id, { parkingSpotId: spot.id });
  terminal.press('enter');
  await terminal.waitFor(
    new RegExp(
      `The spot ${spot.name} is taken by ${other.licensePlate}: drop_off at [^.]*\\. Nothing was\\s+stored\\. Choose another`,
    ),
  );
  terminal.type('second');
  await terminal.waitFor('❯   Second choice');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  const stored = await counter.storedOf(car.id);
  expect(stored.events).toMatchObject([
    { notes: 'kept', parkingSpotId: next.id, appointmentId: null },
  ]);
  expect(stored.photos).toHaveLength(1);
  // A server may answer another request with the same key as it answered the first.
  const posts = proxy.requests.filter(
    ({ method, url }) => method === 'POST' && /events$/.test(url),
  );
  expect(posts.map(({ attempt }) => attempt)).toEqual([0, 0]);
});

describe('leaving', () => {
  test('Ctrl-C at any prompt stores nothing: exit 130 and one line', async () => {
    const car = await counter.car({ nickname: 'Stays out' });
    const steps: [question: string, answer: string][] = [
      ['＋ Add a new car', 'stays out'],
      ['Hall A ·', ''],
      ['? Notes', ''],
      ['? Photos', ''],
      ['? Store this drop-off?', ''],
    ];
    for (const stop of steps.keys()) {
      const terminal = open();
      for (const [question, answer] of steps.slice(0, stop)) {
        await terminal.waitFor(question);
        if (answer) {
          terminal.type(answer);
          await terminal.waitFor('“Stays out”');
        }
        terminal.press('enter');
      }
      await terminal.waitFor(steps[stop]?.[0] as string);
      await leave(terminal);
      expect(linesOf(terminal.screen()).at(-1)).toBe('Stopped. Nothing was stored.');
      expect(terminal.screen()).not.toContain('error:');
    }
    expect((await counter.storedOf(car.id)).events).toEqual([]);
  });

  test('Ctrl-D ends it like Ctrl-C', async () => {
    const terminal = open();
    await terminal.waitFor('＋ Add a new car');
    terminal.press('ctrl-d');
    expect(await terminal.exited).toBe(130);
    expect(linesOf(terminal.screen()).at(-1)).toBe('Stopped. Nothing was stored.');
  });

  test('the answer no stores nothing: exit 13', async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const terminal = open([...intoSpot(car.id, spot.id), '--notes', 'x', '--photo', '.'], {
      cwd: await folderWith({ 'a.jpg': photo }),
    });
    await terminal.waitFor('? Store this drop-off?');
    terminal.type('n\r');
    await terminal.waitFor(
      /What would you like to change\?\n❯ Car\n {2}Event\n {2}Place\n {2}Notes\n {2}Photos\n {2}Mileage\n {2}Start over\n {2}Leave/,
    );
    for (let presses = 0; presses < 7; presses++) terminal.press('down');
    await terminal.waitFor('❯ Leave without storing');
    terminal.press('enter');
    expect(await terminal.exited).toBe(13);
    expect(linesOf(terminal.screen()).slice(-2)).toEqual([
      '✓ What would you like to change? Leave',
      'Nothing was stored.',
    ]);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
  });
});

describe('Ctrl-C while it is sent', () => {
  async function openBroken(part: '/events' | '/photos') {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const cwd = await folderWith({
      'a.jpg': photo,
      'b c.jpg': await jpeg(400, 300, { gps: true, tone: 90 }),
    });
    const proxy = await startFaultyProxy(counter.service.url, ({ method, url }) =>
      method === 'POST' && url.endsWith(part) ? 'silence' : undefined,
    );
    onTestFinished(() => proxy.close());
    const argv = [...intoSpot(car.id, spot.id), '--photo', '*.jpg', '--yes', '--keep-location'];
    return { car, terminal: open(argv, { cwd, env: { CS_BASE_URL: proxy.url } }) };
  }

  test('the photos: lists what is stored, and the command that sends the rest', async () => {
    const { car, terminal } = await openBroken('/photos');
    await terminal.waitFor(/0 of 2 photos · 0 bytes of \d/);
    await leave(terminal);
    const stored = await counter.storedOf(car.id);
    expect([stored.events.length, stored.photos.length]).toEqual([1, 0]);
    const shown = unbroken(terminal.screen());
    expect(shown).toContain(
      unbroken(
        'error: Stopped. The drop-off is stored, 1 of 2 photos not stored, 1 of 2 photos uncertain.',
      ),
    );
    expect(shown).toMatch(/sendthemissingphotoswith`cspendingresume[0-9a-f]{8}`/);
  });

  test('the event: reports an uncertain result and the command that finishes it', async () => {
    const { car, terminal } = await openBroken('/events');
    await terminal.waitFor('Storing the drop-off');
    await leave(terminal);
    const shown = unbroken(terminal.screen());
    expect(shown).toContain(
      unbroken('error: Stopped while sending. The drop-off may be stored; no photo was sent.'),
    );
    expect(shown).toMatch(/finishitwith`cspendingresume[0-9a-f]{8}`/);
    expect((await counter.storedOf(car.id)).events).toEqual([]);
  });
});

test('keys pressed while photos are sent are ignored', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const cwd = await folderWith({
    'a.jpg': photo,
    'b.jpg': await jpeg(400, 300, { gps: true, tone: 90 }),
    'c.jpg': large,
  });
  let press = () => {};
  // At the first photo, so that they have come long before the last is stored.
  const proxy = await startFaultyProxy(counter.service.url, ({ url }) => {
    if (url.endsWith('/photos')) press();
    return undefined;
  });
  onTestFinished(() => proxy.close());
  const terminal = open([...intoSpot(car.id, spot.id), '--photo', '*.jpg', '--yes'], {
    env: { CS_BASE_URL: proxy.url },
    cwd,
    andThen: 'stty -a; echo ready; read line; echo "<$line>"',
  });
  press = () => {
    terminal.type('rm everything\r');
    press = () => {};
  };
  await terminal.waitFor('ready');
  terminal.type('later\r');
  await terminal.exited;
  expect(terminal.raw()).not.toContain('everything');
  expect(terminal.screen()).toContain('<later>');
  expect(terminal.raw()).toMatch(/[^-]icanon .*[^-]echo /);
  expect((await counter.storedOf(car.id)).photos).toHaveLength(3);
});

describe('a key without the scope for parking', () => {
  const keyed = async () => ({
    CS_API_KEY: await counter.service.keyWith(['read:cars', 'write:cars', 'read:locations']),
  });

  test('is refused before the first prompt if the car is parked', async () => {
    const terminal = open(['--type', 'drop_off'], { env: await keyed() });
    expect(await terminal.exited).toBe(5);
    expect(terminal.screen()).toContain('error: Missing scope: write:parking.');
    expect(terminal.screen()).not.toContain('? Car');
  });

  test('is refused before the first prompt without a type too, and is enough for a type that parks nothing', async () => {
    const car = await counter.car();
    const refused = open([], { env: await keyed() });
    expect(await refused.exited).toBe(5);
    expect(refused.screen()).not.toContain('? Car');
    const terminal = open(
      ['--car', car.id, '--type', 'inspection', '--notes', 'x', '--photo', '.'],
      {
        env: await keyed(),
        cwd: await folderWith({ 'a.jpg': photo }),
      },
    );
    await terminal.waitFor('? Store this drop-off?');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect((await counter.storedOf(car.id)).events.map(({ activityType }) => activityType)).toEqual(
      ['inspection'],
    );
  });
});

test('a facility without places, and a full one', async () => {
  const env = counter.env(counter.service.otherKey);
  const other = facility(counter.service, counter.service.otherKey);
  const flags = ['--base-url', counter.service.url];
  const empty = open(['--type', 'drop_off', ...flags], { env });
  expect(await empty.exited).toBe(6);
  expect(empty.screen()).not.toContain('? Car');
  expect(unbroken(empty.screen())).toContain(
    unbroken('No parking spots or zones exist yet. Nothing was stored.'),
  );
  expect(unbroken(empty.screen())).toContain(
    unbroken(`cs parking spots create --location LOCATION --name A1 ${flags.join(' ')}`),
  );

  const [car, guest, yard] = [await other.car(), await other.car(), await other.location()];
  await other.event(guest.id, { parkingSpotId: (await other.spot(yard.id)).id });
  const full = open(['--type', 'drop_off', '--car', car.id, ...flags], { env });
  expect(await full.exited).toBe(7);
  expect(unbroken(full.screen())).toContain(unbroken('No free spots and no zones with room.'));
  expect(unbroken(full.screen())).toContain(
    unbroken(`cs parking assignments list --active ${flags.join(' ')}`),
  );
});

describe('colour', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colour is made of
  const colour = /\u001b\[[0-9;]*m/;

  test('is used on a terminal', async () => {
    const terminal = open();
    await terminal.waitFor('＋ Add a new car');
    expect(terminal.raw()).toMatch(colour);
    await leave(terminal);
  });

  test("isn't used with NO_COLOR, in any prompt", async () => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const terminal = open(['--type', 'drop_off', '--spot', spot.id], {
      env: { NO_COLOR: '1' },
      cwd: await folderWith({ 'a.jpg': photo }),
    });
    await terminal.waitFor('＋ Add a new car');
    terminal.type(car.licensePlate);
    await terminal.waitFor(`❯ ${car.licensePlate}`);
    terminal.press('enter');
    await terminal.waitFor('? Notes');
    terminal.press('enter');
    await terminal.waitFor('? Photos');
    terminal.type('a.jpg\r');
    await terminal.waitFor('? Store this drop-off?');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(`✓ ${car.licensePlate} is parked in`);
    expect(terminal.raw()).not.toMatch(colour);
  });
});
