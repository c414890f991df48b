import { z } from 'zod';
import { byRule, defaulted, equals, optional, required, search } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

const statuses = ['lead', 'active', 'former'] as const;

const hasEmail = ({ email }: Readonly<Record<string, unknown>>, value: unknown): boolean | undefined =>
  email === undefined ? undefined : String(email).toLowerCase() === String(value).trim().toLowerCase();

export const customers = resource({
  name: 'customers',
  singular: 'customer',
  plural: 'customers',
  path: '/customers',
  param: 'id',
  about: 'A person or company whose cars the facility keeps. At least one of names, e-mail and phone is given.',
  get fields() {
    return {
      firstName: optional(decision, fields.name, 'First name.'),
      lastName: optional(decision, fields.name, 'Last name.'),
      companyName: optional(decision, fields.name, 'Company.'),
      email: optional(decision, fields.email, 'E-mail address.'),
      phone: optional(decision, fields.phone, 'Phone number.'),
      address: optional(decision, fields.address, 'Postal address.'),
      status: defaulted(decision, z.enum(statuses), 'active', 'Where the relation stands.'),
      emailOptOut: defaulted(decision, z.boolean(), false, 'Wants no marketing by e-mail.'),
      smsOptOut: defaulted(decision, z.boolean(), false, 'Wants no marketing by SMS.'),
      tags: defaulted(decision, z.array(fields.line(100)).max(50), [], 'Words to find people by.'),
      externalId: optional(decision, fields.name, 'The id in another system; unique in the team.'),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      status: equals(spec, z.enum(statuses), 'status', 'Customers in this state.'),
      email: byRule(decision, fields.email, 'Customers with this e-mail address, whatever its case.', hasEmail),
      externalId: equals(decision, fields.name, 'externalId', 'The customer with this id in another system.'),
      q: search(
        decision,
        ['firstName', 'lastName', 'companyName', 'email', 'phone'],
        [['firstName', 'lastName'], 'lastName', 'companyName', 'email'],
        'Words found in names, company, e-mail or phone.',
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
  about: "Another person to talk to about a customer's cars.",
  get fields() {
    return {
      customerId: optional(decision, fields.id, 'The customer that the person belongs to.', { references: 'customers' }),
      firstName: required(decision, fields.name, 'First name.'),
      lastName: required(decision, fields.name, 'Last name.'),
      email: optional(decision, fields.email, 'E-mail address.'),
      phone: optional(decision, fields.phone, 'Phone number.'),
      role: optional(decision, z.enum(roles), 'What the person is to the customer.'),
      isPrimary: defaulted(decision, z.boolean(), false, 'Whom to ask first; one per customer, so that setting it unsets the other.'),
      emailOptOut: defaulted(decision, z.boolean(), false, 'Wants no marketing by e-mail.'),
      smsOptOut: defaulted(decision, z.boolean(), false, 'Wants no marketing by SMS.'),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      customerId: equals(decision, fields.id, 'customerId', 'Contacts of this customer.'),
      email: byRule(decision, fields.email, 'Contacts with this e-mail address, whatever its case.', hasEmail),
      q: search(
        decision,
        ['firstName', 'lastName', 'email', 'phone'],
        [['firstName', 'lastName'], 'lastName', 'email'],
        'Words found in names, e-mail or phone.',
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
      about: 'Remove a contact. What named it names nobody.',
    },
  },
});
