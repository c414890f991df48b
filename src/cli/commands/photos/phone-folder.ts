/** Photos that came from a phone: in a private folder of their run until the server has them, or the open work that sends them. */
import * as node from 'node:fs/promises';
import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { photoTypeOf } from '../../../contract/photo-type.ts';
import { stateFolder } from '../../config/platform-folders.ts';
import type { Context } from '../../context.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { makeFolder } from '../../input/make-folder.ts';
import { syncFolder } from '../../output/save-file.ts';
import { openWork, type Work } from '../../state/work.ts';
import type { Io } from '../../terminal/io.ts';
import { pluralize } from '../../terminal/text.ts';
import { fileKey, safeName } from '../files/names.ts';
import { filenameFor } from './prepare.ts';

const phoneFolder = (io: Io): string => join(stateFolder(io), 'phone');

export const isFromPhone = (io: Io, file: string): boolean =>
  dirname(dirname(file)) === phoneFolder(io);

/** A new folder that only this person can read. */
export async function createPhoneFolder({ io }: Context): Promise<string> {
  makeFolder(phoneFolder(io), 0o700);
  const folder = await mkdtemp(join(phoneFolder(io), `${io.now().toISOString().slice(0, 10)}-`));
  io.run.phoneFolders.push(folder);
  return folder;
}

/** Writes a photo under a name that no other has: phones call each photo that they take `image.jpg`. Resolves once it is on the disk. */
export async function saveInFolder(
  folder: string,
  given: string,
  bytes: Buffer,
  fs: Pick<typeof node, 'open'> = node,
): Promise<string> {
  const type = photoTypeOf(bytes);
  const safe = safeName(given, 'photo');
  const wanted = type ? filenameFor(safe, type) : safe;
  const taken = new Set((await readdir(folder)).map(fileKey));
  const { name: stem, ext } = parse(wanted);
  let name = wanted;
  for (let number = 2; taken.has(fileKey(name)); number += 1) name = `${stem}-${number}${ext}`;
  const path = join(folder, name);
  try {
    await using file = await fs.open(path, 'wx', 0o600);
    await file.writeFile(bytes);
    await file.sync();
    await syncFolder(folder, fs);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return path;
}

/** Removes the files among these that came from a phone: the server has these photos, or nobody wants them any more. */
export async function removeFromPhone(
  { io, warn }: Pick<Context, 'io' | 'warn'>,
  files: readonly string[],
): Promise<void> {
  const ours = files.filter((file) => isFromPhone(io, file));
  for (const file of ours)
    await rm(file, { force: true }).catch((error: unknown) =>
      warn(`Couldn't remove ${file}: ${describeFsError(error)}.`),
    );
  // Only where it is empty.
  for (const folder of new Set(ours.map(dirname))) await rmdir(folder).catch(() => {});
}

/** Says where the photos of this run are that are neither stored nor part of open work. */
export async function tellKept(context: Context): Promise<void> {
  for (const folder of context.io.run.phoneFolders.splice(0)) {
    const names = await readdir(folder).catch(() => []);
    if (names.length === 0) await rmdir(folder).catch(() => {});
    else if (!isInOpenWork(context, folder))
      context.warn(
        `${pluralize(names.length, 'photo', 'photos')} from the phone ${names.length === 1 ? "isn't" : "aren't"} stored: delete ${folder}, or add them with \`${nextCommand(['cars', 'photos', 'add', 'CAR', folder])}\`.`,
      );
  }
}

const isInOpenWork = ({ io }: Context, folder: string): boolean =>
  openWork(io).some((work) => photosOf(work).some((path) => dirname(path) === folder));

/** The photos of a work. */
export const photosOf = ({ requests, flags }: Pick<Work, 'requests' | 'flags'>): string[] => [
  ...((requests ?? []) as { file?: { path: string } }[]).flatMap(({ file }) => file?.path ?? []),
  ...((flags?.photo ?? []) as string[]),
];
