/** Keys and the switch of a team (specification, 5.4 to 5.6: the team dashboard). For browser sessions of admins alone. */
import { z } from 'zod';
import { createOnly, immutable, optional, readOnly, required } from '../declare.ts';
import * as fields from '../fields.ts';
import { decision, resource, spec } from '../resource.ts';
import { scopes } from '../scopes.ts';

export const keys = resource({
  name: 'keys',
  singular: 'key',
  plural: 'keys',
  path: '/team/keys',
  param: 'id',
  about: 'A key of the team.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the key.'),
      name: required(spec, fields.plainName, 'What the key is for.'),
      key: readOnly(
        decision,
        z.string(),
        'The part that identifies the key, such as csk_ab12cd34ef56.',
      ),
      secret: readOnly(
        spec,
        z.string().nullable(),
        'The whole key. Only in the answer that creates it; null elsewhere.',
      ),
      scopes: immutable(
        spec,
        z.array(z.enum(scopes)).min(1),
        'What the key may do. They never change.',
      ),
      expiresAt: optional(spec, fields.timestamp, 'When it expires; null for never.'),
      revoked: {
        source: spec,
        schema: z.boolean(),
        given: z.literal(true),
        create: 'never',
        update: true,
        read: true,
        about: 'Whether it is revoked. Can only become true.',
      } as const,
      revokedAt: readOnly(spec, fields.timestamp.nullable(), 'When it was revoked.'),
      revokedBy: readOnly(decision, z.string().nullable(), 'Who revoked it.'),
      lastUsedAt: readOnly(
        decision,
        fields.timestamp.nullable(),
        'When it was last used, to the minute.',
      ),
      replacesId: createOnly(
        decision,
        fields.id,
        'The key whose place it takes. That one stays until it is revoked.',
      ),
      createdBy: readOnly(decision, z.string(), 'Who created it.'),
      createdAt: readOnly(decision, fields.timestamp, 'When it was created.'),
      updatedAt: readOnly(decision, fields.timestamp, 'When it was last changed.'),
    };
  },
  operations: {
    list: { source: spec, scope: { none: true }, about: 'List the keys.' },
    create: { source: spec, scope: { none: true }, about: 'Create a key.' },
    update: {
      source: spec,
      scope: { none: true },
      about: 'Rename a key, change its expiry, or revoke it for ever.',
    },
  },
});

export const integration = resource({
  name: 'integration',
  singular: 'integration switch',
  plural: 'integration switches',
  path: '/team/integration',
  singleton: true,
  param: 'id',
  about: "The team's API switch: while it is off, every key is refused and kept.",
  get fields() {
    return {
      apiEnabled: required(spec, z.boolean(), 'Whether keys are accepted.', {
        meanings: { true: 'Keys are accepted.', false: 'Every key is refused.' },
      }),
      changedAt: readOnly(decision, fields.timestamp.nullable(), 'When it was last switched.'),
      changedBy: readOnly(decision, z.string().nullable(), 'Who switched it.'),
    };
  },
  operations: {
    get: { source: spec, scope: { none: true }, about: 'Show the switch.' },
    update: { source: spec, scope: { none: true }, about: 'Switch the integration on or off.' },
  },
});
