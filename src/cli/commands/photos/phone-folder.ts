/**
 * Photos that came from a phone, on this machine's disk until the server has them: in a private folder of their own for each run.
 * What nobody sends is removed after some time, for it shows customers' cars.
 */
import { mkdtemp, open, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { photoTypeOf } from '../../../contract/photo-type.ts';
import { stateFolder } from '../../config/platform-folders.ts';
import type { Context } from '../../context.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { makeFolder } from '../../input/make-folder.ts';
import type { Io } from '../../terminal/io.ts';
import { pluralize, quote } from '../../terminal/text.ts';
import { syncFolder } from '../bulk/state-file.ts';
import { fileKey, safeName } from '../files/names.ts';
import { allEntries } from '../journal/read-journal.ts';
import { filenameFor } from './photo-file.ts';

const phoneFolder = (io: Io): string => join(stateFolder(io), 'phone');

/** Whether a phone sent this file. */
export const isInPhoneFolder = (io: Io, file: string): boolean =>
  dirname(dirname(file)) === phoneFolder(io);

/** Days for which photos that weren't sent are kept. */
const keptDays = 30;

/** A new folder that only this person can read. Told to the run, so that what is left in it is named at the end. */
export async function createPhoneFolder(context: Context): Promise<string> {
  const { io } = context;
  const parent = phoneFolder(io);
  makeFolder(parent, 0o700);
  await removeOld(context, parent);
  const folder = await mkdtemp(join(parent, `${dayOf(io.now())}-`));
  io.run.phoneFolders.push(folder);
  return folder;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Folders begin with their day. Those that an unfinished command sends from stay. */
async function removeOld(context: Context, parent: string): Promise<void> {
  const oldest = dayOf(new Date(context.io.now().getTime() - keptDays * 86_400_000));
  const old = (await readdir(parent)).filter(
    (name) => /^\d{4}-\d\d-\d\d-/.test(name) && name.slice(0, oldest.length) < oldest,
  );
  if (old.length === 0) return;
  const needed = await foldersOfUnfinished(context);
  for (const folder of old.map((name) => join(parent, name)))
    if (!needed.has(folder))
      await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
        context.warn(
          `Couldn't remove ${folder}, with photos of more than ${keptDays} days ago: ${describeFsError(error)}.`,
        ),
      );
}

async function foldersOfUnfinished(context: Context): Promise<ReadonlySet<string>> {
  const entries = await allEntries(context);
  return new Set(entries.flatMap(({ entry }) => entry.files.map(({ path }) => dirname(path))));
}

/** Writes a photo under a name that no other has. Resolves with its path once it is on the disk. */
export async function saveInFolder(folder: string, given: string, bytes: Buffer): Promise<string> {
  const type = photoTypeOf(bytes);
  const safe = safeName(given, 'photo');
  const name = await freeName(folder, type ? filenameFor(safe, type) : safe);
  const path = join(folder, name);
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(bytes);
    await file.sync();
    await syncFolder(folder);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return path;
}

/** Phones call each photo that they take `image.jpg`. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set((await readdir(folder)).map(fileKey));
  const { name: stem, ext } = parse(name);
  let free = name;
  for (let number = 2; taken.has(fileKey(free)); number += 1) free = `${stem}-${number}${ext}`;
  return free;
}

/** Removes the files among these that came from a phone, and their folders once they are empty. The server has these photos. */
export async function removeStored(
  context: Pick<Context, 'io' | 'warn'>,
  files: readonly string[],
): Promise<void> {
  const ours = files.filter((file) => isInPhoneFolder(context.io, file));
  for (const file of ours)
    await rm(file, { force: true }).catch((error: unknown) =>
      context.warn(`Couldn't remove ${file}, which is stored: ${describeFsError(error)}.`),
    );
  for (const folder of new Set(ours.map((file) => dirname(file)))) await removeEmpty(folder);
}

const removeEmpty = (folder: string): Promise<void> => rmdir(folder).catch(() => {});

/** Says what is left of the photos of this run, and removes empty folders. */
export async function tellKept(context: Context): Promise<void> {
  for (const folder of context.io.run.phoneFolders.splice(0)) {
    const names = await readdir(folder).catch(() => []);
    if (names.length === 0) await removeEmpty(folder);
    else await tellKeptIn(context, folder, names);
  }
}

async function tellKeptIn(
  context: Context,
  folder: string,
  names: readonly string[],
): Promise<void> {
  const isWaiting = (await foldersOfUnfinished(context)).has(folder);
  const kept = `${pluralize(names.length, 'photo', 'photos')} from the phone ${names.length === 1 ? 'is' : 'are'} kept in ${folder}`;
  const add = nextCommand(['cars', 'photos', 'add', 'CAR', folder]);
  context.warn(
    isWaiting
      ? `${kept} until the unfinished command is finished.`
      : `${kept} for ${keptDays} days. Use them with \`--photo ${quote(folder)}\`, or add them with \`${add}\`.`,
  );
}
