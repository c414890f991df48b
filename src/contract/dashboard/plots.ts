/** Numbers over time: how much each key is used, and how full the facility is. */
import { z } from 'zod';
import { readOnly } from '../declare.ts';
import * as fields from '../fields.ts';
import { decision, resource } from '../resource.ts';

const scope = { none: true } as const;

const steps = ['hour', 'day', 'week'] as const;
/** The most rows of a plot (decision): a screen shows no more. */
export const plotRowsLimit = 400;
const rangeOf = (zone: string) =>
  ({
    from: {
      source: decision,
      schema: fields.timestamp,
      about: 'Start of the range (default: 30 days before its end).',
    },
    to: { source: decision, schema: fields.timestamp, about: 'End of the range (default: now).' },
    step: {
      source: decision,
      schema: z.enum(steps),
      about: `One row for each hour, day or week in the time zone of ${zone}. At most 400 rows.`,
      initial: 'day',
    },
  }) as const;

export const usage = resource({
  name: 'usage',
  singular: 'usage',
  plural: 'usage',
  path: '/team/usage',
  singleton: true,
  param: 'id',
  about: 'Requests by key and time (the last minute may be missing), and the room that files take.',
  get fields() {
    return {
      from: readOnly(decision, fields.timestamp, 'Start of the first row.'),
      to: readOnly(decision, fields.timestamp, 'End of the last row.'),
      rows: readOnly(
        decision,
        z.array(
          z.object({
            keyId: fields.id,
            at: fields.timestamp,
            requests: fields.count,
            refused: fields.count,
            failed: fields.count,
            uploads: fields.count,
          }),
        ),
        'Only hours, days or weeks with requests. Refused: answered with 4xx; failed: with 5xx.',
      ),
      usedBytes: readOnly(
        decision,
        fields.count,
        'What the photos and assets of the team take now.',
      ),
      quotaBytes: readOnly(
        decision,
        fields.count.nullable(),
        'What they may take; null for any amount.',
      ),
    };
  },
  operations: {
    get: {
      source: decision,
      scope,
      about: 'Show how much each key is used.',
      query: {
        ...rangeOf('the team'),
        keyId: { source: decision, schema: fields.id, about: 'Only this key.' },
      },
    },
  },
});

export const occupancy = resource({
  name: 'occupancy',
  singular: 'occupancy',
  plural: 'occupancy',
  path: '/team/occupancy',
  singleton: true,
  param: 'id',
  about: 'Cars in storage over time, and how many came in and went out.',
  get fields() {
    return {
      from: readOnly(decision, fields.timestamp, 'Start of the first row.'),
      to: readOnly(decision, fields.timestamp, 'End of the last row.'),
      timezone: readOnly(
        decision,
        fields.timezone,
        'The IANA time zone of the rows: that of the location, or else of the team.',
      ),
      capacity: readOnly(
        decision,
        fields.count.nullable(),
        'Spots and places of today, earlier numbers are not kept; null where a zone has no limit.',
      ),
      rows: readOnly(
        decision,
        z.array(
          z.object({
            at: fields.timestamp,
            stored: fields.count,
            in: fields.count,
            out: fields.count,
          }),
        ),
        'One row for each hour, day or week. Stored: cars at its end. A move within the facility is neither in nor out.',
      ),
    };
  },
  operations: {
    get: {
      source: decision,
      scope,
      about: 'Show how full the facility was.',
      query: {
        ...rangeOf('the location, or else of the team'),
        locationId: { source: decision, schema: fields.id, about: 'Only this location.' },
      },
    },
  },
});
