/** The records of the second server, in memory. */

export type Row = Record<string, unknown>;

interface Stored {
  readonly collection: string;
  readonly row: Row;
}

export class OtherRecords {
  /** By path: `/cars/17`. */
  #rows = new Map<string, Stored>();
  #made = 0;
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  now(): string {
    return this.#now().toISOString();
  }

  newId(): string {
    this.#made += 1;
    return `7f3c9a52-0000-4000-8000-${this.#made.toString(16).padStart(12, '0')}`;
  }

  /** Later than the one before. */
  #stamp(): string {
    return new Date(this.#now().getTime() + ++this.#made).toISOString();
  }

  add(collection: string, given: Row): Row {
    const stamp = this.#stamp();
    const row = {
      id: this.newId(),
      teamId: 'team-1',
      ...given,
      createdAt: stamp,
      updatedAt: stamp,
    };
    this.#rows.set(`${collection}/${row.id}`, { collection, row });
    return row;
  }

  /** `undefined` takes a field away. */
  change(collection: string, id: unknown, changes: Row): Row {
    const found = this.get(collection, id);
    if (!found) throw new Error(`no ${collection}/${id}`);
    const row = { ...found, updatedAt: this.#stamp(), ...changes };
    this.#rows.set(`${collection}/${id}`, { collection, row });
    return row;
  }

  delete(collection: string, id: unknown): void {
    this.#rows.delete(`${collection}/${id}`);
  }

  get(collection: string, id: unknown): Row | undefined {
    return this.#rows.get(`${collection}/${id}`)?.row;
  }

  list(collection: string): Row[] {
    return [...this.#rows.values()]
      .filter((one) => one.collection === collection)
      .map(({ row }) => row);
  }

  /** The records as they are now; rows are never changed in place. */
  snapshot(): ReadonlyMap<string, Stored> {
    return new Map(this.#rows);
  }

  restore(snapshot: ReadonlyMap<string, Stored>): void {
    this.#rows = new Map(snapshot);
  }

  /** The paths of the records that were added, changed or deleted. */
  changedSince(before: ReadonlyMap<string, Stored>): string[] {
    return [...new Set([...before.keys(), ...this.#rows.keys()])]
      .filter((path) => before.get(path)?.row !== this.#rows.get(path)?.row)
      .sort();
  }
}
