/** Sends photo files to a car and tells of each what became of it. One that fails keeps no other from being sent. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { type PhotoProgress, type PhotoResult, uploadPhotos } from '../client/photos.ts';
import { photoLimit } from '../contract/cars.ts';
import type { Context } from './command.ts';
import { CliError, exitCodeOf } from './exit.ts';
import { type PhotoFacts, readFacts } from './photos/facts.ts';
import { filenameFor } from './photos/photo-type.ts';
import { preparePhoto } from './photos/prepare.ts';
import { reportOf } from './render/error.ts';
import { counted, quote } from './text.ts';

interface PhotoOptions {
  readonly keepLocation?: boolean;
  /** `false` keeps photos above the limit from being shrunk; they fail then. */
  readonly resize?: boolean;
}

export interface SendOptions extends PhotoOptions {
  readonly carId: string;
  /** How the person named the car, for the command that sends the rest. */
  readonly carName?: string;
  readonly sessionId?: string | null;
  /** Paths, as `findPhotos` gives them. */
  readonly files: readonly string[];
  readonly onProgress?: (progress: PhotoProgress & { file: string }) => void;
}

/** What became of one file, as JSON shows it. */
interface SentPhoto {
  readonly file: string;
  readonly filename: string;
  readonly status: PhotoResult['status'];
  /** Of the stored photo. */
  readonly id: string | null;
  readonly sizeBytes: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface SendResult {
  /** One for each file, in the order given. */
  readonly photos: SentPhoto[];
  /** To be thrown once the result is printed: what is missing and the command that sends it. Nothing when all are stored. */
  readonly failure: CliError | undefined;
}

export async function sendPhotos(context: Context, options: SendOptions): Promise<SendResult> {
  const { carId, sessionId, files, onProgress } = options;
  const facts = await Promise.all(files.map(factsOf));
  const readable = facts.filter((fact): fact is PhotoFacts => !(fact instanceof Error));
  const client = await context.client();
  const uploaded = await uploadPhotos({
    client,
    carId,
    sessionId,
    photos: readable.map((fact) => ({ filename: filenameOf(fact, options), load: () => load(fact, options) })),
    onProgress: (progress) => onProgress?.({ ...progress, file: readable[progress.index]?.path ?? progress.filename }),
    signal: context.io.signal,
  });
  const sent = uploaded.values();
  const results = facts.map((fact, index): { path: string; result: PhotoResult } => {
    const path = files[index] as string;
    return { path, result: fact instanceof Error ? { filename: path, status: 'failed', error: fact } : (sent.next().value as PhotoResult) };
  });
  return { photos: results.map(({ path, result }) => summary(context, path, result)), failure: failureOf(context, options, results) };
}

/** What is known of a file, or why it cannot be sent. */
async function factsOf(path: string): Promise<PhotoFacts | Error> {
  try {
    return await readFacts(path);
  } catch (error) {
    return error as Error;
  }
}

// The name is sent before the photo is read in full: what will be shrunk will be a JPEG.
const filenameOf = (fact: PhotoFacts, { resize = true }: PhotoOptions): string =>
  resize && fact.sizeBytes > photoLimit ? filenameFor(fact.filename, 'image/jpeg') : filenameFor(fact.filename, fact.contentType);

async function load(fact: PhotoFacts, { keepLocation, resize }: PhotoOptions): Promise<Uint8Array> {
  // Nothing to change: the bytes of the file go as they are.
  if (fact.sizeBytes <= photoLimit && keepLocation) return readFile(fact.path);
  return (await preparePhoto(fact.path, { keepLocation, resize })).bytes;
}

function summary({ io }: Context, path: string, result: PhotoResult): SentPhoto {
  const record = result.status === 'stored' ? result.record : undefined;
  const report = result.status === 'stored' ? undefined : reportOf(result.error);
  return {
    file: shortPath(io.cwd, path),
    filename: record?.filename ?? result.filename,
    status: result.status,
    id: record?.id ?? null,
    sizeBytes: record?.sizeBytes ?? null,
    error: report ? { code: report.code, message: withoutPath(report.message, path) } : null,
  };
}

const withoutPath = (message: string, path: string): string => (message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message);

function failureOf(context: Context, options: SendOptions, results: { path: string; result: PhotoResult }[]): CliError | undefined {
  const missing = results.filter(({ result }) => result.status !== 'stored');
  if (missing.length === 0) return undefined;
  const errors = missing.map(({ result }) => (result as Extract<PhotoResult, { error: unknown }>).error);
  const codes = new Set(errors.map(exitCodeOf));
  const stopped = context.io.signal.aborted ? exitCodeOf(context.io.signal.reason) : undefined;
  // None stored, and all for one reason: that reason is the honest answer.
  const [only] = codes;
  const alike = missing.length === results.length && codes.size === 1 ? only : undefined;
  const again = againCommand(
    context,
    options,
    missing.map(({ path }) => path),
  );
  return new CliError({
    code: alike === undefined ? 'partial' : reportOf(errors[0]).code,
    message: `${counted(missing.length, 'photo', 'photos')} of ${results.length} not stored${alike === undefined ? '' : `: ${reportOf(errors[0]).message}`}.`,
    hint: `send what is missing: \`${again}\``,
    details: { again },
    exitCode: stopped ?? alike ?? 11,
    cause: errors[0],
  });
}

/** The exact command that sends these files; the same photo twice in a session is stored once. */
function againCommand({ io, settings }: Context, options: SendOptions, paths: readonly string[]): string {
  const words = ['cs', 'cars', 'photos', 'add', options.carId];
  if (options.sessionId) words.push('--session', options.sessionId);
  if (options.keepLocation) words.push('--keep-location');
  if (options.resize === false) words.push('--no-resize');
  if (settings.profileName?.origin.startsWith('flag')) words.push('--profile', settings.profileName.value);
  if (settings.baseUrl?.origin.startsWith('flag')) words.push('--base-url', settings.baseUrl.value);
  const files = paths.map((path) => shortPath(io.cwd, path));
  // A file whose name begins with a dash is no flag.
  return [...words, ...(files.some((file) => file.startsWith('-')) ? ['--'] : []), ...files].map(quote).join(' ');
}

/** Below the current folder relative, elsewhere absolute. */
export function shortPath(cwd: string, path: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}
