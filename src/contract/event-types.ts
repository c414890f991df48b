import { z } from 'zod';
import { equals, readOnly } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

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
      value: readOnly(spec, fields.slug, 'Machine name; never changes.'),
      scope: readOnly(spec, z.enum(eventScopes), 'What the event needs: a car, a customer, or neither.'),
      config: readOnly(
        spec,
        z.object({
          requiresParkingSpot: z.boolean(),
          releasesParkingSpot: z.boolean(),
        }),
        'requiresParkingSpot: parks the car. releasesParkingSpot (decision): frees its parking.',
      ),
      name: readOnly(decision, fields.name, 'What people call it.'),
      description: readOnly(decision, fields.notes.nullable(), 'What it is for.'),
      durationMinutes: readOnly(decision, z.int().min(1).nullable(), 'How long it usually takes.'),
      isActive: readOnly(decision, z.boolean(), 'Whether it can still be used.'),
      options: readOnly(
        decision,
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
      scope: equals(spec, z.enum(eventScopes), 'scope', 'Types that need this.'),
      isActive: equals(decision, z.boolean(), 'isActive', 'Types that can still be used.'),
    };
  },
  operations: {
    list: {
      source: spec,
      scope: { any: ['read:appointments', 'read:cars'] },
      about: "List the team's event types.",
    },
    get: {
      source: decision,
      scope: { any: ['read:appointments', 'read:cars'] },
      about: 'Read an event type.',
    },
  },
});
