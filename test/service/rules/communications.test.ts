import { afterAll, describe, expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { issues, type Row, testTable } from '../../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());
const make = facility(service);

const ada = await make.customer({
  firstName: 'Ada',
  email: 'ada@example.com',
  phone: '+49 30 1',
  emailOptOut: true,
  smsOptOut: true,
});
const shy = await make.customer({ firstName: 'Shy' });
const bookkeeper = await make.contact({ customerId: ada.id, email: 'books@example.com' });
const voiceless = await make.contact({ customerId: ada.id });

const email = await make.thread({ channel: 'email', customerId: ada.id });
const sms = await make.thread({ channel: 'sms', customerId: ada.id });
const internal = await make.thread({ channel: 'internal' });
const withContact = await make.thread({
  channel: 'email',
  customerId: ada.id,
  contactId: bookkeeper.id,
});

const at = '/communications/threads';
const messagesOf = ({ id }: { id: string }) => `${at}/${id}/messages`;
const create = (name: string, body: object, expected: Row['expect']): Row => ({
  name: `thread: ${name}`,
  method: 'POST',
  path: at,
  body,
  expect: expected,
});
const change = (name: string, id: string, body: object, expected: Row['expect']): Row => ({
  name: `change: ${name}`,
  method: 'PATCH',
  path: `${at}/${id}`,
  body,
  expect: expected,
});
const find = (name: string, query: string, ...ids: string[]): Row => ({
  name: `filter: ${name}`,
  method: 'GET',
  path: `${at}?${query}`,
  expect: { status: 200, ids },
});
const say = (name: string, thread: { id: string }, body: object, expected: Row['expect']): Row => ({
  name: `message: ${name}`,
  method: 'POST',
  path: messagesOf(thread),
  body: { body: 'Hello', ...body },
  expect: expected,
});
const ok = (data: Record<string, unknown>): Row['expect'] => ({ status: 201, data });

describe('threads', async () => {
  const here = await service.newTeam();
  const make = facility(here);
  const [ada, shy] = [await make.customer(), await make.customer()];
  const bookkeeper = await make.contact({ customerId: ada.id });
  const car = await make.car();
  const email = await make.thread({
    channel: 'email',
    customerId: ada.id,
    subject: 'Your car',
    carId: car.id,
  });
  const sms = await make.thread({ channel: 'sms', customerId: ada.id });
  const internal = await make.thread({ channel: 'internal', status: 'pending' });
  const withContact = await make.thread({
    channel: 'email',
    customerId: ada.id,
    contactId: bookkeeper.id,
  });
  testTable(here, [
    find('customer', `customerId=${ada.id}`, withContact.id, sms.id, email.id),
    find('contact', `contactId=${bookkeeper.id}`, withContact.id),
    find('status', 'status=pending', internal.id),
    find('channel', 'channel=sms', sms.id),
    find('customer and channel', `customerId=${ada.id}&channel=email`, withContact.id, email.id),
    find('nobody', `customerId=${shy.id}`),
    {
      ...find('channel that is none', 'channel=fax'),
      expect: issues({ channel: 'invalid_value' }),
    },

    create(
      'defaults',
      { channel: 'email' },
      {
        status: 201,
        data: {
          subject: null,
          customerId: null,
          contactId: null,
          carId: null,
          status: 'open',
          lastMessageAt: null,
          messageCount: 0,
        },
      },
    ),
    create('no channel', {}, issues({ channel: 'required' })),
    create('channel that is none', { channel: 'fax' }, issues({ channel: 'invalid_value' })),
    change(
      'to the same: updatedAt stays',
      email.id,
      { status: 'open' },
      { status: 200, data: { updatedAt: email.updatedAt } },
    ),
    change(
      'the car away',
      email.id,
      { carId: null },
      { status: 200, data: { carId: null, subject: 'Your car' } },
    ),
    change(
      'status',
      internal.id,
      { status: 'resolved' },
      { status: 200, data: { status: 'resolved' } },
    ),
    change('status to nothing', internal.id, { status: null }, issues({ status: 'invalid_value' })),
  ]);
});

describe('messages', () => {
  testTable(service, [
    say(
      'inbound',
      email,
      { direction: 'inbound' },
      ok({
        status: 'received',
        recipient: null,
        sentAt: null,
        error: null,
        externalId: null,
        threadId: email.id,
      }),
    ),
    say('a note', email, { direction: 'internal' }, ok({ status: 'stored', recipient: null })),
    say('a note among staff', internal, { direction: 'internal' }, ok({ status: 'stored' })),
    say(
      'outbound by e-mail, though marketing is not wanted',
      email,
      { direction: 'outbound' },
      ok({ status: 'queued', recipient: 'ada@example.com' }),
    ),
    say(
      'outbound by SMS',
      sms,
      { direction: 'outbound' },
      ok({ status: 'stored', recipient: '+49 30 1' }),
    ),
    say(
      'outbound to the contact rather than the customer',
      withContact,
      { direction: 'outbound' },
      ok({ recipient: 'books@example.com' }),
    ),

    say(
      'outbound in an internal thread',
      internal,
      { direction: 'outbound' },
      issues({ direction: 'channel' }),
    ),
    say(
      'inbound in an internal thread',
      internal,
      { direction: 'inbound' },
      issues({ direction: 'channel' }),
    ),
    say(
      'nothing at all',
      email,
      { body: undefined },
      issues({ body: 'required', direction: 'required' }),
    ),
    say(
      'blank',
      email,
      { direction: 'internal', body: ' \n ' },
      issues({ body: 'invalid_format' }),
    ),
    say(
      '10,000 characters',
      email,
      { direction: 'internal', body: 'x'.repeat(10_000) },
      ok({ status: 'stored' }),
    ),
    say(
      'more than that',
      email,
      { direction: 'internal', body: 'x'.repeat(10_001) },
      issues({ body: 'too_big' }),
    ),
  ]);

  test('the text, the direction and the status never change', async () => {
    const { id } = await make.message(email.id, { direction: 'outbound' });
    const answer = await service.call('PATCH', `${messagesOf(email)}/${id}`, {
      body: 'x',
      direction: 'internal',
      status: 'sent',
    });
    expect(
      answer.body.details.issues.map(({ path, rule }: { path: string; rule: string }) => [
        path,
        rule,
      ]),
    ).toEqual([
      ['body', 'read_only'],
      ['direction', 'read_only'],
      ['status', 'read_only'],
    ]);
  });
});

describe('no recipient', async () => {
  const rows = [
    ['no one is named', {}, 'email', 'no contact or customer'],
    ['the customer has no e-mail address', { customerId: shy.id }, 'email', 'The customer'],
    [
      'the contact has none, though the customer does',
      { customerId: ada.id, contactId: voiceless.id },
      'email',
      'The contact',
    ],
    ['the contact has no phone', { contactId: bookkeeper.id }, 'sms', 'The contact'],
  ] as const;
  test.each(rows)('%s', async (_name, who, channel, said) => {
    const thread = await make.thread({ channel, ...who });
    const answer = await service.call('POST', messagesOf(thread), {
      direction: 'outbound',
      body: 'Hello',
    });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'recipient_missing',
        error: expect.stringContaining(said),
        details: { field: channel === 'email' ? 'email' : 'phone' },
      },
    });
    expect(await make.read(`${at}/${thread.id}`)).toEqual(thread);
    expect(
      (await service.call('POST', messagesOf(thread), { direction: 'inbound', body: 'Hello' }))
        .status,
    ).toBe(201);
  });
});

describe('a message shows in its thread', () => {
  test('its time and the number of messages, with a new updatedAt', async () => {
    const thread = await make.thread({ channel: 'email' });
    const first = await make.message(thread.id, { direction: 'inbound' });
    expect(await make.read(`${at}/${thread.id}`)).toMatchObject({
      messageCount: 1,
      lastMessageAt: first.createdAt,
      updatedAt: first.createdAt,
    });
    const second = await make.message(thread.id, { direction: 'internal' });
    expect(await make.read(`${at}/${thread.id}`)).toMatchObject({
      messageCount: 2,
      lastMessageAt: second.createdAt,
    });
  });

  test.each([
    ['resolved', 'inbound', 'open'],
    ['resolved', 'outbound', 'resolved'],
    ['resolved', 'internal', 'resolved'],
    ['pending', 'inbound', 'pending'],
  ] as const)('%s, then one %s: %s', async (status, direction, then) => {
    const thread = await make.thread({ channel: 'email', customerId: ada.id, status });
    await make.message(thread.id, { direction });
    expect((await make.read(`${at}/${thread.id}`)).status).toBe(then);
  });

  test('oldest first, in pages', async () => {
    const thread = await make.thread({ channel: 'internal' });
    const said: string[] = [];
    for (let n = 0; n < 5; n++)
      said.push((await make.message(thread.id, { direction: 'internal' })).id);
    await make.change(`${messagesOf(thread)}/${said[0]}`, { externalId: 'changed last' });
    const pages = [1, 2, 3].map((page) => make.read(`${messagesOf(thread)}?limit=2&page=${page}`));
    expect((await Promise.all(pages)).flat().map(({ id }) => id)).toEqual(said);
  });
});

describe('the id in another system', () => {
  test('again in the thread: returns the existing message without effects', async () => {
    const thread = await make.thread({ channel: 'email', status: 'open' });
    const body = { direction: 'inbound', body: 'Hello', externalId: '<1@example.com>' };
    const first = await service.call('POST', messagesOf(thread), body);
    await make.change(`${at}/${thread.id}`, { status: 'resolved' });
    const before = await make.read(`${at}/${thread.id}`);
    const again = await service.call('POST', messagesOf(thread), {
      ...body,
      body: 'Something else',
    });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.data).toEqual(first.body.data);
    expect(await make.read(`${at}/${thread.id}`)).toEqual(before);
  });

  test('a repeated outbound message is sent once', async () => {
    const body = { direction: 'outbound', body: 'Hello', externalId: 'crm-1' };
    const first = await service.call('POST', messagesOf(email), body);
    const again = await service.call('POST', messagesOf(email), body);
    expect([first.status, again.status]).toEqual([201, 200]);
    const parcels = await service.admin.database.read
      .selectFrom('outbox')
      .selectAll()
      .where('recordId', '=', first.body.data.id)
      .execute();
    expect(parcels).toHaveLength(1);
  });

  test('the same in another thread is another message', async () => {
    const [one, other] = [
      await make.thread({ channel: 'sms' }),
      await make.thread({ channel: 'sms' }),
    ];
    const first = await make.message(one.id, { externalId: 'x' });
    expect((await make.message(other.id, { externalId: 'x' })).id).not.toBe(first.id);
  });

  test('changed to one in use: refused with that message', async () => {
    const thread = await make.thread({ channel: 'sms' });
    const first = await make.message(thread.id, { externalId: 'x' });
    const second = await make.message(thread.id, {});
    const path = `${messagesOf(thread)}/${second.id}`;
    expect((await service.call('PATCH', path, { externalId: 'x' })).body).toMatchObject({
      code: 'duplicate',
      details: { field: 'externalId', id: first.id },
    });
    expect((await make.change(path, { externalId: 'y' })).externalId).toBe('y');
    expect((await make.change(path, { externalId: null })).externalId).toBeNull();
  });
});

test('after a contact is deleted its thread has no contact, and its queued messages are still sent', async () => {
  const gone = await make.contact({ email: 'gone@example.com' });
  const thread = await make.thread({ channel: 'email', contactId: gone.id });
  const message = await make.message(thread.id, { direction: 'outbound' });
  expect((await service.call('DELETE', `/contacts/${gone.id}`)).status).toBe(200);
  expect((await make.read(`${at}/${thread.id}`)).contactId).toBeNull();
  expect(await make.read(`${messagesOf(thread)}/${message.id}`)).toMatchObject({
    status: 'queued',
    recipient: 'gone@example.com',
  });
  expect(
    (await service.call('POST', messagesOf(thread), { direction: 'outbound', body: 'Hello' })).body
      .code,
  ).toBe('recipient_missing');
});
