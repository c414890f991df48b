/** How far an upload of photos is, in one line: `12 of 200 photos · 36 of 600 MB · 2 min left`. */

import { formatBytes } from '../../../contract/limits.ts';
import { pluralize } from '../../terminal/text.ts';

export interface UploadProgress {
  /** The size that a file is sent with: shrunk, or without its location. */
  prepared(index: number, sizeBytes: number): void;
  /** A file is stored, or has failed. */
  ended(index: number): void;
  text(): string;
  /** `Sent 200 photos, 600 MB, in 4 min.` */
  summary(): string;
}

/** An estimate from fewer milliseconds would jump. */
const settledMs = 2_000;

/** Counts a file once the server has answered for it: bytes that were only handed to the network may be lost. */
export function startUploadProgress(sizes: readonly number[], now: () => number): UploadProgress {
  const sent = [...sizes];
  let total = sent.reduce((sum, size) => sum + size, 0);
  const photos = pluralize(sizes.length, 'photo', 'photos');
  const started = now();
  let count = 0;
  let bytes = 0;
  const timeLeft = () => {
    const elapsed = now() - started;
    if (bytes === 0 || elapsed < settledMs || bytes >= total) return [];
    return [`${formatTime((elapsed / bytes) * (total - bytes))} left`];
  };
  return {
    prepared(index, sizeBytes) {
      total += sizeBytes - (sent[index] ?? 0);
      sent[index] = sizeBytes;
    },
    ended(index) {
      count += 1;
      bytes += sent[index] ?? 0;
    },
    text: () =>
      [
        `${count} of ${photos}`,
        `${formatBytes(bytes)} of ${formatBytes(total)}`,
        ...timeLeft(),
      ].join(' · '),
    summary: () => `Sent ${photos}, ${formatBytes(bytes)}, in ${formatTime(now() - started)}.`,
  };
}

/** `3 s`, `45 s`, `4 min`, `2 h 5 min`. Whole five seconds from 10 s on: the last digit would change all the time. */
function formatTime(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 10) return `${seconds} s`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`;
}
