import type { Migration } from 'kysely/migration';
import { firstFamilies } from './0001-first-families.ts';

/** Every step of the tables, in order. A step that has landed never changes; what comes after is a new one. */
export const migrations: Record<string, Migration> = {
  '0001-first-families': firstFamilies,
};
