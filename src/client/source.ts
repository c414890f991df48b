import type { Page } from './pages.ts';

/**
 * The answers that pages were read from, for a program that hands records on as they came. They are known by the arrays that `pages()`
 * gives, as long as those live; not where a record of the page was left out.
 */
const sources = new WeakMap<readonly object[], Uint8Array>();

/** Only of a page that holds nothing beside what it must, so that what stands where in it is known. */
export function keepSource(page: Page<object>, answer: Uint8Array): void {
  if (Object.keys(page).join() === 'data,page,limit,total') sources.set(page.data, answer);
}

/** The whole answer, of which the records are `data`. It belongs to who takes it, and can be taken once. */
export function takeSource(records: readonly object[]): Uint8Array | undefined {
  const source = sources.get(records);
  sources.delete(records);
  return source;
}
