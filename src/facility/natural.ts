/** Names in the order in which people count: B2 before B10. One collator, since making one takes a millisecond. */
const collator = new Intl.Collator('en', { numeric: true });

export const compareNaturally = (a: string, b: string): number => collator.compare(a, b);

export const byName = (
  a: { readonly name?: string | null },
  b: { readonly name?: string | null },
): number => compareNaturally(a.name ?? '', b.name ?? '');
