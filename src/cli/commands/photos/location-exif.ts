import {
  directoriesOf,
  directoryAt,
  type ExifBlock,
  type ExifDirectory,
  entriesOf,
  entrySize,
  findBlocks,
  removeEntry,
} from './exif-block.ts';

const gpsTag = 0x8825;
/** Latitude, longitude, both of the destination, and the name of the area. The rest (time, satellites) is no place. */
const placeTags = new Set([0x02, 0x04, 0x14, 0x16, 0x1c]);
/** Bytes per value, by the type's number. */
const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

interface Pointer {
  directory: ExifDirectory;
  /** The entry that points. */
  entry: number;
  gps: ExifDirectory;
}

export function exifHasLocation(bytes: Buffer): boolean {
  return findBlocks(bytes).some((block) => {
    const isPlace = (entry: number) =>
      placeTags.has(block.view.getUint16(entry, block.littleEndian)) && block.view.getUint32(entry + 4, block.littleEndian) > 0;
    return findPointers(block).some(({ gps }) => entriesOf(gps).some(isPlace));
  });
}

/** Empties every GPS directory and unlinks it; nothing moves that anything else points at. */
export function blankExifLocation(bytes: Buffer): void {
  for (const block of findBlocks(bytes)) {
    // Unlinking moves the entries behind, so each is looked for anew.
    for (let [pointer] = findPointers(block); pointer; [pointer] = findPointers(block)) {
      emptyDirectory(block, pointer.gps);
      removeEntry(block, pointer.directory, pointer.entry);
    }
  }
}

/** An entry of eight right bytes, in a directory that the header leads to: what chance could not put there. */
function findPointers(block: ExifBlock): Pointer[] {
  const found: Pointer[] = [];
  for (const directory of directoriesOf(block)) {
    for (const entry of entriesOf(directory)) {
      const isPointer =
        block.view.getUint16(entry, block.littleEndian) === gpsTag && block.view.getUint32(entry + 4, block.littleEndian) === 1;
      const gps = isPointer && directoryAt(block, entry + 8);
      if (gps) found.push({ directory, entry, gps });
    }
  }
  return found;
}

function emptyDirectory({ view, bytes, littleEndian }: ExifBlock, directory: ExifDirectory): void {
  for (const entry of entriesOf(directory)) {
    const size = (typeSizes[view.getUint16(entry + 2, littleEndian)] ?? 0) * view.getUint32(entry + 4, littleEndian);
    const value = view.getUint32(entry + 8, littleEndian);
    if (size > 4 && value >= 8 && value + size <= bytes.length) bytes.fill(0, value, value + size);
    bytes.fill(0, entry, entry + entrySize);
  }
  view.setUint16(directory.at, 0, littleEndian);
}
