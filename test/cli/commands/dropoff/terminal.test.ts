/** The questions of `cs dropoff`, answered on a real pseudo-terminal. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import {
  afternoon,
  answer,
  answerEach,
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
  await counter.spot();
  photo = await jpeg(400, 300, { gps: true });
  large = await jpeg(2400, 1800);
});

const open = (argv: readonly string[] = [], { env, ...options }: TerminalOptions = {}) =>
  openTerminal(['dropoff', ...argv], { env: { ...counter.env(), ...env }, ...options });

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

test('Tab completes the path of a photo', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const cwd = await folderWith({ 'shots of today/front left.jpg': photo });
  const terminal = open([...intoSpot(car.id, spot.id), '--notes', ''], { cwd });
  await terminal.waitFor('? Photos');
  terminal.type('sh\t');
  await terminal.waitFor('? Photos     shots\\ of\\ today/');
  terminal.type('\t\r');
  expect(await terminal.waitFor('? Store this drop-off?')).toContain('    front left.jpg ');
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
  await answer(terminal, '❯   Second choice');
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

test('Ctrl-C at any prompt stores nothing: exit 130 and one line; so does leaving the summary, exit 13', async () => {
  const car = await counter.car({ nickname: 'Stays out' });
  const steps: [question: string, answer: string][] = [
    ['＋ Add a new car', 'stays out'],
    ['Hall A ·', ''],
    ['? Notes', ''],
    ['? Photos', ''],
    ['? Store this drop-off?', 'n'],
    ['? What would you like to change?', 'leave'],
  ];
  for (const stop of [...steps.keys(), steps.length]) {
    const terminal = open();
    for (const [question, typed] of steps.slice(0, stop)) {
      await terminal.waitFor(question);
      terminal.type(typed);
      if (typed === 'stays out') await terminal.waitFor('“Stays out”');
      terminal.press('enter');
    }
    const next = steps[stop];
    if (next) {
      await terminal.waitFor(next[0]);
      await leave(terminal);
    } else expect(await terminal.exited).toBe(13);
    expect(linesOf(terminal.screen()).at(-1)).toMatch(/^(Stopped\. )?Nothing was stored\.$/);
    expect(terminal.screen()).not.toContain('error:');
  }
  expect((await counter.storedOf(car.id)).events).toEqual([]);
});

test.each([
  [
    'photos',
    /0 of 2 photos · 0 bytes of \d/,
    'Stopped. The drop-off of PLATE is stored, 1 of 2 photos not stored, 1 of 2 photos uncertain.',
    'send the missing photos with `cs pending resume',
  ],
  [
    'events',
    'Storing the drop-off',
    'Stopped while sending. The drop-off may be stored; no photo was sent.',
    'finish it with `cs pending resume',
  ],
])('Ctrl-C while the %s are sent', async (part, sending, told, next) => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const cwd = await folderWith({ 'a.jpg': photo, 'b c.jpg': await jpeg(400, 300, { tone: 90 }) });
  const proxy = await startFaultyProxy(counter.service.url, ({ method, url }) =>
    method === 'POST' && url.endsWith(`/${part}`) ? 'silence' : undefined,
  );
  onTestFinished(() => proxy.close());
  const argv = [...intoSpot(car.id, spot.id), '--photo', '*.jpg', '--yes'];
  const env = { CS_BASE_URL: proxy.url, CS_STATE_DIR: join(cwd, '.state') };
  const terminal = open(argv, { cwd, env });
  await terminal.waitFor(sending);
  await leave(terminal);
  const stored = await counter.storedOf(car.id);
  expect([stored.events.length, stored.photos.length]).toEqual([part === 'photos' ? 1 : 0, 0]);
  for (const words of [told.replace('PLATE', car.licensePlate), next])
    expect(unbroken(terminal.screen())).toContain(unbroken(words));
  const { json } = await cs(['pending', 'list'], { env: { ...counter.env(), ...env } });
  expect(json).toMatchObject([{ state: expect.stringMatching(/^may be stored/) }]);
});

test('the command to send a missing photo finds a new car without a plate', async () => {
  const spot = await counter.spot();
  const cwd = await folderWith({ 'a.jpg': photo });
  const proxy = await startFaultyProxy(counter.service.url, async ({ method, url }) => {
    if (method === 'POST' && url.endsWith('/events')) await appendFile(join(cwd, 'a.jpg'), '.');
    return undefined;
  });
  onTestFinished(() => proxy.close());
  const argv = ['--type', 'drop_off', '--spot', spot.id, '--photo', 'a.jpg', '--yes'];
  const terminal = open(argv, { cwd, env: { CS_BASE_URL: proxy.url } });
  await terminal.waitFor('＋ Add a new car');
  terminal.type('no plate');
  await answer(terminal, 'not found');
  await answerEach(terminal, { Make: 'Saab', Model: '96', Year: '1967' });
  expect(await terminal.exited).toBe(11);
  const { occupiedByCarId } = await counter.make.read(`/parking/spots/${spot.id}`);
  expect(unbroken(terminal.screen())).toContain(
    unbroken(`run \`cs cars photos add ${occupiedByCarId} --session `),
  );
  expect(terminal.screen()).not.toContain("'1967 Saab 96'");
});

test('a car that is here already: stopping there stores nothing', async () => {
  const { car } = await counter.parkedCar();
  const terminal = open([car.licensePlate]);
  await terminal.waitFor('❯ Move it');
  terminal.press('down');
  terminal.press('down');
  await answer(terminal, '❯ Stop');
  expect(await terminal.exited).toBe(13);
  expect(linesOf(terminal.screen()).at(-1)).toBe('Nothing was stored.');
  expect((await counter.storedOf(car.id)).events).toHaveLength(1);
});

test('the zone that a car was in before is shown', async () => {
  const car = await counter.car();
  await counter.make.event(car.id, { parkingZoneId: counter.hall.id });
  await counter.make.event(car.id, { activityType: 'pick_up' });
  const terminal = open([car.licensePlate, '--type', 'drop_off']);
  await terminal.waitFor(/Last place +Hall A\n/);
  await leave(terminal);
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

test('a key without the scope for parking is enough for a type that parks nothing', async () => {
  const car = await counter.car();
  const key = await counter.service.keyWith(['read:cars', 'write:cars', 'read:locations']);
  const argv = ['--car', car.id, '--type', 'inspection', '--notes', 'x'];
  const terminal = open(argv, { env: { CS_API_KEY: key } });
  await answer(terminal, '? Photos');
  await answer(terminal, '? Store this drop-off?');
  expect(await terminal.exited).toBe(0);
  const { events } = await counter.storedOf(car.id);
  expect(events.map(({ activityType }) => activityType)).toEqual(['inspection']);
});

test('a key that may not read locations chooses among places of an unknown one', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const scopes = ['read:cars', 'write:cars', 'read:parking', 'write:parking'] as const;
  const terminal = open(['--car', car.id, '--type', 'drop_off'], {
    env: { CS_API_KEY: await counter.service.keyWith(scopes) },
  });
  await terminal.waitFor(` location ${spot.locationId}`);
  terminal.type(spot.name);
  await terminal.waitFor(new RegExp(`❯ +${spot.name}\\s`));
  await leave(terminal);
});

test('a facility without places', async () => {
  const env = counter.env(counter.service.otherKey);
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
});
