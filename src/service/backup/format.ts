/**
 * A backup is a folder, the same for both databases and both stores of files:
 *
 * - `records-….sqlite`: the records, as an SQLite database
 * - `content/<team>/<aa>/<sha256>`: the bytes of photos and assets; only whole ones have a name
 * - `backup.json`: which records belong to it. It takes the place of the one before when everything that it needs is on the disk
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { manifestName } from '../data-folder/names.ts';
import { NewerDatabase } from '../database/failures.ts';
import { hashOf } from '../files/store.ts';
import { Refusal } from '../problem.ts';

export const contentFolder = 'content';
export const recordsName = /^records-[0-9a-f]{16}\.sqlite$/;

const manifestSchema = z.object({
  format: z.literal('car-storage backup'),
  version: z.literal(1),
  /** ISO 8601; everything acknowledged before is in the backup. */
  createdAt: z.iso.datetime(),
  /** The id of the database: a backup never takes the place of one of another database. */
  database: z.uuid(),
  records: z.object({
    name: z.string().regex(recordsName, "isn't the name of records"),
    sizeBytes: z.int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, "isn't a SHA-256"),
  }),
  /** Bytes that were missing or damaged when the backup was made, and that it lacks. */
  missing: z.array(z.string()),
  damaged: z.array(z.string()),
});
/** Readable in this version and all later ones. */
const kindSchema = z.object({ format: z.string(), version: z.int() });

export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

/** Not a backup, or a changed one. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
}

export class NoBackup extends Error {
  override readonly name = 'NoBackup';
}

/** The folder or the database is in use for something else, which stays as it is. */
export class BackupRefused extends Refusal {
  override readonly name = 'BackupRefused';
}

/** The size and checksum of a file of records. */
export async function measure(
  path: string,
): Promise<Pick<Manifest['records'], 'sizeBytes' | 'sha256'>> {
  return { sizeBytes: (await stat(path)).size, sha256: await hashOf(createReadStream(path)) };
}

/** Undefined in a folder without a finished backup. Throws `DamagedBackup`, or `NewerDatabase` for a later format. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, manifestName), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const content = parseJson(text);
  const kind = kindSchema.safeParse(content).data;
  if (kind && kind.format !== 'car-storage backup')
    throw new DamagedBackup("it isn't a backup of cs");
  if (kind && kind.version > 1)
    throw new NewerDatabase('The backup was made by a newer version of cs. Use that version.');
  const { data: manifest, error } = manifestSchema.safeParse(content);
  if (!manifest) {
    const [first] = error.issues;
    throw new DamagedBackup(
      `its ${manifestName} is malformed: ${first?.path.join('.') || 'the whole'}: ${first?.message}`,
    );
  }
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedBackup(`its ${manifestName} isn't JSON`);
  }
}
