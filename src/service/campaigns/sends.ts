/** The sends of a campaign, and its counts of them. */
import type { RecordFor } from '../../contract/contract.ts';
import type { Context, ReadContext } from '../context.ts';
import { enqueueAll, withdrawAll } from '../outbox/outbox.ts';
import { change, find, newId } from '../records.ts';
import { foldEmail, folded } from '../rules/emails.ts';
import { campaignOf } from './parts.ts';
import { endRun, findRun } from './runs.ts';

type Campaign = RecordFor<'campaigns'>;
type Step = RecordFor<'campaignSteps'>;
type Send = RecordFor<'campaignSends'>;
type Stats = Campaign['stats'];

/** Creates the missing sends for these people, one per step and address, and enqueues their queued ones. */
export async function makeSends(
  context: Context,
  campaign: Campaign,
  { steps, people }: { steps: readonly Step[]; people: readonly { id: string; address: string }[] },
): Promise<void> {
  if (people.length === 0) return;
  const known = await sendsTo(
    context,
    campaign,
    people.map(({ id }) => id),
  );
  const has = new Set(
    known.map(({ customerId, contentStepId }) => `${customerId} ${contentStepId}`),
  );
  const reachedBefore = new Set(known.map(({ customerId }) => customerId));
  const served = new Set(
    (await sendsToAddresses(context, campaign, people)).map(
      ({ recipient, contentStepId }) => `${foldEmail(recipient)} ${contentStepId}`,
    ),
  );
  const made: Send[] = [];
  for (const person of people) {
    for (const step of steps) {
      const share = `${foldEmail(person.address)} ${step.id}`;
      if (has.has(`${person.id} ${step.id}`) || served.has(share)) continue;
      served.add(share);
      made.push(newSend(context, campaign, step, person));
    }
  }
  for (const rows of chunks(made))
    await context.db.insertInto('campaignSends').values(rows).execute();
  const fresh = new Set(
    made.map(({ customerId }) => customerId).filter((id) => !reachedBefore.has(id)),
  ).size;
  await addToStats(context, campaign.id, { recipients: fresh, queued: made.length });
  const times = timesOf(campaign, steps);
  const entries = [...known, ...made].flatMap(({ id, status, contentStepId }) => {
    const notBefore = status === 'queued' && contentStepId ? times.get(contentStepId) : undefined;
    return notBefore ? [{ kind: 'send' as const, recordId: id, notBefore }] : [];
  });
  for (const some of chunks(entries)) await enqueueAll(context, some);
}

/** Rows per statement, well below the databases' parameter limits. */
function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += 500) yield all.slice(at, at + 500);
}

function sendsTo(
  { db, team }: ReadContext,
  campaign: Campaign,
  customerIds: readonly string[],
): Promise<Send[]> {
  return db
    .selectFrom('campaignSends')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('campaignId', '=', campaign.id)
    .where('customerId', 'in', customerIds)
    .execute();
}

/** Sends to these addresses, whoever has them. */
function sendsToAddresses(
  { db, team }: ReadContext,
  campaign: Campaign,
  people: readonly { address: string }[],
): Promise<Send[]> {
  const addresses = people.map(({ address }) => foldEmail(address));
  return db
    .selectFrom('campaignSends')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('campaignId', '=', campaign.id)
    .where(folded('recipient'), 'in', addresses)
    .where('status', '<>', 'skipped')
    .execute();
}

function newSend(
  { team, now, stamp }: Context,
  campaign: Campaign,
  step: Step,
  person: { id: string; address: string },
): Send {
  return {
    id: newId(),
    teamId: team.id,
    campaignId: campaign.id,
    contentStepId: step.id,
    customerId: person.id,
    contactId: null,
    recipient: person.address,
    status: 'queued',
    skipReason: null,
    error: null,
    attempts: 0,
    sentAt: null,
    createdAt: now,
    updatedAt: stamp,
  };
}

/** When each step goes out: each delay counts from the step before, the first from the start. */
function timesOf({ startedAt }: Campaign, steps: readonly Step[]): Map<string, string> {
  let at = Date.parse(startedAt as string);
  return new Map(
    steps.map((step) => {
      at += step.delayMinutes * 60_000;
      return [step.id, new Date(at).toISOString()];
    }),
  );
}

/** Queued sends of a campaign by id: after `cursor`, at most `limit`. */
export function queuedSends(
  { db, team }: ReadContext,
  campaign: Campaign,
  { cursor = null, limit }: { cursor?: string | null; limit: number },
): Promise<Send[]> {
  let query = db
    .selectFrom('campaignSends')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('campaignId', '=', campaign.id)
    .where('status', '=', 'queued');
  if (cursor) query = query.where('id', '>', cursor);
  return query.orderBy('id').limit(limit).execute();
}

/** Marks several hundred queued sends at most as skipped, and withdraws them from the outbox. */
export async function skipSends(
  context: Context,
  campaign: Campaign,
  { sends, skipReason }: { sends: readonly Send[]; skipReason: NonNullable<Send['skipReason']> },
): Promise<void> {
  if (sends.length === 0) return;
  const ids = sends.map(({ id }) => id);
  await context.db
    .updateTable('campaignSends')
    .set({ status: 'skipped', skipReason, updatedAt: context.stamp })
    .where('teamId', '=', context.team.id)
    .where('id', 'in', ids)
    .execute();
  await addToStats(context, campaign.id, { queued: -ids.length, skipped: ids.length });
  await withdrawAll(context, 'send', ids);
}

/** Updates a send and the counts. The last one completes its campaign. */
export async function changeSend(
  context: Context,
  send: Send,
  values: Partial<Send> & { status: Send['status'] },
): Promise<void> {
  await change(context, 'campaignSends', send, values);
  if (values.status === send.status) return;
  await addToStats(context, send.campaignId, { [send.status]: -1, [values.status]: 1 });
  if (!(await findRun(context, send.campaignId))) await completeWhenSent(context, send.campaignId);
}

async function addToStats(context: Context, campaignId: string, by: Partial<Stats>): Promise<void> {
  const campaign = await campaignOf(context, { campaignId });
  const stats = { ...campaign.stats };
  for (const name of Object.keys(by) as (keyof Stats)[]) stats[name] += by[name] ?? 0;
  await change(context, 'campaigns', campaign, { stats });
}

/** Ends a campaign's run, and the campaign if nothing is queued. */
export async function endSending(context: Context, campaignId: string): Promise<void> {
  await endRun(context, campaignId);
  await completeWhenSent(context, campaignId);
}

async function completeWhenSent(context: Context, campaignId: string): Promise<void> {
  const campaign = await find(context, 'campaigns', campaignId);
  if (campaign?.status !== 'sending' || campaign.stats.queued > 0) return;
  await change(context, 'campaigns', campaign, { status: 'sent', completedAt: context.now });
}

/** Before a step is deleted: skips its queued sends and removes the reference from the others. */
export async function forgetStep(context: Context, step: Step): Promise<void> {
  const ofStep = context.db
    .updateTable('campaignSends')
    .where('teamId', '=', context.team.id)
    .where('contentStepId', '=', step.id);
  const skipped = await ofStep
    .set({ status: 'skipped', skipReason: 'step_deleted', updatedAt: context.stamp })
    .where('status', '=', 'queued')
    .executeTakeFirst();
  const count = Number(skipped.numUpdatedRows);
  if (count > 0) await addToStats(context, step.campaignId, { queued: -count, skipped: count });
  await ofStep.set({ contentStepId: null, updatedAt: context.stamp }).execute();
}
