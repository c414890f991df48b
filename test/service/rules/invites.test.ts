import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import {
  issues,
  made,
  ok,
  type Row,
  refused,
  row,
  rowOf,
  shows,
  testTable,
  total,
} from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const event = await make.socialEvent({ status: 'draft' });
const another = await make.socialEvent();
const [customer, contact] = [await make.customer(), await make.contact()];
const path = `/marketing/social-events/${event.id}/invites`;
const sent = await make.invite(event.id, { email: 'Ada@example.com', status: 'sent' });
const cancelled = await make.invite(event.id, { phone: '+49 1', status: 'sent' });

const create = row('POST', path);
const change = rowOf('PATCH', (id) => `${path}/${id}`);
const invited = (count: number): Row =>
  shows(`${count} invited`, `/marketing/social-events/${event.id}`, {
    counts: { invited: count, going: 0, maybe: 0, declined: 0, guests: 0 },
  });

describe('invites', () => {
  testTable(service, [
    create('nobody', {}, issues({ '': 'exactly_one' })),
    create(
      'two at once',
      { customerId: customer.id, email: 'a@example.com' },
      refused('conflicting_fields', { fields: ['customerId', 'email'] }),
    ),
    invited(2),
    create(
      'a customer',
      { customerId: customer.id },
      made({
        socialEventId: event.id,
        customerId: customer.id,
        contactId: null,
        email: null,
        phone: null,
        status: 'pending',
      }),
    ),
    create('a contact', { contactId: contact.id }, made({ contactId: contact.id })),
    create('a phone number', { phone: '+49 2' }, made({ phone: '+49 2' })),
    invited(5),
    create(
      'the same customer',
      { customerId: customer.id },
      refused('duplicate', { field: 'customerId' }),
    ),
    create(
      'the same contact',
      { contactId: contact.id },
      refused('duplicate', { field: 'contactId' }),
    ),
    create(
      'the same address in another case',
      { email: 'ada@EXAMPLE.com' },
      refused('duplicate', { field: 'email', id: sent.id }),
    ),
    create(
      'the same number',
      { phone: '+49 1' },
      refused('duplicate', { field: 'phone', id: cancelled.id }),
    ),
    row('POST', `/marketing/social-events/${another.id}/invites`)(
      'the same person to another social event',
      { customerId: customer.id },
      made(),
    ),
    change(
      'not sent after all',
      sent.id,
      { status: 'pending' },
      { ...refused('invalid_transition'), error: "An invite can't change from sent to pending" },
    ),
    change('cancelled', cancelled.id, { status: 'cancelled' }, ok({ status: 'cancelled' })),
    invited(4),
    create('who was cancelled is invited anew', { phone: '+49 1' }, made({ status: 'pending' })),
    invited(5),
    total(`${path}?customerId=${customer.id}`, 1),
    total(`${path}?contactId=${contact.id}`, 1),
  ]);

  test("by customer and by that customer's own address is the same person, unless cancelled", async () => {
    const ada = await make.customer({ email: 'own@example.com' });
    const grace = await make.contact({ email: 'Grace.own@example.com' });
    const at = `/marketing/social-events/${another.id}/invites`;
    const [first, second] = [
      await make.invite(another.id, { customerId: ada.id }),
      await make.invite(another.id, { email: 'grace.OWN@example.com' }),
    ];
    const duplicate = (field: string, id: string) => ({
      code: 'duplicate',
      details: { field, id },
    });
    expect((await service.call('POST', at, { email: 'OWN@example.com' })).body).toMatchObject(
      duplicate('email', first.id),
    );
    expect((await service.call('POST', at, { contactId: grace.id })).body).toMatchObject(
      duplicate('contactId', second.id),
    );
    await make.change(`${at}/${first.id}`, { status: 'cancelled' });
    expect((await service.call('POST', at, { email: 'OWN@example.com' })).status).toBe(201);
  });

  test('the database allows one per address, ignoring case', async () => {
    const { write } = service.admin.database;
    const event = await make.socialEvent();
    const email = 'Wall@example.com';
    const [invites, rsvps] = [await make.invite(event.id), await make.rsvp(event.id)];
    await make.invite(event.id, { email });
    await make.rsvp(event.id, { email });
    for (const [table, { id }] of Object.entries({ invites, rsvps })) {
      const change = sql`update ${sql.table(table)} set "email" = ${email.toUpperCase()} where "id" = ${id}`;
      await expect(change.execute(write)).rejects.toThrow(/unique/i);
    }
  });

  test('sent, and only then the social event is as it was', async () => {
    const invite = await make.invite(another.id);
    const before = await make.read(`/marketing/social-events/${another.id}`);
    expect(
      await make.change(`/marketing/social-events/${another.id}/invites/${invite.id}`, {
        status: 'sent',
      }),
    ).toMatchObject({
      status: 'sent',
    });
    expect(await make.read(`/marketing/social-events/${another.id}`)).toEqual(before);
  });

  test('delete: the count goes down, the RSVP stays', async () => {
    const invite = await make.invite(another.id);
    const reply = await make.rsvp(another.id, { inviteId: invite.id });
    const at = `/marketing/social-events/${another.id}`;
    const { counts } = await make.read(at);
    await service.call('DELETE', `${at}/invites/${invite.id}`);
    expect((await make.read(at)).counts).toEqual({ ...counts, invited: counts.invited - 1 });
    const after = await make.read(`${at}/rsvps/${reply.id}`);
    expect(after).toMatchObject({
      inviteId: null,
      email: invite.email,
      rsvpOptionId: reply.rsvpOptionId,
    });
    expect(after.updatedAt > reply.updatedAt).toBe(true);
  });
});
