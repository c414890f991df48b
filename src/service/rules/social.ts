import type { RecordFor } from '../../contract/contract.ts';
import type { Issue } from '../../contract/problems.ts';
import type { Context } from '../context.ts';
import { invalid } from '../problem.ts';
import { find, newId } from '../records.ts';
import type { RulesOf } from './rule.ts';
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
          .where('socialPostAccounts.socialAccountId', '=', value),
      ),
  },
  async create(context, _input, proceed) {
    const post = await proceed();
    requireDistinct(post);
    await saveLinks(context, post, 'socialAccountIds');
    await saveLinks(context, post, 'assetIds');
    if (post.status === 'scheduled') await requireReady(context, post);
    return post;
  },
  async update(context, { record }, proceed) {
    const post = await proceed();
    const changed = (field: keyof Post) =>
      JSON.stringify(post[field]) !== JSON.stringify(record[field]);
    for (const field of ['socialAccountIds', 'assetIds'] as const)
      if (changed(field)) {
        requireDistinct(post);
        await saveLinks(context, post, field);
      }
    const changes = (['status', 'scheduledAt', 'socialAccountIds'] as const).some(changed);
    if (changes && post.status === 'scheduled') await requireReady(context, post);
    return post;
  },
};

/** A row for each account or asset of the post: for filters, and so that a used asset can't be deleted. */
async function saveLinks(
  { db, team, now, stamp }: Context,
  post: Post,
  field: 'socialAccountIds' | 'assetIds',
): Promise<void> {
  const table = field === 'assetIds' ? 'socialPostAssets' : 'socialPostAccounts';
  await db
    .deleteFrom(table)
    .where('teamId', '=', team.id)
    .where('socialPostId', '=', post.id)
    .execute();
  if (post[field].length === 0) return;
  const common = { teamId: team.id, socialPostId: post.id, createdAt: now, updatedAt: stamp };
  await (table === 'socialPostAssets'
    ? db
        .insertInto(table)
        .values(post.assetIds.map((assetId) => ({ id: newId(), assetId, ...common })))
    : db.insertInto(table).values(
        post.socialAccountIds.map((socialAccountId) => ({
          id: newId(),
          socialAccountId,
          ...common,
        })),
      )
  ).execute();
}

/** Decision: a post needs a time that isn't past (callers' clocks may differ) and connected accounts. */
async function requireReady(context: Context, post: Post): Promise<void> {
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
  if (post.socialAccountIds.length === 0)
    issues.push({
      path: 'socialAccountIds',
      rule: 'too_small',
      message: 'needs at least one account to schedule the post',
    });
  for (const [at, id] of post.socialAccountIds.entries()) {
    const account = await find(context, 'socialAccounts', id);
    if (account?.status === 'connected') continue;
    const path = `socialAccountIds.${at}`;
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
