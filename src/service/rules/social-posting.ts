/** Publishing of a post: one outbox entry per account, and the result of each in the post. */
import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import type { SocialPostAccountRow } from '../database/tables.ts';
import { enqueue, type OutboxHandler, type Outcome, withdraw } from '../outbox/outbox.ts';
import { change, find, newId } from '../records.ts';

type Post = RecordFor<'socialPosts'>;
type Result = Post['results'][number];

export const publishedOn = (post: Post, accountId: string): boolean =>
  post.results.some(
    ({ socialAccountId, status }) => socialAccountId === accountId && status === 'published',
  );

/**
 * One row per account of the post. A removed account keeps its row, marked as unwanted: if the post was in flight to it, the
 * result is still recorded.
 */
export async function saveAccounts(context: Context, post: Post): Promise<void> {
  const rows = await accountRows(context, post);
  for (const { id, socialAccountId, wanted } of rows) {
    const named = post.socialAccountIds.includes(socialAccountId);
    if (named === wanted) continue;
    await context.db
      .updateTable('socialPostAccounts')
      .set({ wanted: named, updatedAt: context.stamp })
      .where('teamId', '=', context.team.id)
      .where('id', '=', id)
      .execute();
  }
  const known = new Set(rows.map(({ socialAccountId }) => socialAccountId));
  const added = post.socialAccountIds
    .filter((id) => !known.has(id))
    .map((socialAccountId) => ({ ...link(context, post), socialAccountId, wanted: true }));
  if (added.length > 0) await context.db.insertInto('socialPostAccounts').values(added).execute();
}

/** One row per asset of the post, so that a used asset can't be deleted. */
export async function saveAssets(context: Context, post: Post): Promise<void> {
  const { db, team } = context;
  await db
    .deleteFrom('socialPostAssets')
    .where('teamId', '=', team.id)
    .where('socialPostId', '=', post.id)
    .execute();
  const rows = post.assetIds.map((assetId) => ({ ...link(context, post), assetId }));
  if (rows.length > 0) await db.insertInto('socialPostAssets').values(rows).execute();
}

const link = ({ team, now, stamp }: Context, post: Post) => ({
  id: newId(),
  teamId: team.id,
  socialPostId: post.id,
  createdAt: now,
  updatedAt: stamp,
});

/** Puts the post into the outbox for these accounts, due at its time, and withdraws it for all others. */
export async function queuePost(
  context: Context,
  post: Post,
  accountIds: readonly string[],
): Promise<void> {
  for (const { id, socialAccountId } of await accountRows(context, post)) {
    if (accountIds.includes(socialAccountId))
      await enqueue(context, {
        kind: 'post',
        recordId: id,
        notBefore: post.scheduledAt ?? context.now,
      });
    else await withdraw(context, 'post', id);
  }
}

async function accountRows({ db, team }: Context, post: Post): Promise<SocialPostAccountRow[]> {
  return db
    .selectFrom('socialPostAccounts')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('socialPostId', '=', post.id)
    .execute();
}

/** Sends posts. `recordId` is the row of a post and an account. */
export const postHandler: OutboxHandler = {
  async load(context, recordId) {
    const { row, post, account } = await postAndAccount(context, recordId);
    if (!row.wanted || (post.status !== 'scheduled' && post.status !== 'publishing'))
      return undefined;
    if (account.status !== 'connected') return { skip: `The account is ${account.status}` };
    if (account.tokenExpiresAt && account.tokenExpiresAt <= context.now)
      return { skip: `The permission to publish expired at ${account.tokenExpiresAt}` };
    return {
      id: row.id,
      channel: 'social',
      to: `${account.platform}:${account.externalId}`,
      from: null,
      subject: null,
      body: post.body,
    };
  },
  async recordOutcome(context, recordId, outcome) {
    const { post, account } = await postAndAccount(context, recordId);
    const result = resultOf(account.id, outcome, context.now);
    const results = [
      ...post.results.filter(({ socialAccountId }) => socialAccountId !== account.id),
      result,
    ];
    const publishedAt = post.publishedAt ?? (result.status === 'published' ? context.now : null);
    await change(context, 'socialPosts', post, {
      results,
      publishedAt,
      status: statusAfter({ ...post, results }),
    });
  },
};

async function postAndAccount(context: Context, recordId: string) {
  const { db, team } = context;
  const row = await db
    .selectFrom('socialPostAccounts')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow();
  const post = await find(context, 'socialPosts', row.socialPostId);
  const account = await find(context, 'socialAccounts', row.socialAccountId);
  if (!post || !account) throw new Error('Foreign keys guarantee the post and its account');
  return { row, post, account };
}

function resultOf(socialAccountId: string, outcome: Outcome, at: string): Result {
  switch (outcome.status) {
    case 'sent':
    case 'delivered':
      return {
        socialAccountId,
        status: 'published',
        externalId: outcome.externalId,
        error: null,
        at,
      };
    case 'failed':
      return { socialAccountId, status: 'failed', externalId: null, error: outcome.error, at };
    case 'skipped':
      return { socialAccountId, status: 'failed', externalId: null, error: outcome.reason, at };
  }
}

/** Published once all accounts have it, even if it was withdrawn too late; otherwise a withdrawn post keeps its status. */
function statusAfter(post: Post): Post['status'] {
  const statuses = post.socialAccountIds.map(
    (id) => post.results.find(({ socialAccountId }) => socialAccountId === id)?.status,
  );
  if (statuses.length > 0 && statuses.every((status) => status === 'published')) return 'published';
  if (post.status !== 'scheduled' && post.status !== 'publishing') return post.status;
  return statuses.every((status) => status !== undefined) ? 'failed' : 'publishing';
}
