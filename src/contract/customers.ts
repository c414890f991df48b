import { z } from 'zod';
import { byRule, defaulted, equals, optional, required, search } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

const statuses = ['lead', 'active', 'former'] as const;

const emailOptOut = defaulted(decision, z.boolean(), false, 'Opted out of marketing by e-mail.', {
  meanings: {
    true: 'Opted out of marketing by e-mail.',
    false: 'May receive marketing by e-mail.',
  },
});
const smsOptOut = defaulted(decision, z.boolean(), false, 'Opted out of marketing by SMS.', {
  meanings: { true: 'Opted out of marketing by SMS.', false: 'May receive marketing by SMS.' },
});

const hasEmail = (
  { email }: Readonly<Record<string, unknown>>,
  value: unknown,
): boolean | undefined =>
  email === undefined
    ? undefined
    : String(email).toLowerCase() === String(value).trim().toLowerCase();

export const customers = resource({
  name: 'customers',
  singular: 'customer',
  plural: 'customers',
  path: '/customers',
  param: 'id',
  about:
    'A person or company whose cars the facility stores. At least a name, a company, an e-mail address or a phone number is required.',
  get fields() {
    return {
      firstName: optional(decision, fields.name, 'First name.'),
      lastName: optional(decision, fields.name, 'Last name.'),
      companyName: optional(decision, fields.name, 'Company name.'),
      email: optional(decision, fields.email, 'E-mail address.'),
      phone: optional(decision, fields.phone, 'Phone number.'),
      address: optional(decision, fields.address, 'Postal address.'),
      status: defaulted(decision, z.enum(statuses), 'active', 'Status.'),
      emailOptOut,
      smsOptOut,
      tags: defaulted(
        decision,
        z.array(fields.line(100)).max(50),
        [],
        'Tags. Audiences of campaigns can select customers by tag.',
      ),
      externalId: optional(decision, fields.name, 'Id in another system, unique in the team.'),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      status: equals(spec, z.enum(statuses), 'status', 'Customers with this status.'),
      email: byRule(
        decision,
        fields.email,
        'Customers with this e-mail address (ignoring case).',
        hasEmail,
      ),
      externalId: equals(
        decision,
        fields.name,
        'externalId',
        'The customer with this id in another system.',
      ),
      q: search(
        decision,
        ['firstName', 'lastName', 'companyName', 'email', 'phone'],
        [['firstName', 'lastName'], 'lastName', 'companyName', 'email'],
        {
          fields: 'names, company, e-mail or phone',
          keys: 'the full name, last name, company or e-mail',
        },
      ),
    };
  },
  atLeastOne: ['firstName', 'lastName', 'companyName', 'email', 'phone'],
  unique: [{ field: 'externalId' }],
  operations: {
    list: {
      source: spec,
      scope: { all: ['read:customers'] },
      about: 'List customers.',
    },
    get: {
      source: decision,
      scope: { all: ['read:customers'] },
      about: 'Read a customer.',
    },
    create: {
      source: decision,
      scope: { all: ['write:customers'] },
      about: 'Create a customer.',
      problems: ['duplicate'],
    },
    update: {
      source: decision,
      scope: { all: ['write:customers'] },
      about: 'Change a customer.',
      problems: ['duplicate'],
    },
  },
});

const roles = ['spouse', 'assistant', 'bookkeeper', 'vehicle_manager', 'other'] as const;

export const contacts = resource({
  name: 'contacts',
  singular: 'contact',
  plural: 'contacts',
  path: '/contacts',
  param: 'id',
  about: 'A contact person of a customer.',
  get fields() {
    return {
      customerId: optional(decision, fields.id, 'The customer.', { references: 'customers' }),
      firstName: required(decision, fields.name, 'First name.'),
      lastName: required(decision, fields.name, 'Last name.'),
      email: optional(decision, fields.email, 'E-mail address.'),
      phone: optional(decision, fields.phone, 'Phone number.'),
      role: optional(decision, z.enum(roles), 'Relation to the customer.'),
      isPrimary: defaulted(
        decision,
        z.boolean(),
        false,
        'Whether this is the primary contact of the customer. A new one replaces the old one.',
        {
          meanings: {
            true: 'The primary contact of the customer; replaces the old one.',
            false: 'Not the primary contact.',
          },
        },
      ),
      emailOptOut,
      smsOptOut,
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      customerId: equals(decision, fields.id, 'customerId', 'Contacts of this customer.'),
      email: byRule(
        decision,
        fields.email,
        'Contacts with this e-mail address (ignoring case).',
        hasEmail,
      ),
      q: search(
        decision,
        ['firstName', 'lastName', 'email', 'phone'],
        [['firstName', 'lastName'], 'lastName', 'email'],
        {
          fields: 'names, e-mail or phone',
          keys: 'the full name, last name or e-mail',
        },
      ),
    };
  },
  operations: {
    list: { source: decision, scope: { all: ['read:contacts'] }, about: 'List contacts.' },
    get: { source: decision, scope: { all: ['read:contacts'] }, about: 'Read a contact.' },
    create: { source: decision, scope: { all: ['write:contacts'] }, about: 'Create a contact.' },
    update: { source: decision, scope: { all: ['write:contacts'] }, about: 'Change a contact.' },
    delete: {
      source: spec,
      scope: { all: ['write:contacts'] },
      about: 'Delete a contact. References to it become null.',
    },
  },
});
