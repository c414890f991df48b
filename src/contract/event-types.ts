import { z } from 'zod';
import { equals, shown } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource, S } from './resource.ts';

export const eventScopes = ['vehicle', 'customer', 'facility'] as const;

export const eventTypes = resource({
  name: 'eventTypes',
  singular: 'event type',
  plural: 'event types',
  path: '/event-types',
  param: 'id',
  about: 'A kind of event that the team performs now or schedules for later. Made with `cs admin`, since no scope allows writing them.',
  get fields() {
    return {
      value: shown(S, fields.slug, 'Machine name; never changes.'),
      scope: shown(S, z.enum(eventScopes), 'What the event needs: a car, a customer, or neither.'),
      config: shown(
        S,
        z.object({
          requiresParkingSpot: z.boolean(),
          releasesParkingSpot: z.boolean(),
        }),
        'requiresParkingSpot: parks the car. releasesParkingSpot (decision): frees its parking.',
      ),
      name: shown(D, fields.name, 'What people call it.'),
      description: shown(D, fields.notes.nullable(), 'What it is for.'),
      durationMinutes: shown(D, z.int().min(1).nullable(), 'How long it usually takes.'),
      isActive: shown(D, z.boolean(), 'Whether it can still be used.'),
      options: shown(
        D,
        z.array(
          z.object({
            id: fields.id,
            name: fields.name,
            durationMinutes: z.int().min(1).nullable(),
          }),
        ),
        'Variants, which optionId of an appointment names.',
      ),
    };
  },
  get filters() {
    return {
      scope: equals(S, z.enum(eventScopes), 'scope', 'Types that need this.'),
      isActive: equals(D, z.boolean(), 'isActive', 'Types that can still be used.'),
    };
  },
  operations: {
    list: {
      source: S,
      scope: { any: ['read:appointments', 'read:cars'] },
      about: "List the team's event types.",
    },
    get: {
      source: D,
      scope: { any: ['read:appointments', 'read:cars'] },
      about: 'Read an event type.',
    },
  },
});
