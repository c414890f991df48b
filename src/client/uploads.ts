/** Sends files, one request each, and returns a result for each. */
import { ApiError, NetworkError, UsageError } from './errors.ts';

export interface UploadFile<Loaded> {
  filename: string;
  /** Called right before the upload, so that only files in flight are in memory. */
  load: () => Promise<Loaded>;
}

export interface UploadProgress<Stored> {
  index: number;
  filename: string;
  phase: 'loading' | 'sending' | 'stored' | 'failed';
  /** After it is stored. */
  record?: Stored;
}

/** `not_sent`: skipped, since `error` of another file would hit every file. `failed` with a NetworkError: it may be stored. */
export type UploadResult<Stored> =
  | { filename: string; status: 'stored'; record: Stored }
  | { filename: string; status: 'failed' | 'not_sent'; error: unknown };

/**
 * Never throws for a file: the results, in the given order, show what to send again.
 * After an abort, files in flight are `failed` and the rest `not_sent`, both with the signal's reason.
 */
export async function uploadFiles<Loaded extends { filename?: string }, Stored>(upload: {
  files: readonly UploadFile<Loaded>[];
  /** Sends one file; `index` is its position. */
  send: (loaded: Loaded, index: number) => Promise<Stored>;
  /** Whether every other file would fail the same way. */
  failsForAll: (error: unknown) => boolean;
  /** Number of parallel uploads. */
  concurrency: number;
  onProgress?: (progress: UploadProgress<Stored>) => void;
  signal?: AbortSignal;
}): Promise<UploadResult<Stored>[]> {
  const { files, send, failsForAll, concurrency, onProgress, signal } = upload;
  const results: UploadResult<Stored>[] = [];
  let stop: { error: unknown } | undefined;

  async function attempt(file: UploadFile<Loaded>, index: number): Promise<UploadResult<Stored>> {
    let { filename } = file;
    const tell = (phase: UploadProgress<Stored>['phase'], record?: Stored) =>
      onProgress?.({ index, filename, phase, ...(record !== undefined && { record }) });
    try {
      tell('loading');
      const loaded = await file.load();
      filename = loaded.filename ?? filename;
      tell('sending');
      const record = await send(loaded, index);
      tell('stored', record);
      return { filename, status: 'stored', record };
    } catch (error) {
      if (failsForAll(error)) stop ??= { error };
      tell('failed');
      return { filename, status: 'failed', error };
    }
  }

  const queue = files.entries();
  async function work(): Promise<void> {
    // One queue for all workers.
    for (const [index, file] of queue) {
      if (signal?.aborted) stop ??= { error: signal.reason };
      results[index] = stop
        ? { filename: file.filename, status: 'not_sent', error: stop.error }
        : await attempt(file, index);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return results;
}

/** Whether any other file would fail the same way. A timeout may be caused by one large file. */
export function isGeneralFailure(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  if (error instanceof NetworkError)
    return ['connection_failed', 'tls_failed', 'unsafe_address'].includes(error.code);
  return error instanceof ApiError && [401, 403].includes(error.status);
}
