/** A set of ids, in any spelling of a UUID, in a third of the memory that a `Set` takes: a list of a million records needs 32 MB. */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Of a UUID, each 32 bits. */
const words = 4;
type Words = readonly [number, number, number, number];

/** UUIDs are kept as numbers in a hash table with linear probing, which is at most half full; other ids in a `Set`. */
export class IdSet {
  readonly #others = new Set<string>();
  #table = new Uint32Array(64 * words);
  #count = 0;

  get size(): number {
    return this.#count + this.#others.size;
  }

  has(id: string): boolean {
    const key = wordsOf(id);
    return key ? !isFree(this.#table, slotOf(this.#table, key)) : this.#others.has(id);
  }

  /** Returns whether it is new. */
  add(id: string): boolean {
    const key = wordsOf(id);
    if (!key) return !this.#others.has(id) && this.#others.add(id) !== undefined;
    const slot = slotOf(this.#table, key);
    if (!isFree(this.#table, slot)) return false;
    this.#table.set(key, slot);
    this.#count += 1;
    if (this.#count * words * 2 > this.#table.length) this.#grow();
    return true;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#table.length * 2);
    // One key for all: a million views of the table would be 100 MB of garbage at once.
    const key: [number, number, number, number] = [0, 0, 0, 0];
    for (let slot = 0; slot < this.#table.length; slot += words) {
      if (isFree(this.#table, slot)) continue;
      for (let word = 0; word < words; word++) key[word] = this.#table[slot + word] as number;
      larger.set(key, slotOf(larger, key));
    }
    this.#table = larger;
  }
}

export function idSetOf(ids: Iterable<string>): IdSet {
  const set = new IdSet();
  for (const id of ids) set.add(id);
  return set;
}

/** Undefined for an id that isn't a UUID, and for that of zeros, which marks a free slot. */
function wordsOf(id: string): Words | undefined {
  if (!uuid.test(id)) return undefined;
  const key: Words = [
    Number.parseInt(id.slice(0, 8), 16),
    Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16),
    Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16),
    Number.parseInt(id.slice(28), 16),
  ];
  return key.some((word) => word !== 0) ? key : undefined;
}

/** Where the key is, or the free slot for it. */
function slotOf(table: Uint32Array, key: Words): number {
  const [one, two, three, four] = key;
  // The last bits of a UUID are random, or count.
  const mixed = Math.imul(one ^ two, 0x9e3779b1) ^ Math.imul(three ^ four, 0x85ebca6b);
  let slot = ((mixed ^ (mixed >>> 15)) * words) & (table.length - 1);
  while (!isFree(table, slot) && !isAt(table, slot, key))
    slot = (slot + words) & (table.length - 1);
  return slot;
}

const isFree = (table: Uint32Array, slot: number): boolean =>
  table[slot] === 0 && table[slot + 1] === 0 && table[slot + 2] === 0 && table[slot + 3] === 0;

const isAt = (table: Uint32Array, slot: number, [one, two, three, four]: Words): boolean =>
  table[slot] === one &&
  table[slot + 1] === two &&
  table[slot + 2] === three &&
  table[slot + 3] === four;
