import { type CreateFor, contract } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { invalidValue } from '../problem.ts';
import { change, findBy } from '../records.ts';
import { clearReferences } from '../references.ts';
import { hasEmail } from './emails.ts';
import type { RulesOf } from './rule.ts';

export const customers: RulesOf<'customers'> = {
  filters: { email: hasEmail },
  async create(_context, { body }, proceed) {
    requireSomeName(body);
    return proceed();
  },
  async update(_context, { record, body }, proceed) {
    requireSomeName({ ...record, ...body });
    return proceed();
  },
};

/** Decision: a customer needs a name or a way to reach them. */
function requireSomeName(customer: CreateFor<'customers'>): void {
  const { atLeastOne } = contract.customers;
  if (atLeastOne.some((field) => customer[field])) return;
  throw invalidValue('', 'at_least_one', `needs at least one of ${atLeastOne.join(', ')}`);
}

export const contacts: RulesOf<'contacts'> = {
  filters: { email: hasEmail },
  async create(context, { body }, proceed) {
    if (body.isPrimary) await demoteOtherPrimary(context, body.customerId);
    return proceed();
  },
  async update(context, { record, body }, proceed) {
    const { customerId, isPrimary } = { ...record, ...body };
    if (isPrimary && body.isPrimary) await demoteOtherPrimary(context, customerId, record.id);
    // A contact that moves to another customer isn't its primary one, unless the body says so.
    const moved = customerId !== record.customerId && body.isPrimary === undefined;
    return proceed(moved ? { isPrimary: false } : {});
  },
  /** Specification: deletes for good. Decision: references to the contact are set to null. */
  async delete(context, { record }, proceed) {
    await clearReferences(context, 'contacts', record.id);
    return proceed();
  },
};

/** Decision: a customer has one primary contact, the last one set. */
async function demoteOtherPrimary(
  context: Context,
  customerId: string | null | undefined,
  ownId?: string,
): Promise<void> {
  if (!customerId) {
    throw invalidValue(
      'isPrimary',
      'customer_required',
      'needs a customerId: a contact is primary for a customer',
    );
  }
  const primary = await findBy(context, 'contacts', { customerId, isPrimary: true });
  if (primary && primary.id !== ownId)
    await change(context, 'contacts', primary, { isPrimary: false });
}
