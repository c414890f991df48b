import { describe } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { issues, list, made, ok, type Row, refused, row, testTable } from '../../helpers/table.ts';

// Nothing carries posts here, so that what is scheduled stays as it is.
const service = await testService();
const make = facility(service);
const accountsPath = '/marketing/social-accounts';
const accountOf = (externalId: string, given: object = {}) =>
  make.add(accountsPath, { platform: 'instagram', externalId, displayName: externalId, ...given });
const garage = await accountOf('garage');
const hall = await accountOf('hall', { platform: 'facebook', handle: '@hall' });
const lost = await accountOf('lost', { status: 'disconnected' });

const postsPath = '/marketing/social-posts';
const soon = '2090-05-01T10:00:00.000Z';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('posts', async () => {
  const [picture, film] = [await make.asset(), await make.asset()];
  const campaign = await make.add('/marketing/campaigns', { name: 'Spring', channel: 'email' });
  const create = row('POST', postsPath);
  const scheduled = {
    body: 'A',
    status: 'scheduled',
    scheduledAt: soon,
    socialAccountIds: [garage.id],
  };
  const draft = { body: 'Open day' };
  /** Changes a post of its own, which starts like this. */
  const change = async (name: string, given: object, body: object, expect: Row['expect']) =>
    row('PATCH', `${postsPath}/${(await make.add(postsPath, given)).id}`)(name, body, expect);
  const cancelled = await make.add(postsPath, draft);
  await make.change(`${postsPath}/${cancelled.id}`, { status: 'cancelled' });
  // The one post of its time and campaign, and the two of its asset.
  const shown = await make.asset();
  const listedAt = '2095-05-02T10:00:00.000Z';
  const listed = await make.add(postsPath, {
    ...scheduled,
    scheduledAt: listedAt,
    socialAccountIds: [hall.id],
    assetIds: [shown.id],
  });
  await make.add(postsPath, { ...draft, assetIds: [shown.id] });
  testTable(service, [
    create(
      'everything',
      {
        ...scheduled,
        socialAccountIds: [hall.id, garage.id],
        assetIds: [film.id, picture.id],
        campaignId: campaign.id,
      },
      made({
        socialAccountIds: [hall.id, garage.id],
        assetIds: [film.id, picture.id],
        campaignId: campaign.id,
        status: 'scheduled',
      }),
    ),
    create(
      'the second account is unknown',
      { ...scheduled, socialAccountIds: [garage.id, campaign.id] },
      {
        status: 404,
        code: 'not_found',
        error: 'No social account with the id given in socialAccountIds.1',
        details: { field: 'socialAccountIds.1' },
      },
    ),
    create(
      'named twice',
      { body: 'A', socialAccountIds: [hall.id, garage.id, hall.id], assetIds: [film.id, film.id] },
      issues({
        'socialAccountIds.2': 'duplicate',
        'assetIds.1': 'duplicate',
      }),
    ),
    create(
      'scheduled for no time and nobody',
      { body: 'A', status: 'scheduled' },
      issues({ scheduledAt: 'required', socialAccountIds: 'too_small' }),
    ),
    create(
      'scheduled for the past',
      { ...scheduled, scheduledAt: ago(6) },
      issues({ scheduledAt: 'in_past' }),
    ),
    create(
      'scheduled for now: it stays so while nothing carries it',
      { ...scheduled, scheduledAt: ago(1) },
      made({ status: 'scheduled', publishedAt: null, results: [] }),
    ),
    create(
      'scheduled for an account that is not connected',
      { ...scheduled, socialAccountIds: [garage.id, lost.id] },
      issues({
        'socialAccountIds.1': 'not_connected',
      }),
    ),
    create(
      'a draft may be for any time and account',
      { ...scheduled, status: 'draft', scheduledAt: ago(60), socialAccountIds: [lost.id] },
      made(),
    ),
    await change(
      'scheduled too early',
      draft,
      { status: 'scheduled' },
      issues({ scheduledAt: 'required', socialAccountIds: 'too_small' }),
    ),
    await change(
      'scheduled',
      draft,
      { status: 'scheduled', scheduledAt: soon, socialAccountIds: [garage.id] },
      ok({ status: 'scheduled' }),
    ),
    await change(
      'the text while it is scheduled',
      scheduled,
      { body: 'Open days', assetIds: [film.id] },
      ok({ body: 'Open days' }),
    ),
    await change(
      'its time away',
      scheduled,
      { scheduledAt: null },
      issues({ scheduledAt: 'required' }),
    ),
    await change(
      'its accounts away',
      scheduled,
      { socialAccountIds: [] },
      issues({ socialAccountIds: 'too_small' }),
    ),
    await change(
      'an account that is not connected',
      scheduled,
      { socialAccountIds: [hall.id, lost.id] },
      issues({ 'socialAccountIds.1': 'not_connected' }),
    ),

    list(`${postsPath}?socialAccountId=${hall.id}&from=${listedAt}`, listed.id),
    list(`${postsPath}?socialAccountId=${garage.id}&from=${listedAt}`),
    list(`${postsPath}?from=${listedAt}&to=${listedAt}&status=scheduled`, listed.id),
    list(`${postsPath}?from=2095-05-02T10:00:00.001Z`),

    row('DELETE', `/marketing/assets/${shown.id}`)(
      'an asset that posts show',
      undefined,
      refused('resource_in_use', { socialPosts: 2 }),
    ),

    await change(
      'withdrawn',
      scheduled,
      { status: 'draft' },
      ok({ status: 'draft', scheduledAt: soon }),
    ),
    await change(
      'a draft may be for nobody',
      { ...scheduled, status: 'draft' },
      { socialAccountIds: [], scheduledAt: null },
      ok({ socialAccountIds: [] }),
    ),
    row('PATCH', `${postsPath}/${cancelled.id}`)(
      'the text of a cancelled one',
      { body: 'Over' },
      ok({ body: 'Over' }),
    ),
  ]);
});
