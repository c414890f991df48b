/** Sends photos one at a time, and again after a break until the counter has each. */
import { deferred } from './deferred.ts';
import type { CounterState, Settled } from './protocol.ts';

export interface QueuedPhoto<File> {
  readonly n: number;
  readonly name: string;
  readonly size: number;
  readonly file: File;
  status: 'waiting' | 'sending' | Settled['status'];
  /** From 0 to 1. */
  progress: number;
  /** Why it was refused. */
  message: string;
  /** Whether another try can help. */
  again: boolean;
}

interface QueueOptions<File> {
  /** Rejects where the counter gave no answer. `end`: no photo can be sent any more. */
  readonly send: (
    photo: QueuedPhoto<File>,
    onProgress: (share: number) => void,
  ) => Promise<Settled | 'end'>;
  /** Waits, at most until `wake`. */
  readonly wait: (ms: number, wake: Promise<void>) => Promise<void>;
  readonly onChange: () => void;
}

export interface Queue<File> {
  readonly photos: readonly QueuedPhoto<File>[];
  /** Whether the last try got no answer. */
  isBroken(): boolean;
  add(
    files: readonly { readonly name: string; readonly size: number; readonly file: File }[],
  ): void;
  /** Refused before it is sent. */
  refuse(
    given: { readonly name: string; readonly size: number; readonly file: File },
    message: string,
  ): void;
  retry(photo: QueuedPhoto<File>): void;
  /** Continues the numbers of an earlier page of this phone, and notes what the counter left out. */
  take(state: Pick<CounterState, 'photos'>): void;
  /** Tries again now: the network is back, or the page is shown again. */
  wake(): void;
  stop(): void;
}

/** The first waits after a break, in seconds. The last one repeats. */
const waits = [1, 2, 4, 8, 15];

export function createQueue<File>({ send, wait, onChange }: QueueOptions<File>): Queue<File> {
  const photos: QueuedPhoto<File>[] = [];
  let next = 1;
  let isRunning = false;
  let isStopped = false;
  let breaks = 0;
  let waking = deferred();

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let photo = first(); photo && !isStopped; photo = first()) await attempt(photo);
    isRunning = false;
  }

  const first = () => photos.find(({ status }) => status === 'waiting');

  async function attempt(photo: QueuedPhoto<File>): Promise<void> {
    photo.status = 'sending';
    onChange();
    try {
      const settled = await send(photo, (share) => {
        photo.progress = share;
        onChange();
      });
      breaks = 0;
      if (settled === 'end') isStopped = true;
      settle(photo, settled === 'end' ? { status: 'refused', message: 'Not sent' } : settled);
      onChange();
    } catch {
      photo.status = 'waiting';
      photo.progress = 0;
      waking = deferred();
      const seconds = waits[Math.min(breaks, waits.length - 1)] as number;
      breaks += 1;
      onChange();
      await wait(seconds * 1_000, waking.promise);
    }
  }

  function settle(photo: QueuedPhoto<File>, settled: Settled): void {
    photo.status = settled.status;
    photo.message = settled.status === 'refused' ? settled.message : '';
    photo.again = settled.status === 'refused' && settled.again === true;
    photo.progress = settled.status === 'there' || settled.status === 'copy' ? 1 : 0;
  }

  const queued = ({
    name,
    size,
    file,
  }: {
    name: string;
    size: number;
    file: File;
  }): QueuedPhoto<File> => ({
    ...{ n: next++, name, size, file },
    ...{ status: 'waiting', progress: 0, message: '', again: false },
  });

  return {
    photos,
    isBroken: () => breaks > 0,
    add(files) {
      photos.push(...files.map(queued));
      onChange();
      void run();
    },
    refuse(given, message) {
      const photo = queued(given);
      settle(photo, { status: 'refused', message });
      photos.push(photo);
      onChange();
    },
    retry(photo) {
      // A number that the counter has refused stays refused.
      const again = queued(photo);
      photos.splice(photos.indexOf(photo), 1, again);
      onChange();
      void run();
    },
    take(state) {
      const numbers = Object.keys(state.photos).map(Number);
      next = Math.max(next, ...numbers.map((n) => n + 1));
      for (const photo of photos) {
        const settled = state.photos[photo.n];
        if (settled?.status === 'dropped') settle(photo, settled);
      }
    },
    wake: () => waking.resolve(),
    stop() {
      isStopped = true;
      waking.resolve();
    },
  };
}
