import { z } from 'zod';
import { equals, readOnly, whether } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

export const eventScopes = ['vehicle', 'customer', 'facility'] as const;

export const eventTypes = resource({
  name: 'eventTypes',
  singular: 'event type',
  plural: 'event types',
  path: '/event-types',
  param: 'id',
  about:
    'A kind of event, such as drop_off. Created with `cs admin`, since no scope allows writing event types.',
  get fields() {
    return {
      value: readOnly(spec, fields.slug, "Machine name. Can't be changed."),
      scope: readOnly(
        spec,
        z.enum(eventScopes),
        'What an event of this type needs: a car (vehicle), a customer, or neither (facility).',
      ),
      config: readOnly(
        spec,
        z.object({
          requiresParkingSpot: z.boolean(),
          releasesParkingSpot: z.boolean(),
        }),
        'requiresParkingSpot: parks the car. releasesParkingSpot (decision): ends its parking.',
      ),
      photos: readOnly(
        decision,
        z.array(z.string()),
        'The photos that an event of this type should have, by the names of their files: front for front.jpg. Empty for any.',
      ),
      name: readOnly(decision, fields.name, 'Name.'),
      description: readOnly(decision, fields.notes.nullable(), 'Description.'),
      durationMinutes: readOnly(decision, z.int().min(1).nullable(), 'Usual duration in minutes.'),
      isActive: readOnly(decision, z.boolean(), 'Whether the event type is active.'),
      options: readOnly(
        decision,
        z.array(
          z.object({
            id: fields.id,
            name: fields.name,
            durationMinutes: z.int().min(1).nullable(),
          }),
        ),
        'Variants. optionId of an appointment refers to one.',
      ),
    };
  },
  get filters() {
    return {
      scope: equals(spec, z.enum(eventScopes), 'scope', 'Event types with this scope.'),
      isActive: whether(decision, 'isActive', 'Whether the event type is active.', {
        true: 'Active event types.',
        false: 'Inactive event types.',
      }),
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
