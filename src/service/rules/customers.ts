import { type CreateFor, contract } from '../../contract/contract.ts';
import { invalid } from '../refusal.ts';
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

/** Decision: a customer nobody can name or reach is not one. */
function requireSomeName(customer: CreateFor<'customers'>): void {
  const { atLeastOne } = contract.customers;
  if (atLeastOne.some((field) => customer[field])) return;
  throw invalid([{ path: '', rule: 'at_least_one', message: `needs at least one of ${atLeastOne.join(', ')}` }]);
}
