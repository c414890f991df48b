/**
 * An EXIF block inside a file. It is a small TIFF file: a header, then directories of 12-byte entries, each directory
 * linked to the next, values longer than 4 bytes elsewhere in the block. Offsets count from the block's start.
 */
export interface ExifBlock {
  /** A window on the file: what is written here is written there. */
  bytes: Buffer;
  view: DataView;
  littleEndian: boolean;
}

export interface ExifDirectory {
  at: number;
  count: number;
}

const headers = [
  { signature: Buffer.from('II*\0', 'latin1'), littleEndian: true },
  { signature: Buffer.from('MM\0*', 'latin1'), littleEndian: false },
];
const lead = Buffer.from('Exif\0\0', 'latin1');
export const entrySize = 12;
const maxDirectories = 8;

/** Whatever looks like the header of a block, anywhere. Four bytes can be chance: what a caller changes must prove itself. */
export function findBlocks(bytes: Buffer): ExifBlock[] {
  const blocks: ExifBlock[] = [];
  for (const { signature, littleEndian } of headers) {
    for (let at = bytes.indexOf(signature); at !== -1; at = bytes.indexOf(signature, at + 1)) {
      const block = bytes.subarray(at, endOf(bytes, at));
      blocks.push({ bytes: block, view: new DataView(block.buffer, block.byteOffset, block.length), littleEndian });
    }
  }
  return blocks;
}

/** In a JPEG the block ends with its segment; a broken offset must not reach the picture behind it. */
function endOf(bytes: Buffer, start: number): number {
  const segment = start - lead.length - 4;
  const isSegment = segment >= 0 && bytes.readUInt16BE(segment) === 0xffe1 && bytes.subarray(segment + 4, start).equals(lead);
  return isSegment ? Math.min(segment + 2 + bytes.readUInt16BE(segment + 2), bytes.length) : bytes.length;
}

/** The directories in the order they are linked; some files link in circles, so not for ever. */
export function directoriesOf(block: ExifBlock): ExifDirectory[] {
  const directories: ExifDirectory[] = [];
  let directory = block.bytes.length < 8 ? undefined : directoryAt(block, 4);
  while (directory && directories.length < maxDirectories) {
    directories.push(directory);
    directory = directoryAt(block, linkOf(directory));
  }
  return directories;
}

/** The directory that the number at `pointer` points at; one that is cut off has the entries that are there. */
export function directoryAt({ view, bytes, littleEndian }: ExifBlock, pointer: number): ExifDirectory | undefined {
  const at = pointer + 4 <= bytes.length ? view.getUint32(pointer, littleEndian) : 0;
  if (at < 8 || at + 2 > bytes.length) return undefined;
  const room = Math.floor((bytes.length - at - 2) / entrySize);
  return { at, count: Math.min(view.getUint16(at, littleEndian), room) };
}

/** Where each entry begins. */
export function entriesOf({ at, count }: ExifDirectory): number[] {
  return Array.from({ length: count }, (_, index) => at + 2 + index * entrySize);
}

/** Where the link to the next directory stands. */
const linkOf = ({ at, count }: ExifDirectory) => at + 2 + count * entrySize;

/** Takes an entry out; those behind it and the link move up. */
export function removeEntry({ view, bytes, littleEndian }: ExifBlock, directory: ExifDirectory, entry: number): void {
  const end = Math.min(linkOf(directory) + 4, bytes.length);
  bytes.copyWithin(entry, entry + entrySize, end);
  bytes.fill(0, end - entrySize, end);
  view.setUint16(directory.at, directory.count - 1, littleEndian);
}

/** Makes readers of a JPEG forget the small preview in its EXIF, which is wrong once the photo was turned. */
export function unlinkThumbnail(jpeg: Buffer): void {
  const start = jpeg.indexOf(lead) + lead.length;
  const block = findBlocks(jpeg).find(({ bytes }) => bytes.byteOffset === jpeg.byteOffset + start);
  const first = block && directoriesOf(block)[0];
  if (first && linkOf(first) + 4 <= block.bytes.length) block.view.setUint32(linkOf(first), 0);
}
