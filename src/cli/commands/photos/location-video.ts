/** Phones append a short MP4 to a "motion photo". Its `©xyz` box holds the place as ISO 6709 text, such as +51.5007-000.1246/. */
const name = Buffer.from('\xa9xyz', 'latin1');
// After the name: two bytes of length, two of language, then the text.
const textOffset = 8;

export function videoHasLocation(bytes: Buffer): boolean {
  return findPlaces(bytes).length > 0;
}

/** Turns each such box into a `free` one, which players skip. */
export function blankVideoLocation(bytes: Buffer): void {
  for (const { at, length } of findPlaces(bytes)) {
    bytes.write('free', at, 'latin1');
    bytes.fill(0, at + 4, at + textOffset + length);
  }
}

function findPlaces(bytes: Buffer): { at: number; length: number }[] {
  const places = [];
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
    const text = /^[+-]\d{2,}[\d.+-]*\/?/.exec(bytes.toString('latin1', at + textOffset, at + textOffset + 64));
    if (text) places.push({ at, length: text[0].length });
  }
  return places;
}
