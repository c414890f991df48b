/** What a page shows of the interface: read when it opens, and again when the team changes. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Reader, startReader } from './reader.ts';
import { stamp } from './stamp.ts';

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** When the data was read. */
  readonly at: Date | undefined;
  /** Whether the last reading succeeded, and no change is known that came after it. */
  readonly isCurrent: boolean;
  /** At once, also while it waits for the next reading. */
  reload(): void;
}

interface LoadOptions {
  /** Whether changes in the team make it read again, and a failure that passes as well. */
  readonly live?: boolean;
  /** The least time between two readings, in milliseconds: changes that come meanwhile are read together. */
  readonly paceMs?: number;
}

const usualPaceMs = 1_000;

/**
 * Reads when the page opens, when `key` changes, and with `live` when something changed in the team. Old data stays until the new is there,
 * and stays when it can't be read.
 */
export function useLoaded<T>(
  key: string,
  load: () => Promise<T>,
  { live = false, paceMs = usualPaceMs }: LoadOptions = {},
): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: Error; at?: Date }>({ key });
  const latest = useRef(load);
  latest.current = load;
  const reader = useRef<Reader>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      try {
        const data = await latest.current();
        if (!abort.signal.aborted) setState({ key, data, at: new Date() });
      } catch (error) {
        if (!abort.signal.aborted)
          setState((before) => ({
            ...(before.key === key ? before : { key }),
            error: error as Error,
          }));
        throw error;
      }
    };
    reader.current = startReader(read, { paceMs, retries: live, signal: abort.signal });
    return () => abort.abort();
  }, [key]);
  const known = live ? stamp.value : '';
  const heard = useRef(known);
  useEffect(() => {
    // The first reading is under way already.
    if (heard.current !== known) reader.current?.want();
    heard.current = known;
  }, [known]);
  const isOwn = state.key === key;
  return {
    data: isOwn ? state.data : undefined,
    error: isOwn ? state.error : undefined,
    isLoading: !isOwn || (state.data === undefined && state.error === undefined),
    at: isOwn ? state.at : undefined,
    isCurrent:
      isOwn && state.data !== undefined && state.error === undefined && !reader.current?.isWanted(),
    reload: () => reader.current?.wantNow(),
  };
}
