/**
 * Ids that came already. A long list has hundreds of thousands of them, which as strings would take more memory than all the rest, so
 * UUIDs are kept as the 128 bits that they are.
 */
export interface IdSet {
  /** Whether it is new. */
  add(id: string): boolean;
  readonly size: number;
}

const words = 4;
const least = 1024;

export function createIdSet(): IdSet {
  /** A hash table with open addressing: the four words of an id, or four zeros. */
  let table = new Uint32Array(least * words);
  let size = 0;
  /** What is no UUID in its usual spelling, and the one whose words are zeros. */
  const others = new Set<string>();
  const read = new Uint32Array(words);

  /** Answers false when it is there. */
  function insert(into: Uint32Array, a: number, b: number, c: number, d: number): boolean {
    const mask = into.length / words - 1;
    for (let slot = hash(a, b, c, d) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * words;
      if (into[at] === a && into[at + 1] === b && into[at + 2] === c && into[at + 3] === d) return false;
      if (into[at] === 0 && into[at + 1] === 0 && into[at + 2] === 0 && into[at + 3] === 0) {
        into[at] = a;
        into[at + 1] = b;
        into[at + 2] = c;
        into[at + 3] = d;
        return true;
      }
    }
  }

  function grow(): void {
    const larger = new Uint32Array(table.length * 2);
    for (let at = 0; at < table.length; at += words) {
      const [a, b, c, d] = [table[at], table[at + 1], table[at + 2], table[at + 3]] as [number, number, number, number];
      if ((a | b | c | d) !== 0) insert(larger, a, b, c, d);
    }
    table = larger;
  }

  return {
    get size() {
      return size + others.size;
    },
    add(id) {
      if (!readUuid(id, read)) {
        if (others.has(id)) return false;
        others.add(id);
        return true;
      }
      if (!insert(table, read[0] as number, read[1] as number, read[2] as number, read[3] as number)) return false;
      size += 1;
      if (size * words * 1.5 > table.length) grow();
      return true;
    },
  };
}

/** The value of a hexadecimal digit by its character code; 255 for everything else, also for capitals, which spell another string. */
const digits = new Uint8Array(128).fill(255);
for (const [value, digit] of [...'0123456789abcdef'].entries()) digits[digit.charCodeAt(0)] = value;

/** Answers false for what is no UUID, and for the one that is all zeros. */
function readUuid(id: string, into: Uint32Array): boolean {
  if (id.length !== 36) return false;
  let digit = 0;
  let word = 0;
  let any = 0;
  for (let at = 0; at < 36; at += 1) {
    const code = id.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== 45) return false;
      continue;
    }
    const value = code < 128 ? (digits[code] as number) : 255;
    if (value === 255) return false;
    word = (word << 4) | value;
    any |= value;
    digit += 1;
    if (digit % 8 === 0) {
      into[digit / 8 - 1] = word;
      word = 0;
    }
  }
  return any !== 0;
}

/** The words of a UUID are not spread evenly: some hold the time, so neighbours differ in few bits. */
function hash(a: number, b: number, c: number, d: number): number {
  let mixed = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(c ^ Math.imul(d, 0xc2b2ae35), 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
