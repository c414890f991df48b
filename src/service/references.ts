/** All references between records, derived from the contract, so that none is forgotten. */
import { contract, type StoredName } from '../contract/contract.ts';
import type { Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import type { Context } from './context.ts';
import { anyTable, type Row } from './records.ts';

export interface Reference {
  readonly table: StoredName;
  readonly field: string;
  readonly target: StoredName;
  /** The property, if the field is an object. */
  readonly inner?: string;
  /** The id is inside JSON, an object or a list, where no foreign key protects it. */
  readonly within: boolean;
}

/** Every reference to a record. */
export const references: readonly Reference[] = Object.values<Resource>(contract)
  .filter((resource) => !resource.computed && !resource.singleton)
  .flatMap((resource) => {
    const table = resource.name as StoredName;
    return Object.entries(resource.fields).flatMap(
      ([field, { read, schema, references: target, innerReferences = {} }]): Reference[] => {
        if (!read) return [];
        const inner = Object.entries(innerReferences).map(([name, of]) => ({
          table,
          field,
          target: of as StoredName,
          inner: name,
          within: true,
        }));
        return target
          ? [
              { table, field, target: target as StoredName, within: kindOf(schema) === 'json' },
              ...inner,
            ]
          : inner;
      },
    );
  });

/** The ids at such a place in a record. */
export function idsAt(record: Row, { field, inner }: Reference): string[] {
  const value = record[field];
  const found = inner ? (value as Row | null)?.[inner] : value;
  return [found].flat().filter((id) => typeof id === 'string');
}

/** Sets all references to a record to null before it is deleted, with a new `updatedAt`. */
export async function clearReferences(
  context: Context,
  target: StoredName,
  id: string,
): Promise<void> {
  for (const { table, field, within, ...reference } of references) {
    if (reference.target !== target) continue;
    if (within)
      throw new Error(
        `${table}.${field} names ${target} within JSON: refuse the removal, or clear it by hand`,
      );
    await anyTable(context)
      .updateTable(table as string)
      .set({ [field]: null, updatedAt: context.stamp })
      .where('teamId', '=', context.team.id)
      .where(field, '=', id)
      .execute();
  }
}
