import { z } from 'zod';
import { byRule, defaulted, equals, optional, required, search } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource, S } from './resource.ts';

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
      customerId: optional(D, fields.id, 'The customer that the person belongs to.', { references: 'customers' }),
      firstName: required(D, fields.name, 'First name.'),
      lastName: required(D, fields.name, 'Last name.'),
      email: optional(D, fields.email, 'E-mail address.'),
      phone: optional(D, fields.phone, 'Phone number.'),
      role: optional(D, z.enum(roles), 'What the person is to the customer.'),
      isPrimary: defaulted(D, z.boolean(), false, 'Whom to ask first; one per customer, so that setting it unsets the other.'),
      emailOptOut: defaulted(D, z.boolean(), false, 'Wants no marketing by e-mail.'),
      smsOptOut: defaulted(D, z.boolean(), false, 'Wants no marketing by SMS.'),
      notes: optional(D, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      customerId: equals(D, fields.id, 'customerId', 'Contacts of this customer.'),
      email: byRule(D, fields.email, 'Contacts with this e-mail address, whatever its case.'),
      q: search(
        D,
        ['firstName', 'lastName', 'email', 'phone'],
        [['firstName', 'lastName'], 'lastName', 'email'],
        'Words found in names, e-mail or phone.',
      ),
    };
  },
  operations: {
    list: { source: D, scope: { all: ['read:contacts'] }, about: 'List contacts.' },
    get: { source: D, scope: { all: ['read:contacts'] }, about: 'Read a contact.' },
    create: { source: D, scope: { all: ['write:contacts'] }, about: 'Create a contact.' },
    update: { source: D, scope: { all: ['write:contacts'] }, about: 'Change a contact.' },
    delete: {
      source: S,
      scope: { all: ['write:contacts'] },
      about: 'Remove a contact. What named it names nobody.',
    },
  },
});
