/**
 * E-mail addresses are compared without case (decision). They are stored as given and contain only ASCII, so `lower` of every
 * database folds them alike, also in an index.
 */
import { type RawBuilder, sql } from 'kysely';
import type { FilterRule } from '../lists.ts';

export const foldEmail = (email: string): string => email.toLowerCase();

/** An address column, folded for comparison. */
export const folded = (column: string): RawBuilder<string> =>
  sql<string>`lower(${sql.ref(column)})`;

/** The filter `email`. */
export const hasEmail: FilterRule = (_where, value) =>
  sql<boolean>`${folded('email')} = ${foldEmail(value as string)}`;
