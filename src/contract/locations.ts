import { z } from 'zod';
import { defaulted, optional, required, search, whether } from './declare.ts';
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
      isActive: defaulted(spec, z.boolean(), true, 'Whether the location is active.', {
        meanings: { true: 'The location is active.', false: 'The location is inactive.' },
      }),
      name: required(decision, fields.name, 'Name, unique in the team. Case is ignored.'),
      timezone: {
        ...defaulted(decision, fields.timezone, 'UTC', 'IANA time zone.', {
          initialText: "the team's time zone",
        }),
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
      isActive: whether(decision, 'isActive', 'Whether the location is active.', {
        true: 'Active locations.',
        false: 'Inactive locations.',
      }),
      q: search(decision, ['name', 'email', 'phone'], ['name', 'email'], {
        fields: 'name, e-mail or phone',
        keys: 'the name or e-mail',
      }),
    };
  },
  unique: [{ field: 'name', ignoreCase: true }],
  operations: {
    list: {
      source: decision,
      scope: { all: ['read:locations'] },
      about: 'List locations, including inactive ones.',
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
      about: 'Deactivate a location, or delete it permanently.',
      query: {
        hard: {
          source: spec,
          schema: z.boolean(),
          about: 'Delete the record permanently. Refused while other records use it.',
          initial: false,
        },
      },
      leaves: { field: 'isActive', is: false, unless: 'hard' },
      problems: ['resource_in_use'],
    },
  },
});
