import { describe, expect, test } from 'vitest';
import { base64Of, facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { issues, list, made, ok, type Row, refused, row, testTable } from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const path = '/marketing/social-events';
const startAt = '2090-06-01T18:00:00.000Z';
const hall = await make.location({ timezone: 'Europe/Lisbon' });
const closed = await make.location();
await make.change(`/locations/${closed.id}`, { isActive: false });
const cover = await make.asset();
const document = await make.asset({ base64: base64Of(Buffer.from('%PDF-1.7 flyer')) });
const [draft, other] = [
  await make.socialEvent({ status: 'draft' }),
  await make.socialEvent({ status: 'draft' }),
];
const [published, over] = [
  await make.socialEvent(),
  await make.socialEvent({ startAt: '2091-01-01T00:00:00Z' }),
];

describe('social events', () => {
  const create = (name: string, given: object, expected: Row['expect']) =>
    row('POST', path)(name, { title: 'T', startAt, ...given }, expected);
  const change = row('PATCH', `${path}/${draft.id}`);
  testTable(service, [
    create('the time zone of its team', {}, made({ timezone: 'Europe/Berlin' })),
    create(
      'the time zone of its location',
      { locationId: hall.id },
      made({ timezone: 'Europe/Lisbon' }),
    ),
    create(
      'its own time zone',
      { locationId: hall.id, timezone: 'Asia/Tokyo' },
      made({ timezone: 'Asia/Tokyo' }),
    ),
    create('in an inactive location', { locationId: closed.id }, refused('location_inactive')),
    create(
      'ends as it begins',
      { endAt: '2090-06-01T20:00:00+02:00' },
      issues({ endAt: 'after_start' }),
    ),
    create(
      'replies after it began',
      { endAt: startAt, rsvpDeadline: '2090-06-01T18:00:00.001Z' },
      issues({ endAt: 'after_start', rsvpDeadline: 'before_start' }),
    ),
    create('replies until it begins', { rsvpDeadline: startAt }, made({ rsvpDeadline: startAt })),
    create('a picture as its cover', { coverAssetId: cover.id }, made({ coverAssetId: cover.id })),
    create(
      'a document as its cover',
      { coverAssetId: document.id },
      issues({ coverAssetId: 'image' }),
    ),
    change('moved before its deadline', { rsvpDeadline: startAt }, ok()),
    change(
      'moved, the deadline left behind',
      { startAt: '2090-05-01T18:00:00Z' },
      issues({ rsvpDeadline: 'before_start' }),
    ),
    change(
      'moved with it',
      { startAt: '2090-05-01T18:00:00Z', rsvpDeadline: null },
      ok({ rsvpDeadline: null }),
    ),
    change(
      'a document as its cover',
      { coverAssetId: document.id },
      issues({ coverAssetId: 'image' }),
    ),
    change('to an inactive location', { locationId: closed.id }, refused('location_inactive')),
    list(`${path}?startFrom=2090-12-31T00:00:00Z&startTo=2091-01-01T00:00:00Z`, over.id),
  ]);

  test('a location is not removed while one takes place there', async () => {
    const garden = await make.location();
    for (let n = 0; n < 3; n++) await make.socialEvent({ locationId: garden.id });
    const { status, body } = await service.call('DELETE', `/locations/${garden.id}?hard=true`);
    expect({ status, ...body }).toMatchObject({
      status: 422,
      code: 'resource_in_use',
      details: { socialEvents: 3 },
    });
  });

  test('delete takes options, invites and RSVPs with it', async () => {
    const event = await make.socialEvent();
    const [going] = await make.read(`${path}/${event.id}/rsvp-options`);
    const invite = await make.invite(event.id);
    await make.rsvp(event.id, { rsvpOptionId: going.id, inviteId: invite.id });
    const untouched = await make.rsvp(published.id, {
      inviteId: (await make.invite(published.id)).id,
    });
    expect((await service.call('DELETE', `${path}/${event.id}`)).body).toEqual({
      data: { id: event.id, deleted: true },
    });
    for (const table of ['rsvpOptions', 'invites', 'rsvps'] as const) {
      const left = await service.admin.database.read
        .selectFrom(table)
        .select('id')
        .where('socialEventId', '=', event.id)
        .execute();
      expect(left).toEqual([]);
    }
    expect(await make.read(`${path}/${published.id}/rsvps/${untouched.id}`)).toEqual(untouched);
    expect((await service.call('GET', `${path}/${event.id}/rsvps`)).status).toBe(404);
  });
});

describe('RSVP options', () => {
  const below = `${path}/${published.id}/rsvp-options`;
  const create = row('POST', below);
  test('a new social event has three, in order', async () => {
    const options = await make.read(`${path}/${other.id}/rsvp-options`);
    expect(
      options.map(({ label, kind, capacity, position }: Record<string, unknown>) => [
        label,
        kind,
        capacity,
        position,
      ]),
    ).toEqual([
      ['Going', 'going', null, 1],
      ['Maybe', 'maybe', null, 2],
      ['Not going', 'declined', null, 3],
    ]);
  });

  testTable(service, [
    create(
      'a limit where nobody comes',
      { label: 'L', kind: 'maybe', capacity: 3 },
      issues({ capacity: 'going_only' }),
    ),
  ]);

  test('they make room and close up', async () => {
    const event = await make.socialEvent();
    const below = `${path}/${event.id}/rsvp-options`;
    const early = await make.option(event.id, { label: 'Early', kind: 'maybe', position: 1 });
    const labels = async () =>
      (await make.read(below)).map(
        ({ label, position }: { label: string; position: number }) => `${position} ${label}`,
      );
    expect(await labels()).toEqual(['1 Early', '2 Going', '3 Maybe', '4 Not going']);
    const at = `${below}/${early.id}`;
    expect((await make.change(at, { position: 99, label: 'Morning' })).position).toBe(4);
    expect(await labels()).toEqual(['1 Going', '2 Maybe', '3 Not going', '4 Morning']);
    await make.change(at, { position: 2 });
    expect(await labels()).toEqual(['1 Going', '2 Morning', '3 Maybe', '4 Not going']);
    expect((await service.call('PATCH', at, { capacity: 3 })).body).toMatchObject({
      details: { issues: [{ path: 'capacity', rule: 'going_only' }] },
    });
    await service.call('DELETE', at);
    expect(await labels()).toEqual(['1 Going', '2 Maybe', '3 Not going']);
    await make.option(event.id, { label: 'By car', kind: 'going' });
    expect(await labels()).toEqual(['1 Going', '2 Maybe', '3 Not going', '4 By car']);
  });

  test('a chosen one stays', async () => {
    const event = await make.socialEvent();
    const [going] = await make.read(`${path}/${event.id}/rsvp-options`);
    await make.rsvp(event.id, { rsvpOptionId: going.id });
    const { status, body } = await service.call(
      'DELETE',
      `${path}/${event.id}/rsvp-options/${going.id}`,
    );
    expect({ status, ...body }).toMatchObject({
      status: 422,
      code: 'resource_in_use',
      details: { rsvps: 1 },
    });
  });
});
