/** When something changed: from the service's stream, or by asking every few seconds without one. */
import { signal } from '@preact/signals';
import { isSignInOpen } from './sign-in-again.ts';

/** Grows with each change, and with each turn without a stream. What is shown reads again. */
export const changes = signal(0);
export type Liveness = 'live' | 'connecting' | 'polling';
export const liveness = signal<Liveness>('connecting');

const patienceMs = 10_000;
const pollMs = 5_000;

/** While the page is shown: a hidden one leaves its connection to others, and reads all again when shown. */
export function startLive(): () => void {
  let source: EventSource | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  const changed = () => {
    changes.value += 1;
  };
  const calm = () => {
    clearTimeout(patience);
    clearInterval(polling);
    patience = polling = undefined;
  };
  const poll = () => {
    liveness.value = 'polling';
    polling ??= setInterval(() => {
      if (!isSignInOpen.value) changed();
      // A refused stream isn't tried again by the browser.
      if (source?.readyState === EventSource.CLOSED && !isSignInOpen.value) reopen();
    }, pollMs);
  };
  const wait = () => {
    if (liveness.value === 'live') liveness.value = 'connecting';
    patience ??= setTimeout(poll, patienceMs);
  };
  function reopen(): void {
    source?.close();
    source = new EventSource('/dashboard/events');
    source.addEventListener('open', () => {
      const wasAway = liveness.value !== 'live';
      calm();
      liveness.value = 'live';
      // What changed meanwhile was told to nobody.
      if (wasAway) changed();
    });
    source.addEventListener('changed', changed);
    source.addEventListener('error', wait);
  }
  const show = () => {
    if (document.visibilityState === 'visible') {
      wait();
      reopen();
    } else {
      source?.close();
      calm();
      liveness.value = 'connecting';
    }
  };
  document.addEventListener('visibilitychange', show);
  show();
  return () => {
    document.removeEventListener('visibilitychange', show);
    source?.close();
    calm();
  };
}
