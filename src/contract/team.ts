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
  about: 'The current key and its team.',
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
        'The team of the key.',
      ),
      keyName: readOnly(decision, fields.name, 'Name of the key.'),
      scopes: readOnly(decision, z.array(z.enum(scopes)), 'Scopes of the key.'),
      expiresAt: readOnly(decision, fields.timestamp.nullable(), 'When the key expires.'),
    };
  },
  operations: {
    get: {
      source: decision,
      scope: { none: true },
      about: 'Show the key, its team and its scopes.',
    },
  },
});
