/** Members of an audience, and whom a campaign can reach. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { RecordFor } from '../../contract/contract.ts';
import type { Context, ReadContext } from '../context.ts';
import type { Tables } from '../database/tables.ts';
import { change } from '../records.ts';
import { folded } from '../rules/emails.ts';

type Campaign = RecordFor<'campaigns'>;
type Audience = RecordFor<'campaignAudiences'>;
type Customer = RecordFor<'customers'>;
type Where = ExpressionBuilder<Tables, 'customers'>;

/** The customer fields of each channel. */
const channels = {
  email: { address: 'email', optOut: 'emailOptOut' },
  sms: { address: 'phone', optOut: 'smsOptOut' },
} as const;

/** The next recipients by id, each once across all audiences: after `cursor`, at most `limit`. */
export async function nextRecipients(
  context: ReadContext,
  campaign: Campaign,
  {
    audiences,
    cursor,
    limit,
  }: { audiences: readonly Audience[]; cursor: string | null; limit: number },
): Promise<{ id: string; address: string }[]> {
  const found = new Map<string, string>();
  const { address } = channels[campaign.channel];
  for (const { filter } of audiences) {
    let query = reachableCustomers(context, campaign, filter).select([
      'id',
      `${address} as address`,
    ]);
    if (cursor) query = query.where('id', '>', cursor);
    // The first of all audiences are among the first of each.
    for (const person of await query.orderBy('id').limit(limit).execute())
      found.set(person.id, person.address as string);
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([id, address]) => ({ id, address }));
}

/** Why a recipient is no longer one; undefined if they still are. */
export async function findSkipReasons(
  context: ReadContext,
  campaign: Campaign,
  { audiences, customerIds }: { audiences: readonly Audience[]; customerIds: readonly string[] },
): Promise<(customerId: string) => Reason | undefined> {
  if (customerIds.length === 0) return () => undefined;
  const named = context.db
    .selectFrom('customers')
    .where('teamId', '=', context.team.id)
    .where('id', 'in', customerIds);
  const customers = new Map(
    (await named.selectAll().execute()).map((customer) => [customer.id, customer]),
  );
  const members = new Set<string>();
  for (const { filter } of audiences) {
    const rows = await named
      .select('id')
      .where((where) => matchesFilter(where, context, filter))
      .execute();
    for (const { id } of rows) members.add(id);
  }
  return (id) => {
    const customer = customers.get(id);
    return (
      (customer && unreachable(campaign, customer)) ??
      (members.has(id) ? undefined : 'not_in_audience')
    );
  };
}

type Reason = 'opted_out' | 'no_address' | 'not_in_audience';

/** Why the campaign can't reach this customer, regardless of audiences. */
export function unreachable(
  { channel }: Campaign,
  customer: Customer,
): 'opted_out' | 'no_address' | undefined {
  const { address, optOut } = channels[channel];
  if (customer[optOut]) return 'opted_out';
  return customer[address] === null ? 'no_address' : undefined;
}

/** Recounts an audience by address, since people who share one get everything once. */
export async function refreshEstimate(
  context: Context,
  campaign: Campaign,
  audience: Audience,
): Promise<Audience> {
  const { count } = await reachableCustomers(context, campaign, audience.filter)
    .select(sql<number>`count(distinct ${folded(channels[campaign.channel].address)})`.as('count'))
    .executeTakeFirstOrThrow();
  return change(context, 'campaignAudiences', audience, { estimatedCount: Number(count) });
}

const reachableCustomers = (
  context: ReadContext,
  { channel }: Campaign,
  filter: Audience['filter'],
) =>
  context.db
    .selectFrom('customers')
    .where('teamId', '=', context.team.id)
    .where(channels[channel].optOut, '=', false)
    .where(channels[channel].address, 'is not', null)
    .where((where) => matchesFilter(where, context, filter));

function matchesFilter(
  where: Where,
  { team }: ReadContext,
  filter: Audience['filter'],
): Expression<SqlBool> {
  const { customerStatus, tags, locationId, customerIds } = filter;
  const all: Expression<SqlBool>[] = [];
  if (customerStatus.length > 0) all.push(where('status', 'in', customerStatus));
  if (tags.length > 0) all.push(where.or(tags.map(hasTag)));
  if (customerIds.length > 0) all.push(where('id', 'in', customerIds));
  if (locationId) {
    const cars = where
      .selectFrom('cars')
      .select('cars.id')
      .where('cars.teamId', '=', team.id)
      .whereRef('cars.customerId', '=', 'customers.id')
      .where('cars.locationId', '=', locationId)
      .where('cars.status', '<>', 'archived');
    all.push(where.exists(cars));
  }
  return where.and(all);
}

/**
 * Whether the JSON list of tags contains this one, ignoring case. The character before the opening quote distinguishes it from an
 * escaped quote inside a tag. Databases differ in the space between entries.
 */
function hasTag(tag: string): Expression<SqlBool> {
  const written = JSON.stringify(tag)
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&');
  const like = (before: string) =>
    sql<boolean>`fold(cast(${sql.ref('tags')} as text)) like ${`%${before}${written}%`} escape '\\'`;
  return sql<boolean>`(${like('[')} or ${like(',')} or ${like(' ')})`;
}
