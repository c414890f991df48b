import { describe, expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { issues, made, type Row, refused, row, testTable } from '../../helpers/table.ts';

const service = await testService();
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
const say = (name: string, thread: { id: string }, body: object, expected: Row['expect']): Row =>
  row('POST', messagesOf(thread))(`message: ${name}`, { body: 'Hello', ...body }, expected);
describe('messages', () => {
  testTable(service, [
    say(
      'inbound',
      email,
      { direction: 'inbound' },
      made({
        status: 'received',
        recipient: null,
        sentAt: null,
        error: null,
        externalId: null,
        threadId: email.id,
      }),
    ),
    say('a note', email, { direction: 'internal' }, made({ status: 'stored', recipient: null })),
    say(
      'outbound by e-mail, though marketing is not wanted',
      email,
      { direction: 'outbound' },
      made({ status: 'queued', recipient: 'ada@example.com' }),
    ),
    say(
      'outbound by SMS',
      sms,
      { direction: 'outbound' },
      made({ status: 'stored', recipient: '+49 30 1' }),
    ),
    say(
      'outbound to the contact rather than the customer',
      withContact,
      { direction: 'outbound' },
      made({ recipient: 'books@example.com' }),
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
  ]);
});

describe('no recipient', async () => {
  const refuses = async (name: string, given: Parameters<typeof make.thread>[0]) =>
    say(
      name,
      await make.thread(given),
      { direction: 'outbound' },
      refused('recipient_missing', { field: given.channel === 'sms' ? 'phone' : 'email' }),
    );
  testTable(service, [
    await refuses('no one is named', { channel: 'email' }),
    await refuses('the customer has no e-mail address', { channel: 'email', customerId: shy.id }),
    await refuses('the contact has none, though the customer does', {
      channel: 'email',
      customerId: ada.id,
      contactId: voiceless.id,
    }),
    await refuses('the contact has no phone', { channel: 'sms', contactId: bookkeeper.id }),
  ]);
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
  test('again in the thread: the message that is there, without effects, and sent once', async () => {
    const thread = await make.thread({ channel: 'email', customerId: ada.id });
    const body = { direction: 'outbound', body: 'Hello', externalId: 'crm-1' };
    const first = await service.call('POST', messagesOf(thread), body);
    const before = await make.change(`${at}/${thread.id}`, { status: 'resolved' });
    const again = await service.call('POST', messagesOf(thread), { ...body, body: 'Another' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.data).toEqual(first.body.data);
    expect(await make.read(`${at}/${thread.id}`)).toEqual(before);
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
