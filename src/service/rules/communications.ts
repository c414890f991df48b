import type { CreateFor, RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { enqueue, type OutboxHandler } from '../outbox/outbox.ts';
import { ApiProblem, invalidValue } from '../problem.ts';
import { change, find, findBy } from '../records.ts';
import { AlreadyExists, type RulesOf } from './rule.ts';

type Thread = RecordFor<'threads'>;

export const messages: RulesOf<'messages'> = {
  async create(context, { parent: thread, body }, proceed) {
    const same = body.externalId
      ? await findBy(context, 'messages', { threadId: thread.id, externalId: body.externalId })
      : undefined;
    if (same) return new AlreadyExists(same);
    requireChannel(thread, body);
    const outbound = body.direction === 'outbound';
    // SMS are recorded, not delivered.
    const isSent = outbound && thread.channel === 'email';
    const message = await proceed({
      status: isSent ? 'queued' : body.direction === 'inbound' ? 'received' : 'stored',
      recipient: outbound ? await recipientOf(context, thread) : null,
    });
    const reopened =
      body.direction === 'inbound' && thread.status === 'resolved'
        ? { status: 'open' as const }
        : {};
    await change(context, 'threads', thread, {
      ...reopened,
      lastMessageAt: context.now,
      messageCount: thread.messageCount + 1,
    });
    if (isSent) await enqueue(context, { kind: 'message', recordId: message.id });
    return message;
  },
};

/** An internal thread has internal messages only. */
function requireChannel(thread: Thread, { direction }: CreateFor<'messages'>): void {
  if (thread.channel !== 'internal' || direction === 'internal') return;
  throw invalidValue('direction', 'channel', 'must be internal in an internal thread');
}

/**
 * The current address of the thread's contact or customer. A contact without an address isn't replaced by its customer: a message
 * for the bookkeeper isn't for the owner. Opting out concerns marketing, not replies.
 */
async function recipientOf(
  context: Context,
  { channel, contactId, customerId }: Thread,
): Promise<string> {
  const what = channel === 'email' ? 'email' : 'phone';
  const person = contactId
    ? await find(context, 'contacts', contactId)
    : customerId
      ? await find(context, 'customers', customerId)
      : undefined;
  const recipient = person?.[what];
  if (recipient) return recipient;
  const who = contactId
    ? 'The contact of the thread'
    : customerId
      ? 'The customer of the thread'
      : undefined;
  const message = who
    ? `${who} has no ${what}`
    : 'The thread has no contact or customer to write to';
  throw new ApiProblem('recipient_missing', message, { contactId, customerId, field: what });
}

/** Sends outbound messages of e-mail threads. */
export const messageHandler: OutboxHandler = {
  async load(context, recordId) {
    const message = await find(context, 'messages', recordId);
    const thread = message && (await find(context, 'threads', message.threadId));
    if (!thread || message.status !== 'queued' || !message.recipient) return undefined;
    return {
      id: message.id,
      to: message.recipient,
      from: null,
      subject: thread.subject ?? context.team.name,
      body: message.body,
    };
  },
  async recordOutcome(context, recordId, outcome) {
    const message = await find(context, 'messages', recordId);
    if (message?.status !== 'queued') return;
    if (outcome.status === 'failed')
      await change(context, 'messages', message, { status: 'failed', error: outcome.error });
    if (outcome.status !== 'sent' && outcome.status !== 'delivered') return;
    const { externalId } = outcome;
    // Another message of the thread may have this id already; the mail is sent all the same.
    const taken =
      !externalId ||
      message.externalId ||
      (await findBy(context, 'messages', { threadId: message.threadId, externalId }));
    await change(context, 'messages', message, {
      status: outcome.status,
      sentAt: context.now,
      ...(taken ? {} : { externalId }),
    });
  },
};
