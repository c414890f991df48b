/** What is recognised as stored by a request whose answer is lost: this one's record, however the server spells it, and nobody else's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findStoredCar,
  findStoredCustomer,
  findStoredEvent,
} from '../../../../src/cli/commands/journal/find.ts';
import { hasValues } from '../../../../src/cli/commands/journal/find-match.ts';
import { type Client, createClient } from '../../../../src/client/client.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
let client: Client;
beforeAll(async () => {
  counter = await openCounter();
  client = createClient({ key: counter.service.key, baseUrl: counter.service.url });
});
afterAll(async () => {
  await client.close();
  await counter.service.close();
});

const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const now = () => ({ during: { from: minutes(-1), until: minutes(10) } });
const car = { year: 1973, make: 'Porsche', model: '911' };

describe('a car that the server spells in its own way', () => {
  test.each([
    ['HH-RS 73', 'hh rs73'],
    ['HHTR88', 'HH-TR 88'],
  ])('stored with the plate %s, sent with %s', async (stored, sent) => {
    const { id } = await client.cars.create({ ...car, licensePlate: stored });
    expect(await findStoredCar(client, { ...car, licensePlate: sent }, now())).toMatchObject({
      record: { id },
    });
  });

  test('another plate is another car', async () => {
    await client.cars.create({ ...car, licensePlate: 'HH-QQ 11' });
    expect(await findStoredCar(client, { ...car, licensePlate: 'HH-QQ 12' }, now())).toBe(
      'nothing',
    );
  });

  test('a value that it does not show: unknown', async () => {
    await client.cars.create({ ...car, licensePlate: 'HH-NV 1' });
    expect(
      await findStoredCar(
        client,
        { ...car, licensePlate: 'HH-NV 1', vin: 'WP0ZZZ99ZTS392124' },
        now(),
      ),
    ).toBe('unknown');
  });

  test('one that was stored before, or long after, is another one', async () => {
    await client.cars.create({ ...car, licensePlate: 'HH-TM 5' });
    const sent = { ...car, licensePlate: 'HH-TM 5' };
    expect(
      await findStoredCar(client, sent, { during: { from: minutes(5), until: minutes(10) } }),
    ).toBe('nothing');
    expect(
      await findStoredCar(client, sent, { during: { from: minutes(-20), until: minutes(-10) } }),
    ).toBe('nothing');
  });
});

test('a customer whose phone number is stored without spaces', async () => {
  const { id } = await client.customers.create({
    firstName: 'Uwe',
    lastName: 'Ohlsen',
    phone: '+4940123456',
  });
  const sent = { firstName: 'Uwe', lastName: 'Ohlsen', phone: '+49 40 / 123-456' };
  expect(await findStoredCustomer(client, sent, now())).toMatchObject({ record: { id } });
});

describe('an event that the server dated', () => {
  test('with the notes that were sent, at the time of the request', async () => {
    const { id } = await counter.car();
    const stored = await client.carEvents.create(id, {
      activityType: 'inspection',
      notes: 'Two keys',
    });
    const sent = { activityType: 'inspection', notes: 'Two keys' };
    expect(await findStoredEvent(client, id, sent, now())).toMatchObject({
      record: { id: stored.id },
    });
  });

  test('that of another counter, with other notes or at another time, is not taken for it', async () => {
    const { id } = await counter.car();
    await client.carEvents.create(id, {
      activityType: 'inspection',
      notes: 'From the other counter',
    });
    const sent = { activityType: 'inspection', notes: 'Two keys' };
    expect(await findStoredEvent(client, id, sent, now())).toBe('nothing');
    const earlier = { during: { from: minutes(-60), until: minutes(-50) } };
    expect(
      await findStoredEvent(client, id, { ...sent, notes: 'From the other counter' }, earlier),
    ).toBe('nothing');
  });
});

describe('an event whose time was sent', () => {
  const sentAt = '2026-03-01T10:00:00.600Z';
  const sent = { activityType: 'inspection', occurredAt: sentAt };

  /** The client of a server that tells an event in its own way. */
  async function telling(event: object): Promise<{ told: Client; id: string }> {
    const { id } = await counter.car();
    const { occurredAt: _, ...rest } = await client.carEvents.create(id, sent);
    const all = async function* () {
      yield { ...rest, occurredAt: sentAt, ...event };
    };
    return {
      told: { ...client, carEvents: { ...client.carEvents, all } } as unknown as Client,
      id,
    };
  }

  test.each([
    ['cut off to seconds', '2026-03-01T10:00:00.000Z', 'ours'],
    ['rounded to seconds', '2026-03-01T10:00:01.000Z', 'ours'],
    ['with another offset', '2026-03-01T11:00:00.600+01:00', 'ours'],
    ['within the same second', '2026-03-01T10:00:00.700Z', 'unknown'],
    ['a second later', '2026-03-01T10:00:01.600Z', 'nothing'],
    ['not shown', undefined, 'unknown'],
  ])('and which is told %s', async (_, occurredAt, expected) => {
    const { told, id } = await telling({ occurredAt });
    const found = await findStoredEvent(told, id, sent, now());
    expect(typeof found === 'object' ? 'ours' : found).toBe(expected);
  });

  test('proves nothing where its type is not shown', async () => {
    const { told, id } = await telling({ activityType: undefined });
    expect(await findStoredEvent(told, id, sent, now())).toBe('unknown');
  });
});

test.each([
  ['2026-03-01T10:00:01.000Z', true],
  ['2026-03-01T10:00:00.700Z', undefined],
])('a record with a time compares as an event does: %s', (at, expected) => {
  expect(hasValues({ at }, { at: '2026-03-01T10:00:00.600Z' })).toBe(expected);
});
