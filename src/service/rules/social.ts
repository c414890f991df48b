import type { RecordFor } from '../../contract/contract.ts';
import type { Issue } from '../../contract/problems.ts';
import type { Context } from '../context.ts';
import { invalid } from '../problem.ts';
import { find } from '../records.ts';
import type { RulesOf } from './rule.ts';
import { publishedOn, queuePost, saveAccounts, saveAssets } from './social-posting.ts';
import { clockToleranceMs } from './times.ts';

type Post = RecordFor<'socialPosts'>;

export const socialPosts: RulesOf<'socialPosts'> = {
  filters: {
    socialAccountId: (where, value) =>
      where.exists(
        where
          .selectFrom('socialPostAccounts')
          .select('socialPostAccounts.id')
          .whereRef('socialPostAccounts.teamId', '=', 'socialPosts.teamId')
          .whereRef('socialPostAccounts.socialPostId', '=', 'socialPosts.id')
          .where('socialPostAccounts.socialAccountId', '=', value)
          .where('socialPostAccounts.wanted', '=', true),
      ),
  },
  async create(context, _input, proceed) {
    const post = await proceed();
    requireDistinct(post);
    await saveAccounts(context, post);
    await saveAssets(context, post);
    if (post.status === 'scheduled') await schedule(context, post);
    return post;
  },
  async update(context, { record, body }, proceed) {
    const again = record.status === 'failed' && body.status === 'scheduled';
    // Failed accounts are retried; published ones stay.
    const post = await proceed(
      again ? { results: record.results.filter(({ status }) => status === 'published') } : {},
    );
    const changed = (...fields: (keyof Post)[]) =>
      fields.some((field) => JSON.stringify(post[field]) !== JSON.stringify(record[field]));
    requireUnlocked(record, post);
    if (changed('socialAccountIds', 'assetIds')) requireDistinct(post);
    if (changed('socialAccountIds')) await saveAccounts(context, post);
    if (changed('assetIds')) await saveAssets(context, post);
    if (changed('status', 'scheduledAt', 'socialAccountIds')) {
      if (post.status === 'scheduled') await schedule(context, post);
      else if (record.status === 'scheduled') await queuePost(context, post, []);
    }
    return post;
  },
};

/** Puts the post into the outbox for all accounts that don't have it yet. */
async function schedule(context: Context, post: Post): Promise<void> {
  const open = post.socialAccountIds.filter((id) => !publishedOn(post, id));
  await requireReady(context, post, open);
  await queuePost(context, post, open);
}

/** Decision: a post needs a time that isn't past (callers' clocks may differ) and connected accounts. */
async function requireReady(context: Context, post: Post, open: readonly string[]): Promise<void> {
  const issues: Issue[] = [];
  if (!post.scheduledAt)
    issues.push({
      path: 'scheduledAt',
      rule: 'required',
      message: 'is required to schedule the post',
    });
  else if (Date.parse(post.scheduledAt) < Date.parse(context.now) - clockToleranceMs)
    issues.push({
      path: 'scheduledAt',
      rule: 'in_past',
      message: `must not be in the past; the service's time is ${context.now}`,
    });
  if (open.length === 0) {
    const message =
      post.socialAccountIds.length === 0
        ? 'needs at least one account to schedule the post'
        : 'has no account left to publish to';
    issues.push({ path: 'socialAccountIds', rule: 'too_small', message });
  }
  for (const id of open) {
    const account = await find(context, 'socialAccounts', id);
    if (account?.status === 'connected') continue;
    const path = `socialAccountIds.${post.socialAccountIds.indexOf(id)}`;
    issues.push({
      path,
      rule: 'not_connected',
      message: `must be a connected account; ${account?.displayName} is ${account?.status}`,
    });
  }
  if (issues.length > 0) throw invalid(issues);
}

/** A repeated id is a mistake. */
function requireDistinct(post: Post): void {
  const issues = (['socialAccountIds', 'assetIds'] as const).flatMap((field) =>
    post[field].flatMap((id, at, all): Issue[] =>
      all.indexOf(id) < at
        ? [{ path: `${field}.${at}`, rule: 'duplicate', message: 'is a duplicate' }]
        : [],
    ),
  );
  if (issues.length > 0) throw invalid(issues);
}

/** Decision: a published post can't change. */
function requireUnlocked(record: Post, post: Post): void {
  if (record.status !== 'publishing' && record.status !== 'published') return;
  const issues = (['body', 'socialAccountIds', 'assetIds', 'scheduledAt'] as const)
    .filter((field) => JSON.stringify(post[field]) !== JSON.stringify(record[field]))
    .map((field) => ({
      path: field,
      rule: 'read_only',
      message: `can't be changed: the post is ${record.status}`,
    }));
  if (issues.length > 0) throw invalid(issues);
}
