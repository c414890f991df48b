/** Photos that came into the folders of a command after it was cut off: the same line means them, too. */
import type { Context } from '../../context.ts';
import { pluralize } from '../../terminal/text.ts';
import { findPhotos } from '../photos/find.ts';
import { PhotoFileError } from '../photos/photo-file.ts';
import { type Change, openEntry, type StoredEntry } from './entry.ts';
import { readFileFacts } from './file-facts.ts';
import { alreadyRunning, type Journaled, type OpenEntry } from './journal.ts';
import { holdEntry } from './unfinished.ts';

/** The photos that a line names. */
export interface NamedFiles {
  /** As they were typed. */
  readonly patterns: readonly string[];
  readonly recursive?: boolean | undefined;
}

/** The entry with them, to be sent. */
export async function withNewFiles<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  open: OpenEntry,
  named: NamedFiles,
): Promise<OpenEntry> {
  const added = await addNewFiles(context, journaled, open, named);
  if (added.count > 0 && context.output.forPeople)
    context.note(`${newPhotos(added.count)} found: sent too.`);
  return added.open;
}

/** Adds them to work that is queued without the server. */
export async function queueNewFiles<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  stored: StoredEntry,
  named: NamedFiles,
): Promise<void> {
  const open = await holdEntry(context, stored);
  if (typeof open === 'string') throw alreadyRunning(stored.entry);
  const { count } = await addNewFiles(context, journaled, open, named).finally(() =>
    open.lock.release(),
  );
  if (count > 0) context.note(`${newPhotos(count)} found: queued too.`);
}

const newPhotos = (count: number): string => pluralize(count, 'new photo', 'new photos');

/** Those that the entry has keep their places, whatever happened to them since. */
async function addNewFiles<P extends object, R>(
  context: Context,
  { addFiles }: Journaled<P, R>,
  open: OpenEntry,
  named: NamedFiles,
): Promise<{ readonly open: OpenEntry; readonly count: number }> {
  const { path, entry } = open.stored;
  const known = new Set(entry.files.map((file) => file.path));
  const paths = (await findAll(context, named)).filter((path) => !known.has(path));
  if (!addFiles || paths.length === 0) return { open, count: 0 };
  const { plan, queued } = entry;
  const change: Change = {
    files: [...entry.files, ...(await readFileFacts(paths))],
    ...(plan && { plan: await addFiles(context, plan as P, paths) }),
    ...(queued && {
      queued: { ...queued, photo: [...((queued.photo as string[] | undefined) ?? []), ...paths] },
    }),
  };
  const writer = await openEntry(path);
  await writer.write(change).finally(writer.close);
  return {
    open: { ...open, stored: { ...open.stored, entry: { ...entry, ...change } } },
    count: paths.length,
  };
}

/** Without the patterns that match nothing any more: their photos may have been moved. */
async function findAll({ io }: Context, { patterns, recursive }: NamedFiles): Promise<string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const ofPattern = findPhotos([pattern], { cwd: io.cwd, home: io.home, recursive });
    const paths = await ofPattern.catch((error: unknown) => {
      if (error instanceof PhotoFileError) return [];
      throw error;
    });
    for (const path of paths) found.add(path);
  }
  return [...found];
}
