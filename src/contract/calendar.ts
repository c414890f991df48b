import { z } from 'zod';
import { equals, from, shown, to } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource, S } from './resource.ts';

/** The longest time that a calendar can be asked for, in days (decision). */
export const calendarDaysLimit = 366;
export const calendarTypes = ['campaign', 'social_post', 'social_event'] as const;

export const calendar = resource({
  name: 'calendar',
  singular: 'calendar entry',
  plural: 'calendar entries',
  path: '/marketing/calendar',
  param: 'id',
  about: 'A campaign, social post or social event at its time. Either scope shows all three.',
  get fields() {
    return {
      id: shown(D, fields.id, 'The id of the campaign, post or event.'),
      type: shown(D, z.enum(calendarTypes), 'What it is.'),
      title: shown(D, z.string(), 'Name of the campaign, first line of the post, or title of the event.'),
      status: shown(D, z.string(), 'The state that the record is in.'),
      startAt: shown(
        D,
        fields.timestamp,
        'When the campaign was started or is scheduled, the post was published or is scheduled, or the event begins.',
      ),
      endAt: shown(D, fields.timestamp.nullable(), 'When the campaign was completed, or the event ends.'),
      updatedAt: shown(D, fields.timestamp, 'When the record last changed.'),
    };
  },
  get filters() {
    return {
      from: { ...from(D, 'startAt', 'Entries that begin at or after this time.'), required: true as const },
      to: { ...to(D, 'startAt', 'Entries that begin at or before this time; at most 366 days after from.'), required: true as const },
      type: equals(D, z.enum(calendarTypes), 'type', 'Entries of this kind.'),
    };
  },
  order: { field: 'startAt', direction: 'asc' },
  computed: true,
  operations: {
    list: {
      source: D,
      scope: { any: ['read:campaigns', 'read:social-events'] },
      scopeSource: S,
      about: 'Show what marketing does from day to day.',
    },
  },
});
