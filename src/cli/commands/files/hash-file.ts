import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const chunkBytes = 1024 * 1024;

/** Size and hash of a file, which is never in memory as a whole. `onChunk` gets every part of it. */
export async function hashFile(
  path: string,
  onChunk?: (chunk: Buffer) => Promise<unknown>,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    await onChunk?.(chunk);
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
