import { describe, expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { type Answer, testService } from '../../helpers/service.ts';
import {
  issues,
  made,
  ok,
  type Row,
  refused,
  row,
  shows,
  testTable,
  total,
} from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const at = (eventId: string) => `/marketing/social-events/${eventId}`;
const past = '2020-01-01T00:00:00Z';
const event = await make.socialEvent();
const [going, maybe, declined] = await make.read(`${at(event.id)}/rsvp-options`);
const other = await make.socialEvent();
const [elsewhere] = await make.read(`${at(other.id)}/rsvp-options`);
const [customer, second, contact] = [
  await make.customer({ companyName: 'Garage Ltd' }),
  await make.customer(),
  await make.contact(),
];

const counts = (id: string, found: Record<string, number>): Row =>
  shows(JSON.stringify(found), at(id), {
    counts: { invited: 0, going: 0, maybe: 0, declined: 0, guests: 0, ...found },
  });

describe('the guest of a reply', () => {
  const create = row('POST', `${at(event.id)}/rsvps`);
  testTable(service, [
    create('nobody', { rsvpOptionId: going.id }, issues({ '': 'at_least_one' })),
    create(
      'customer and contact',
      { rsvpOptionId: going.id, customerId: customer.id, contactId: contact.id },
      refused('conflicting_fields'),
    ),
    create(
      'an option of another social event',
      { rsvpOptionId: elsewhere.id, guestName: 'A' },
      issues({ rsvpOptionId: 'same_event' }),
    ),
    counts(event.id, {}),
    create(
      'a customer',
      { rsvpOptionId: going.id, customerId: customer.id },
      made({
        socialEventId: event.id,
        rsvpOptionId: going.id,
        inviteId: null,
        customerId: customer.id,
        contactId: null,
        guestName: 'Garage Ltd',
        email: null,
        partySize: 1,
        notes: null,
      }),
    ),
    create(
      'a contact, 20 in all, under another name',
      {
        rsvpOptionId: going.id,
        contactId: contact.id,
        guestName: 'Gigi',
        partySize: 20,
        notes: 'n',
      },
      made({ guestName: 'Gigi', partySize: 20, notes: 'n' }),
    ),
    create(
      'someone else',
      { rsvpOptionId: maybe.id, guestName: 'Ada', email: 'ada@example.com', partySize: 3 },
      made(),
    ),
    create('a name alone', { rsvpOptionId: declined.id, guestName: 'John' }, made()),
    create(
      'the same name: perhaps another person',
      { rsvpOptionId: declined.id, guestName: 'John' },
      made(),
    ),
    counts(event.id, { going: 2, maybe: 1, declined: 2, guests: 21 }),
    create(
      'the customer again',
      { rsvpOptionId: maybe.id, customerId: customer.id },
      refused('duplicate', { field: 'customerId' }),
    ),
    create(
      'the contact again',
      { rsvpOptionId: maybe.id, contactId: contact.id },
      refused('duplicate', { field: 'contactId' }),
    ),
    create(
      'the address again',
      { rsvpOptionId: maybe.id, email: 'ADA@example.com' },
      refused('duplicate', { field: 'email' }),
    ),
    row('POST', `${at(other.id)}/rsvps`)(
      'the customer to another social event',
      { rsvpOptionId: elsewhere.id, customerId: customer.id },
      made(),
    ),
    total(`${at(event.id)}/rsvps?customerId=${customer.id}`, 1),
    total(`${at(event.id)}/rsvps?contactId=${contact.id}`, 1),
  ]);
});

const draft = await make.socialEvent({ status: 'draft' });
const [cancelled, completed] = [await make.socialEvent(), await make.socialEvent()];
await make.change(at(cancelled.id), { status: 'cancelled' });
await make.change(at(completed.id), { status: 'completed' });
const late = await make.socialEvent({ rsvpDeadline: past });
const changed = await make.socialEvent();
const reply = await make.rsvp(changed.id, { partySize: 2 });
const [changedGoing, changedMaybe] = await make.read(`${at(changed.id)}/rsvp-options`);

describe('when replies are taken', () => {
  const change = row('PATCH', `${at(changed.id)}/rsvps/${reply.id}`);
  const answer = (name: string, id: string, status: string) =>
    row('POST', `${at(id)}/rsvps`)(
      name,
      { rsvpOptionId: going.id, guestName: 'A' },
      refused('rsvp_closed', { socialEventId: id, status }),
    );
  testTable(service, [
    answer('not by a draft', draft.id, 'draft'),
    answer('not by a cancelled one', cancelled.id, 'cancelled'),
    answer('not by a completed one', completed.id, 'completed'),
    answer('not past its deadline', late.id, 'published'),
    change('a larger party', { partySize: 4 }, ok({ partySize: 4 })),
    counts(changed.id, { going: 1, guests: 4 }),
    change(
      'another option',
      { rsvpOptionId: changedMaybe.id },
      ok({ rsvpOptionId: changedMaybe.id }),
    ),
    counts(changed.id, { maybe: 1 }),
    change(
      'an option of another social event',
      { rsvpOptionId: going.id },
      issues({ rsvpOptionId: 'same_event' }),
    ),
    row('PATCH', at(changed.id))('the deadline passes', { rsvpDeadline: past }, ok()),
    change(
      'too late for another option',
      { rsvpOptionId: changedGoing.id },
      refused('rsvp_closed'),
    ),
    change('too late for another party', { partySize: 1 }, refused('rsvp_closed')),
    change('notes at any time', { notes: 'vegetarian', partySize: 4 }, ok({ notes: 'vegetarian' })),
  ]);
});

const closed = await make.socialEvent({ visibility: 'invite_only' });
const [closedGoing] = await make.read(`${at(closed.id)}/rsvp-options`);
const invites = {
  customer: await make.invite(closed.id, { customerId: customer.id }),
  contact: await make.invite(closed.id, { contactId: contact.id, status: 'sent' }),
  email: await make.invite(closed.id, { email: 'guest@example.com' }),
  phone: await make.invite(closed.id, { phone: '+49 9' }),
  cancelled: await make.invite(closed.id),
  other: await make.invite(other.id),
};
await make.change(`${at(closed.id)}/invites/${invites.cancelled.id}`, { status: 'cancelled' });

describe('with an invite', () => {
  const create = (name: string, given: object, expected: Row['expect']) =>
    row('POST', `${at(closed.id)}/rsvps`)(
      name,
      { rsvpOptionId: closedGoing.id, ...given },
      expected,
    );
  testTable(service, [
    create('none where one is needed', { customerId: second.id }, issues({ inviteId: 'required' })),
    create(
      'to another social event',
      { inviteId: invites.other.id },
      issues({ inviteId: 'same_event' }),
    ),
    create(
      'a cancelled one',
      { inviteId: invites.cancelled.id },
      issues({ inviteId: 'cancelled' }),
    ),
    create(
      'of another customer',
      { inviteId: invites.customer.id, customerId: second.id },
      issues({ customerId: 'invited' }),
    ),
    create(
      'a contact for a customer',
      { inviteId: invites.customer.id, contactId: contact.id },
      issues({ contactId: 'invited' }),
    ),
    create(
      'the customer',
      { inviteId: invites.customer.id },
      made({ inviteId: invites.customer.id, customerId: customer.id, guestName: 'Garage Ltd' }),
    ),
    create(
      'the contact',
      { inviteId: invites.contact.id, contactId: contact.id },
      made({ contactId: contact.id }),
    ),
    create(
      'the address',
      { inviteId: invites.email.id },
      made({ email: 'guest@example.com', guestName: null }),
    ),
    create(
      'the number, of a customer as it turns out',
      { inviteId: invites.phone.id, customerId: second.id },
      made({ customerId: second.id, email: null }),
    ),
    create(
      'the same invite again',
      { inviteId: invites.email.id, email: 'new@example.com' },
      refused('duplicate', { field: 'inviteId' }),
    ),
    shows('it is answered', `${at(closed.id)}/invites/${invites.customer.id}`, {
      status: 'responded',
    }),
    shows('it is answered too', `${at(closed.id)}/invites/${invites.contact.id}`, {
      status: 'responded',
    }),
    row('PATCH', `${at(closed.id)}/invites/${invites.contact.id}`)(
      'and can be cancelled',
      { status: 'cancelled' },
      ok(),
    ),
    counts(closed.id, { invited: 3, going: 4, guests: 4 }),
    total(`${at(closed.id)}/rsvps?inviteId=${invites.email.id}`, 1),
  ]);
});

describe('without naming the invite', () => {
  const evening = async (email: string) => {
    const event = await make.socialEvent({ visibility: 'invite_only' });
    const [option] = await make.read(`${at(event.id)}/rsvp-options`);
    return {
      event,
      email,
      customer: await make.customer({ firstName: 'Ada', email }),
      contact: await make.contact({ email }),
      reply: (body: object) =>
        service.call('POST', `${at(event.id)}/rsvps`, { rsvpOptionId: option.id, ...body }),
      status: async (inviteId: string) =>
        (await make.read(`${at(event.id)}/invites/${inviteId}`)).status,
    };
  };
  type Evening = Awaited<ReturnType<typeof evening>>;
  const whom = {
    'a customer': ({ customer }: Evening) => ({ customerId: customer.id }),
    'a contact': ({ contact }: Evening) => ({ contactId: contact.id }),
    'an address': ({ email }: Evening) => ({ email }),
    'an address in another case': ({ email }: Evening) => ({ email: email.toUpperCase() }),
  };
  test.each<[keyof typeof whom, keyof typeof whom, status?: 'pending' | 'sent']>([
    ['a customer', 'a customer'],
    ['a customer', 'an address in another case'],
    ['a contact', 'a contact'],
    ['a contact', 'an address in another case'],
    ['an address', 'an address in another case', 'sent'],
    ['an address in another case', 'a customer'],
    ['an address in another case', 'a contact'],
  ])(
    '%s is invited, %s replies: the invite is answered',
    async (invited, replying, status = 'pending') => {
      const here = await evening(`open${invited.length}.${replying.length}@example.com`);
      const invite = await make.invite(here.event.id, { ...whom[invited](here), status });
      const answer = await here.reply(whom[replying](here));
      expect(answer.body).toMatchObject({ data: { inviteId: invite.id } });
      expect(await here.status(invite.id)).toBe('responded');
      expect((await here.reply(whom[replying](here))).body).toMatchObject({
        code: 'duplicate',
        details: { id: answer.body.data.id },
      });
      expect((await make.read(at(here.event.id))).counts).toMatchObject({ invited: 1, going: 1 });
    },
  );

  test('required for guests without an open invite', async () => {
    const here = await evening('uninvited@example.com');
    const { id } = await make.invite(here.event.id, { customerId: here.customer.id });
    const required = {
      code: 'validation_failed',
      details: { issues: [{ path: 'inviteId', rule: 'required' }] },
    };
    expect((await here.reply({ customerId: second.id })).body).toMatchObject(required);
    expect((await here.reply({ guestName: 'Ada' })).body).toMatchObject(required);
    await make.change(`${at(here.event.id)}/invites/${id}`, { status: 'cancelled' });
    expect((await here.reply({ customerId: here.customer.id })).body).toMatchObject(required);
    expect(await here.status(id)).toBe('cancelled');
  });

  test('one person by id and by the address of that record is one; two records that share an address are two', async () => {
    const event = await make.socialEvent();
    const [one, two] = [
      await make.customer({ email: 'shared@example.com' }),
      await make.customer({ email: 'SHARED@example.com' }),
    ];
    const [option] = await make.read(`${at(event.id)}/rsvp-options`);
    const reply = (body: object) =>
      service.call('POST', `${at(event.id)}/rsvps`, { rsvpOptionId: option.id, ...body });
    const first = await reply({ customerId: one.id });
    expect(first.body.data).toMatchObject({ inviteId: null, email: null });
    const refused = { code: 'duplicate', details: { field: 'email', id: first.body.data.id } };
    expect((await reply({ email: 'Shared@example.com' })).body).toMatchObject(refused);
    expect((await reply({ customerId: two.id })).status).toBe(201);
    const contact = await make.contact({ email: 'grace@example.com' });
    const guest = await reply({ email: 'Grace@example.com' });
    expect((await reply({ contactId: contact.id })).body).toMatchObject({
      code: 'duplicate',
      details: { field: 'contactId', id: guest.body.data.id },
    });
    const office = 'office@example.com';
    const replies = [
      await reply({ contactId: (await make.contact()).id, email: office }),
      await reply({ customerId: (await make.customer({ email: office })).id }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  });
});

const small = await make.socialEvent({ capacity: 5 });
const [smallGoing, smallMaybe] = await make.read(`${at(small.id)}/rsvp-options`);
const shuttle = await make.option(small.id, { label: 'By shuttle', kind: 'going', capacity: 2 });
const [inside, riding, waiting] = [
  await make.rsvp(small.id, { partySize: 2 }),
  await make.rsvp(small.id, { rsvpOptionId: shuttle.id }),
  await make.rsvp(small.id, { rsvpOptionId: smallMaybe.id, partySize: 20 }),
];

describe('places', () => {
  const create = row('POST', `${at(small.id)}/rsvps`);
  const change = (id: string) => row('PATCH', `${at(small.id)}/rsvps/${id}`);
  const full = (capacity: number, available: number, partySize: number, which = {}) =>
    refused('event_full', { capacity, available, partySize, ...which });
  testTable(service, [
    counts(small.id, { going: 2, maybe: 1, guests: 3 }),
    create(
      'a party too large',
      { rsvpOptionId: smallGoing.id, guestName: 'A', partySize: 3 },
      full(5, 2, 3, { socialEventId: small.id }),
    ),
    create(
      'a party too large for the option',
      { rsvpOptionId: shuttle.id, guestName: 'A', partySize: 2 },
      full(2, 1, 2, { rsvpOptionId: shuttle.id }),
    ),
    change(waiting.id)('from maybe to going', { rsvpOptionId: smallGoing.id }, full(5, 2, 20)),
    change(waiting.id)(
      'from maybe to going with fewer',
      { rsvpOptionId: smallGoing.id, partySize: 2 },
      ok({ partySize: 2 }),
    ),
    create('full', { rsvpOptionId: smallGoing.id, guestName: 'A' }, full(5, 0, 1)),
    create(
      'full, but a maybe takes no place',
      { rsvpOptionId: smallMaybe.id, guestName: 'A', partySize: 9 },
      made(),
    ),
    change(inside.id)('one more', { partySize: 3 }, full(5, 2, 3)),
    change(inside.id)('into an option without room', { rsvpOptionId: shuttle.id }, full(2, 1, 2)),
    change(inside.id)('one fewer', { partySize: 1 }, ok()),
    change(inside.id)('into the option', { rsvpOptionId: shuttle.id }, ok()),
    counts(small.id, { going: 3, maybe: 1, guests: 4 }),
    row('PATCH', at(small.id))('the capacity is lowered', { capacity: 2 }, ok({ capacity: 2 })),
    change(waiting.id)('above it, a smaller party is taken', { partySize: 1 }, ok()),
    change(waiting.id)('above it, notes are taken', { notes: 'n' }, ok()),
    change(inside.id)(
      'above it, the same party may choose another option',
      { rsvpOptionId: smallGoing.id },
      ok(),
    ),
    change(riding.id)('a larger one is not', { partySize: 2 }, full(2, 0, 2)),
    row('PATCH', at(small.id))('no limit', { capacity: null }, ok()),
    create('room again', { rsvpOptionId: smallGoing.id, guestName: 'A', partySize: 20 }, made()),
    counts(small.id, { going: 4, maybe: 1, guests: 23 }),
  ]);
});

const crowded = await make.socialEvent({ capacity: 9 });
const [crowdedGoing] = await make.read(`${at(crowded.id)}/rsvp-options`);
const party = await make.rsvp(crowded.id, { rsvpOptionId: crowdedGoing.id, partySize: 6 });

describe('a party above a capacity that was lowered', () => {
  const option = row('PATCH', `${at(crowded.id)}/rsvp-options/${crowdedGoing.id}`);
  const change = row('PATCH', `${at(crowded.id)}/rsvps/${party.id}`);
  testTable(service, [
    option('the option holds fewer', { capacity: 1 }, ok()),
    change('it may shrink, and still be too large', { partySize: 4 }, ok({ partySize: 4 })),
    change(
      'it may not grow',
      { partySize: 5 },
      refused('event_full', { capacity: 1, available: 1, partySize: 5 }),
    ),
    counts(crowded.id, { going: 1, guests: 4 }),
  ]);
});

const countBy = (answers: Answer[]) => {
  const groups = Map.groupBy(answers, ({ status, body }) => body.code ?? status);
  return Object.fromEntries([...groups].map(([what, all]) => [what, all.length]));
};

describe('many at once', () => {
  test('50 for the last three places: three get in', async () => {
    const event = await make.socialEvent({ capacity: 10 });
    const first = await make.rsvp(event.id, { partySize: 7 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        service.call('POST', `${at(event.id)}/rsvps`, {
          rsvpOptionId: first.rsvpOptionId,
          guestName: `Guest ${n}`,
        }),
      ),
    );
    expect(countBy(answers)).toEqual({ 201: 3, event_full: 47 });
    expect((await make.read(at(event.id))).counts).toMatchObject({ going: 4, guests: 10 });
    expect((await service.call('GET', `${at(event.id)}/rsvps`)).body.total).toBe(4);
  });

  test('20 replies of one person: one is stored', async () => {
    const event = await make.socialEvent();
    const [option] = await make.read(`${at(event.id)}/rsvp-options`);
    const body = { rsvpOptionId: option.id, customerId: second.id };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.call('POST', `${at(event.id)}/rsvps`, body)),
    );
    expect(countBy(answers)).toEqual({ 201: 1, duplicate: 19 });
    expect((await make.read(at(event.id))).counts).toMatchObject({ going: 1, guests: 1 });
  });
});
