/** A status alone doesn't prove what a server did: the answer must have the record that was named, with what was sent. */
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Client,
  createClient,
  type ServerWarning,
  type WriteResult,
} from '../../src/client/client.ts';
import { isSameId } from '../../src/client/ids.ts';
import {
  type Behaviour,
  empty,
  html,
  json,
  raw,
  reset,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const id = '0199aaaa-0000-7000-8000-000000000001';
const other = '0199aaaa-0000-7000-8000-000000000002';

async function clientOf(...answers: Behaviour[]) {
  const server = await startMisbehavingServer(answers);
  const warnings: ServerWarning[] = [];
  const results: WriteResult[] = [];
  const client: Client = createClient({
    baseUrl: server.url,
    key: 'csk_a.b',
    retries: 1,
    sleep: async () => {},
    onWarning: (warning) => warnings.push(warning),
    afterWrite: (result) => void results.push(result),
  });
  opened.push(client, server);
  return { client, warnings, results, server };
}
const recordOf = (data: object, status = 200) => json(status, { data });
const unknown = { name: 'ProtocolError', code: 'unexpected_answer', unknownOutcome: true };

describe('a record', () => {
  test.each([
    ['of another id', { data: { id: other } }, `"data.id" isn't ${id}`],
    ['without an id', { data: { make: 'Porsche' } }, `"data.id" isn't ${id}`],
    ['as a list', { data: [{ id }] }, '"data" isn\'t a record'],
    ['alone', { id }, '"data" isn\'t a record'],
  ])('%s is none that was named', async (_, body, message) => {
    const { client } = await clientOf(json(200, body));
    await expect(client.cars.get(id)).rejects.toMatchObject({
      ...unknown,
      unknownOutcome: false,
      message: expect.stringContaining(`${message}. The specification has { data: record }`),
    });
    await expect(client.cars.update(id, { make: 'x' })).rejects.toMatchObject(unknown);
  });

  test.each([
    ['read', (client: Client) => client.carEvents.get(id, 'e1')],
    ['stored', (client: Client) => client.carEvents.create(id, { activityType: 'x' })],
  ])('of another parent is none that was named: %s', async (_, act) => {
    const { client } = await clientOf(recordOf({ id: 'e1', carId: other }));
    await expect(act(client)).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringContaining(`"data.carId" isn't ${id}`),
    });
  });

  test('has text for ids that are whole numbers, and every other value as it came', async () => {
    const came = { id: 17, customerId: 5, assetIds: [1, 'x'], year: '1973', isActive: 'yes' };
    const { client } = await clientOf(recordOf(came));
    expect(await client.cars.get('17')).toEqual({
      ...came,
      id: '17',
      customerId: '5',
      assetIds: ['1', 'x'],
    });
  });

  test.each(['9007199254740992', '9007199254740993'])(
    'with the rounded id %s is none',
    async (big) => {
      const { client } = await clientOf(raw(200, 'application/json', `{"data":{"id":${big}}}`));
      await expect(client.cars.get(big)).rejects.toThrow(`"data.id" isn't ${big}`);
    },
  );

  test('of a create has an id, or what the specification promises of it', async () => {
    const { client } = await clientOf(recordOf({ notes: 'x' }, 201));
    await expect(client.customers.create({ lastName: 'x' })).rejects.toMatchObject({
      ...unknown,
      message: expect.stringContaining('"data" has no id'),
    });
    expect(await client.carEvents.create(id, { activityType: 'x' })).toEqual({ notes: 'x' });
  });

  test.each([
    ['a page', html(200)],
    ['nothing', empty(204)],
    ['the promise to do it later', recordOf({ id }, 202)],
  ])('that is %s leaves a write unknown, and nothing is read to find out', async (_, answer) => {
    const { client, server } = await clientOf(answer);
    await expect(client.cars.update(id, { make: 'x' })).rejects.toMatchObject(unknown);
    await expect(client.cars.create({ year: 1973, make: 'x', model: 'y' })).rejects.toMatchObject(
      unknown,
    );
    expect(server.requests).toHaveLength(2);
  });
});

describe('a list', () => {
  const numbers = { page: 1, limit: 50, total: 1 };
  const notWhole = '"page", "limit" and "total" aren\'t whole numbers';
  test.each([
    ['a total as text', { data: [{ id }], ...numbers, total: '1' }, notWhole],
    ['no numbers', { data: [{ id }] }, notWhole],
    [
      'a first record without an id',
      { data: [{}, { id }], ...numbers },
      '"data.0" has no id. In the specification every identifier is a string (section 2)',
    ],
    [
      'a record without an id',
      { data: [{ id }, {}], ...numbers },
      '"data.1" has no id. In the specification every identifier is a string (section 2)',
    ],
    ['one record', { data: { id }, ...numbers }, '"data" isn\'t a list of records'],
  ])('with %s is none of the specification', async (_, body, message) => {
    const { client } = await clientOf(json(200, body));
    await expect(client.cars.list()).rejects.toThrow(
      `JSON of another shape: ${message}. The specification has { data: [records], page, limit, total } (section 8)`,
    );
  });

  test('of another parent is not the one that was named', async () => {
    const rows = [{ id }, { id: 'e1', carId: id.toUpperCase() }, { id: 'e2', carId: other }];
    const { client } = await clientOf(json(200, { data: rows, ...numbers, total: 3 }));
    await expect(client.carEvents.list(id)).rejects.toThrow(`"data.2.carId" isn't ${id}`);
  });
});

describe('fields that were sent', () => {
  const start = { startAt: '2026-05-05T10:00:00Z', endAt: '2026-05-05T11:00:00Z' };

  test.each([
    ['another status', { status: 'cancelled' }, { status: 'scheduled' }],
    ['another id', { carId: id }, { carId: other }],
    ['no id', { carId: id }, { carId: null }],
    ['an id that was cleared', { carId: null }, { carId: id }],
    ['another time', { startAt: start.startAt }, { startAt: start.endAt }],
  ] as const)('%s is another record', async (_, sent, shown) => {
    const { client, warnings, results } = await clientOf(recordOf({ id, ...shown }));
    await expect(client.appointments.update(id, sent)).rejects.toMatchObject({
      ...unknown,
      contradicts: true,
      message: expect.stringContaining(`isn't as it was sent: "${Object.keys(sent)[0]}" is `),
    });
    expect(warnings).toEqual([]);
    expect(results).toMatchObject([{ error: unknown }]);
  });

  test('in other forms are the same', async () => {
    const { client, warnings } = await clientOf(
      recordOf({
        id,
        startAt: '2026-05-05T12:00:00.400+02:00',
        carId: id.toUpperCase(),
      }),
      recordOf({ id, data: { b: [{ c: 2 }], a: 1, more: null } }, 201),
      recordOf({ id, ...start, status: 'scheduled' }, 201),
    );
    const sent = { startAt: start.startAt, carId: id, notes: null };
    expect(await client.appointments.update(id, sent)).toMatchObject({ id });
    await client.formSubmissions.create(id, { data: { a: 1, b: [{ c: 2 }] } });
    // Null leaves the choice to the server, where a field is never null.
    await client.appointments.create({ ...start, status: null } as never);
    expect(warnings).toEqual([]);
  });

  test('that are not shown, or otherwise, are one warning', async () => {
    const { client, warnings } = await clientOf(
      recordOf({ id, ...start, title: 'other', startAt: '05.05.2026' }, 201),
    );
    const sent = { ...start, title: 'mine', notes: 'x', eventType: 'pick_up' };
    expect(await client.appointments.create(sent)).toMatchObject({ id });
    expect(warnings).toMatchObject([{ kind: 'not_shown', fields: ['startAt', 'title', 'notes'] }]);
  });

  test('may differ in a record that was there before, but for its ids', async () => {
    const assignment = { id, carId: id, parkingSpotId: other, startedAt: start.startAt };
    const { client, warnings } = await clientOf(
      recordOf(assignment),
      recordOf({ ...assignment, carId: other }),
    );
    const sent = { carId: id, parkingSpotId: other, startedAt: start.endAt };
    expect(await client.parkingAssignments.create(sent)).toEqual(assignment);
    expect(warnings).toMatchObject([{ kind: 'not_shown', fields: ['startedAt'] }]);
    await expect(client.parkingAssignments.create(sent)).rejects.toMatchObject({
      contradicts: true,
    });
  });
});

describe('a delete', () => {
  const gone = { id, deleted: true };
  test.each([
    ['by its answer', [recordOf(gone)]],
    ['by 204', [empty(204)]],
    ['by a 404 after a lost answer', [reset(), json(404, { error: 'No such contact', code: 'x' })]],
  ])('is done %s', async (_, answers) => {
    const { client, results } = await clientOf(...answers);
    expect(await client.contacts.delete(id)).toEqual(gone);
    expect(results).toMatchObject([{ answer: {} }]);
  });

  test.each([
    [
      'an answer that says otherwise',
      recordOf({ id, deleted: false }),
      {
        ...unknown,
        message: expect.stringContaining(
          ': "data.deleted" isn\'t true. The specification has { data: { id, deleted: true } } (section 4)',
        ),
      },
    ],
    [
      'the promise to do it later',
      recordOf(gone, 202),
      {
        ...unknown,
        message: expect.stringContaining(' with 202 and the promise to carry it out later'),
      },
    ],
    ['another record', recordOf({ ...gone, id: other }), unknown],
    [
      'a 404 at once',
      json(404, { error: 'No', code: 'x' }),
      { status: 404, unknownOutcome: false },
    ],
  ])('is not done by %s', async (_, answer, error) => {
    const { client } = await clientOf(answer);
    await expect(client.contacts.delete(id)).rejects.toMatchObject(error);
  });
});

describe('a missing operation is named', () => {
  const body = { error: 'Not found', code: 'x' };
  test.each([404, 410])('%i for a list beyond the specification', async (status) => {
    const { client } = await clientOf(json(status, body));
    await expect(client.contacts.list()).rejects.toMatchObject({
      code: 'operation_missing',
      message: expect.stringContaining('has no GET /contacts'),
    });
  });
  test.each([405, 501])('%i for any beyond the specification', async (status) => {
    const { client } = await clientOf(html(status), json(status, body));
    await expect(client.cars.update(id, { make: 'x' })).rejects.toMatchObject({
      code: 'operation_missing',
    });
    await expect(client.contacts.delete(id)).rejects.toMatchObject({ status, code: 'x' });
  });
  test('a 404 is about the record where the specification has the operation, or with the code of this interface', async () => {
    const { client } = await clientOf(json(404, body));
    await expect(client.cars.get(id)).rejects.toMatchObject({ name: 'ApiError', code: 'x' });
    await expect(client.contacts.get(id)).rejects.toMatchObject({ code: 'operation_missing' });
    const ours = await clientOf(json(404, { ...body, code: 'not_found' }));
    await expect(ours.client.contacts.get(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test.each([
  ['7F3C9A52-0000-4000-8000-00000000000A', '7f3c9a52-0000-4000-8000-00000000000a', true],
  ['aB3xK9', 'aB3xK9', true],
  ['aB3xK9', 'Ab3xk9', false],
  [7, '7', true],
])('whether %s and %s are the same id: %s', (a, b, expected) => {
  expect(isSameId(a, b)).toBe(expected);
});
