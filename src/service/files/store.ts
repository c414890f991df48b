/** Where the bytes of photos and assets are: a folder (folder.ts) or an S3 store (s3.ts). */
import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../problem.ts';

/** The store failed: a broken disk, no permission, no connection. Answered with 503 `unavailable`; `cause` is for the log. */
export class StorageUnavailable extends Error {
  constructor(
    cause: unknown,
    message = "The service can't access its files right now; retry later",
  ) {
    super(message, { cause });
    this.name = 'StorageUnavailable';
  }
}

/** No room for the bytes of a file. Answered with 507 `storage_full`. */
export class StorageFull extends StorageUnavailable {
  constructor(cause: unknown, message = 'The disk for the files of the service is full') {
    super(cause, message);
    this.name = 'StorageFull';
  }
}

/** Why the store can't be used, for the operator: `cs serve` shows both when it starts, later the log has them. */
export class StoreFault extends Refusal {
  override readonly name = 'StoreFault';
}

/** An open file. The receiver reads the stream to its end or destroys it. */
export interface Bytes {
  /** In bytes. */
  size: number;
  stream: Readable;
}

/** Properties of a stored file. */
export interface StoredFile {
  key: string;
  /** In bytes. */
  sizeBytes: number;
  modifiedAt: Date;
}

/** Every method throws `StorageUnavailable` if the store fails. A key that `newKey` can't have made is missing everywhere. */
export interface FileStore {
  /** For people: the folder, or `s3://bucket/prefix`. */
  readonly place: string;
  /** Resolves once the bytes are durable, so that a row written afterwards never lacks them. The key is a new one. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if missing. */
  get(key: string): Promise<Bytes | undefined>;
  /** In bytes; undefined if missing. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
  /** All files, unordered. Concurrent changes may or may not be included. */
  list(): AsyncIterable<StoredFile>;
  /** Throws unless files can be written now. */
  checkWritable(): Promise<void>;
  /** The id of the database that the files belong to; see ownership.ts. */
  readOwner(): Promise<string | undefined>;
  writeOwner(owner: string): Promise<void>;
  /** Deletes temporary files that a crash left behind. Only at start, before any `put`. */
  removeTemporary?(olderThanMs?: number): Promise<void>;
}

/** SHA-256 in hexadecimal. */
export const contentName = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The same of bytes that are too many for memory. */
export async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(stream, hash);
  return hash.digest('hex');
}

/** The key of the bytes of an upload. Never used twice: a deletion that arrives late can't hit the bytes of a later upload. */
export const newKey = (teamId: string, sha256: string): string =>
  `${plainKey(teamId, sha256)}.${randomBytes(8).toString('hex')}`;

/** The form of a key before keys were used once only, and in a backup. */
export const plainKey = (teamId: string, sha256: string): string =>
  `${teamId}/${sha256.slice(0, 2)}/${sha256}`;

const keyForm =
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\/([0-9a-f]{2})\/\1[0-9a-f]{62}(?:\.[0-9a-f]{16})?$/;

/** Also false for names that could leave the folder, as a changed database may have. */
export const isKey = (key: string): boolean => keyForm.test(key);

/** For people, and in the database. */
export const s3Address = ({ bucket, prefix }: { bucket: string; prefix: string }): string =>
  `s3://${bucket}${prefix && `/${prefix}`}`;
