import { z } from 'zod';
import { byRule, defaulted, equals, optional, required, search } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

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
      email: byRule(decision, fields.email, 'Contacts with this e-mail address, whatever its case.'),
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
