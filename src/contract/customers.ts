import { z } from 'zod';
import { byRule, defaulted, equals, optional, search } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource, S } from './resource.ts';

const statuses = ['lead', 'active', 'former'] as const;

export const customers = resource({
  name: 'customers',
  singular: 'customer',
  plural: 'customers',
  path: '/customers',
  param: 'id',
  about: 'A person or company whose cars the facility keeps. At least one of names, e-mail and phone is given.',
  get fields() {
    return {
      firstName: optional(D, fields.name, 'First name.'),
      lastName: optional(D, fields.name, 'Last name.'),
      companyName: optional(D, fields.name, 'Company.'),
      email: optional(D, fields.email, 'E-mail address.'),
      phone: optional(D, fields.phone, 'Phone number.'),
      address: optional(D, fields.address, 'Postal address.'),
      status: defaulted(D, z.enum(statuses), 'active', 'Where the relation stands.'),
      emailOptOut: defaulted(D, z.boolean(), false, 'Wants no marketing by e-mail.'),
      smsOptOut: defaulted(D, z.boolean(), false, 'Wants no marketing by SMS.'),
      tags: defaulted(D, z.array(fields.line(100)).max(50), [], 'Words to find people by.'),
      externalId: optional(D, fields.name, 'The id in another system; unique in the team.'),
      notes: optional(D, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      status: equals(S, z.enum(statuses), 'status', 'Customers in this state.'),
      email: byRule(D, fields.email, 'Customers with this e-mail address, whatever its case.'),
      externalId: equals(D, fields.name, 'externalId', 'The customer with this id in another system.'),
      q: search(
        D,
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
      source: S,
      scope: { all: ['read:customers'] },
      about: 'List customers.',
    },
    get: {
      source: D,
      scope: { all: ['read:customers'] },
      about: 'Read a customer.',
    },
    create: {
      source: D,
      scope: { all: ['write:customers'] },
      about: 'Create a customer.',
      problems: ['duplicate'],
    },
    update: {
      source: D,
      scope: { all: ['write:customers'] },
      about: 'Change a customer.',
      problems: ['duplicate'],
    },
  },
});
