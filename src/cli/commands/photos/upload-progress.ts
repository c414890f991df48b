/** How far an upload of photos is, in one line: `12 of 200 photos · 36 of 600 MB · 2 minutes left`. */

import { formatBytes } from '../../../contract/limits.ts';
import { pluralize } from '../../terminal/text.ts';
import { formatDuration } from '../connection/server-clock.ts';

export interface UploadProgress {
  /** The size that a file is sent with: shrunk, or without its location. */
  prepared(index: number, sizeBytes: number): void;
  /** A file is stored, or has failed. */
  ended(index: number): void;
  text(): string;
  /** `Sent 200 photos, 600 MB, in 4 minutes.` */
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
    return [`${formatDuration(Math.max(1_000, (elapsed / bytes) * (total - bytes)))} left`];
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
    summary: () =>
      `Sent ${photos}, ${formatBytes(bytes)}, in ${formatDuration(Math.max(1_000, now() - started))}.`,
  };
}
