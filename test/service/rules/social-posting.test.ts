import { afterAll, expect, test } from 'vitest';
import type { RecordFor } from '../../../src/contract/contract.ts';
import type { OutboxMessage } from '../../../src/service/outbox/outbox.ts';
import { type Transport, TransportError } from '../../../src/service/outbox/transport.ts';
import { startTestService } from '../../helpers/service.ts';

type Post = RecordFor<'socialPosts'>;

/** Takes every letter, unless an account was told to refuse or to wait. */
const taken: OutboxMessage[] = [];
const refusing = new Set<string>();
const waiting = new Map<string, { arrived: () => void; released: Promise<void> }>();
const platform: Transport = {
  name: 'platform',
  channels: ['social'],
  async send(letter) {
    const hold = waiting.get(letter.to);
    waiting.delete(letter.to);
    hold?.arrived();
    await hold?.released;
    if (refusing.delete(letter.to))
      throw new TransportError('The picture is too large', { permanent: true, reason: 'refused' });
    taken.push(letter);
    return { externalId: `on ${letter.to}` };
  },
  async close() {},
};

/** Holds the next letter to an account: `arrived` once it is in flight, until it is let go. */
function hold(account: string) {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  waiting.set(account, { arrived: arrived.resolve, released: released.promise });
  return { arrived: arrived.promise, release: released.resolve };
}

const service = await startTestService({ transports: [platform], outbox: { atOnce: 1 } });
afterAll(() => service.close());

const ask = async (method: string, path: string, body?: object) => {
  const answer = await service.call(method, path, body);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
};
let made = 0;
const account = (given: object = {}) =>
  ask('POST', '/marketing/social-accounts', {
    platform: 'instagram',
    externalId: `a${++made}`,
    displayName: 'A',
    ...given,
  });
const address = ({ platform: on, externalId }: { platform: string; externalId: string }) =>
  `${on}:${externalId}`;
const now = () => new Date().toISOString();
const schedule = (body: string, ...accounts: { id: string }[]): Promise<Post> =>
  ask('POST', '/marketing/social-posts', {
    body,
    status: 'scheduled',
    scheduledAt: now(),
    socialAccountIds: accounts.map(({ id }) => id),
  });
const change = (post: Post, body: object): Promise<Post> =>
  ask('PATCH', `/marketing/social-posts/${post.id}`, body);
const read = (post: Post): Promise<Post> => ask('GET', `/marketing/social-posts/${post.id}`);
const becomes = async (post: Post, status: Post['status']) => {
  await expect
    .poll(async () => (await read(post)).status, { timeout: 10_000, interval: 20 })
    .toBe(status);
  return read(post);
};
const lettersOf = (body: string) => taken.filter((letter) => letter.body === body);

test('a post goes to each of its accounts and is published', async () => {
  const [first, second] = [await account(), await account({ platform: 'facebook' })];
  const post = await becomes(await schedule('Open day', first, second), 'published');
  const letters = lettersOf('Open day');
  expect(letters.map(({ to }) => to).sort()).toEqual([address(second), address(first)]);
  expect(letters[0]).toMatchObject({ channel: 'social', from: null, subject: null });
  expect(new Set(letters.map(({ id }) => id)).size).toBe(2);
  expect(post.results).toHaveLength(2);
  expect(post.results).toContainEqual({
    socialAccountId: first.id,
    status: 'published',
    externalId: `on ${address(first)}`,
    error: null,
    at: expect.any(String),
  });
  expect(post.publishedAt).toBe(post.results[0]?.at);
});

test('a future post, a draft and a withdrawn post are not delivered', async () => {
  const one = await account();
  const later = {
    status: 'scheduled',
    scheduledAt: '2090-01-01T00:00:00Z',
    socialAccountIds: [one.id],
  };
  const posts: Post[] = [];
  for (const body of ['in time', 'draft', 'withdrawn', 'cancelled'])
    posts.push(
      await ask('POST', '/marketing/social-posts', {
        ...later,
        body,
        ...(body === 'draft' ? { status: 'draft' } : {}),
      }),
    );
  await change(posts[2] as Post, { status: 'draft' });
  await change(posts[3] as Post, { status: 'cancelled' });
  await becomes(await schedule('another', one), 'published');
  expect(taken.filter(({ to }) => to === address(one)).map(({ body }) => body)).toEqual([
    'another',
  ]);
  expect((await read(posts[0] as Post)).status).toBe('scheduled');
  await change(posts[0] as Post, { scheduledAt: now() });
  await becomes(posts[0] as Post, 'published');
});

test('an account that does not take it fails the post; scheduled again it goes to that account alone', async () => {
  const [good, bad] = [await account(), await account()];
  refusing.add(address(bad));
  const failed = await becomes(await schedule('Big picture', good, bad), 'failed');
  expect(failed.publishedAt).not.toBeNull();
  expect(failed.results).toContainEqual({
    socialAccountId: bad.id,
    status: 'failed',
    externalId: null,
    error: 'The picture is too large',
    at: expect.any(String),
  });
  const again = await change(failed, {
    status: 'scheduled',
    scheduledAt: now(),
    body: 'Small picture',
  });
  expect(again.results.map(({ socialAccountId }) => socialAccountId)).toEqual([good.id]);
  const published = await becomes(again, 'published');
  expect(published.results).toHaveLength(2);
  expect(published.publishedAt).toBe(failed.publishedAt);
  expect(lettersOf('Big picture').map(({ to }) => to)).toEqual([address(good)]);
  expect(lettersOf('Small picture').map(({ to }) => to)).toEqual([address(bad)]);
});

test('a failed post without its failed accounts has none left to publish to', async () => {
  const [good, bad] = [await account(), await account()];
  refusing.add(address(bad));
  const failed = await becomes(await schedule('Half', good, bad), 'failed');
  const answer = await service.call('PATCH', `/marketing/social-posts/${failed.id}`, {
    status: 'scheduled',
    scheduledAt: now(),
    socialAccountIds: [good.id],
  });
  expect(answer.body.details.issues).toMatchObject([
    { path: 'socialAccountIds', rule: 'too_small' },
  ]);
  expect(await read(failed)).toEqual(failed);
});

test('while some accounts wait it is publishing, and cannot be changed or stopped', async () => {
  const [first, second] = [await account(), await account()];
  const holds = [hold(address(first)), hold(address(second))] as const;
  const scheduled = await schedule('Slow', first, second);
  const inFlight = await Promise.race([
    holds[0].arrived.then(() => 0),
    holds[1].arrived.then(() => 1),
  ]);
  expect((await read(scheduled)).status).toBe('scheduled');
  holds[inFlight as 0 | 1].release();
  const post = await becomes(scheduled, 'publishing');
  const patch = async (body: object) =>
    (await service.call('PATCH', `/marketing/social-posts/${post.id}`, body)).body;
  expect(await patch({ status: 'cancelled' })).toMatchObject({
    code: 'invalid_transition',
    details: { allowed: [] },
  });
  expect(
    (
      await patch({
        body: 'B',
        socialAccountIds: [],
        assetIds: [],
        scheduledAt: null,
        campaignId: null,
      })
    ).details.issues,
  ).toMatchObject(
    ['body', 'socialAccountIds', 'scheduledAt'].map((path) => ({ path, rule: 'read_only' })),
  );
  expect(await read(post)).toEqual(post);
  for (const { release } of holds) release();
  const published = await becomes(post, 'published');
  expect(await patch({ body: 'B' })).toMatchObject({
    code: 'validation_failed',
    details: { issues: [{ path: 'body', rule: 'read_only' }] },
  });
  for (const status of ['draft', 'scheduled', 'cancelled'])
    expect(await patch({ status })).toMatchObject({ code: 'invalid_transition' });
  expect(await read(post)).toEqual(published);
});

test('a delivery after the withdrawal is recorded', async () => {
  const [first, second, third] = [await account(), await account(), await account()];
  const before = hold(address(first));
  const withdrawn = await schedule('Too late', first);
  await before.arrived;
  // Behind the one in flight, so that neither has been looked at.
  const cancelled = await schedule('In time', second, third);
  await change(withdrawn, { status: 'draft', socialAccountIds: [second.id] });
  await change(cancelled, { status: 'cancelled' });
  before.release();
  await becomes(await schedule('Next', third), 'published');
  expect(await read(withdrawn)).toMatchObject({
    status: 'draft',
    results: [{ socialAccountId: first.id, status: 'published' }],
  });
  expect((await read(withdrawn)).publishedAt).not.toBeNull();
  expect(await change(withdrawn, { socialAccountIds: [first.id] })).toMatchObject({
    status: 'draft',
  });
  expect(await read(cancelled)).toMatchObject({
    status: 'cancelled',
    results: [],
    publishedAt: null,
  });
  expect(lettersOf('In time')).toEqual([]);
});

test('a list by account has the posts that name it now', async () => {
  const [first, second] = [await account(), await account()];
  const post = await ask('POST', '/marketing/social-posts', {
    body: 'A',
    socialAccountIds: [first.id, second.id],
  });
  const named = async ({ id }: { id: string }) =>
    (await ask('GET', `/marketing/social-posts?socialAccountId=${id}`)).map((one: Post) => one.id);
  await change(post, { socialAccountIds: [second.id] });
  expect([await named(first), await named(second)]).toEqual([[], [post.id]]);
  await change(post, { socialAccountIds: [first.id] });
  expect([await named(first), await named(second)]).toEqual([[post.id], []]);
});

test('cancelled too late for its only account, a post is published', async () => {
  const one = await account();
  const flight = hold(address(one));
  const post = await schedule('On its way', one);
  await flight.arrived;
  await change(post, { status: 'cancelled' });
  flight.release();
  await becomes(post, 'published');
});

test.each([
  ['was disconnected', { status: 'disconnected' }, 'The account is disconnected'],
  [
    'has let its permission end',
    { tokenExpiresAt: '2026-01-01T00:00:00Z' },
    'The permission to publish expired at 2026-01-01T00:00:00.000Z',
  ],
])(
  'an account that %s since fails the post, and nothing is handed over',
  async (_what, meanwhile, error) => {
    const [busy, one] = [await account(), await account()];
    const before = hold(address(busy));
    await schedule('Before', busy);
    await before.arrived;
    const post = await schedule('After', one);
    await ask('PATCH', `/marketing/social-accounts/${one.id}`, meanwhile);
    before.release();
    const failed = await becomes(post, 'failed');
    expect(failed).toMatchObject({ publishedAt: null, results: [{ status: 'failed', error }] });
    expect(taken.filter(({ to }) => to === address(one))).toEqual([]);
  },
);
