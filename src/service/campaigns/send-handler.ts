import type { RecordFor } from '../../contract/contract.ts';
import type { OutboxHandler, OutboxMessage } from '../outbox/outbox.ts';
import { find } from '../records.ts';
import { unreachable } from './recipients.ts';
import { findRun } from './runs.ts';
import { changeSend } from './sends.ts';

/**
 * Sends campaign messages while the campaign is sending. An entry that comes up during a pause is dropped, and created again
 * afterwards.
 */
export const sendHandler: OutboxHandler = {
  async load(context, sendId) {
    const send = await find(context, 'campaignSends', sendId);
    if (send?.status !== 'queued' || !send.contentStepId) return undefined;
    const campaign = await find(context, 'campaigns', send.campaignId);
    if (campaign?.status !== 'sending') return undefined;
    // Whether the recipient is still in an audience isn't known before the review, which enqueues the remaining sends again.
    if ((await findRun(context, campaign.id))?.phase === 'review') return undefined;
    const customer = await find(context, 'customers', send.customerId);
    if (customer && unreachable(campaign, customer) === 'opted_out') return { skip: 'opted_out' };
    const step = await find(context, 'campaignSteps', send.contentStepId);
    return step && messageOf(campaign, step, send);
  },

  async recordOutcome(context, sendId, outcome) {
    const send = await find(context, 'campaignSends', sendId);
    if (!send) return;
    switch (outcome.status) {
      // Also if it was cancelled in flight: it was sent.
      case 'sent':
      case 'delivered':
        return changeSend(context, send, {
          status: outcome.status,
          skipReason: null,
          attempts: outcome.attempts,
          sentAt: send.sentAt ?? context.now,
        });
      case 'failed':
        if (send.status !== 'queued') return;
        return changeSend(context, send, {
          status: 'failed',
          error: outcome.error,
          attempts: outcome.attempts,
        });
      // Called in the transaction that found it queued.
      case 'skipped':
        return changeSend(context, send, {
          status: 'skipped',
          skipReason: outcome.reason as typeof send.skipReason,
        });
    }
  },
};

function messageOf(
  campaign: RecordFor<'campaigns'>,
  step: RecordFor<'campaignSteps'>,
  send: RecordFor<'campaignSends'>,
): OutboxMessage {
  return {
    id: send.id,
    to: send.recipient,
    from: senderOf(campaign),
    subject: step.subject,
    body: step.body,
  };
}

function senderOf({ fromName, fromAddress }: RecordFor<'campaigns'>): string | null {
  if (fromName && fromAddress) return `"${fromName.replace(/["\\]/g, '\\$&')}" <${fromAddress}>`;
  return fromAddress;
}
