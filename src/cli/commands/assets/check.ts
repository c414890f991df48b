/** Whether a file can be an asset, told by its own bytes before anything is sent. */
import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { assetTypeOf } from '../../../contract/asset-type.ts';
import { assetLimit, assetTypes } from '../../../contract/assets.ts';
import { photoHeadLength } from '../../../contract/photo-type.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { formatBytes, formatBytesApart } from '../photos/describe.ts';
import type { FoundFile } from './find.ts';

const kinds = assetTypes.map((type) => type.replace(/^\w+\//, '').toUpperCase()).join(', ');

/** Why not, or nothing. */
export async function whyNoAsset({ path, size }: FoundFile): Promise<CliError | undefined> {
  if (size === undefined) return unusable('not_a_file', 'it is not an ordinary file', 'leave it out');
  if (size === 0) return unusable('empty', 'the file is empty', 'leave it out, or copy it again');
  if (size > assetLimit) {
    const [has, may] = formatBytesApart(size, assetLimit);
    return unusable('too_large', `it has ${has}, and an asset may have ${may}`, 'save it smaller');
  }
  const head = await readHead(path).catch((error: NodeJS.ErrnoException) => error);
  if (head instanceof Error) return unreadable(head);
  return assetTypeOf(head)
    ? undefined
    : unusable('type_unsupported', `its bytes are of no type that an asset can have (${kinds})`, 'leave it out');
}

async function readHead(path: string): Promise<Uint8Array> {
  await using file = await open(path);
  const head = Buffer.alloc(photoHeadLength);
  const { bytesRead } = await file.read(head, 0, photoHeadLength, 0);
  return head.subarray(0, bytesRead);
}

/** All bytes of a file, as they are now; it may have grown since it was looked at. */
export async function readAsset(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(error);
  });
  if (bytes.length > assetLimit) throw unusable('too_large', `it has ${formatBytes(bytes.length)} by now`, 'save it smaller');
  return bytes;
}

/** SHA-256 of the bytes, hexadecimal. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const unreadable = (error: NodeJS.ErrnoException): CliError =>
  unusable('unreadable', `it cannot be read: ${describeFsError(error)}`, 'check the permissions');

type Reason = 'not_a_file' | 'empty' | 'too_large' | 'type_unsupported' | 'unreadable';

const unusable = (reason: Reason, why: string, hint: string): CliError =>
  new CliError({ code: `asset_${reason}`, message: why, hint, exitCode: 3 });
