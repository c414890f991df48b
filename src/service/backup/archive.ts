/**
 * The format of a backup: one tar file with the files of a data folder under their paths, then `manifest.json` with size and
 * SHA-256 of each, then the SHA-256 of the manifest. A truncated or changed archive is always detected.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';
import { databaseName } from '../data-folder/names.ts';
import { NewerDatabase } from '../database/failures.ts';
import { type FileSystem, writeSynced } from '../files/file-system.ts';

const manifestName = 'manifest.json';
const sealName = 'manifest.sha256';
const bytesName =
  /^files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([0-9a-f]{2})\/(\2[0-9a-f]{62})$/;

/** Allowed names in a backup; others are never written to disk. */
const isKnownName = (name: string): boolean =>
  name === databaseName || name === manifestName || name === sealName || bytesName.test(name);

/** Path of stored bytes, in the folder and in the archive. */
export const nameOfBytes = ({ teamId, sha256 }: { teamId: string; sha256: string }): string =>
  `files/${teamId}/${sha256.slice(0, 2)}/${sha256}`;

const entrySchema = z.object({
  name: z.string().refine(isKnownName, "isn't a file of a backup"),
  /** In bytes. */
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "isn't a SHA-256"),
});
const manifestSchema = z.object({
  format: z.literal('car-storage backup'),
  version: z.literal(1),
  /** ISO 8601; everything acknowledged before is in the backup. */
  createdAt: z.iso.datetime(),
  /** What the archive must contain. It may contain more: bytes of records deleted meanwhile. */
  entries: z.array(entrySchema),
  /** Bytes that were missing or damaged when the backup was made. */
  missing: z.array(z.string()),
  damaged: z.array(z.string()),
});
/** Readable in this version and all later ones. */
const kindSchema = z.object({ format: z.string(), version: z.int() });

export type Entry = Readonly<z.infer<typeof entrySchema>>;
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

/** Not a backup, or a changed one. */
export class DamagedBackup extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'DamagedBackup';
  }
}

/** Disposing closes the file, sealed or not. */
export interface ArchiveWriter extends AsyncDisposable {
  /** Adds a file and returns its hash. The source must have exactly `size` bytes. */
  add(name: string, size: number, source: Readable): Promise<Entry>;
  /** Adds manifest and seal, and resolves when everything is on disk. */
  seal(manifest: Manifest): Promise<void>;
}

export function createArchive(
  path: string,
  { mtime, signal, fs }: { mtime: Date; signal?: AbortSignal; fs?: FileSystem },
): ArchiveWriter {
  const archive = pack();
  const written = pipeline(
    archive as AsyncIterable<Buffer>,
    (chunks: AsyncIterable<Buffer>) => writeSynced(path, chunks, fs),
    { signal },
  );
  // Handled where it is awaited; must not crash the process before.
  written.catch(() => undefined);
  const header = (name: string, size: number) => ({
    name,
    size,
    mtime,
    mode: 0o600,
    type: 'file' as const,
  });
  const addText = (name: string, text: string) =>
    archive.entry(header(name, Buffer.byteLength(text)), text);
  return {
    async add(name, size, source) {
      const hash = createHash('sha256');
      const hashed = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      };
      // If the disk is full, the writing side ends and this side would wait forever.
      await Promise.race([
        pipeline(source, hashed, archive.entry(header(name, size)), { signal }),
        written,
      ]);
      return { name, size, sha256: hash.digest('hex') };
    },
    async seal(manifest) {
      const text = JSON.stringify(manifest);
      addText(manifestName, text);
      addText(sealName, createHash('sha256').update(text).digest('hex'));
      archive.finalize();
      await written;
    },
    async [Symbol.asyncDispose]() {
      archive.destroy();
      await written.catch(() => undefined);
    },
  };
}

interface Reading {
  readonly signal?: AbortSignal;
  /** Bytes of the archive read so far. */
  readonly onProgress?: (bytes: number) => void;
  /** Receives an entry's content (default: only hash it). */
  readonly save?: (name: string, content: AsyncIterable<Buffer>) => Promise<void>;
}

/**
 * Reads an archive and checks it against its manifest. Throws `DamagedBackup`, or `NewerDatabase` for a later format. `extra`:
 * entries that aren't in the manifest.
 */
export async function readArchive(
  file: string,
  reading: Reading = {},
): Promise<{ manifest: Manifest; extra: string[] }> {
  const found = new Map<string, Entry>();
  const texts = new Map<string, string>();
  await eachEntry(file, reading, async (name, content) => {
    if (found.has(name)) throw new DamagedBackup(`it contains ${name} twice`);
    if (name === manifestName || name === sealName) {
      const bytes = Buffer.concat(await Array.fromAsync(content));
      texts.set(name, bytes.toString());
      found.set(name, {
        name,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
    } else found.set(name, await readEntry(name, content, reading.save));
  });
  const manifest = readManifest(texts, found);
  for (const { name, size, sha256 } of manifest.entries) {
    const stored = found.get(name);
    if (!stored) throw new DamagedBackup(`${name} is missing`);
    if (stored.size !== size || stored.sha256 !== sha256)
      throw new DamagedBackup(`${name} has changed since the backup was made`);
    found.delete(name);
  }
  return { manifest, extra: [...found.keys()].filter((name) => !texts.has(name)) };
}

/** All entries, with allowed names only. */
async function eachEntry(
  file: string,
  { signal, onProgress }: Reading,
  take: (name: string, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const archive = createReadStream(file, { signal });
  const entries = archive.pipe(extract());
  archive.on('error', (error) => entries.destroy(error));
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header;
      if (type !== 'file' || !isKnownName(name))
        throw new DamagedBackup(
          `it contains ${JSON.stringify(name)}, which isn't part of a backup`,
        );
      await take(name, entry as AsyncIterable<Buffer>);
      onProgress?.(archive.bytesRead);
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : asDamage(error);
  } finally {
    archive.destroy();
  }
}

async function readEntry(
  name: string,
  content: AsyncIterable<Buffer>,
  save: Reading['save'] = drain,
): Promise<Entry> {
  const hash = createHash('sha256');
  let size = 0;
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  await pipeline(content, measured, (chunks: AsyncIterable<Buffer>) => save(name, chunks));
  return { name, size, sha256: hash.digest('hex') };
}

async function drain(_name: string, content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of content);
}

function readManifest(
  texts: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, Entry>,
): Manifest {
  const [text, seal] = [texts.get(manifestName), texts.get(sealName)];
  if (text === undefined || seal === undefined) throw new DamagedBackup('it is truncated');
  if (seal !== found.get(manifestName)?.sha256)
    throw new DamagedBackup('its manifest has changed since the backup was made');
  const content = parseJson(text);
  const kind = kindSchema.safeParse(content).data;
  if (kind && kind.format !== 'car-storage backup')
    throw new DamagedBackup("it isn't a backup of cs");
  if (kind && kind.version > 1)
    throw new NewerDatabase('The backup was made by a newer version of cs. Use that version.');
  const { data: manifest, error } = manifestSchema.safeParse(content);
  if (!manifest) throw new DamagedBackup(`its manifest is malformed: ${faultOf(error)}`);
  if (!manifest.entries.some(({ name }) => name === databaseName))
    throw new DamagedBackup('it has no database');
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedBackup("its manifest isn't JSON");
  }
}

function faultOf({ issues: [first] }: z.ZodError): string {
  return first ? `${first.path.join('.') || 'the whole'}: ${first.message}` : 'unknown';
}

/** Errors of the tar reader mean damage; system errors pass unchanged. */
function asDamage(error: unknown): unknown {
  if (error instanceof DamagedBackup || !(error instanceof Error) || 'syscall' in error)
    return error;
  return new DamagedBackup(`it isn't a readable tar file (${error.message})`);
}
