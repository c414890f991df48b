import { describe, expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { type Row, row, testTable } from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);
const others = facility(service, service.otherKey);

const campaign = await make.add('/marketing/campaigns', {
  name: 'Spring',
  channel: 'email',
  scheduledAt: '2090-05-03T10:00:00Z',
});
const post = await make.add('/marketing/social-posts', {
  body: '\n  Open day\r\nCome!',
  scheduledAt: '2090-05-01T10:00:00Z',
});
const long = await make.add('/marketing/social-posts', {
  body: '🚗'.repeat(150),
  scheduledAt: '2090-05-03T10:00:00Z',
});
const evening = await make.socialEvent({
  title: 'Evening',
  startAt: '2090-05-02T18:00:00Z',
  endAt: '2090-05-02T22:00:00Z',
});
// Without a time there is no day to show it on.
await make.add('/marketing/campaigns', { name: 'Some day', channel: 'email' });
await make.add('/marketing/social-posts', { body: 'Some day' });
// One of each kind of another team.
await others.add('/marketing/social-posts', {
  body: 'Elsewhere',
  scheduledAt: '2090-05-02T10:00:00Z',
});
await others.add('/marketing/social-events', {
  title: 'Elsewhere',
  startAt: '2090-05-02T10:00:00Z',
});
await others.add('/marketing/campaigns', {
  name: 'Elsewhere',
  channel: 'email',
  scheduledAt: '2090-05-02T10:00:00Z',
});

const may = 'from=2090-05-01T00:00:00Z&to=2090-06-01T00:00:00Z';
const list = (name: string, query: string, ...ids: string[]): Row =>
  row('GET', `/marketing/calendar?${query}`)(name, undefined, {
    status: 200,
    ids,
    page: { total: ids.length },
  });
const refused = (name: string, query: string, issues: Record<string, string>): Row =>
  row('GET', `/marketing/calendar?${query}`)(name, undefined, {
    status: 422,
    code: 'validation_failed',
    issues,
  });
const together = [campaign.id, long.id].sort();

describe('entries', () => {
  test('campaigns, posts and events by the time at which they begin', async () => {
    const { body } = await service.call('GET', `/marketing/calendar?${may}`);
    const shown = [
      {
        id: post.id,
        type: 'social_post',
        title: 'Open day',
        status: 'draft',
        startAt: post.scheduledAt,
        endAt: null,
        updatedAt: post.updatedAt,
      },
      {
        id: evening.id,
        type: 'social_event',
        title: 'Evening',
        status: 'published',
        startAt: evening.startAt,
        endAt: evening.endAt,
        updatedAt: evening.updatedAt,
      },
    ];
    expect(body.data.slice(0, 2)).toEqual(shown);
    expect(body.data.slice(2)).toEqual(
      [
        {
          id: campaign.id,
          type: 'campaign',
          title: 'Spring',
          status: 'draft',
          startAt: campaign.scheduledAt,
          endAt: null,
          updatedAt: campaign.updatedAt,
        },
        {
          id: long.id,
          type: 'social_post',
          title: '🚗'.repeat(100),
          status: 'draft',
          startAt: long.scheduledAt,
          endAt: null,
          updatedAt: long.updatedAt,
        },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    expect(body).toMatchObject({ page: 1, limit: 50, total: 4 });
  });

  test('each team sees its own alone', async () => {
    const { body } = await service.call(
      'GET',
      `/marketing/calendar?${may}`,
      undefined,
      service.otherKey,
    );
    expect(
      body.data.map(({ type, title }: Record<string, string>) => [type, title]).sort(),
    ).toEqual([
      ['campaign', 'Elsewhere'],
      ['social_event', 'Elsewhere'],
      ['social_post', 'Elsewhere'],
    ]);
    expect(body.total).toBe(3);
  });

  test.each(['read:campaigns', 'read:social-events'] as const)(
    '%s alone shows all three',
    async (scope) => {
      const { body } = await service.call(
        'GET',
        `/marketing/calendar?${may}`,
        undefined,
        await service.keyWith([scope]),
      );
      expect(new Set(body.data.map(({ type }: { type: string }) => type))).toEqual(
        new Set(['campaign', 'social_post', 'social_event']),
      );
    },
  );

  test('a started campaign has its start time', async () => {
    await make.customer({ email: 'ada@example.com' });
    const { id } = await make.add('/marketing/campaigns', {
      name: 'Now',
      channel: 'email',
      scheduledAt: '2091-01-01T00:00:00Z',
    });
    await make.add(`/marketing/campaigns/${id}/audiences`, { name: 'All' });
    await make.add(`/marketing/campaigns/${id}/content`, { subject: 'A', body: 'B' });
    const started = await make.change(`/marketing/campaigns/${id}`, { status: 'sending' });
    expect(started.startedAt).not.toBeNull();
    const { body } = await service.call(
      'GET',
      `/marketing/calendar?from=${started.startedAt}&to=${started.startedAt}`,
    );
    expect(body.data).toMatchObject([{ id, startAt: started.startedAt }]);
    const later = await service.call(
      'GET',
      '/marketing/calendar?from=2091-01-01T00:00:00Z&to=2091-01-01T00:00:00Z',
    );
    expect(later.body.data).toEqual([]);
  });
});

describe('parameters', () => {
  testTable(service, [
    list(
      'both ends are included',
      'from=2090-05-01T10:00:00Z&to=2090-05-02T18:00:00Z',
      post.id,
      evening.id,
    ),
    list(
      'in another offset',
      'from=2090-05-01T12:00:00.001%2B02:00&to=2090-05-02T20:00:00%2B02:00',
      evening.id,
    ),
    list('campaigns', `${may}&type=campaign`, campaign.id),
    list('posts', `${may}&type=social_post`, post.id, long.id),
    list('events', `${may}&type=social_event`, evening.id),
    list('some ids', `${may}&ids=${evening.id},${post.id}`, post.id, evening.id),
    list(
      'what changed since',
      `${may}&updatedAfter=${long.updatedAt}&ids=${long.id},${post.id},${evening.id}`,
      evening.id,
      long.id,
    ),
    {
      ...list('the first page', `${may}&limit=2`, post.id, evening.id),
      expect: { status: 200, ids: [post.id, evening.id], page: { total: 4, limit: 2 } },
    },
    {
      ...list('the last page', `${may}&limit=3&page=2`),
      expect: { status: 200, ids: [together[1]], page: { page: 2, limit: 3, total: 4 } },
    },
    list(
      '366 days',
      'from=2090-05-02T18:00:00Z&to=2091-05-03T18:00:00Z&type=social_event',
      evening.id,
    ),
    refused('more than 366 days', 'from=2090-05-02T18:00:00Z&to=2091-05-03T18:00:00.001Z', {
      to: 'too_big',
    }),
    refused('backwards', 'from=2090-05-02T00:00:00Z&to=2090-05-01T00:00:00Z', { to: 'too_small' }),
    refused('neither end', 'type=campaign', { from: 'required', to: 'required' }),
  ]);
});
