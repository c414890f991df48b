/** When something changed: from the service's stream, or by asking every few seconds without one. */
import { signal } from '@preact/signals';
import { call } from './call.ts';
import { isSignInOpen, signInAgain } from './sign-in-again.ts';
import { hearStamp } from './stamp.ts';

/** `polling`: without a stream, the service answers. `lost`: neither is heard. */
export type Liveness = 'live' | 'connecting' | 'polling' | 'lost';
export const liveness = signal<Liveness>('connecting');
/** When the service was last heard. */
export const heardAt = signal(new Date());
/** The build of the pages that the service has now. */
export const currentBuild = signal<string | undefined>(undefined);

/** The stream says something every few seconds. */
const silenceMs = 10_000;
const pollMs = 5_000;
const lookMs = 1_000;

interface Change {
  readonly stamp: string;
  readonly build: string;
}
function hearChange({ stamp, build }: Change): void {
  currentBuild.value = build;
  hearStamp(stamp);
}

/** While the page is shown: a hidden one leaves its connection to others, and compares stamps when shown. */
export function startLive(): () => void {
  let source: EventSource | undefined;
  let looking: ReturnType<typeof setInterval> | undefined;
  let openedAt = 0;
  let streamHeardAt = 0;
  let askedAt = 0;
  const hear = (how: Liveness) => {
    heardAt.value = new Date();
    liveness.value = how;
  };
  const hearStream = () => {
    streamHeardAt = Date.now();
    hear('live');
  };
  const open = () => {
    source?.close();
    openedAt = Date.now();
    source = new EventSource('/dashboard/events');
    source.addEventListener('alive', hearStream);
    source.addEventListener('changed', ({ data }) => {
      hearStream();
      hearChange(JSON.parse(data));
    });
    source.addEventListener('error', () => {
      if (liveness.value === 'live') liveness.value = 'connecting';
    });
  };
  const ask = async () => {
    askedAt = Date.now();
    try {
      const answer = await call<{ data: Change | null }>('GET', 'session');
      if (!answer.data) return void signInAgain(answer);
      if (liveness.value !== 'live') hear('polling');
      hearChange(answer.data);
    } catch {
      // The next one may succeed.
    }
  };
  // A connection that died tells nothing, and says so to nobody.
  const look = () => {
    const now = Date.now();
    if (isSignInOpen.value || now - streamHeardAt < silenceMs) return;
    if (now - heardAt.value.getTime() >= silenceMs) liveness.value = 'lost';
    // Browsers keep a dead stream open, and don't try a refused one again.
    if (now - openedAt >= silenceMs) open();
    if (now - askedAt >= pollMs) void ask();
  };
  const show = () => {
    source?.close();
    clearInterval(looking);
    liveness.value = 'connecting';
    if (document.visibilityState !== 'visible') return;
    streamHeardAt = Date.now();
    looking = setInterval(look, lookMs);
    open();
  };
  document.addEventListener('visibilitychange', show);
  show();
  return () => {
    document.removeEventListener('visibilitychange', show);
    source?.close();
    clearInterval(looking);
  };
}
