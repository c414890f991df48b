import { z } from 'zod';
import { shown } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource } from './resource.ts';
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
      team: shown(
        D,
        z.object({
          id: fields.id,
          name: fields.name,
          slug: fields.text(64),
          timezone: fields.timezone,
        }),
        'The team that the key belongs to.',
      ),
      keyName: shown(D, fields.name, 'The name that the key was given.'),
      scopes: shown(D, z.array(z.enum(scopes)), 'What the key may do.'),
      expiresAt: shown(D, fields.timestamp.nullable(), 'When the key stops working.'),
    };
  },
  operations: {
    get: {
      source: D,
      scope: { none: true },
      about: 'Tell what the key is good for.',
    },
  },
});
