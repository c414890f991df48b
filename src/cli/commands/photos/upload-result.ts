/** The result of uploading a photo, and the error for photos that are missing afterwards. */
import { basename } from 'node:path';
import { ApiError } from '../../../client/errors.ts';
import type { PhotoResult } from '../../../client/photos.ts';
import type { Context } from '../../context.ts';
import { isServiceCode } from '../../errors/codes.ts';
import type { CliError } from '../../errors/exit.ts';
import { isFinal } from '../../errors/final.ts';
import { nextCommand } from '../../framework/next-command.ts';
import type { Io } from '../../terminal/io.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import type { PhotoUploadResult } from '../counter/shape.ts';
import type { UploadFailure } from '../files/shape.ts';
import { incompleteUpload, toUploadFailure } from '../files/upload-failure.ts';
import type { PhotoOptions } from './photo-file.ts';
import type { PreparedPhoto } from './prepare.ts';
import { differenceFrom, type SentContent } from './verify.ts';

/** A prepared photo without its bytes, which aren't kept. */
export type PreparedFacts = Omit<PreparedPhoto, 'bytes'>;

interface Sending {
  readonly prepared?: PreparedFacts | undefined;
  readonly content?: SentContent | undefined;
  readonly sameAs?: string | null | undefined;
  readonly photoField?: string | undefined;
}

export function toPhotoUploadResult(
  file: string,
  result: PhotoResult,
  { prepared, content, sameAs = null, photoField }: Sending,
): PhotoUploadResult {
  const record = result.status === 'stored' ? result.record : undefined;
  const differs = record && content && differenceFrom(record, content);
  return {
    file,
    filename: (sameAs === null && record?.filename) || result.filename,
    status: result.status,
    photoId: record?.id ?? null,
    sameAs,
    sizeBytes: prepared?.sizeBytes ?? null,
    originalSizeBytes: prepared?.originalSizeBytes ?? null,
    width: prepared?.width ?? null,
    height: prepared?.height ?? null,
    shrunk: prepared?.shrunk ?? null,
    locationRemoved: prepared?.locationRemoved ?? null,
    ...(differs !== undefined && { differs }),
    error: result.status === 'stored' ? null : toPhotoFailure(file, result, photoField),
  };
}

function toPhotoFailure(
  file: string,
  result: Exclude<PhotoResult, { status: 'stored' }>,
  field = 'base64',
): UploadFailure {
  const failure = toUploadFailure(file, result);
  const { error } = result;
  if (!(error instanceof ApiError) || error.status !== 422) return failure;
  // Our service tells what is wrong with the bytes by codes of its own, and names the field where it finds none.
  const text = JSON.stringify([error.message, error.details]);
  const isAboutField = error.code === 'validation_failed' && /sourceUrl|base64/.test(text);
  if (isServiceCode(error.code) && !isAboutField && !text.includes(field)) return failure;
  const message = `${failure.message.replace(/[.]?$/, '.')} Name the field for the bytes on this server with --photo-field, and keep it with \`cs config set photo-field NAME\`.`;
  return { ...failure, message };
}

/** Such photos aren't confirmed: only a person can tell a conversion from a damage. */
export function warnOfDifferences(
  { io, warn }: Pick<Context, 'io' | 'warn'>,
  photos: readonly PhotoUploadResult[],
): void {
  const [first, ...others] = photos.filter(({ differs }) => differs !== undefined);
  if (!first) return;
  const more =
    others.length > 0 ? `, and ${pluralize(others.length, 'more photo', 'more photos')}` : '';
  warn(
    `The server shows ${shortPath(io.cwd, first.file)} otherwise than it was sent: ${first.differs}${more}. It may have converted it: compare before you delete the file.`,
  );
}

/** `stored`, `duplicate of front.jpg`, `upload interrupted, may be stored: …` */
export function describeUpload({
  status,
  sameAs,
  error,
}: Pick<PhotoUploadResult, 'status' | 'sameAs' | 'error'>): string {
  if (status === 'stored') return sameAs === null ? 'stored' : `duplicate of ${basename(sameAs)}`;
  if (status === 'not_sent') return 'not sent';
  return error?.unknownOutcome
    ? `upload interrupted, may be stored: ${error.message}`
    : `not stored: ${error?.message}`;
}

/** Number of stored photos; files with the same bytes count once. */
export const countStored = (photos: readonly PhotoUploadResult[]): number =>
  photos.filter(({ status, sameAs }) => status === 'stored' && sameAs === null).length;

/** Whether another try could store a photo. */
export const couldStillBeStored = ({
  status,
  error,
}: Pick<PhotoUploadResult, 'status' | 'error'>): boolean =>
  status !== 'stored' && (error === null || !isFinal(error));

interface PhotoUpload {
  readonly photos: readonly PhotoUploadResult[];
  /** Its id or its name. */
  readonly car: string;
  readonly sessionId?: string | null;
  readonly options: PhotoOptions;
  /** Global flags to repeat in the next command. */
  readonly globalFlags?: readonly string[];
  readonly verify?: boolean | undefined;
  /** A sentence about what else was stored, such as `The drop-off of HH-E 61H is stored`. */
  readonly done?: string;
  /** The command that sends what could still be stored. */
  readonly resume?: string | undefined;
}

/** Thrown after the result was printed; undefined if every photo is stored. */
export function missingPhotosError(
  io: Pick<Io, 'cwd' | 'signal'>,
  upload: PhotoUpload,
): CliError | undefined {
  const missing = upload.photos.filter(({ status }) => status !== 'stored');
  const kept = missing.some(couldStillBeStored) ? upload.resume : undefined;
  const again = kept ?? resendCommand(io, upload, missing);
  return incompleteUpload(io, {
    failures: upload.photos.map(({ error }) => error),
    one: 'photo',
    many: 'photos',
    done: upload.done,
    hint: missingHint(missing, { again, resume: kept }),
    details: { again },
  });
}

function missingHint(
  missing: readonly PhotoUploadResult[],
  { again, resume }: Pick<PhotoUpload, 'resume'> & { readonly again: string },
): string {
  if (resume !== undefined && missing.some(({ error }) => error?.code === 'outcome_unknown'))
    return `check on the server which are stored; \`${resume} --send\` sends them again`;
  // An invalid file fails again until it is fixed.
  const isInvalid = missing.every(({ error }) => error?.exitCode === 3);
  return `${isInvalid ? 'fix the files listed above, then run' : 'send the missing photos with'} \`${again}\``;
}

/** Includes uncertain photos: a session stores the same photo once. */
function resendCommand(
  { cwd }: Pick<Io, 'cwd'>,
  upload: PhotoUpload,
  missing: readonly PhotoUploadResult[],
): string {
  const { car, sessionId, options, globalFlags = [], verify } = upload;
  const files = missing.map(({ file }) => shortPath(cwd, file));
  return nextCommand([
    'cars',
    'photos',
    'add',
    car,
    ...(sessionId ? ['--session', sessionId] : []),
    ...(options.keepLocation ? ['--keep-location'] : []),
    ...(options.resize === false ? ['--no-resize'] : []),
    ...(options.photoField !== undefined && options.photoField !== 'base64'
      ? ['--photo-field', options.photoField]
      : []),
    ...(verify ? ['--verify'] : []),
    ...globalFlags,
    // Keeps a file name with a leading dash from being a flag.
    ...(files.some((file) => file.startsWith('-')) ? ['--'] : []),
    ...files,
  ]);
}
