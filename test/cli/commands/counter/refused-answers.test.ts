/** What is refused returns to its question, nothing is stored twice, and who leaves gets the command that goes on. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { createEventType, createKey, revokeKey } from '../../../../src/service/admin.ts';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import {
  addNewCar,
  afternoon,
  answer,
  answerEach,
  type Counter,
  choose,
  counterOfFile,
  folderWith,
  jpeg,
  leave,
  noon,
  openCounter,
  pick,
  unbroken,
} from './counter.ts';

const counter = counterOfFile();
let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(200, 150);
});

const open: Counter['open'] = (...how) => counter.open(...how);

const totalOf = async (path: string): Promise<number> =>
  (await counter.service.call('GET', path)).body.total;

async function withPhoto(): Promise<Pick<TerminalOptions, 'cwd'>> {
  return { cwd: await folderWith({ 'a.jpg': photo }) };
}

/** The service at an address that a test closes. */
async function breakable() {
  const proxy = await startFaultyProxy(counter.service.url, () => undefined);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await proxy.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { env: { CS_BASE_URL: proxy.url, CS_RETRIES: '0' }, break: close };
}

describe('the server refuses', () => {
  test('the name of a new spot: it is asked again, and stored once', async () => {
    await counter.spot({ name: 'Twice' });
    const terminal = open([
      ...'parking spots create --location Harbour --zone'.split(' '),
      'Hall A',
    ]);
    await answer(terminal, '? Name', 'Twice');
    await answer(terminal, '? Kind');
    await answer(terminal, '? Store this parking spot?');
    await terminal.waitFor(/Another\s+parking\s+spot\s+has\s+the\s+name\s+Twice/);
    await answer(terminal, /\? Name +Twice/, ' as much');
    await answer(terminal, /Name +Twice as much[\s\S]*\? Store this parking spot\?/);
    expect(await terminal.exited).toBe(0);
    const spots = (await counter.service.call('GET', '/parking/spots?limit=200')).body.data as {
      name: string;
    }[];
    expect(spots.map(({ name }) => name).filter((name) => name.startsWith('Twice'))).toEqual([
      'Twice as much',
      'Twice',
    ]);
  });

  test('the place of a new car, which is stored by then: another place is asked, and the car is stored once', async () => {
    const [taken, free, rival] = [
      await counter.spot(),
      await counter.spot({ name: 'Free for new' }),
      await counter.car(),
    ];
    const terminal = open(
      ['dropoff', '--type', 'drop_off', '--spot', taken.id, '--notes', 'x', '--photo', '.'],
      await withPhoto(),
    );
    await addNewCar(terminal, 'hh-st 1');
    await answer(terminal, '? Owner');
    await terminal.waitFor('? Store this drop-off?');
    await counter.make.event(rival.id, { parkingSpotId: taken.id });
    terminal.press('enter');
    await pick(
      terminal,
      /Choose\s+another\s+place\.[\s\S]*\? Place/,
      'free for new',
      /❯ +Free for new/,
    );
    expect(await terminal.exited).toBe(0);
    const { data } = (await counter.service.call('GET', '/cars?licensePlate=HH-ST%201')).body;
    expect(data).toMatchObject([{ parkingSpotId: free.id }]);
    expect((await counter.storedOf(data[0].id)).photos).toHaveLength(1);
  });

  test('the event of an appointment, which is inactive by then: it is asked again, with the other answers', async () => {
    const { admin } = counter.service;
    await createEventType(admin, 'first', { value: 'one_off', scope: 'customer', name: 'One off' });
    const { id } = await counter.make.customer({ firstName: 'Stays', lastName: 'Here' });
    const terminal = open(['appointments', 'create', '--at', '2090-06-01 14:00', '--for', '1h']);
    await pick(terminal, '? Event', 'one', '❯ One off');
    await pick(terminal, '? Customer', 'stays', '❯ Stays Here');
    await terminal.waitFor('? Store this appointment?');
    const types = admin.database.write.updateTable('eventTypes');
    await types.set({ isActive: false }).where('value', '=', 'one_off').execute();
    terminal.press('enter');
    const offered = await terminal.waitFor(/isn't active[\s\S]*\? Event[\s\S]*Something else/);
    expect(offered.split('? Event').at(-1)).not.toContain('One off');
    await pick(terminal, '? Event', 'customer v', '❯ Customer visit');
    await answer(
      terminal,
      /Event +Customer visit\n +Customer +Stays Here[\s\S]*\? Store this appointment\?/,
    );
    expect(await terminal.exited).toBe(0);
    expect(await totalOf(`/appointments?customerId=${id}`)).toBe(1);
  });

  test('a new car after its new owner is stored: the owner is stored once', async () => {
    const closed = await counter.make.location({ name: 'Closes soon' });
    const terminal = open([
      ...'cars create --make Saab --model 99 --location'.split(' '),
      'Closes soon',
    ]);
    await answer(terminal, '? Plate', 'HH-ON 1');
    await answer(terminal, '? Year', '1970');
    await answer(terminal, '? Colour');
    await choose(terminal, '＋ Add a new owner', 1);
    await answerEach(terminal, {
      'First name': 'Only',
      'Last name': 'Once',
      Phone: '',
      'E-mail': '',
    });
    await terminal.waitFor(
      /Owner +Only Once \(new\)\n {2}Location +Closes soon[\s\S]*\? Store this car\?/,
    );
    await counter.service.call('PATCH', `/locations/${closed.id}`, { isActive: false });
    terminal.press('enter');
    await terminal.waitFor(/isn't active[\s\S]*\? Store this car\?/);
    await counter.service.call('PATCH', `/locations/${closed.id}`, { isActive: true });
    await answer(terminal, /Owner +Only Once\n[\s\S]*\? Store this car\?/);
    expect(await terminal.exited).toBe(0);
    const owners = (await counter.service.call('GET', '/customers?q=Only%20Once')).body.data;
    expect(owners).toHaveLength(1);
    expect(
      (await counter.service.call('GET', '/cars?licensePlate=HH-ON%201')).body.data,
    ).toMatchObject([{ customerId: owners[0].id }]);
  });

  test('a new car of a drop-off, whose new owner is stored by then: the car is corrected, and the owner is stored once', async () => {
    const spot = await counter.spot();
    // The clock of the counter is a year ahead, so that a model of the year after is refused by the service alone.
    const ahead = new Date(noon);
    ahead.setFullYear(noon.getFullYear() + 1);
    const year = ahead.getFullYear() + 1;
    const flags = ['--type', 'drop_off', '--spot', spot.id, '--notes', 'x', '--photo', '.'];
    const terminal = open(['dropoff', ...flags], { now: ahead, rows: 40, ...(await withPhoto()) });
    await addNewCar(terminal, 'hh-ow 1', { Model: '9-5', Year: String(year) });
    await pick(
      terminal,
      '＋ Add a new owner',
      'ebba lind',
      '❯ ＋ Add a new owner (“ebba lind” not found)',
    );
    // What was searched for is the name.
    await answer(terminal, /\? First name +Ebba$/m);
    await answer(terminal, /\? Last name +Lind$/m);
    await answer(terminal, '? Phone', '+46 1');
    await answer(terminal, '? E-mail');
    await answer(terminal, /Owner +Ebba Lind · \+46 1 \(new\)[\s\S]*\? Store this drop-off\?/);
    await terminal.waitFor(/Please\s+correct\s+it\.[\s\S]*\? Year +\d+/);
    terminal.press('ctrl-u');
    await answer(terminal, /\? Year *$/m, '2009');
    await answer(
      terminal,
      /Car +HH-OW 1 · 2009 Saab 9-5[\s\S]*Owner +Ebba Lind\n[\s\S]*\? Store this drop-off\?/,
    );
    expect(await terminal.exited).toBe(0);
    const owners = (await counter.service.call('GET', '/customers?q=Ebba%20Lind')).body.data;
    expect(owners).toMatchObject([{ firstName: 'Ebba', lastName: 'Lind', phone: '+46 1' }]);
    expect(
      (await counter.service.call('GET', '/cars?licensePlate=HH-OW%201')).body.data,
    ).toMatchObject([{ customerId: owners[0].id, year: 2009, parkingSpotId: spot.id }]);
  });
});

describe('another counter was faster with the same car', () => {
  test('a drop-off: the place is asked again, and the summary says that the car will be moved', async () => {
    const [car, mine, theirs] = [
      await counter.car(),
      await counter.spot({ name: 'Mine 1' }),
      await counter.spot(),
    ];
    const terminal = open(
      ['dropoff', car.licensePlate, '--spot', mine.id, '--notes', 'kept', '--photo', '.'],
      await withPhoto(),
    );
    await terminal.waitFor('? Store this drop-off?');
    await counter.make.event(car.id, { parkingSpotId: theirs.id });
    terminal.press('enter');
    await terminal.waitFor(
      new RegExp(
        `is already parked in\\s+${theirs.name}[\\s\\S]*Please\\s+check\\s+it\\.[\\s\\S]*\\? Place`,
      ),
    );
    await answer(terminal, /❯ +Mine 1/);
    await answer(
      terminal,
      /Place +Mine 1[\s\S]*Moves from[\s\S]*Notes +kept[\s\S]*\? Store this drop-off\?/,
    );
    expect(await terminal.exited).toBe(0);
    expect(await counter.make.read(`/cars/${car.id}`)).toMatchObject({ parkingSpotId: mine.id });
  });

  test('a move: the place is asked again, from where the car is now', async () => {
    const [{ car }, theirs, mine] = [
      await counter.parkedCar(),
      await counter.spot(),
      await counter.spot({ name: 'Mine 2' }),
    ];
    const terminal = open(['move', car.licensePlate]);
    await terminal.waitFor(/\? Place[\s\S]*type to search/);
    terminal.type('mine 2');
    await terminal.waitFor(/❯ +Mine 2/);
    await counter.make.assignment({ carId: car.id, parkingSpotId: theirs.id });
    terminal.press('enter');
    await terminal.waitFor(
      new RegExp(
        `has\\s+been\\s+moved\\s+to\\s+${theirs.name}[\\s\\S]*Please\\s+check\\s+it\\.\\n +Parked in +${theirs.name}[^\\n]*\\n\\? Place`,
      ),
    );
    await answer(terminal, /❯ +Mine 2/);
    expect(await terminal.exited).toBe(0);
    expect(await counter.make.read(`/cars/${car.id}`)).toMatchObject({ parkingSpotId: mine.id });
  });

  test('a pick-up: the summary shows where the car is now; one that is gone asks for another car', async () => {
    const [{ car }, theirs] = [await counter.parkedCar(), await counter.spot()];
    await counter.parkedCar();
    const terminal = open(['pickup', car.licensePlate]);
    await answer(terminal, '? Notes', 'kept');
    await terminal.waitFor('? Hand this car over?');
    await counter.make.assignment({ carId: car.id, parkingSpotId: theirs.id });
    terminal.press('enter');
    await terminal.waitFor(
      new RegExp(
        `has been moved to[\\s\\S]*Parked in +${theirs.name}[\\s\\S]*Notes +kept[\\s\\S]*\\? Hand this car over\\?`,
      ),
    );
    await counter.make.event(car.id, { activityType: 'pick_up' });
    terminal.press('enter');
    const asked = await terminal.waitFor(
      /isn't\s+parked\s+here\s+any\s+more[\s\S]*\? Car +plate, VIN[^\n]*\n❯ /,
    );
    expect(asked.slice(asked.lastIndexOf('? Car'))).not.toContain(car.licensePlate);
    await leave(terminal);
    expect((await counter.storedOf(car.id)).events).toHaveLength(2);
    // Whoever leaves a correction leaves no work behind.
    const { stdout } = await cs(['pending', 'list'], { env: counter.env() });
    expect(stdout).not.toContain(car.licensePlate);
  });
});

test('a customer that got no answer is sent again, and stored once', async () => {
  let isFirst = true;
  const proxy = await startFaultyProxy(counter.service.url, ({ method }) => {
    const isLost = method === 'POST' && isFirst;
    if (method === 'POST') isFirst = false;
    return isLost ? 'lost' : undefined;
  });
  onTestFinished(() => proxy.close());
  const terminal = open(['customers', 'create'], {
    env: { CS_BASE_URL: proxy.url, CS_RETRIES: '0' },
  });
  await answer(terminal, '? First name', 'Unheard');
  for (const label of ['Last name', 'Company', 'Phone', 'E-mail'])
    await answer(terminal, `? ${label}`);
  await answer(terminal, '? Store this customer?');
  await answer(terminal, '❯ Try again');
  expect(await terminal.exited).toBe(0);
  expect(await totalOf('/customers?q=Unheard')).toBe(1);
});

test('an erased name of a new customer asks for the e-mail before the approval', async () => {
  const terminal = open(['customers', 'create']);
  await answer(terminal, '? First name', 'Ann');
  for (const label of ['Last name', 'Company', 'Phone', 'E-mail'])
    await answer(terminal, `? ${label}`);
  await answer(terminal, '? Store this customer?', 'n');
  await answer(terminal, '❯ First name');
  await terminal.waitFor(/\? First name +Ann/);
  terminal.press('ctrl-u');
  await answer(terminal, /\? First name +optional/);
  await answer(terminal, '? E-mail     needed without', 'erased@example.com');
  await answer(terminal, /E-mail +erased@example\.com\n\n\? Store this customer\?/);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).not.toContain('Identify by');
  expect(await totalOf('/customers?q=erased%40example.com')).toBe(1);
});

test('the summary shows what flags and --input give', async () => {
  const terminal = open([
    'cars',
    'create',
    '--input',
    '{"mileage":4800,"notes":"left side scratched"}',
    '--location',
    'Harbour',
  ]);
  await answerEach(terminal, {
    Plate: 'HH-FL 1',
    Make: 'Saab',
    Model: '900',
    Year: '1987',
    Colour: 'red',
  });
  await answer(terminal, '? Owner');
  const summary = await terminal.waitFor('? Store this car?');
  for (const row of [
    /Colour +red/,
    /Location +Harbour/,
    /Mileage +4800/,
    /Notes +left side scratched/,
  ])
    expect(summary).toMatch(row);
  await leave(terminal);
});

describe('who leaves after the server went away gets the command that goes on', () => {
  test('a drop-off, by the id of the car, with its appointment', async () => {
    const [car, server, spot] = [
      await counter.car({ licensePlate: 'HH-TW 1', nickname: 'Chosen twin' }),
      await breakable(),
      await counter.spot(),
    ];
    await counter.car({ licensePlate: 'HH-TW 1' });
    const appointment = await counter.make.appointment({
      carId: car.id,
      eventType: 'drop_off',
      ...afternoon(),
    });
    const terminal = open(['dropoff', '--spot', spot.id], {
      env: server.env,
      ...(await withPhoto()),
    });
    await pick(terminal, '? Car', 'chosen twin', /\? Car.*\n❯ HH-TW 1.*\n {2}＋/);
    await answer(terminal, '? Notes', 'two keys');
    await answer(terminal, '? Photos');
    await answer(terminal, '? Store this drop-off?', 'n');
    await terminal.waitFor('❯ Car');
    await server.break();
    await choose(terminal, 'Event', 1);
    await terminal.waitFor('Leave, with the command that goes on');
    for (let down = 0; down < 2; down += 1) terminal.press('down');
    await answer(terminal, /❯ +Leave/);
    expect(await terminal.exited).toBe(9);
    const shown = unbroken(terminal.screen());
    for (const words of [
      `cs dropoff ${car.id} `,
      '--type drop_off',
      `--appointment ${appointment.id}`,
      "--notes 'two keys'",
    ])
      expect(shown).toContain(unbroken(words));
  });

  test('a drop-off whose key is revoked meanwhile, which another key finishes', async () => {
    const { admin } = counter.service;
    await counter.spot();
    const { key } = await createKey(admin, { team: 'first', name: 'Leaving', scopes });
    const terminal = open(['dropoff', '--type', 'drop_off'], { env: { CS_API_KEY: key } });
    await addNewCar(terminal, 'hh-rv 1');
    await terminal.waitFor('❯ No owner yet');
    await revokeKey(admin, 'Leaving');
    terminal.press('enter');
    expect(await terminal.exited).toBe(4);
    expect(unbroken(terminal.screen())).toContain(
      unbroken(
        "hint: ask for a new key and sign in with `cs auth login`; go on then with `cs cars create --license-plate 'HH-RV 1' --make Saab --model 96 --year 1967`, then `cs dropoff 'HH-RV 1' --type drop_off`",
      ),
    );
  });

  type Approving = Parameters<typeof choose>[0];
  test.each([
    {
      ...{ what: 'the server goes away', exit: 9, state: 'not sent: the server was unreachable' },
      async approve(terminal: Approving, server: Awaited<ReturnType<typeof breakable>>) {
        await server.break();
        terminal.press('enter');
        await choose(terminal, 'Leave, and finish it later', 1);
      },
    },
    {
      ...{ what: 'the key is revoked', exit: 4, state: 'not sent: the key was refused' },
      async approve(terminal: Approving) {
        await revokeKey(counter.service.admin, this.what);
        terminal.press('enter');
      },
    },
  ])('$what at the approval: nothing was sent, and cs pending resume finishes it', async (row) => {
    const { what, exit, state } = row;
    const { admin } = counter.service;
    const [car, spot, server] = [await counter.car(), await counter.spot(), await breakable()];
    const { key } = await createKey(admin, { team: 'first', name: what, scopes });
    const line = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.id];
    const terminal = open([...line, '--notes', 'x', '--photo', '.'], {
      env: { ...server.env, CS_API_KEY: key },
      ...(await withPhoto()),
    });
    await terminal.waitFor('? Store this drop-off?');
    await row.approve(terminal, server);
    expect(await terminal.exited).toBe(exit);
    const { json: works } = await cs(['pending', 'list'], { env: counter.env() });
    const left = works.find(
      (work: { what: string }) => work.what === `drop-off of ${car.licensePlate}`,
    );
    expect(left).toMatchObject({ state });
    const finish = `finish it with \`cs pending resume ${left.id}\`, or run the same line again`;
    expect(unbroken(terminal.screen())).toMatch(
      new RegExp(`Youranswersarekept\\.hint:.*;${unbroken(finish)}`),
    );
    expect((await cs(['pending', 'resume', left.id], { env: counter.env() })).code).toBe(0);
    expect((await counter.storedOf(car.id)).photos).toHaveLength(1);
  });

  test('a new customer', async () => {
    const server = await breakable();
    const tags = '{"tags":["red, white","club"]}';
    const terminal = open(['customers', 'create', '--notes', 'likes red', '--input', tags], {
      env: server.env,
    });
    await answerEach(terminal, {
      'First name': 'Lea',
      'Last name': "O'Neill",
      Company: '',
      Phone: '+49 1',
      'E-mail': '',
    });
    await terminal.waitFor('? Store this customer?');
    await server.break();
    terminal.press('enter');
    await choose(terminal, 'Leave, with the command that goes on', 1);
    expect(await terminal.exited).toBe(9);
    const line = String.raw`cs customers create --notes 'likes red' --first-name Lea --last-name 'O'\''Neill' --phone '+49 1' --input '${tags}'`;
    expect(unbroken(terminal.screen())).toContain(unbroken(line));
    expect(await totalOf('/customers?q=Lea')).toBe(0);
  });

  test('an appointment', async () => {
    const [server, customer] = [
      await breakable(),
      await counter.make.customer({ firstName: 'Waits', lastName: 'Here' }),
    ];
    const terminal = open(
      ['appointments', 'create', '--type', 'customer_visit', '--notes', 'tea'],
      { env: server.env },
    );
    await pick(terminal, '? Customer', 'waits', '❯ Waits Here');
    await answer(terminal, '? Start', '2090-06-01 14:00');
    await terminal.waitFor(/Notes +tea[\s\S]*\? Store this appointment\?/);
    await server.break();
    terminal.press('enter');
    await choose(terminal, 'Leave, with the command that goes on', 1);
    expect(await terminal.exited).toBe(9);
    const shown = unbroken(terminal.screen());
    for (const words of [
      'cs appointments create --type customer_visit',
      '--notes tea',
      `--customer ${customer.id}`,
      '--at 2090-06-01T',
    ])
      expect(shown).toContain(unbroken(words));
  });
});

test('where several types park, a full facility and a missing scope are told before the first question', async () => {
  const full = await openCounter();
  onTestFinished(() => full.service.close());
  const { admin } = full.service;
  await admin.database.write
    .updateTable('eventTypes')
    .set({ isActive: false })
    .where('value', '<>', 'drop_off')
    .execute();
  await createEventType(admin, 'first', {
    value: 'winter_storage',
    scope: 'vehicle',
    name: 'Winter storage',
    requiresParkingSpot: true,
  });
  for (let parked = 0; parked < 2; parked += 1)
    await full.make.event((await full.car()).id, { parkingZoneId: full.hall.id });
  const terminal = openTerminal(['dropoff'], { env: full.env(), now: noon });
  expect(await terminal.exited).toBe(7);
  expect(unbroken(terminal.screen())).toContain(unbroken('No free spots and no zones with room.'));
  expect(terminal.screen()).not.toContain('? Car');
  const key = await full.service.keyWith(['read:cars', 'write:cars', 'read:locations']);
  const refused = openTerminal(['dropoff'], { env: full.env(key), now: noon });
  expect(await refused.exited).toBe(5);
  expect(refused.screen()).toContain('Missing scope: write:parking.');
  expect(refused.screen()).not.toContain('? Car');
});

test.each([
  ['dropoff --type drop_off', ['read:cars', 'write:cars', 'read:locations'], 'write:parking'],
  ['move', ['read:cars', 'write:parking'], 'read:parking'],
  ['move', ['read:parking', 'read:cars'], 'write:parking'],
  ['appointments create', ['read:appointments', 'read:cars'], 'write:appointments'],
  ['customers create', ['read:customers'], 'write:customers'],
] as const)('cs %s with %j is refused before the first question', async (line, given, missing) => {
  const key = await counter.service.keyWith(given);
  const terminal = open(line.split(' '), { env: { CS_API_KEY: key } });
  expect(await terminal.exited).toBe(5);
  expect(terminal.screen()).toContain(`Missing scope: ${missing}.`);
  expect(terminal.raw()).not.toContain('? ');
});
