/** Saves photos as files: whole or not at all, and never over what is there. */
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RecordFor } from '../contract/contract.ts';
import type { Context } from './command.ts';
import { CliError, exitCodeOf, usage } from './exit.ts';
import { reportOf } from './render/error.ts';
import { counted, shortPath } from './text.ts';

type Photo = RecordFor<'carPhotos'>;

interface SavedPhoto {
  readonly id: string;
  readonly file: string;
  readonly status: 'saved' | 'already_there' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface DownloadOptions {
  readonly carId: string;
  readonly photos: readonly Photo[];
  readonly folder: string;
  readonly overwrite?: boolean;
}

export async function downloadPhotos(context: Context, { carId, photos, folder, overwrite = false }: DownloadOptions) {
  const target = resolve(context.io.cwd, folder);
  await mkdir(target, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw usage(`The folder ${target} (--to) cannot be made: ${error.code}.`, 'give another one with --to');
  });
  const names = distinctNames(photos);
  const errors: unknown[] = [];
  const saved: SavedPhoto[] = [];
  for (const [index, photo] of photos.entries()) {
    const path = join(target, names[index] as string);
    const file = shortPath(context.io.cwd, path);
    try {
      const status = await savePhoto(context, { carId, photo, path, overwrite });
      saved.push({ id: photo.id, file, status, error: null });
    } catch (error) {
      errors.push(error);
      const { code, message } = reportOf(error);
      saved.push({ id: photo.id, file, status: 'failed', error: { code, message } });
      if (context.io.signal.aborted) throw error;
    }
  }
  return { saved, failure: failureOf(errors, photos.length) };
}

function failureOf(errors: unknown[], count: number): CliError | undefined {
  if (errors.length === 0) return undefined;
  const codes = new Set(errors.map(exitCodeOf));
  const [only] = codes;
  const alike = errors.length === count && codes.size === 1 ? only : undefined;
  const report = reportOf(errors[0]);
  return new CliError({
    code: alike === undefined ? 'partial' : report.code,
    message: `${counted(errors.length, 'photo', 'photos')} of ${count} not saved${alike === undefined ? '' : `: ${report.message}`}.`,
    hint: report.hint ?? 'run it again: what is saved is not fetched twice',
    exitCode: alike ?? 11,
    cause: errors[0],
  });
}

async function savePhoto(
  context: Context,
  { carId, photo, path, overwrite }: { carId: string; photo: Photo; path: string; overwrite: boolean },
) {
  const there = await hashOf(path);
  if (there !== undefined && there === photo.sha256) return 'already_there';
  if (there !== undefined && !overwrite) throw occupied(path);

  const client = await context.client();
  const { body } = await client.carPhotos.content(carId, photo.id);
  const temporary = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    const hash = createHash('sha256');
    const file = await open(temporary, 'wx');
    try {
      for await (const chunk of body) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (typeof photo.sha256 === 'string' && hash.digest('hex') !== photo.sha256)
      throw new CliError({
        code: 'photo_damaged',
        message: `${photo.filename}: what came is not what the service stored.`,
        hint: 'try again',
        exitCode: 9,
      });
    await put(temporary, path, overwrite);
    return 'saved';
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A link fails where a file is, also when that file came to be a moment ago; a rename would replace it. */
async function put(temporary: string, path: string, overwrite: boolean): Promise<void> {
  if (overwrite) return rename(temporary, path);
  try {
    await link(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw occupied(path);
    // Some file systems know no links.
    if ((await hashOf(path)) !== undefined) throw occupied(path);
    await rename(temporary, path);
  }
}

async function hashOf(path: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CliError({
      code: 'file_exists',
      message: `${path} is there and cannot be read.`,
      hint: 'give another folder with --to',
      exitCode: 7,
    });
  }
}

const occupied = (path: string): CliError =>
  new CliError({
    code: 'file_exists',
    message: `${path} is there already.`,
    hint: 'give another folder with --to, or --overwrite',
    exitCode: 7,
  });

/** File names that are safe here whatever the server says, each once. The same photo gets the same name every time. */
function distinctNames(photos: readonly Photo[]): string[] {
  const safe = photos.map((photo) => safeName(photo.filename, photo.id));
  const counts = new Map<string, number>();
  for (const name of safe) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return safe.map((name, index) => {
    if (counts.get(name.toLowerCase()) === 1) return name;
    const dot = name.lastIndexOf('.');
    const stem = dot > 0 ? name.slice(0, dot) : name;
    // The end of an id tells photos apart that were stored in the same minute; its beginning does not.
    return `${stem}-${photos[index]?.id.slice(-8)}${dot > 0 ? name.slice(dot) : ''}`;
  });
}

function safeName(filename: unknown, id: string): string {
  const name = typeof filename === 'string' ? filename : '';
  const plain = name
    .replace(/[\p{Cc}<>:"/\\|?*]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(-180);
  return plain === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `photo-${id}${plain && `-${plain}`}` : plain;
}
