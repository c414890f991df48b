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
/** Ids in a block: what is there already need not be moved when more come. */
const blockSize = 1 << 14;

export function createIdSet(): IdSet {
  /** The ids in the order in which they came, four words each. */
  const blocks: Uint32Array[] = [];
  let count = 0;
  /** A hash table with open addressing: which id is there, counted from 1, or 0. */
  let slots = new Uint32Array(1024);
  /** What is no UUID in its usual spelling. */
  const others = new Set<string>();
  const asked = new Uint32Array(words);

  /** The slot where the id is, or where it belongs. */
  function slotOf(a: number, b: number, c: number, d: number): number {
    const mask = slots.length - 1;
    for (let slot = hash(a, b, c, d) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] as number;
      if (number === 0) return slot;
      const block = blocks[Math.floor((number - 1) / blockSize)] as Uint32Array;
      const at = ((number - 1) % blockSize) * words;
      if (block[at] === a && block[at + 1] === b && block[at + 2] === c && block[at + 3] === d) return slot;
    }
  }

  function grow(): void {
    slots = new Uint32Array(slots.length * 2);
    for (let number = 1; number <= count; number++) {
      const block = blocks[Math.floor((number - 1) / blockSize)] as Uint32Array;
      const at = ((number - 1) % blockSize) * words;
      slots[slotOf(block[at] as number, block[at + 1] as number, block[at + 2] as number, block[at + 3] as number)] = number;
    }
  }

  return {
    get size() {
      return count + others.size;
    },
    add(id) {
      if (!readUuid(id, asked)) {
        if (others.has(id)) return false;
        others.add(id);
        return true;
      }
      const slot = slotOf(asked[0] as number, asked[1] as number, asked[2] as number, asked[3] as number);
      if (slots[slot] !== 0) return false;
      const at = (count % blockSize) * words;
      if (at === 0) blocks.push(new Uint32Array(blockSize * words));
      (blocks.at(-1) as Uint32Array).set(asked, at);
      slots[slot] = ++count;
      if (count * 1.5 > slots.length) grow();
      return true;
    },
  };
}

/** The value of a hexadecimal digit by its character code; -1 for everything else, also for capitals, which spell another string. */
const digits = new Int8Array(128).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) digits[digit.charCodeAt(0)] = value;
const hyphen = '-'.charCodeAt(0);

/** Answers false for what is no UUID. */
function readUuid(id: string, into: Uint32Array): boolean {
  if (id.length !== 36) return false;
  if (id.charCodeAt(8) !== hyphen || id.charCodeAt(13) !== hyphen || id.charCodeAt(18) !== hyphen || id.charCodeAt(23) !== hyphen)
    return false;
  const a = digitsAt(id, 0);
  const b = digitsAt(id, 4);
  const c = digitsAt(id, 9);
  const d = digitsAt(id, 14);
  const e = digitsAt(id, 19);
  const f = digitsAt(id, 24);
  const g = digitsAt(id, 28);
  const h = digitsAt(id, 32);
  into[0] = (a << 16) | b;
  into[1] = (c << 16) | d;
  into[2] = (e << 16) | f;
  into[3] = (g << 16) | h;
  return (a | b | c | d | e | f | g | h) >= 0;
}

/** The value of the four digits from there on; below 0 when one of them is none. */
function digitsAt(id: string, at: number): number {
  return (digitAt(id, at) << 12) | (digitAt(id, at + 1) << 8) | (digitAt(id, at + 2) << 4) | digitAt(id, at + 3);
}

function digitAt(id: string, at: number): number {
  const code = id.charCodeAt(at);
  return code < 128 ? (digits[code] as number) : -1;
}

/** The words of a UUID are not spread evenly: some hold the time, so neighbours differ in few bits. */
function hash(a: number, b: number, c: number, d: number): number {
  let mixed = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(c ^ Math.imul(d, 0xc2b2ae35), 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
