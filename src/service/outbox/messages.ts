import { change, find } from '../records.ts';
import { findExternal } from '../rules/communications.ts';
import type { ParcelHandler } from './outbox.ts';

/** Outbound messages of threads. */
export const messageHandler: ParcelHandler = {
  async load(context, recordId) {
    const message = await find(context, 'messages', recordId);
    const thread = message && (await find(context, 'threads', message.threadId));
    if (!thread || message.status !== 'queued' || !message.recipient || thread.channel === 'internal') return undefined;
    return {
      id: message.id,
      channel: thread.channel,
      to: message.recipient,
      from: null,
      subject: thread.subject ?? context.team.name,
      body: message.body,
    };
  },
  async settle(context, recordId, outcome) {
    const message = await find(context, 'messages', recordId);
    if (message?.status !== 'queued') return;
    if (outcome.status === 'failed') await change(context, 'messages', message, { status: 'failed', error: outcome.error });
    if (outcome.status !== 'sent' && outcome.status !== 'delivered') return;
    const { externalId } = outcome;
    // Another message of the thread may have been given this id by hand; the mail is out all the same.
    const taken = !externalId || message.externalId || (await findExternal(context, message.threadId, externalId));
    await change(context, 'messages', message, {
      status: outcome.status,
      sentAt: context.now,
      ...(taken ? {} : { externalId }),
    });
  },
};
