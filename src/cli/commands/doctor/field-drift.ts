/** How two lists of fields differ. */
import type { Field, Fields } from './described-operations.ts';

export interface FieldDrift {
  readonly missingFields: readonly string[];
  readonly unknownFields: readonly string[];
  /** Fields that can be left out here and not there. */
  readonly requiredFields: readonly string[];
  readonly types: readonly { readonly field: string; readonly here: string; readonly there: string }[];
  readonly values: readonly { readonly field: string; readonly missing: readonly string[]; readonly unknown: readonly string[] }[];
}

/** Nothing when they are the same, or when the other side says nothing. */
export function compareFields(own: Fields, other: Fields): FieldDrift | undefined {
  if (!own || !other) return undefined;
  const both = [...own].flatMap(([name, field]) => {
    const there = other.get(name);
    return there ? [{ name, here: field, there }] : [];
  });
  const drift: FieldDrift = {
    missingFields: outermost([...own.keys()].filter((name) => !other.has(name))),
    unknownFields: outermost([...other.keys()].filter((name) => !own.has(name))),
    requiredFields: both.filter(({ here, there }) => there.required && !here.required).map(({ name }) => name),
    types: both.flatMap(({ name, here, there }) =>
      typesFit(here, there) ? [] : [{ field: name, here: here.types.join(' or '), there: there.types.join(' or ') }],
    ),
    values: both.flatMap(({ name, here, there }) => valueDrift(name, here, there)),
  };
  return Object.values(drift).some((list) => list.length > 0) ? drift : undefined;
}

/** Where a whole object is missing, its fields need not be named one by one. */
const outermost = (names: readonly string[]): string[] => names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)));

function typesFit({ types: here }: Field, { types: there }: Field): boolean {
  if (here.length === 0 || there.length === 0) return true;
  const wide = (types: readonly string[]) => types.map((type) => (type === 'integer' ? 'number' : type));
  return wide(here).some((type) => wide(there).includes(type));
}

function valueDrift(field: string, { values: here }: Field, { values: there }: Field): FieldDrift['values'] {
  if (!here || !there) return [];
  const missing = here.filter((value) => !there.includes(value));
  const unknown = there.filter((value) => !here.includes(value));
  return missing.length + unknown.length > 0 ? [{ field, missing, unknown }] : [];
}
