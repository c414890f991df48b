/** The scopes a key can carry (specification, section 5). Write never implies read. */
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

/** What a key must carry: every scope of `all`, or at least one of `any`. Neither: any valid key will do. */
export type ScopeRule = { readonly all: readonly Scope[] } | { readonly any: readonly Scope[] } | { readonly none: true };

/**
 * The scope that a key lacks for a rule, or `undefined` when it lacks none.
 * For `any`, the first alternative is the one named, so that the answer tells one thing to ask for.
 */
export function missingScope(rule: ScopeRule, held: ReadonlySet<string>): Scope | undefined {
  if ('all' in rule) return rule.all.find((scope) => !held.has(scope));
  if ('any' in rule) return rule.any.some((scope) => held.has(scope)) ? undefined : rule.any[0];
  return undefined;
}
