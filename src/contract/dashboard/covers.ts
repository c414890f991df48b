/** What lists of cars show beside the cars themselves. */
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
