/**
 * E-mail addresses are the same whatever their case (decision). They are kept as they were given and hold no letters
 * beyond ASCII, so `lower` of any database folds them alike, also in an index.
 */
import { type RawBuilder, sql } from 'kysely';
import type { FilterRule } from '../lists.ts';

export const foldEmail = (email: string): string => email.toLowerCase();

/** A column with addresses, as they are compared. */
export const folded = (column: string): RawBuilder<string> => sql<string>`lower(${sql.ref(column)})`;

/** The filter `email`. */
export const hasEmail: FilterRule = (_where, value) => sql<boolean>`${folded('email')} = ${foldEmail(value as string)}`;
