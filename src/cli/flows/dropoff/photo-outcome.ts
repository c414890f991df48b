import { CarStorageError } from '../../../client/client.ts';
import type { PhotoResult } from '../../../client/photos.ts';
import { Interrupted } from '../../io.ts';
import type { PhotoFacts } from '../../photos/facts.ts';
import type { PreparedPhoto } from '../../photos/prepare.ts';
import { reportOf } from '../../render/error.ts';

/** What became of a photo, as the result shows it. */
export interface PhotoOutcome {
  /** Absolute path. */
  readonly file: string;
  /** As it is stored, or would be. */
  readonly filename: string;
  /** `not_sent`: left out, because what another photo met would have met it too, or because it was stopped. */
  readonly status: PhotoResult['status'];
  readonly photoId: string | null;
  /** As sent; null when it was not made ready. Pixels as a person sees them. */
  readonly sizeBytes: number | null;
  readonly originalSizeBytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly shrunk: boolean | null;
  readonly locationRemoved: boolean | null;
  /** `unknownOutcome`: the photo may be stored although no answer said so. Sending it again is safe. */
  readonly error: { readonly code: string; readonly message: string; readonly unknownOutcome: boolean } | null;
}

export function outcomeOf(facts: PhotoFacts, result: PhotoResult, prepared: PreparedPhoto | undefined): PhotoOutcome {
  const error = result.status === 'stored' ? undefined : result.error;
  const report = error === undefined ? undefined : reportOf(error);
  // What is no error of the client (a file that cannot be read) came before anything was sent; being stopped may have come after.
  const unknownOutcome =
    result.status === 'failed' && (error instanceof CarStorageError ? error.unknownOutcome : error instanceof Interrupted);
  const record = result.status === 'stored' ? result.record : undefined;
  return {
    file: facts.path,
    filename: record?.filename ?? result.filename,
    status: result.status,
    photoId: record?.id ?? null,
    sizeBytes: prepared?.sizeBytes ?? null,
    originalSizeBytes: facts.sizeBytes,
    width: prepared?.width ?? facts.width,
    height: prepared?.height ?? facts.height,
    shrunk: prepared?.shrunk ?? null,
    locationRemoved: prepared?.locationRemoved ?? null,
    error: report ? { code: report.code, message: report.message, unknownOutcome } : null,
  };
}
