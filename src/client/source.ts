import type { Page } from './pages.ts';

/** The answers that pages were read from, by the arrays of their records, as long as those live. */
const sources = new WeakMap<readonly object[], Uint8Array>();

/** Only of a page that holds nothing beside what it must, so that what stands where in it is known. */
export function keepSource(page: Page<object>, answer: Uint8Array): void {
  if (Object.keys(page).join() === 'data,page,limit,total') sources.set(page.data, answer);
}

/**
 * The whole answer, in UTF-8, of which these records are `data`: an array that `pages()` gives or a list's page holds, read with
 * `keepAnswer`. Nothing where a record of the page was left out, or where the page holds more than the interface says. It belongs to
 * who takes it, and can be taken once.
 */
export function takeSource(records: readonly object[]): Uint8Array | undefined {
  const source = sources.get(records);
  sources.delete(records);
  return source;
}
