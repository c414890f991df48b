import { z } from 'zod';
import { readOnly } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource } from './resource.ts';
import { scopes } from './scopes.ts';

export const me = resource({
  name: 'me',
  singular: 'key',
  plural: 'keys',
  path: '/me',
  singleton: true,
  param: 'id',
  about: 'The key that asks, and its team.',
  get fields() {
    return {
      team: readOnly(
        decision,
        z.object({
          id: fields.id,
          name: fields.name,
          slug: fields.text(64),
          timezone: fields.timezone,
        }),
        'The team that the key belongs to.',
      ),
      keyName: readOnly(decision, fields.name, 'The name that the key was given.'),
      scopes: readOnly(decision, z.array(z.enum(scopes)), 'What the key may do.'),
      expiresAt: readOnly(decision, fields.timestamp.nullable(), 'When the key stops working.'),
    };
  },
  operations: {
    get: {
      source: decision,
      scope: { none: true },
      about: 'Tell what the key is good for.',
    },
  },
});
