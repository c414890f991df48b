/** What pages show of photos beside the records themselves. */
import { z } from 'zod';
import { readOnly } from '../declare.ts';
import * as fields from '../fields.ts';
import { decision, resource } from '../resource.ts';

export const covers = resource({
  name: 'covers',
  singular: 'cover',
  plural: 'covers',
  path: '/team/covers',
  param: 'id',
  about:
    'The first photo of a car that browsers can show, for lists of cars. Cars without photos are left out.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the car.'),
      photoId: readOnly(
        decision,
        fields.id.nullable(),
        'The id of the photo; null where browsers can show none.',
      ),
    };
  },
  operations: {
    list: {
      source: decision,
      scope: { none: true },
      about: 'List the first photos of the cars in `ids`; without it there are none.',
    },
  },
});

export const photoNames = resource({
  name: 'photoNames',
  singular: 'photo name',
  plural: 'photo names',
  path: '/team/photo-names',
  param: 'id',
  about: 'The names of the photos of a visit: Today compares them with those that its event lists.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the event session.'),
      names: readOnly(decision, z.array(z.string()), 'The names of its files.'),
    };
  },
  operations: {
    list: {
      source: decision,
      scope: { none: true },
      about:
        'List the names of the photos of the event sessions in `ids`; without it there are none.',
    },
  },
});
