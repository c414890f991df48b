/** A customer wherever one is named, and the ways to reach them. */
import type * as records from '../../contract/records.ts';
import { customerName } from '../../facility/customer-name.ts';

interface Props {
  readonly customer: Partial<records.Customer> | undefined;
}

export const CustomerLink = ({ customer }: Props) =>
  customer?.id ? (
    <a href={`/dashboard/customers/${customer.id}`}>{customerName(customer) || 'Customer'}</a>
  ) : null;

export const PhoneLink = ({ customer }: Props) =>
  customer?.phone ? (
    <a href={`tel:${customer.phone.replace(/[^+\d]/g, '')}`}>{customer.phone}</a>
  ) : null;
