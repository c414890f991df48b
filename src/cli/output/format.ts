/** What a way of writing records is. A new one is a file with such a thing, and a line in `formats.ts`. */
import { isObject as isPlainObject } from '../input/plain-object.ts';
import type { Row } from './view.ts';

/** Made for one result: either a list, which is `records` any number of times and then `end`, or `one`. Each answers what to print. */
export interface RecordFormat {
  /** Records of a list, in their order and as many as came at once, so that a long list is never held whole. */
  records(rows: readonly Row[]): string | Promise<string>;
  /** What ends a list, also an empty one. */
  end(): string | Promise<string>;
  /** A single record, or whatever else a command has found. */
  one(value: unknown): string | Promise<string>;
}

/** A value as the records that lines are made of: of an array its items. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** A plain object, taken for a record. */
export const isObject = (value: unknown): value is Row => isPlainObject(value);
