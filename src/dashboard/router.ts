/** Pages by address: plain links and the browser's history. What a page shows is in its address, so it can be linked and reloaded. */
import { computed, signal } from '@preact/signals';
import { isUuid } from '../client/ids.ts';

export const base = '/dashboard/';
const here = signal(new URL(location.href));

/** Below the dashboard, without slashes at its ends: `keys/new`. */
export const path = computed(() =>
  here.value.pathname.slice(base.length).split('/').filter(Boolean).join('/'),
);
export const query = computed(() => here.value.searchParams);
/** A parameter of the address; empty without it. */
export const asked = (name: string): string => query.value.get(name) ?? '';
/** An id of the address. A missing or malformed one becomes an id that no record has, so that it is not found instead of refused. */
export const idOf = (text = ''): string =>
  isUuid(text) ? text : '00000000-0000-0000-0000-000000000000';
/** A parameter that is an id; empty without it. */
export const askedId = (name: string): string => asked(name) && idOf(asked(name));

/** Asked before the page is left by a link. The text is shown in a question; undefined lets go. */
let leaveQuestion: string | undefined;

/** Until the returned function is called, leaving the page asks first. */
export function askBeforeLeaving(question: string): () => void {
  leaveQuestion = question;
  const hold = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', hold);
  return () => {
    leaveQuestion = undefined;
    removeEventListener('beforeunload', hold);
  };
}

const maySwitchTo = (url: URL) =>
  leaveQuestion === undefined || url.pathname === here.value.pathname || confirm(leaveQuestion);

/** The address with other parameters; empty ones are left out. */
export function withQuery(changes: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  const text = params.toString();
  return here.value.pathname + (text && `?${text}`);
}

/** Of this step of the history: where its page was scrolled to is kept under it. */
let step = '';
const newStep = () => ({ step: `scroll ${Date.now()} ${Math.random()}` });
const keepPosition = () => sessionStorage.setItem(step, String(scrollY));

/** Goes to another page or state. `replace`: without a step in the history, such as for each letter of a search. */
export function go(href: string, { replace = false } = {}): void {
  const url = new URL(href, location.href);
  if (!maySwitchTo(url)) return;
  const isOtherPage = url.pathname !== here.value.pathname;
  // Also the second click of a double click is no step.
  if (replace || url.href === here.value.href) history.replaceState({ step }, '', url);
  else push(url);
  here.value = url;
  if (isOtherPage) arrive(0);
}

function push(url: URL): void {
  keepPosition();
  history.pushState(newStep(), '', url);
  step = history.state.step;
}

/** A screen reader starts at the heading of the new page, and so does the keyboard. */
function arrive(position: number): void {
  scrollToLater(position);
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }),
  );
}

const restoreMs = 5_000;
let stopScrolling = () => {};

/** Scrolls as soon as the page is long enough, which it is when its records are read; not once somebody has scrolled. */
function scrollToLater(position: number): void {
  stopScrolling();
  scrollTo(0, position);
  if (scrollY >= position) return;
  const over = new AbortController();
  const { signal } = over;
  stopScrolling = () => over.abort();
  const size = new ResizeObserver(() => {
    scrollTo(0, position);
    if (scrollY >= position) stopScrolling();
  });
  signal.addEventListener('abort', () => size.disconnect());
  for (const name of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(name, stopScrolling, { signal, passive: true });
  setTimeout(stopScrolling, restoreMs);
  size.observe(document.body);
}

export function startRouter(): void {
  history.scrollRestoration = 'manual';
  const enter = () => {
    if (typeof history.state?.step !== 'string') history.replaceState(newStep(), '');
    step = history.state.step;
    return Number(sessionStorage.getItem(step));
  };
  scrollToLater(enter());
  addEventListener('pagehide', keepPosition);
  addEventListener('popstate', () => {
    const url = new URL(location.href);
    if (!maySwitchTo(url)) return push(here.value);
    keepPosition();
    const isOtherPage = url.pathname !== here.value.pathname;
    const position = enter();
    here.value = url;
    if (isOtherPage) arrive(position);
    else if (position > 0) scrollToLater(position);
  });
  addEventListener('hashchange', () => {
    here.value = new URL(location.href);
  });
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    // The interface and pictures are below the same address, and no pages.
    if (
      url.origin !== location.origin ||
      !url.pathname.startsWith(base) ||
      url.pathname.startsWith(`${base}api/`)
    )
      return;
    if (url.hash) return;
    event.preventDefault();
    go(url.href);
  });
}
