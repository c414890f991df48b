/**
 * Sender addresses that a team's campaigns may use. The mail server signs all mail of the service, so an API key alone must not
 * choose the sender.
 */
import type { RecordFor } from '../../contract/contract.ts';
import type { Context, ReadContext } from '../context.ts';
import type { AllowedSenderRow } from '../database/tables.ts';
import { change } from '../records.ts';
import { endRun } from './runs.ts';

type Campaign = RecordFor<'campaigns'>;

/** The stored and compared form of an address; a domain starts with `@`. */
export const normalizeSender = (address: string): string => address.trim().toLowerCase();

/** Whether an address or its domain is allowed. Without an address the service's own is used, which is always allowed. */
export async function isAllowedSender(
  { db, team }: ReadContext,
  fromAddress: string | null | undefined,
): Promise<boolean> {
  if (!fromAddress) return true;
  const address = normalizeSender(fromAddress);
  const at = address.lastIndexOf('@');
  if (at === 0) return false;
  const allowing = at < 0 ? [address] : [address, address.slice(at)];
  const row = await db
    .selectFrom('allowedSenders')
    .select('id')
    .where('teamId', '=', team.id)
    .where('address', 'in', allowing)
    .executeTakeFirst();
  return row !== undefined;
}

export async function sendersOf({ db, team }: ReadContext): Promise<AllowedSenderRow[]> {
  return db
    .selectFrom('allowedSenders')
    .selectAll()
    .where('teamId', '=', team.id)
    .orderBy('address')
    .execute();
}

/** Pauses running campaigns with a forbidden address and makes scheduled ones drafts; returns both. */
export async function stopUnallowed(context: Context): Promise<Campaign[]> {
  const campaigns = await context.db
    .selectFrom('campaigns')
    .selectAll()
    .where('teamId', '=', context.team.id)
    .where('status', 'in', ['scheduled', 'sending'])
    .where('fromAddress', 'is not', null)
    .orderBy('name')
    .execute();
  const stopped: Campaign[] = [];
  for (const campaign of campaigns) {
    if (!(await isAllowedSender(context, campaign.fromAddress)))
      stopped.push(await stopCampaign(context, campaign));
  }
  return stopped;
}

export async function stopCampaign(context: Context, campaign: Campaign): Promise<Campaign> {
  await endRun(context, campaign.id);
  return change(context, 'campaigns', campaign, {
    status: campaign.status === 'sending' ? 'paused' : 'draft',
  });
}
