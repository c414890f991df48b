import type { RecordFor } from '../contract/contract.ts';

/** What people call a customer; empty where no field names them. */
export const customerName = ({
  firstName,
  lastName,
  companyName,
  email,
  phone,
}: Partial<RecordFor<'customers'>>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || companyName || email || phone || '';
