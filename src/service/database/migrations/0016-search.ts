import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createSearch, type SearchedTable } from '../search/search-index.ts';

export const searchedTables: readonly SearchedTable[] = [
  {
    name: 'cars',
    fields: ['licensePlate', 'vin', 'make', 'model', 'nickname', 'color'],
    keys: [['licensePlate'], ['vin'], ['nickname']],
  },
  {
    name: 'customers',
    fields: ['firstName', 'lastName', 'companyName', 'email', 'phone'],
    keys: [['firstName', 'lastName'], ['lastName'], ['companyName'], ['email']],
  },
  {
    name: 'contacts',
    fields: ['firstName', 'lastName', 'email', 'phone'],
    keys: [['firstName', 'lastName'], ['lastName'], ['email']],
  },
  { name: 'locations', fields: ['name', 'email', 'phone'], keys: [['name'], ['email']] },
  { name: 'campaigns', fields: ['name'], keys: [['name']] },
  { name: 'templates', fields: ['name', 'subject', 'body'], keys: [['name']] },
  { name: 'socialEvents', fields: ['title', 'venue', 'description'], keys: [['title']] },
  { name: 'rsvps', fields: ['guestName', 'email'], keys: [['guestName'], ['email']] },
  { name: 'forms', fields: ['name', 'description'], keys: [['name']] },
  { name: 'assets', fields: ['filename', 'altText'], keys: [['filename']] },
  { name: 'assetFolders', fields: ['name'], keys: [['name']] },
];

/** An index for the lists' `q`. */
export const search: Migration = {
  up: (db: Kysely<unknown>) => createSearch(db, searchedTables),
};
