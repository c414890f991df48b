/** What lists of cars show and are searched by, beside the cars themselves. */
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
    'The first photo of a car that browsers can show, for lists of cars. Cars without one are left out.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the car.'),
      photoId: readOnly(decision, fields.id, 'The id of the photo.'),
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

export const ownedCars = resource({
  name: 'ownedCars',
  singular: 'list of owned cars',
  plural: 'lists of owned cars',
  path: '/team/owned-cars',
  param: 'id',
  about: 'The cars of a customer. Customers without a car are left out.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the customer.'),
      carIds: readOnly(decision, z.array(fields.id), 'The ids of the cars.'),
    };
  },
  operations: {
    list: {
      source: decision,
      scope: { none: true },
      about: 'List the cars of the customers in `ids`; without it there are none.',
    },
  },
});
