import { z } from 'zod';
import { defaulted, equals, optional, required, search } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

export const locations = resource({
  name: 'locations',
  singular: 'location',
  plural: 'locations',
  path: '/locations',
  param: 'id',
  about: 'A site of the facility.',
  get fields() {
    return {
      isActive: defaulted(spec, z.boolean(), true, 'Whether the location is in use.'),
      name: required(decision, fields.name, 'Name; unique in the team whatever the case.'),
      timezone: {
        ...defaulted(decision, fields.timezone, 'UTC', "IANA time zone; the team's when left out."),
        initial: undefined,
      },
      address: optional(decision, fields.address, 'Postal address.'),
      phone: optional(decision, fields.phone, 'Phone number.'),
      email: optional(decision, fields.email, 'E-mail address.'),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      isActive: equals(decision, z.boolean(), 'isActive', 'Locations in use.'),
      q: search(decision, ['name', 'email', 'phone'], ['name', 'email'], 'Words found in name, e-mail or phone.'),
    };
  },
  unique: [{ field: 'name', ignoreCase: true }],
  operations: {
    list: {
      source: decision,
      scope: { all: ['read:locations'] },
      about: 'List locations, those no longer in use included.',
    },
    get: {
      source: decision,
      scope: { all: ['read:locations'] },
      about: 'Read a location.',
    },
    create: {
      source: decision,
      scope: { all: ['write:locations'] },
      about: 'Create a location.',
      problems: ['duplicate'],
    },
    update: {
      source: decision,
      scope: { all: ['write:locations'] },
      about: 'Change a location.',
      problems: ['duplicate'],
    },
    delete: {
      source: spec,
      scope: { all: ['write:locations'] },
      about: 'Take a location out of use, or remove it with hard=true.',
      query: {
        hard: {
          source: spec,
          schema: z.boolean(),
          about: 'Remove the record; refused while others name it.',
          initial: false,
        },
      },
      problems: ['resource_in_use'],
    },
  },
});
