import { z } from 'zod';
import { equals, from, readOnly, to } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

/** The longest range of a calendar request, in days (decision). */
export const calendarDaysLimit = 366;
export const calendarTypes = ['campaign', 'social_post', 'social_event'] as const;

export const calendar = resource({
  name: 'calendar',
  singular: 'calendar entry',
  plural: 'calendar entries',
  path: '/marketing/calendar',
  param: 'id',
  about: 'A campaign, social post or social event with its time. Either scope shows all three.',
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the campaign, post or event.'),
      type: readOnly(decision, z.enum(calendarTypes), 'Kind of the record.'),
      title: readOnly(
        decision,
        z.string(),
        'Name of the campaign, first line of the post, or title of the event.',
      ),
      status: readOnly(decision, z.string(), 'Status of the record.'),
      startAt: readOnly(
        decision,
        fields.timestamp,
        'Start of the campaign, publication of the post, or start of the event; otherwise the scheduled time.',
      ),
      endAt: readOnly(
        decision,
        fields.timestamp.nullable(),
        'When the campaign was completed or the event ends.',
      ),
      updatedAt: readOnly(decision, fields.timestamp, 'When the record was last changed.'),
    };
  },
  get filters() {
    return {
      from: {
        ...from(decision, 'startAt', 'Entries that start at or after this time.'),
        required: true as const,
      },
      to: {
        ...to(
          decision,
          'startAt',
          'Entries that start at or before this time. The range covers at most 366 days.',
        ),
        required: true as const,
      },
      type: equals(decision, z.enum(calendarTypes), 'type', 'Entries of this kind.'),
    };
  },
  order: { field: 'startAt', direction: 'asc' },
  computed: true,
  operations: {
    list: {
      source: decision,
      scope: { any: ['read:campaigns', 'read:social-events'] },
      scopeSource: spec,
      about: 'Show the marketing calendar.',
    },
  },
});
