/** Photos that came into the folders of a command after it was cut off: the same line means them, too. */
import type { Context } from '../../framework/context.ts';
import { pluralize } from '../../terminal/text.ts';
import { type FoundPhoto, findPhotoFiles } from '../photos/find.ts';
import { PhotoFileError } from '../photos/photo-file-error.ts';
import { type Change, openEntry } from './entry.ts';
import { readFileFacts } from './file-facts.ts';
import type { Journaled, OpenEntry } from './journal.ts';

/** The photos that a line names. */
export interface NamedFiles {
  /** As they were typed. */
  readonly patterns: readonly string[];
  readonly recursive?: boolean | undefined;
  /** An absolute path that `recursive` leaves out. */
  readonly except?: string | undefined;
}

/** The entry with them. Those that it has keep their places, whatever happened to them since. */
export async function withNewFiles<P extends object, R>(
  context: Context,
  { addFiles }: Journaled<P, R>,
  open: OpenEntry,
  named: NamedFiles,
): Promise<OpenEntry> {
  const { path, entry } = open.stored;
  const known = new Set(entry.files.map((file) => file.path));
  const found = (await findAll(context, named)).filter((file) => !known.has(file.path));
  if (!addFiles || found.length === 0) return open;
  const paths = found.map((file) => file.path);
  const { plan, queued } = entry;
  const change: Change = {
    files: [...entry.files, ...(await readFileFacts(paths))],
    ...(plan && { plan: await addFiles(context, plan as P, found) }),
    ...(queued && { queued: { ...queued, photo: [...((queued.photo as string[] | undefined) ?? []), ...paths] } }),
  };
  const writer = await openEntry(path);
  await writer.write(change).finally(writer.close);
  if (context.output.forPeople) context.note(`${pluralize(found.length, 'new photo', 'new photos')} found: sent too.`);
  return { ...open, stored: { ...open.stored, entry: { ...entry, ...change } } };
}

/** Without the patterns that match nothing any more: their photos may have been moved. */
async function findAll({ io }: Context, { patterns, ...options }: NamedFiles): Promise<FoundPhoto[]> {
  const found: FoundPhoto[] = [];
  for (const pattern of patterns) {
    const ofPattern = findPhotoFiles([pattern], { cwd: io.cwd, home: io.home, ...options });
    found.push(
      ...(await ofPattern.catch((error: unknown) => {
        if (error instanceof PhotoFileError) return [];
        throw error;
      })),
    );
  }
  return [...new Map(found.map((file) => [file.path, file])).values()];
}
