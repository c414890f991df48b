/** `cs appointments`, against the real service. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import { createEventType } from '../../../../src/service/admin.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

/** A morning, so that the day does not end while the tests run. */
const now = new Date(2031, 4, 14, 8, 0);
const later = (days: number, hour: number, minute = 0) =>
  new Date(2031, 4, 14 + days, hour, minute).toISOString();

const service = await testService();
const make = facility(service);
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const { body } = await service.call('GET', '/event-types');
const types = Object.fromEntries(
  body.data.map((type: RecordFor<'eventTypes'>) => [type.value, type]),
);
const ann = await make.customer({ firstName: 'Ann', lastName: 'Lee' });
const main = await make.location({ name: 'Main', timezone: 'Pacific/Auckland' });

const run = (line: readonly string[], options: CliOptions = {}) =>
  cs(['appointments', ...line], { env, now, ...options });
/** `line`: words without spaces, after `create`. */
const create = (line: string, more: readonly string[] = [], options: CliOptions = {}) =>
  run(['create', ...line.split(' '), ...more], options);
let plates = 0;
const newCar = async () => {
  const licensePlate = `AP T ${++plates}`;
  return { plate: licensePlate, id: (await make.car({ licensePlate })).id };
};

describe('create', () => {
  test('by flags, with times as people write them', async () => {
    const [car, second] = [await newCar(), await newCar()];
    const made = await create('--type drop_off --for 45m --location Main --title Winter', [
      ...['--at', 'tomorrow 9:00', '--car', car.plate, '--customer', 'ann lee'],
      ...['--second-car', second.plate, '--status', 'accepted', '--notes', 'Two keys'],
    ]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.json).toMatchObject({
      appointmentTypeId: types.drop_off?.id,
      carId: car.id,
      secondaryCarId: second.id,
      customerId: ann.id,
      locationId: main.id,
      startAt: later(1, 9),
      endAt: later(1, 9, 45),
      title: 'Winter',
      notes: 'Two keys',
      status: 'accepted',
      recurrenceSeriesId: null,
    });
    expect(await make.read(`/appointments/${made.json.id}`)).toEqual(made.json);
  });

  test.each([
    [' 10:30', later(1, 10, 30)],
    ['tomorrow 11:00', later(1, 11)],
  ])('--until %s is of the day of the start, or of its own', async (until, endAt) => {
    const { json } = await create('--no-type -n', ['--at', 'tomorrow 9:00', '--until', until]);
    expect(json.body).toEqual({ startAt: later(1, 9), endAt });
  });

  test.each(['eventTypeId', 'appointmentTypeId'])(
    'what is wrong with %s names the flag',
    async (field) => {
      const input = JSON.stringify({ [field]: 5 });
      const { stderr } = await create('-n --at 9:00 --for 1h', ['--input', input], {
        as: 'terminal',
      });
      expect(stderr).toContain('  --type: must be text');
    },
  );

  test('an option by its name or id, and its length', async () => {
    const wash = await createEventType(service.admin, service.team, {
      value: 'wash',
      name: 'Wash',
      scope: 'vehicle',
      options: [{ name: 'With wax', durationMinutes: 120 }, { name: 'Dry' }],
    });
    const car = await newCar();
    const line = ['create', '--type', 'wash', '--car', car.plate, '--at', 'tomorrow 9:00', '-n'];
    const [wax] = wash.options;
    for (const option of ['with WAX', wax?.id as string])
      expect((await run([...line, '--option', option])).json.body).toMatchObject({
        optionId: wax?.id,
        endAt: later(1, 11),
      });
    const refused = async (type: string) =>
      (await create(`--type ${type} --at now --option Gold`)).error;
    expect(await refused('wash')).toMatchObject({
      exitCode: 6,
      message: 'No option "Gold" found for wash.',
      hint: 'choose one of With wax, Dry',
    });
    expect((await refused('drop_off')).hint).toBe('leave --option out: this type has no options');
  });

  test('a series whose last day is a day at its location', async () => {
    const start = '--no-type --title Round --location Main --at 2031-05-14T20:00:00Z --for 1h';
    const weekly = `${start} --repeat weekly --on thu --last-day 2031-05-29`;
    // 15 May there: a Thursday.
    const made = await create(weekly, [], { as: 'terminal' });
    expect(made.code).toBe(0);
    expect(made.stderr).toMatch(
      /^First of a series of 3 appointments:\s+`cs appointments list --recurrence-series-id \S+`\n/,
    );
    const planned = await create(`${weekly} -n`);
    expect(planned.json.body).toMatchObject({
      recurrenceDaysOfWeek: [4],
      recurrenceEndDate: '2031-05-29T11:59:59Z',
    });
    const counted = await create(`${start} --repeat daily --every 2 --count 4`);
    expect(counted.json).toMatchObject({ recurrenceInterval: 2, recurrenceCount: 4 });
    const { body } = await service.call(
      'GET',
      `/appointments?recurrenceSeriesId=${counted.json.recurrenceSeriesId}`,
    );
    expect(body.total).toBe(4);
    // A key that can read neither the location nor the series.
    const key = await service.keyWith(['write:appointments']);
    const id = (await make.location({ name: 'Unread', timezone: 'Asia/Tokyo' })).id;
    const blind = await create(weekly.replace('Main', id), [], {
      as: 'terminal',
      env: { ...env, CS_API_KEY: key },
    });
    expect([blind.code, blind.stderr]).toEqual([
      0,
      expect.stringMatching(/^First of a series:\s+`cs appointments list --recurrence-series-id/),
    ]);
  });

  describe('a series late in the evening, already the next day at its location', () => {
    const evening = '--no-type --title Late --for 30m --location Far --count 3 --repeat ';
    const typed = ['--at', '2031-05-13 23:30'];
    const withZone = ['--at', '2031-05-13T23:30:00+14:00'];
    beforeAll(() => make.location({ name: 'Far', timezone: 'Pacific/Kiritimati' }));

    test.each(['weekly --on tue', 'monthly'])('is refused without a zone: %j', async (how) => {
      const { code, error } = await create(`${evening}${how}`, typed);
      expect([code, error.code]).toEqual([2, 'usage']);
      expect(error.message).toMatch(
        /2031-05-13 23:30 in this machine's zone .* is 2031-05-14 \d\d:30 in Pacific\/Kiritimati/,
      );
      expect(error.hint).toContain('give the time with its zone, such as --at 2031-05-');
      const { body } = await service.call('GET', '/appointments?limit=200');
      expect(body.data.filter(({ title }: { title: string }) => title === 'Late')).toEqual([]);
    });

    test.each<[string, string[]]>([
      ['weekly --on tue', withZone],
      // The same time every so many days or weeks is the same everywhere.
      ['weekly', typed],
      ['daily', typed],
    ])('is created where the days are clear: %s %j', async (how, at) => {
      expect((await create(`${evening}${how} --dry-run`, at)).code).toBe(0);
    });

    test('prints the time zone with the times', async () => {
      const line = '--no-type --title Once --for 30m --location Far';
      const [made, quiet] = [
        await create(line, typed, { as: 'terminal', columns: 200 }),
        await create(`${line} -q`, typed, { as: 'terminal' }),
      ];
      const told =
        /^Times are in this machine's zone \(.+\); at Far \(Pacific\/Kiritimati\) it starts at 2031-05-14 \d\d:30\.\n$/;
      expect(made.stderr).toMatch(told);
      expect(quiet.stderr).toBe('');
      const { id } = (await create(line, typed)).json;
      expect((await run(['get', id], { as: 'terminal', columns: 200 })).stderr).toMatch(told);
      // JSON has them in UTC.
      expect((await run(['get', id])).stderr).toBe('');
    });
  });

  test('--input is the record, and flags win over it', async () => {
    const given = { startAt: later(0, 9), endAt: later(0, 10), title: 'Sweep' };
    const input = (type: object) => ['--input', JSON.stringify({ ...given, ...type })];
    const eventType = 'facility_task';
    expect((await run(['create', ...input({ eventType })])).json).toMatchObject({
      appointmentTypeId: types.facility_task?.id,
      title: 'Sweep',
    });
    const typed = input({ eventType, eventTypeId: ann.id, appointmentTypeId: ann.id });
    const won = await create('--no-type --for 2h --title Mop -n', typed);
    expect(won.json.body).toEqual({ startAt: later(0, 9), endAt: later(0, 11), title: 'Mop' });
  });

  test('the same --idempotency-key creates no second one', async () => {
    const once = () =>
      create('--no-type --for 1h --idempotency-key once', ['--at', 'tomorrow 9:00']);
    const [first, second] = [await once(), await once()];
    expect(second.json.id).toBe(first.json.id);
  });
});

describe('the verbs', () => {
  const appointment = (carId: string, day: number, status?: RecordFor<'appointments'>['status']) =>
    make.appointment({ carId, startAt: later(day, 9), endAt: later(day, 10), status });

  test.each([
    ['check-in', 'scheduled', 'checked_in', 'checked in'],
    ['start', 'checked_in', 'in_progress', 'started'],
    ['complete', 'in_progress', 'completed', 'completed'],
    ['cancel', 'scheduled', 'cancelled', 'cancelled'],
    ['no-show', 'accepted', 'no_show', 'marked as no-show'],
    ['approve', 'pending_approval', 'scheduled', 'approved'],
    ['decline', 'pending_approval', 'declined', 'declined'],
  ] as const)('%s takes %s to %s', async (verb, from, to, did) => {
    const car = await newCar();
    const { id } = await appointment(car.id, 0, from);
    const planned = await run([verb, car.plate, '--dry-run']);
    expect(planned.json).toEqual({
      dryRun: true,
      method: 'PATCH',
      path: `/api/v1/appointments/${id}`,
      body: { status: to },
    });
    const done = await run([verb, car.plate], { as: 'terminal' });
    const undo = ['cancel', 'no-show'].includes(verb)
      ? `Undo: \`cs appointments update '${car.plate}' --status scheduled\`\n`
      : '';
    // A line that is wider than the terminal goes on below.
    expect([done.code, done.stdout.replace(/\s+/g, ' '), done.stderr]).toEqual([
      0,
      `appointment ${did} 2031-05-14 09:00 `,
      undo,
    ]);
    expect((await make.read(`/appointments/${id}`)).status).toBe(to);
    // Again changes nothing, and reaches for no other.
    const again = await run([verb, id]);
    expect([again.json.status, again.stderr]).toEqual([to, '']);
  });

  test('the undo of a second one of the same car names it by its id', async () => {
    const car = await newCar();
    await appointment(car.id, 7, 'cancelled');
    const { id } = await appointment(car.id, 0);
    const { stderr } = await run(['cancel', car.plate], { as: 'terminal' });
    expect(stderr.replace(/\s+/g, ' ')).toBe(
      `Undo: \`cs appointments update ${id} --status scheduled\` `,
    );
  });

  test("a plate means today's appointment, even a completed one", async () => {
    const car = await newCar();
    const [first, next] = [await appointment(car.id, 0), await appointment(car.id, 7)];
    for (const _ of [1, 2]) expect((await run(['check-in', car.plate])).json.id).toBe(first.id);
    expect((await make.read(`/appointments/${next.id}`)).status).toBe('scheduled');
  });

  test('approve means the waiting one on any day and reopens nothing', async () => {
    const car = await newCar();
    const cancelled = await appointment(car.id, 0, 'cancelled');
    const waiting = await appointment(car.id, 9, 'pending_approval');
    expect((await run(['approve', car.plate])).json.id).toBe(waiting.id);
    const { code, error } = await run(['approve', cancelled.id]);
    expect([code, error.code]).toEqual([7, 'invalid_transition']);
    expect((await make.read(`/appointments/${cancelled.id}`)).status).toBe('cancelled');
  });

  test('the hint for a wrong status names the record as it was typed, or by its id where the name fits only this command', async () => {
    const hint = (ref: string, status: string) =>
      `\`cs appointments update ${ref} --status ${status} --base-url ${service.url}\` changes it anyway, where the server allows it`;
    const [one, several] = [await newCar(), await newCar()];
    await appointment(one.id, 0, 'cancelled');
    const approve = await run(['approve', one.plate, '--base-url', service.url]);
    expect(approve.error).toMatchObject({
      exitCode: 7,
      message: `The appointment ${one.plate} is cancelled, not pending approval, so it can't be approved.`,
      hint: hint(`'${one.plate}'`, 'scheduled'),
    });
    const chosen = await appointment(several.id, 0, 'in_progress');
    await appointment(several.id, 3);
    const decline = await run(['decline', several.plate, '--base-url', service.url]);
    expect(decline.error.hint).toBe(hint(chosen.id, 'declined'));
  });

  test('several matches exit 14, each with its time', async () => {
    const car = await newCar();
    for (const day of [2, 3]) await appointment(car.id, day);
    const { code, error } = await run(['cancel', car.plate]);
    expect(code).toBe(14);
    expect(error.details.candidates.map(({ name }: { name: string }) => name).sort()).toEqual([
      '2031-05-16 09:00 · scheduled',
      '2031-05-17 09:00 · scheduled',
    ]);
  });
});

test('the list of a day of this machine, or of a time range, is complete and in the order of time', async () => {
  const car = await newCar();
  for (const [day, hour] of [
    [2, 23],
    [3, 0],
    [2, 12],
    [1, 23],
    [2, 0],
  ] as const)
    await make.appointment({
      carId: car.id,
      startAt: later(day, hour),
      endAt: later(day + 1, hour),
    });
  const list = async (...flags: string[]) => {
    const { json, stderr } = await run(['list', '--car', car.plate, ...flags]);
    return [json.map(({ startAt }: { startAt: string }) => startAt), stderr];
  };
  const day = ['--date', '2031-05-16'];
  const whole = [later(2, 0), later(2, 12), later(2, 23)];
  expect(await list(...day)).toEqual([whole, '']);
  const [first, , last] = whole;
  expect(await list(...day, '--limit', '2')).toEqual([
    whole.slice(0, 2),
    '2 of 3; --all for the rest\n',
  ]);
  expect(await list(...day, '--limit', '2', '--page', '2')).toEqual([
    [last],
    '1 of 3; --all for the rest\n',
  ]);
  expect(await list('--start-from', later(1, 0), '--start-to', String(first))).toEqual([
    [later(1, 23), first],
    '',
  ]);
  expect((await run(['list', '--date', 'someday'])).code).toBe(2);
});

test('the table shows when, what, whose and where', async () => {
  const car = await newCar();
  await make.appointment({
    carId: car.id,
    customerId: ann.id,
    locationId: main.id,
    eventType: 'drop_off',
    startAt: later(0, 9),
    endAt: later(0, 9, 45),
  });
  await make.appointment({
    carId: car.id,
    title: 'Night',
    startAt: later(0, 22),
    endAt: later(1, 6),
  });
  const day = ['--date', 'today', '--car', car.plate];
  const { stdout } = await run(['list', ...day], { as: 'terminal', columns: 150 });
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 7))).toEqual([
    ['WHEN', 'WHAT', 'CAR', 'STATUS', 'CUSTOMER', 'LOCATION', 'ID'],
    ['2031-05-14 09:00–09:45', 'in 1 hour', 'Drop-off', car.plate, 'scheduled', 'Ann Lee', 'Main'],
    [
      ...['2031-05-14 22:00 – 2031-05-15 06:00', 'in 14 hours', 'Night', car.plate, 'scheduled'],
      expect.any(String),
    ],
    [''],
  ]);
});

describe('on a terminal', () => {
  test('asks only for missing values', async () => {
    const car = await newCar();
    const terminal = openTerminal(['appointments', 'create', '--title', 'Asked'], {
      env,
      ownProcess: true,
    });
    await terminal.waitFor('Interior cleaning');
    terminal.press('down');
    terminal.press('enter');
    await terminal.waitFor('? Car');
    terminal.type(car.plate.replaceAll(' ', ''));
    await terminal.waitFor(`❯ ${car.plate}`);
    terminal.press('enter');
    await terminal.waitFor('? Start');
    terminal.press('enter');
    await terminal.waitFor('Start is required.');
    terminal.type('someday');
    terminal.press('enter');
    await terminal.waitFor('"someday" isn\'t a time');
    terminal.press('ctrl-u');
    terminal.type('2090-06-01 9:00');
    terminal.press('enter');
    await terminal.waitFor('? Store this appointment?');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toMatch(
      /✓ Event +Drop-off\n✓ Car +AP T \d+ .*\n✓ Start +2090-06-01 9:00\n[\s\S]+ Time +Thu 2090-06-01 09:00–09:30\n[\s\S]+appointment created/,
    );
    const { body } = await service.call('GET', `/appointments?carId=${car.id}`);
    const start = new Date(2090, 5, 1, 9);
    expect(body.data).toMatchObject([
      {
        title: 'Asked',
        startAt: start.toISOString(),
        endAt: new Date(start.getTime() + 30 * 60_000).toISOString(),
      },
    ]);
  });

  test("shows the time in the location's own zone before it is stored", async () => {
    vi.stubEnv('TZ', 'UTC');
    onTestFinished(() => void vi.unstubAllEnvs());
    const line =
      'appointments create --no-type --title Afar --location Main --at 2090-06-01T09:00:00Z';
    const terminal = openTerminal(line.split(' '), { env });
    await terminal.waitFor('? Duration');
    terminal.type('1h\r');
    expect(await terminal.waitFor('? Store this appointment?')).toMatch(
      / Time +Thu 2090-06-01 09:00–10:00\n +Time there +2090-06-01 21:00 \(Pacific\/Auckland\)\n/,
    );
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
    const { data } = (await service.call('GET', '/appointments?limit=200')).body;
    expect(data.filter(({ title }: { title: string }) => title === 'Afar')).toEqual([]);
  });

  test('a customer who is not known yet is added inside it', async () => {
    const line = ['appointments', 'create', '--type', 'customer_visit', '--at', '2090-06-02 9:00'];
    const terminal = openTerminal(line, { env });
    await terminal.waitFor('? Customer');
    terminal.type('Nora Neu');
    await terminal.waitFor('❯ ＋ Add a new customer (“Nora Neu” not found)');
    terminal.press('enter');
    for (const [label, typed] of [
      ['First name +Nora', ''],
      ['Last name +Neu', ''],
      ['Phone', '+49 40 1'],
      ['E-mail', ''],
    ]) {
      await terminal.waitFor(new RegExp(`^\\? ${label}`, 'm'));
      terminal.type(`${typed}\r`);
    }
    await terminal.waitFor(
      /Customer +Nora Neu · \+49 40 1 \(new\)\n[\s\S]*\? Store this appointment\?/,
    );
    expect((await service.call('GET', '/customers?q=Nora')).body.data).toEqual([]);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain('The customer is stored: Nora Neu');
    const [nora, ...others] = (await service.call('GET', '/customers?q=Nora')).body.data;
    expect(others).toEqual([]);
    const { body } = await service.call('GET', `/appointments?customerId=${nora.id}`);
    expect(body.data).toMatchObject([
      { customerId: nora.id, appointmentTypeId: types.customer_visit?.id },
    ]);
  });

  test.each([
    ['drop_off', 'car', 'cs cars create'],
    ['customer_visit', 'customer', 'cs customers create'],
  ])('%s without a %s to choose: nothing is stored', async (type, one, create) => {
    const { team } = await service.newTeam();
    const key = await service.keyWith(
      ['read:appointments', 'write:appointments', 'read:cars', 'read:customers'],
      team,
    );
    const terminal = openTerminal(['appointments', 'create', '--type', type], {
      env: { ...env, CS_API_KEY: key },
    });
    expect(await terminal.exited).toBe(6);
    expect(terminal.screen()).toContain(`No ${one}s exist yet. Nothing was stored.`);
    expect(terminal.screen()).toContain(create);
  });

  test('an option of the type, and another one at the summary with its own length', async () => {
    const { options } = await createEventType(service.admin, service.team, {
      value: 'polish',
      name: 'Polish',
      scope: 'vehicle',
      options: [{ name: 'With wax', durationMinutes: 120 }, { name: 'Dry' }],
    });
    const { id, plate } = await newCar();
    const flags = ['--type', 'polish', '--car', plate, '--at', '2090-06-05 9:00'];
    const terminal = openTerminal(['appointments', 'create', ...flags], { env });
    await terminal.waitFor(/\? Option +\n❯ With wax\n {2}Dry\n {2}None of them/);
    terminal.press('down');
    await terminal.waitFor('❯ Dry');
    terminal.press('enter');
    await terminal.waitFor('? Duration');
    terminal.type('45m\r');
    await terminal.waitFor(/Event +Polish · Dry\n[\s\S]* 09:00–09:45\n[\s\S]*\? Store this/);
    terminal.type('n\r');
    await terminal.waitFor('What would you like to change?');
    terminal.type('option\r');
    await terminal.waitFor(/\? Option +\n {2}With wax\n❯ Dry/);
    terminal.press('up');
    await terminal.waitFor('❯ With wax');
    terminal.press('enter');
    await terminal.waitFor(/Event +Polish · With wax\n[\s\S]* 09:00–11:00\n[\s\S]*\? Store this/);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    const { body } = await service.call('GET', `/appointments?carId=${id}`);
    expect(body.data).toMatchObject([{ optionId: options[0]?.id }]);
  });

  test('a type that is changed at the summary asks for what it needs, and not for what is known', async () => {
    const car = await newCar();
    const line = ['--title', 'First', '--until', '2090-06-03 9:45'];
    const terminal = openTerminal(['appointments', 'create', ...line], { env });
    const chooseType = async (shown: string, name: string) => {
      await terminal.waitFor(new RegExp(`\\? Event[\\s\\S]*❯ ${shown}`));
      terminal.type(name);
      await terminal.waitFor(`❯ ${name}`);
      terminal.press('enter');
    };
    const changeType = async (shown: string, name: string) => {
      terminal.type('n\r');
      const offered = await terminal.waitFor('Start over');
      terminal.press('enter');
      await chooseType(shown, name);
      return offered.match(/(?<=^(❯| ) )[A-Z]\w+$/gm);
    };
    const summary = (event: string, car = '') =>
      terminal.waitFor(
        new RegExp(
          ` {2}Event +${event}\\n${car} +Time +Sat 2090-06-03 09:00–09:45\\n[\\s\\S]*\\? Store this`,
        ),
      );
    await chooseType('', 'Drop-off');
    await terminal.waitFor('? Car');
    terminal.type(car.plate.replaceAll(' ', ''));
    await terminal.waitFor(`❯ ${car.plate}`);
    terminal.press('enter');
    await terminal.waitFor('? Start');
    terminal.type('2090-06-03 9:00\r');
    const ofCar = ` +Car +${car.plate} .*\\n`;
    await summary('Drop-off', ofCar);
    expect(await changeType('Drop-off', 'Something else')).toEqual(['Event', 'Car', 'Start']);
    await summary('no type');
    expect(await changeType('Something else', 'Pick-up')).toEqual(['Event', 'Start']);
    await terminal.waitFor(/\? Car/);
    terminal.press('enter');
    await summary('Pick-up', ofCar);
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    const { body } = await service.call('GET', `/appointments?carId=${car.id}`);
    expect(body.data).toMatchObject([{ appointmentTypeId: types.pick_up?.id, title: 'First' }]);
  });

  test.each([
    ['drop_off', 'expected', 'stored'],
    ['pick_up', 'stored', 'expected'],
    // Neither: the car that changed last.
    ['inspection', 'expected', 'expected'],
  ])(
    '%s offers cars that are %s first, where one that is %s changed last',
    async (type, first, last) => {
      const [here, away] = [await newCar(), await newCar()];
      const location = await make.location({ name: `For ${type}` });
      const spot = await make.spot(location.id, { name: `Of ${type}` });
      await make.event(here.id, { parkingSpotId: spot.id });
      // It would be the first of the list.
      const late = last === 'stored' ? here : away;
      await make.change(`/cars/${late.id}`, { color: 'red' });
      const terminal = openTerminal(['appointments', 'create', '--type', type], { env });
      const offered = await terminal.waitFor(/\? Car[\s\S]*❯[\s\S]*type to search/);
      const states = [...offered.matchAll(/ {2}(stored|expected)$/gm)].map(([, state]) => state);
      expect(states[0]).toBe(first);
      if (first !== last && states.includes(last))
        expect(states.lastIndexOf(first)).toBeLessThan(states.indexOf(last));
      terminal.press('ctrl-c');
      expect(await terminal.exited).toBe(130);
    },
  );
});
