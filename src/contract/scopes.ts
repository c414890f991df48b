/** The scopes of keys (specification, section 5). Write access does not include read access. */
export const scopes = [
  'read:cars',
  'write:cars',
  'read:customers',
  'write:customers',
  'read:contacts',
  'write:contacts',
  'read:locations',
  'write:locations',
  'read:parking',
  'write:parking',
  'read:appointments',
  'write:appointments',
  'read:communications',
  'write:communications',
  'read:campaigns',
  'write:campaigns',
  'read:templates',
  'write:templates',
  'read:forms',
  'write:forms',
  'read:social-events',
  'write:social-events',
  'read:marketing-assets',
  'write:marketing-assets',
] as const;

export type Scope = (typeof scopes)[number];

/** The required scopes: every scope of `all`, or at least one of `any`. With neither, any valid key works. */
export type ScopeRule =
  | { readonly all: readonly Scope[] }
  | { readonly any: readonly Scope[] }
  | { readonly none: true };

/**
 * A missing scope of a key, or `undefined`. For `any` it is the first alternative, so that the answer names one scope to ask for.
 */
export function missingScope(rule: ScopeRule, held: ReadonlySet<string>): Scope | undefined {
  if ('all' in rule) return rule.all.find((scope) => !held.has(scope));
  if ('any' in rule) return rule.any.some((scope) => held.has(scope)) ? undefined : rule.any[0];
  return undefined;
}
