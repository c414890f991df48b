/** XMP is XML in RDF; the place is written as attributes or as elements, in the namespaces of EXIF or of a drone's maker. */
const opening = '<rdf:RDF';
const closing = '</rdf:RDF>';
const place = /[\w.-]+:\w*(?:latitude|longitude)\w*(?=[\s=>/])/i;
const attribute = /\s[\w.-]+:\w*(?:gps|latitude|longitude)\w*\s*=\s*(?:"[^"<]*"|'[^'<]*')/gi;
const element = /<([\w.-]+:\w*(?:gps|latitude|longitude)\w*)(?:\s[^<>]*)?(?:\/>|>[\s\S]*?<\/\1\s*>)/gi;
/** Bytes that no XMP holds: a packet was split over segments of the file there, and must not be written across. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a null byte is one of the two
const notText = /[\x00\xff]/;

export function xmpHasLocation(bytes: Buffer): boolean {
  return findPackets(bytes).some((packet) => place.test(packet.toString('latin1')));
}

/** Writes spaces over what tells the place: the XML stays well-formed and as long as it was. */
export function blankXmpLocation(bytes: Buffer): void {
  for (const packet of findPackets(bytes)) {
    for (const pattern of [element, attribute]) {
      for (const match of packet.toString('latin1').matchAll(pattern))
        if (!notText.test(match[0])) packet.fill(' ', match.index, match.index + match[0].length);
    }
  }
}

function findPackets(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let at = bytes.indexOf(opening);
  while (at !== -1) {
    const found = bytes.indexOf(closing, at);
    const end = found === -1 ? bytes.length : found;
    packets.push(bytes.subarray(at, end));
    at = bytes.indexOf(opening, end);
  }
  return packets;
}
