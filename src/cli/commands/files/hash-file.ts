import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const chunkBytes = 1024 * 1024;

/**
 * Size and hash of a file, which is never in memory as a whole. `onChunk` gets every part of it, in a buffer that the next part
 * overwrites.
 */
export async function hashFile(
  path: string,
  onChunk?: (chunk: Buffer) => Promise<unknown>,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let sizeBytes = 0;
  await using file = await open(path);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes);
    if (bytesRead === 0) return { sizeBytes, sha256: hash.digest('hex') };
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    sizeBytes += bytesRead;
    await onChunk?.(chunk);
  }
}
