/**
 * Sender addresses that a team's campaigns may use. The mail server signs all mail of the service, so an API key alone must not
 * choose the sender.
 */
import type { RecordFor } from '../../contract/contract.ts';
import type { Context, ReadContext } from '../context.ts';
import type { AllowedSenderRow } from '../database/tables.ts';
import { change, listBy, type OfTeam } from '../records.ts';
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
  const allowing = [address, address.slice(address.lastIndexOf('@'))];
  const row = await db
    .selectFrom('allowedSenders')
    .select('id')
    .where('teamId', '=', team.id)
    .where('address', 'in', allowing)
    .executeTakeFirst();
  return row !== undefined;
}

export const sendersOf = (context: OfTeam): Promise<AllowedSenderRow[]> =>
  listBy(context, 'allowedSenders', {}, 'address');

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
