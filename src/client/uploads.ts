/** Sends files, one request for each, and tells of each what became of it. */
import { ApiError, NetworkError, UsageError } from './errors.ts';

export interface UploadFile<Loaded> {
  filename: string;
  /** Called when its turn has come, so that only the files being sent are in memory. */
  load: () => Promise<Loaded>;
}

export interface UploadProgress<Stored> {
  index: number;
  filename: string;
  phase: 'loading' | 'sending' | 'stored' | 'failed';
  /** Once it is stored. */
  record?: Stored;
}

/** `not_sent`: left out, because `error`, which another file met, would meet every one. `failed` with a NetworkError: it may be stored. */
export type UploadResult<Stored> =
  | { filename: string; status: 'stored'; record: Stored }
  | { filename: string; status: 'failed' | 'not_sent'; error: unknown };

export interface Upload<Loaded extends { filename?: string }, Stored> {
  files: readonly UploadFile<Loaded>[];
  /** Sends one; `index` is its place among the files. */
  send: (loaded: Loaded, index: number) => Promise<Stored>;
  /** Whether every other file would fail just the same. */
  meetsEvery: (error: unknown) => boolean;
  /** How many are sent at a time. */
  concurrency: number;
  onProgress?: (progress: UploadProgress<Stored>) => void;
  signal?: AbortSignal;
}

/**
 * Never throws for a file: the results, in the given order, tell what to send again.
 * When `signal` ends it, what was being sent is `failed` and the rest `not_sent`, both with the signal's reason.
 */
export async function uploadFiles<Loaded extends { filename?: string }, Stored>({
  files,
  send,
  meetsEvery,
  concurrency,
  onProgress,
  signal,
}: Upload<Loaded, Stored>): Promise<UploadResult<Stored>[]> {
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
      if (meetsEvery(error)) stop ??= { error };
      tell('failed');
      return { filename, status: 'failed', error };
    }
  }

  const queue = files.entries();
  async function work(): Promise<void> {
    // One queue for all workers: whoever is free takes the next.
    for (const [index, file] of queue) {
      if (signal?.aborted) stop ??= { error: signal.reason };
      results[index] = stop ? { filename: file.filename, status: 'not_sent', error: stop.error } : await attempt(file, index);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return results;
}

/** Whether any other file would fail just the same, whatever it is and wherever it goes. A timeout may be the fault of one large file. */
export function meetsAny(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  if (error instanceof NetworkError) return ['connection_failed', 'tls_failed', 'unsafe_address'].includes(error.code);
  return error instanceof ApiError && [401, 403].includes(error.status);
}

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
