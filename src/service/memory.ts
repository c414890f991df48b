import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The place for what is short-lived, in bytes: several of the longest lists, so that an answer is gone before it would be moved elsewhere. */
const youngSize = 16 * 1024 * 1024;

/**
 * For a process that does nothing but serve. Where there is much memory, V8 lets the heap grow to several times what is in use,
 * and the place for what is short-lived to 128 MB: answers are just that. Smaller, both are collected more often, which takes hardly any time.
 */
export function keepMemorySmall(): void {
  setFlagsFromString('--heap-growing-percent=60');
  const observer = new PerformanceObserver(() => {
    if (sizeOf('new_space') < youngSize) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

const sizeOf = (name: string): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === name)?.space_size ?? 0;
