/** Takes the location out of a photo without decoding it. */
import { jpegEnd, type Photo, readHeader } from './photo-file.ts';

const lead = Buffer.from('Exif\0\0', 'latin1');
const emptyXmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>';
/** XMP that has no room in one segment. */
const furtherXmp = 'http://ns.adobe.com/xmp/extension/';
const gpsTag = 0x8825;
/** Bytes per value, by type number. */
const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/** A copy with the same pixels; undefined where it can't be overwritten in place, as in a PNG, which has checksums. */
export async function withoutLocation(
  photo: Pick<Photo, 'path' | 'type' | 'bytes' | 'exif' | 'xmp'>,
): Promise<Buffer | undefined> {
  const { path, type, bytes, exif, xmp } = photo;
  if (type === 'image/png' || bytes.includes(furtherXmp)) return undefined;
  // What follows the picture of a JPEG, such as a short video, may have the location too.
  const copy = Buffer.from(type === 'image/jpeg' ? bytes.subarray(0, jpegEnd(bytes)) : bytes);
  const placeOf = (block: Buffer) => {
    const at = copy.indexOf(block);
    if (at === -1) throw new RangeError();
    return copy.subarray(at, at + block.length);
  };
  try {
    if (exif) clearExif(placeOf(exif.subarray(exif.indexOf(lead) === 0 ? lead.length : 0)));
    if (xmp) placeOf(xmp).fill(' ').write(emptyXmp);
  } catch (error) {
    // Its offsets lead out of the block.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const { hasLocation } = await readHeader(path, { type, bytes: copy });
  return hasLocation ? undefined : copy;
}

/**
 * Empties the GPS directory of an EXIF block and drops its preview, which is wrong once the photo was turned. A block is a small
 * TIFF file: directories of 12-byte entries, each with a link to the next; values of more than 4 bytes are elsewhere in the block.
 */
function clearExif(block: Buffer): void {
  const isLittle = block.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number) => (isLittle ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? block.readUInt32LE(at) : block.readUInt32BE(at));
  const entriesOf = (directory: number) =>
    Array.from({ length: u16(directory) }, (_, index) => directory + 2 + index * 12);
  const first = u32(4);
  const entries = entriesOf(first);
  const pointer = entries.find((entry) => u16(entry) === gpsTag);
  const gps = pointer === undefined ? undefined : u32(pointer + 8);
  for (const entry of gps === undefined ? [] : entriesOf(gps)) {
    const size = (typeSizes[u16(entry + 2)] ?? 0) * u32(entry + 4);
    if (size > 4) block.fill(0, u32(entry + 8), u32(entry + 8) + size);
    block.fill(0, entry, entry + 12);
  }
  if (gps !== undefined) block.writeUInt16LE(0, gps);
  const link = first + 2 + entries.length * 12;
  if (link + 4 <= block.length) block.writeUInt32LE(0, link);
}
