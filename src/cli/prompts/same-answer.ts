/** Whether two answers are the same. A record that was read again is the same record. */
import { isDeepStrictEqual } from 'node:util';
import { isSameId } from '../../client/ids.ts';

export const isSameAnswer = (one: unknown, other: unknown): boolean =>
  hasId(one) && hasId(other) ? isSameId(one.id, other.id) : isDeepStrictEqual(one, other);

const hasId = (value: unknown): value is { readonly id: string } =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
