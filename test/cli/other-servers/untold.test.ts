/** Fields that were sent and that the answer to a write doesn't show: the record is read again, and a warning names what it doesn't tell. */
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};
afterEach(() => facility.server.close());

const warning = (fields: string, which = 'it was') =>
  `The server's answer doesn't show ${fields}, and neither does the record. Nothing tells whether ${which} stored.\n`;
const writes = [
  ['customers create --first-name Ada --notes tall', 'notes'],
  ['customers update {Bob} --notes tall', 'notes'],
  ["appointments update {Greta's drop-off} --notes soon", 'notes'],
  ['parking spots update {A3} --notes dry', 'notes'],
] as const;

/** Fields that the specification has in every record: null is the value there. */
const isStated = (line: string) => line.startsWith('appointments ');

describe.each(writes)('cs %s', (line, field) => {
  const forms = isStated(line) ? (['missing'] as const) : (['missing', 'null'] as const);
  test.each(forms)('stored, but %s in the answer: the record tells it', async (as) => {
    await on({ unshown: { fields: [field], as, in: 'writes' } });
    const { code, told, stdout } = await runOn(facility, line);
    expect({ code, told }).toEqual({ code: 0, told: '' });
    // The answer of the server, as it came.
    expect(JSON.parse(stdout)[field] ?? undefined).toBeUndefined();
  });

  test(`dropped: ${isStated(line) ? 'not done' : 'a warning names it'}`, async () => {
    await on({ drops: [field] });
    if (!isStated(line))
      return expect(await runOn(facility, line)).toMatchObject({ code: 0, told: warning(field) });
    expect(await runOn(facility, line)).toMatchObject({
      code: 9,
      stdout: '',
      told: expect.stringContaining('"notes" is null, not "soon"'),
    });
  });

  test('shown nowhere: a warning names it', async () => {
    await on({ unshown: { fields: [field], as: 'missing', in: 'all' } });
    expect(await runOn(facility, line)).toMatchObject({ code: 0, told: warning(field) });
  });
});

test('several records: one warning, and no more reads once a field is known to be shown nowhere', async () => {
  await on({ drops: ['notes'] });
  const { code, told } = await runOn(facility, 'cars update {Greta} {Emma} {Ferdi} --notes x -v');
  expect(code).toBe(0);
  expect(told.split(warning('notes'))).toHaveLength(2);
  const reads = told.split('\n').filter((line) => /^\* GET .*\/cars\/[\w-]+ /.test(line));
  expect(reads).toHaveLength(1);
});

test('a car event that shows its session alone is as the specification says', async () => {
  await on({ events: 'session alone' });
  expect(
    await runOn(facility, 'cars events log {Greta} --type drop_off --spot {A3} --notes x'),
  ).toMatchObject({ code: 0, told: '' });
});

/** Of a car event the specification shows the session alone: null beside it is no other place. */
describe('the place of a car event', () => {
  const fields = ['parkingSpotId', 'parkingZoneId'];
  const parks = [
    ['dropoff {Greta} --type drop_off --spot {A3} --yes', 'parkingSpotId'],
    ['dropoff {Greta} --type drop_off --zone {Hall B} --yes', 'parkingZoneId'],
    ['cars events log {Emma} --type drop_off --spot {A3}', 'parkingSpotId'],
  ] as const;
  const shown: Ways = { events: 'with its place' };

  describe.each(parks)('cs %s', (line, field) => {
    test.each<[string, Ways]>([
      ['told', shown],
      ['missing', {}],
      ['null', { ...shown, unshown: { fields, as: 'null', in: 'writes' } }],
      [
        'empty text',
        { ...shown, unshown: { fields, as: 'null', in: 'writes' }, nulls: 'empty text' },
      ],
    ])('is %s in the answer, and the car tells it', async (_, ways) => {
      await on(ways);
      expect(await runOn(facility, `${line} -q`)).toMatchObject({ code: 0, told: '' });
    });

    test.each(['missing', 'null'] as const)(
      'is %s in the answer and in the car: a warning',
      async (as) => {
        await on({ ...shown, unshown: { fields, as, in: 'all' } });
        expect(await runOn(facility, `${line} -q`)).toMatchObject({
          code: 0,
          told: warning(field),
        });
      },
    );

    test('is another one wherever it is shown: not done', async () => {
      await on({ ...shown, unshown: { fields, as: 'another word', in: 'all' } });
      const first = await runOn(facility, line);
      expect([first.code, first.told]).toEqual([
        9,
        expect.stringContaining(`isn't as it was sent: "${field}" is "E-12"`),
      ]);
    });
  });

  test('is another one, and the same drop-off again is neither done nor sent twice', async () => {
    await on({ ...shown, unshown: { fields, as: 'another word', in: 'all' } });
    const folder = await makeFolder();
    onTestFinished(() => removeFolder(folder));
    for (let run = 1; run <= 2; run++) {
      const { code, stdout, told } = await runOn(facility, parks[0][0], {
        env: { ...facility.env, CS_STATE_DIR: folder },
      });
      expect([code, stdout, told]).toEqual([
        9,
        '',
        expect.stringContaining('isn\'t as it was sent: "parkingSpotId" is "E-12"'),
      ]);
    }
    expect(facility.writes()).toHaveLength(1);
  });

  test('was dropped, as the event and the car tell: a warning', async () => {
    await on({ ...shown, drops: fields });
    const line = 'cars events log {Greta} --type interior_cleaning --spot {A3}';
    expect(await runOn(facility, line)).toMatchObject({ code: 0, told: warning('parkingSpotId') });
  });
});

test('cs api checks nothing', async () => {
  await on({ drops: ['notes'] });
  expect(await runOn(facility, 'api PATCH /cars/{Greta} -F notes=x')).toMatchObject({
    code: 0,
    told: '',
  });
});

describe('a state', () => {
  const cancel = "appointments cancel {Ferdi's pick-up}";
  const forms = ['missing', 'null', 'another word'] as const;

  test.each(forms)('that is %s in the answer, and told by the record', async (as) => {
    await on({ unshown: { fields: ['status'], as, in: 'writes' } });
    expect(await runOn(facility, cancel)).toMatchObject({ code: 0, told: '' });
    expect(facility.writes()).toEqual([
      `PATCH /appointments/{Ferdi's pick-up} {"status":"cancelled"}`,
    ]);
  });

  test('that is in a word of the server everywhere: not done', async () => {
    await on({ unshown: { fields: ['status'], as: 'another word', in: 'all' } });
    const { code, told, stdout } = await runOn(facility, cancel);
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toContain('isn\'t as it was sent: "status" is "E-12", not "cancelled"');
  });

  test.each(['missing', 'null'] as const)(
    'that is %s everywhere: done, with a warning',
    async (as) => {
      await on({ unshown: { fields: ['status'], as, in: 'all' } });
      expect(await runOn(facility, cancel)).toMatchObject({ code: 0, told: warning('status') });
      expect(facility.changed()).toEqual(["Ferdi's pick-up"]);
    },
  );

  test.each(forms)(
    'that is %s in the answer, and another one in the record: not done',
    async (as) => {
      await on({ unshown: { fields: ['status'], as, in: 'writes' }, drops: ['status'] });
      const { code, told, stdout } = await runOn(facility, cancel);
      expect([code, stdout]).toEqual([9, '']);
      expect(told).toContain(
        'but the record, read again, isn\'t as it was sent: "status" is "scheduled", not "cancelled"',
      );
      expect(told).toContain('unexpected_answer');
    },
  );
});

describe('a field that was cleared', () => {
  const clear = 'customers update {Bob} --clear external-id';

  test('and is kept: not done', async () => {
    await on({ changes: 'ignored' });
    const { code, told } = await runOn(facility, clear);
    expect([code, told]).toEqual([9, expect.stringContaining('"externalId" is "B-7", not null')]);
  });

  test('and is left out of the answer: kept in the record, so not done', async () => {
    await on({
      changes: 'ignored',
      unshown: { fields: ['externalId'], as: 'missing', in: 'writes' },
    });
    const { code, told } = await runOn(facility, clear);
    expect([code, told]).toEqual([
      9,
      expect.stringContaining(
        'the record, read again, isn\'t as it was sent: "externalId" is "B-7", not null',
      ),
    ]);
  });

  test.each(['missing', 'empty text'] as const)('and is %s: done', async (nulls) => {
    await on({ nulls });
    expect(await runOn(facility, clear)).toMatchObject({ code: 0, told: '' });
  });
});

describe('the type of an appointment', () => {
  const create =
    'appointments create --type drop_off --at 2026-06-01T09:00:00Z --for 45m --car {Greta}';

  test('another one than was sent: not done', async () => {
    await on({ givesType: 'pick_up' });
    const { code, told } = await runOn(facility, create);
    expect([code, told]).toEqual([
      9,
      expect.stringContaining('isn\'t as it was sent: "appointmentTypeId" names '),
    ]);
  });

  test('by its value', async () => {
    await on({ givesType: 'pick_up' });
    const stdin = JSON.stringify({
      eventType: 'drop_off',
      startAt: '2026-06-01T09:00:00Z',
      endAt: '2026-06-01T10:00:00Z',
    });
    const { code, told } = await runOn(facility, 'appointments create --input -', { stdin });
    expect([code, told]).toEqual([
      9,
      expect.stringContaining('"appointmentTypeId" names "pick_up", not "drop_off"'),
    ]);
  });

  test('an appointment type of the server: a warning', async () => {
    await on({ appointmentTypes: 'own' });
    expect(await runOn(facility, create)).toMatchObject({ code: 0, told: warning('eventTypeId') });
  });
});

describe('a value that the server stores in another form', () => {
  const stored = (text: string) => `The server stored a value in another form: ${text}.\n`;
  type Fields = Readonly<Record<string, unknown>>;
  const update = async (line: string, sent: Fields, rewrites: Fields) => {
    await on({ rewrites });
    return runOn(facility, `${line} --input -`, { stdin: JSON.stringify(sent) });
  };
  const bob = 'customers update {Bob}';
  const visit = "appointments update {Emma's pick-up}";

  test.each<[string, Fields, Fields, string]>([
    [
      bob,
      { phone: '040 1234567' },
      { phone: '+49 40 1234567' },
      '"phone" is "+49 40 1234567", not "040 1234567"',
    ],
    [
      bob,
      { email: 'Bob@Example.com' },
      { email: 'bob@example.com' },
      '"email" is "bob@example.com", not "Bob@Example.com"',
    ],
    [
      'cars update {Greta}',
      { licensePlate: 'HH-AB123' },
      { licensePlate: 'HH AB 123' },
      '"licensePlate" is "HH AB 123", not "HH-AB123"',
    ],
    [bob, { notes: 'two ' }, { notes: 'two' }, '"notes" is "two", not "two "'],
    [
      bob,
      { tags: ['b', 'a', 'b'] },
      { tags: ['a', 'b'] },
      '"tags" is ["a","b"], not ["b","a","b"]',
    ],
    [
      'campaigns content update {Spring} {Spring step}',
      { position: 9 },
      { position: 2 },
      '"position" is 2, not 9',
    ],
  ])('a warning: cs %s with %j, stored as %j', async (line, sent, rewrites, text) => {
    expect(await update(line, sent, rewrites)).toMatchObject({ code: 0, told: stored(text) });
  });

  test.each<[string, Fields, Fields]>([
    [bob, { lastName: 'ray' }, { lastName: 'Ray' }],
    [bob, { phone: '040 1234567' }, { phone: '+49 40 7654321' }],
    [bob, { notes: 'a long text' }, { notes: 'a long' }],
    [bob, { tags: ['a', 'b'] }, { tags: ['a'] }],
    [bob, { address: { city: 'Kiel' } }, { address: { line1: null, city: 'Bonn' } }],
    [bob, { emailOptOut: true }, { emailOptOut: false }],
    ['cars update {Greta}', { mileage: 10 }, { mileage: 9 }],
    ['templates update {Welcome}', { channel: 'sms' }, { channel: 'email' }],
    [visit, { startAt: '2026-05-05T14:30:00Z' }, { startAt: '2026-05-05T14:00:00Z' }],
  ])('another value, so not done: cs %s with %j, stored as %j', async (line, sent, rewrites) => {
    const { code, told } = await update(line, sent, rewrites);
    expect([code, told]).toEqual([9, expect.stringContaining("isn't as it was sent: ")]);
  });

  test.each<[string, Fields, Fields]>([
    [visit, { startAt: '2026-05-05T14:30:00.250Z' }, { startAt: '2026-05-05T16:30:00+02:00' }],
    [bob, { address: { city: 'Kiel' } }, { address: { line1: null, city: 'Kiel' } }],
    ['cars update {Greta}', { licensePlate: 'hh-ab123' }, { licensePlate: 'HH-AB123' }],
    ['cars update {Greta}', { mileage: 10 }, { mileage: '10' }],
  ])('the same value: cs %s with %j, stored as %j', async (line, sent, rewrites) => {
    expect(await update(line, sent, rewrites)).toMatchObject({ code: 0, told: '' });
  });
});
