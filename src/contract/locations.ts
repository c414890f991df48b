import { z } from 'zod';
import { defaulted, equals, optional, required, search } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource, S } from './resource.ts';

export const locations = resource({
  name: 'locations',
  singular: 'location',
  plural: 'locations',
  path: '/locations',
  param: 'id',
  about: 'A site of the facility.',
  get fields() {
    return {
      isActive: defaulted(S, z.boolean(), true, 'Whether the location is in use.'),
      name: required(D, fields.name, 'Name; unique in the team whatever the case.'),
      timezone: {
        ...defaulted(D, fields.timezone, 'UTC', "IANA time zone; the team's when left out."),
        initial: undefined,
      },
      address: optional(D, fields.address, 'Postal address.'),
      phone: optional(D, fields.phone, 'Phone number.'),
      email: optional(D, fields.email, 'E-mail address.'),
      notes: optional(D, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      isActive: equals(D, z.boolean(), 'isActive', 'Locations in use.'),
      q: search(D, ['name', 'email', 'phone'], ['name', 'email'], 'Words found in name, e-mail or phone.'),
    };
  },
  unique: [{ field: 'name', ignoreCase: true }],
  operations: {
    list: {
      source: D,
      scope: { all: ['read:locations'] },
      about: 'List locations, those no longer in use included.',
    },
    get: {
      source: D,
      scope: { all: ['read:locations'] },
      about: 'Read a location.',
    },
    create: {
      source: D,
      scope: { all: ['write:locations'] },
      about: 'Create a location.',
      problems: ['duplicate'],
    },
    update: {
      source: D,
      scope: { all: ['write:locations'] },
      about: 'Change a location.',
      problems: ['duplicate'],
    },
    delete: {
      source: S,
      scope: { all: ['write:locations'] },
      about: 'Take a location out of use, or remove it with hard=true.',
      query: {
        hard: {
          source: S,
          schema: z.boolean(),
          about: 'Remove the record; refused while others name it.',
          initial: false,
        },
      },
      problems: ['resource_in_use'],
    },
  },
});
