import { signal } from '@preact/signals';

/** Of the team's latest change that is known. When it grows, what is shown reads again. */
export const stamp = signal('');

export function hearStamp(newer: string): void {
  if (newer > stamp.value) stamp.value = newer;
}
