import { afterAll, describe } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { issues, list, type Row, row, testTable } from '../../helpers/table.ts';

// Nothing carries posts here, so that what is scheduled stays as it is.
const service = await startTestService();
afterAll(() => service.close());
const make = facility(service);
const post = async (path: string, body: object) => {
  const answer = await service.call('POST', path, body);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
};

const accountsPath = '/marketing/social-accounts';
const accountOf = (externalId: string, given: object = {}) =>
  post(accountsPath, { platform: 'instagram', externalId, displayName: externalId, ...given });
const garage = await accountOf('garage');
const hall = await accountOf('hall', { platform: 'facebook', handle: '@hall' });
const lost = await accountOf('lost', { status: 'disconnected' });

describe('accounts', async () => {
  const create = row('POST', accountsPath);
  const id = (platform: string, externalId: string) => ({ platform, externalId, displayName: 'A' });
  /** Changes an account of its own, which starts in this state. */
  const change = async (name: string, given: object, body: object, expect: Row['expect']) => {
    const account = await accountOf(name, { platform: 'changes', ...given });
    return row('PATCH', `${accountsPath}/${account.id}`)(name, body, expect);
  };
  const same = await accountOf('same', { platform: 'same' });
  testTable(service, [
    create('defaults', id('tiktok', 'garage'), {
      status: 201,
      data: {
        platform: 'tiktok',
        externalId: 'garage',
        displayName: 'A',
        handle: null,
        status: 'connected',
        tokenExpiresAt: null,
      },
    }),
    create('the id of an account on the same platform', id('instagram', 'garage'), {
      status: 422,
      code: 'duplicate',
      details: { field: 'externalId', id: garage.id },
    }),
    {
      ...create('an account of another team', id('instagram', 'garage'), { status: 201 }),
      key: service.otherKey,
    },
    create('a platform in words', id('Insta Gram', 'x'), issues({ platform: 'invalid_format' })),
    create(
      'a token',
      { ...id('x', 'x'), token: 'secret', accessToken: 'secret' },
      issues({ token: 'unknown', accessToken: 'unknown' }),
    ),
    row('PATCH', `${accountsPath}/${same.id}`)(
      'to the same: updatedAt stays',
      { status: 'connected', handle: null },
      { status: 200, data: { updatedAt: same.updatedAt } },
    ),
    await change(
      'name, handle, end of the permission',
      {},
      { displayName: 'Garage', handle: '@garage', tokenExpiresAt: '2090-01-01T01:00:00+01:00' },
      {
        status: 200,
        data: {
          displayName: 'Garage',
          handle: '@garage',
          tokenExpiresAt: '2090-01-01T00:00:00.000Z',
        },
      },
    ),
    await change(
      'expired',
      {},
      { status: 'expired' },
      { status: 200, data: { status: 'expired' } },
    ),
    await change(
      'connected again',
      { status: 'expired', tokenExpiresAt: '2090-01-01T00:00:00Z' },
      { status: 'connected', tokenExpiresAt: null },
      { status: 200, data: { status: 'connected', tokenExpiresAt: null } },
    ),
    await change('another state', {}, { status: 'blocked' }, issues({ status: 'invalid_value' })),
    list(`${accountsPath}?platform=facebook`, hall.id),
    list(`${accountsPath}?platform=instagram&status=connected`, garage.id),
    list(`${accountsPath}?status=disconnected`, lost.id),
  ]);
});

const postsPath = '/marketing/social-posts';
const soon = '2090-05-01T10:00:00.000Z';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('posts', async () => {
  const [picture, film] = [await make.asset(), await make.asset()];
  const campaign = await post('/marketing/campaigns', { name: 'Spring', channel: 'email' });
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
    row('PATCH', `${postsPath}/${(await post(postsPath, given)).id}`)(name, body, expect);
  const same = await post(postsPath, draft);
  const cancelled = await post(postsPath, draft);
  await make.change(`${postsPath}/${cancelled.id}`, { status: 'cancelled' });
  // The one post of its time and campaign, and the two of its asset.
  const shown = await make.asset();
  const listedAt = '2095-05-02T10:00:00.000Z';
  const listed = await post(postsPath, {
    ...scheduled,
    scheduledAt: listedAt,
    socialAccountIds: [hall.id],
    assetIds: [shown.id],
    campaignId: (await post('/marketing/campaigns', { name: 'Listed', channel: 'email' })).id,
  });
  await post(postsPath, { ...draft, assetIds: [shown.id] });
  testTable(service, [
    create(
      'defaults',
      { body: 'A' },
      {
        status: 201,
        data: {
          body: 'A',
          socialAccountIds: [],
          assetIds: [],
          scheduledAt: null,
          campaignId: null,
          status: 'draft',
          publishedAt: null,
          results: [],
        },
      },
    ),
    create(
      'everything',
      {
        ...scheduled,
        socialAccountIds: [hall.id, garage.id],
        assetIds: [film.id, picture.id],
        campaignId: campaign.id,
      },
      {
        status: 201,
        data: {
          socialAccountIds: [hall.id, garage.id],
          assetIds: [film.id, picture.id],
          campaignId: campaign.id,
          status: 'scheduled',
        },
      },
    ),
    create('an empty body', { body: '' }, issues({ body: 'too_small' })),
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
      'ids in upper case',
      { body: 'A', assetIds: [picture.id.toUpperCase()] },
      { status: 201, data: { assetIds: [picture.id] } },
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
      '21 assets',
      { body: 'A', assetIds: Array(21).fill(film.id) },
      issues({ assetIds: 'too_big' }),
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
      {
        status: 201,
        data: { status: 'scheduled', publishedAt: null, results: [] },
      },
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
      { status: 201 },
    ),

    row('PATCH', `${postsPath}/${same.id}`)(
      'to the same: updatedAt stays',
      { body: 'Open day', assetIds: [], status: 'draft' },
      { status: 200, data: { updatedAt: same.updatedAt } },
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
      { status: 200, data: { status: 'scheduled' } },
    ),
    await change(
      'the text while it is scheduled',
      scheduled,
      { body: 'Open days', assetIds: [film.id] },
      { status: 200, data: { body: 'Open days' } },
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
      'another account',
      scheduled,
      { socialAccountIds: [hall.id] },
      { status: 200, data: { socialAccountIds: [hall.id] } },
    ),
    await change(
      'an account that is not connected',
      scheduled,
      { socialAccountIds: [hall.id, lost.id] },
      issues({ 'socialAccountIds.1': 'not_connected' }),
    ),
    await change(
      'another time',
      scheduled,
      { scheduledAt: '2090-05-02T12:00:00+02:00' },
      { status: 200, data: { scheduledAt: '2090-05-02T10:00:00.000Z' } },
    ),

    list(`${postsPath}?socialAccountId=${hall.id}&from=${listedAt}`, listed.id),
    list(`${postsPath}?socialAccountId=${garage.id}&from=${listedAt}`),
    list(`${postsPath}?from=${listedAt}&to=${listedAt}&status=scheduled`, listed.id),
    list(`${postsPath}?from=2095-05-02T10:00:00.001Z`),
    {
      ...list(`${postsPath}?campaignId=${listed.campaignId}`),
      expect: { status: 200, page: { total: 1 } },
    },

    row('DELETE', `/marketing/assets/${shown.id}`)('an asset that posts show', undefined, {
      status: 422,
      code: 'resource_in_use',
      details: { socialPosts: 2 },
    }),

    await change(
      'withdrawn',
      scheduled,
      { status: 'draft' },
      { status: 200, data: { status: 'draft', scheduledAt: soon } },
    ),
    await change(
      'a draft may be for nobody',
      { ...scheduled, status: 'draft' },
      { socialAccountIds: [], scheduledAt: null },
      { status: 200, data: { socialAccountIds: [] } },
    ),
    await change(
      'null where it cannot be',
      draft,
      { body: null, socialAccountIds: null, status: null },
      issues({
        body: 'invalid_type',
        socialAccountIds: 'invalid_type',
        status: 'invalid_value',
      }),
    ),
    row('PATCH', `${postsPath}/${cancelled.id}`)(
      'the text of a cancelled one',
      { body: 'Over' },
      { status: 200, data: { body: 'Over' } },
    ),
  ]);
});
