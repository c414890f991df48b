/** The phases of a campaign. Each transaction does a bounded piece of work, so that it holds the write lock only briefly. */
import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { change, find } from '../records.ts';
import { audiencesOf, stepsOf } from './parts.ts';
import { findSkipReasons, nextRecipients } from './recipients.ts';
import { endRun, findRun, type Phase, putRun, type Run } from './runs.ts';
import { isAllowedSender, stopCampaign } from './senders.ts';
import { endSending, makeSends, queuedSends, skipSends } from './sends.ts';

type Campaign = RecordFor<'campaigns'>;

/** Approximate number of sends per transaction. */
const batch = 250;

/** Does the next piece of a campaign's work, if it is still due at `now`: another process may have done it. */
export async function advance(context: Context, campaignId: string, now: string): Promise<void> {
  const run = await findRun(context, campaignId);
  const campaign = await find(context, 'campaigns', campaignId);
  if (!run || !campaign || run.dueAt > now) return;
  await phases[run.phase](context, campaign, run);
}

const phases: Record<Phase, (context: Context, campaign: Campaign, run: Run) => Promise<void>> = {
  /** Starts a scheduled campaign. */
  async start(context, campaign) {
    // Scheduled before senders had to be allowed, or restored from such a backup.
    if (!(await isAllowedSender(context, campaign.fromAddress)))
      return void (await stopCampaign(context, campaign));
    await change(context, 'campaigns', campaign, { status: 'sending', startedAt: context.now });
    await putRun(context, campaign.id, { phase: 'gather' });
  },

  /** Creates a send of each step for every recipient. Safe to repeat. */
  async gather(context, campaign, { cursor }) {
    const [audiences, steps] = [
      await audiencesOf(context, campaign.id),
      await stepsOf(context, campaign.id),
    ];
    const limit = Math.max(1, Math.floor(batch / Math.max(1, steps.length)));
    const people = await nextRecipients(context, campaign, { audiences, cursor, limit });
    await makeSends(context, campaign, { steps, people });
    const last = people.length < limit ? undefined : people.at(-1);
    if (last) await putRun(context, campaign.id, { phase: 'gather', cursor: last.id });
    else await endSending(context, campaign.id);
  },

  /** After a pause: skips queued sends of people who left the audiences, then gathers new recipients. */
  async review(context, campaign, { cursor }) {
    const sends = await queuedSends(context, campaign, { cursor, limit: batch });
    const reasonFor = await findSkipReasons(context, campaign, {
      audiences: await audiencesOf(context, campaign.id),
      customerIds: sends.map(({ customerId }) => customerId),
    });
    for (const skipReason of ['opted_out', 'no_address', 'not_in_audience'] as const) {
      const leaving = sends.filter(({ customerId }) => reasonFor(customerId) === skipReason);
      await skipSends(context, campaign, { sends: leaving, skipReason });
    }
    const last = sends.length < batch ? undefined : sends.at(-1);
    await putRun(
      context,
      campaign.id,
      last ? { phase: 'review', cursor: last.id } : { phase: 'gather' },
    );
  },

  async drop(context, campaign) {
    const sends = await queuedSends(context, campaign, { limit: batch });
    await skipSends(context, campaign, { sends, skipReason: 'campaign_cancelled' });
    if (sends.length < batch) await endRun(context, campaign.id);
  },
};
