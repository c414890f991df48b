/**
 * EXIF blocks in a file, and the location in them. A block is a small TIFF file: a header, then directories of 12-byte entries.
 * Each directory links to the next; values longer than 4 bytes are elsewhere in the block. Offsets count from the block's start.
 */
interface ExifBlock {
  /** A view of the file's buffer. */
  bytes: Buffer;
  view: DataView;
  littleEndian: boolean;
}

interface ExifDirectory {
  at: number;
  count: number;
}

const headers = [
  { signature: Buffer.from('II*\0', 'latin1'), littleEndian: true },
  { signature: Buffer.from('MM\0*', 'latin1'), littleEndian: false },
];
const lead = Buffer.from('Exif\0\0', 'latin1');
const entrySize = 12;
const maxDirectories = 8;

/** Everything that looks like the header of a block. The four bytes can be a coincidence, so callers check what they change. */
function findBlocks(bytes: Buffer): ExifBlock[] {
  const blocks: ExifBlock[] = [];
  for (const { signature, littleEndian } of headers) {
    for (let at = bytes.indexOf(signature); at !== -1; at = bytes.indexOf(signature, at + 1)) {
      const block = bytes.subarray(at, endOf(bytes, at));
      blocks.push({
        bytes: block,
        view: new DataView(block.buffer, block.byteOffset, block.length),
        littleEndian,
      });
    }
  }
  return blocks;
}

/** In a JPEG the block ends with its segment, so that a broken offset can't reach the picture. */
function endOf(bytes: Buffer, start: number): number {
  const segment = start - lead.length - 4;
  const isSegment =
    segment >= 0 &&
    bytes.readUInt16BE(segment) === 0xffe1 &&
    bytes.subarray(segment + 4, start).equals(lead);
  return isSegment
    ? Math.min(segment + 2 + bytes.readUInt16BE(segment + 2), bytes.length)
    : bytes.length;
}

/** The directories in the order of their links, at most a few since some files link in circles. */
function directoriesOf(block: ExifBlock): ExifDirectory[] {
  const directories: ExifDirectory[] = [];
  let directory = block.bytes.length < 8 ? undefined : directoryAt(block, 4);
  while (directory && directories.length < maxDirectories) {
    directories.push(directory);
    directory = directoryAt(block, linkOf(directory));
  }
  return directories;
}

/** The directory at the offset stored at `pointer`, without entries that are cut off. */
function directoryAt(
  { view, bytes, littleEndian }: ExifBlock,
  pointer: number,
): ExifDirectory | undefined {
  const at = pointer + 4 <= bytes.length ? view.getUint32(pointer, littleEndian) : 0;
  if (at < 8 || at + 2 > bytes.length) return undefined;
  const room = Math.floor((bytes.length - at - 2) / entrySize);
  return { at, count: Math.min(view.getUint16(at, littleEndian), room) };
}

/** Offsets of the entries. */
function entriesOf({ at, count }: ExifDirectory): number[] {
  return Array.from({ length: count }, (_, index) => at + 2 + index * entrySize);
}

/** Offset of the link to the next directory. */
const linkOf = ({ at, count }: ExifDirectory) => at + 2 + count * entrySize;

/** Removes an entry and moves the following ones and the link up. */
function removeEntry(
  { view, bytes, littleEndian }: ExifBlock,
  directory: ExifDirectory,
  entry: number,
): void {
  const end = Math.min(linkOf(directory) + 4, bytes.length);
  bytes.copyWithin(entry, entry + entrySize, end);
  bytes.fill(0, end - entrySize, end);
  view.setUint16(directory.at, directory.count - 1, littleEndian);
}

/** Removes the preview from a JPEG's EXIF, which is wrong after the photo was rotated. */
export function unlinkThumbnail(jpeg: Buffer): void {
  const start = jpeg.indexOf(lead) + lead.length;
  const block = findBlocks(jpeg).find(({ bytes }) => bytes.byteOffset === jpeg.byteOffset + start);
  const first = block && directoriesOf(block)[0];
  if (first && linkOf(first) + 4 <= block.bytes.length) block.view.setUint32(linkOf(first), 0);
}

const gpsTag = 0x8825;
/** Latitude and longitude, also of the destination, and the area's name. Time and satellites can stay. */
const placeTags = new Set([0x02, 0x04, 0x14, 0x16, 0x1c]);
/** Bytes per value, by type number. */
const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

interface Pointer {
  directory: ExifDirectory;
  entry: number;
  gps: ExifDirectory;
}

export function exifHasLocation(bytes: Buffer): boolean {
  return findBlocks(bytes).some((block) => {
    const isPlace = (entry: number) =>
      placeTags.has(block.view.getUint16(entry, block.littleEndian)) &&
      block.view.getUint32(entry + 4, block.littleEndian) > 0;
    return findPointers(block).some(({ gps }) => entriesOf(gps).some(isPlace));
  });
}

/** Clears every GPS directory and removes the entry that points to it. No other offset changes. */
export function blankExifLocation(bytes: Buffer): void {
  for (const block of findBlocks(bytes)) {
    // Removing an entry moves the following ones, so search again.
    for (let [pointer] = findPointers(block); pointer; [pointer] = findPointers(block)) {
      clearDirectory(block, pointer.gps);
      removeEntry(block, pointer.directory, pointer.entry);
    }
  }
}

/** Entries with the eight bytes of a GPS pointer, in a directory that the header links to: no coincidence. */
function findPointers(block: ExifBlock): Pointer[] {
  const found: Pointer[] = [];
  for (const directory of directoriesOf(block)) {
    for (const entry of entriesOf(directory)) {
      const isPointer =
        block.view.getUint16(entry, block.littleEndian) === gpsTag &&
        block.view.getUint32(entry + 4, block.littleEndian) === 1;
      const gps = isPointer && directoryAt(block, entry + 8);
      if (gps) found.push({ directory, entry, gps });
    }
  }
  return found;
}

function clearDirectory({ view, bytes, littleEndian }: ExifBlock, directory: ExifDirectory): void {
  for (const entry of entriesOf(directory)) {
    const size =
      (typeSizes[view.getUint16(entry + 2, littleEndian)] ?? 0) *
      view.getUint32(entry + 4, littleEndian);
    const value = view.getUint32(entry + 8, littleEndian);
    if (size > 4 && value >= 8 && value + size <= bytes.length) bytes.fill(0, value, value + size);
    bytes.fill(0, entry, entry + entrySize);
  }
  view.setUint16(directory.at, 0, littleEndian);
}
