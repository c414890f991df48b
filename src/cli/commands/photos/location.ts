import { photoTypeOf } from '../../../contract/photo-type.ts';
import { blankExifLocation, exifHasLocation } from './exif.ts';
import { hasEncodedLocation, withoutPngLocation } from './location-png.ts';

/**
 * Whether EXIF, XMP or the short video that some phones append has a location. Searches the bytes instead of the container's
 * structure: the same code serves JPEG, WebP, HEIC, AVIF and GIF, and finds embedded pictures (previews, depth maps) too.
 * PNG has checksums and compressed texts, so it has a module of its own.
 */
export function hasLocation(bytes: Buffer): boolean {
  return (
    hasPlainLocation(bytes) ||
    (photoTypeOf(bytes) === 'image/png' && hasEncodedLocation(bytes, hasPlainLocation))
  );
}

/** A copy without the location; pixels and other metadata are the same. `undefined` if it can't be overwritten in place. */
export function withoutLocation(bytes: Buffer): Buffer | undefined {
  const png = photoTypeOf(bytes) === 'image/png';
  const copy = png
    ? withoutPngLocation(bytes, { has: hasPlainLocation, blank })
    : Buffer.from(bytes);
  if (!png) blank(copy);
  return hasLocation(copy) ? undefined : copy;
}

function hasPlainLocation(bytes: Buffer): boolean {
  return exifHasLocation(bytes) || xmpHasLocation(bytes) || videoHasLocation(bytes);
}

function blank(bytes: Buffer): void {
  blankExifLocation(bytes);
  blankXmpLocation(bytes);
  blankVideoLocation(bytes);
}

/** XMP is RDF in XML; the location is in attributes or elements, in the namespaces of EXIF or of a drone's manufacturer. */
// Node searches for a short text several times faster than for a long one.
const xmpStart = '<rdf:';
const xmpEnd = '</rdf:RDF>';
const coordinate = /[\w.-]+:\w*(?:latitude|longitude)\w*(?=[\s=>/])/i;
const attribute = /\s[\w.-]+:\w*(?:gps|latitude|longitude)\w*\s*=\s*(?:"[^"<]*"|'[^'<]*')/gi;
const element =
  /<([\w.-]+:\w*(?:gps|latitude|longitude)\w*)(?:\s[^<>]*)?(?:\/>|>[\s\S]*?<\/\1\s*>)/gi;
/** Bytes that XMP never contains: the packet is split over segments of the file there, which must not be overwritten. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: one of them is the null byte
const notText = /[\x00\xff]/;

function xmpHasLocation(bytes: Buffer): boolean {
  return findPackets(bytes).some((packet) => coordinate.test(packet.toString('latin1')));
}

/** Overwrites the location with spaces: the XML stays well-formed and keeps its length. */
function blankXmpLocation(bytes: Buffer): void {
  for (const packet of findPackets(bytes)) {
    for (const pattern of [element, attribute]) {
      for (const match of packet.toString('latin1').matchAll(pattern))
        if (!notText.test(match[0])) packet.fill(' ', match.index, match.index + match[0].length);
    }
  }
}

function findPackets(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let at = bytes.indexOf(xmpStart);
  while (at !== -1) {
    const found = bytes.indexOf(xmpEnd, at);
    const end = found === -1 ? bytes.length : found;
    packets.push(bytes.subarray(at, end));
    at = bytes.indexOf(xmpStart, end);
  }
  return packets;
}

/** Phones append a short MP4 to a "motion photo". Its `©xyz` box has the location as ISO 6709 text, such as +51.5007-000.1246/. */
const videoBox = Buffer.from('\xa9xyz', 'latin1');
// Four bytes of name, two of length, two of language, then the text.
const textOffset = 8;

function videoHasLocation(bytes: Buffer): boolean {
  return findVideoLocations(bytes).length > 0;
}

/** Turns each box into a `free` one, which players skip. */
function blankVideoLocation(bytes: Buffer): void {
  for (const { at, length } of findVideoLocations(bytes)) {
    bytes.write('free', at, 'latin1');
    bytes.fill(0, at + 4, at + textOffset + length);
  }
}

function findVideoLocations(bytes: Buffer): { at: number; length: number }[] {
  const found = [];
  for (let at = bytes.indexOf(videoBox); at !== -1; at = bytes.indexOf(videoBox, at + 1)) {
    const text = /^[+-]\d{2,}[\d.+-]*\/?/.exec(
      bytes.toString('latin1', at + textOffset, at + textOffset + 64),
    );
    if (text) found.push({ at, length: text[0].length });
  }
  return found;
}
