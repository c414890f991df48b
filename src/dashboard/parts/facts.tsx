/** Facts with their names, and how customers and e-mail addresses are written wherever they are named. */
import type { ComponentChildren } from 'preact';
import type * as records from '../../contract/records.ts';
import { customerName } from '../../facility/customer-name.ts';

export type Fact = readonly [name: string, value: ComponentChildren];

interface FactsProps {
  readonly of: readonly Fact[];
  readonly class?: string;
}

/** Those without a value are left out. */
export function Facts({ of, class: name = '' }: FactsProps) {
  const known = of.filter(([, value]) => value);
  if (known.length === 0) return null;
  return (
    <dl class={`facts ${name}`}>
      {known.map(([title, value]) => (
        <>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** An e-mail address breaks before its @ where a line is too short for it. */
export function Address({ text }: { readonly text: string }) {
  const at = text.indexOf('@');
  return at < 0 ? (
    <span>{text}</span>
  ) : (
    <span>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </span>
  );
}

interface CustomerProps {
  readonly customer: Partial<records.Customer> | undefined;
}

export const CustomerLink = ({ customer }: CustomerProps) =>
  customer?.id ? (
    <a href={`/dashboard/customers/${customer.id}`}>{customerName(customer) || 'Customer'}</a>
  ) : null;

export const PhoneLink = ({ customer }: CustomerProps) =>
  customer?.phone ? (
    <a href={`tel:${customer.phone.replace(/[^+\d]/g, '')}`}>{customer.phone}</a>
  ) : null;
