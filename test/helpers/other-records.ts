/** The records of the other server, in memory. */

export type Row = Record<string, unknown>;
export type Id = string | number | bigint;

/** Makes ids of a kind for the records of a list, the same ones in every run. */
export type MakeId = (collection: string) => Id;

/** `integer by list`: a car and a parking spot can have the same id. `large integer`: a number of JavaScript can't hold it, only its neighbour. */
export function makeIds(
  kind: 'uuid' | 'integer' | 'large integer' | 'integer by list' | 'cuid' | 'short text' = 'uuid',
): MakeId {
  let made = 0;
  const madeFor = new Map<string, number>();
  return (collection) => {
    made += 1;
    if (kind === 'integer') return made;
    if (kind === 'large integer') return 2n ** 53n + BigInt(made);
    if (kind === 'integer by list') {
      const list = collection.split('/').at(-1) as string;
      const next = (madeFor.get(list) ?? 0) + 1;
      madeFor.set(list, next);
      return next;
    }
    if (kind === 'short text') return `rec-${made}`;
    if (kind === 'cuid') return `clx${made.toString(36).padStart(22, 'a')}`;
    return `7f3c9a52-0000-4000-8000-${made.toString(16).padStart(12, '0')}`;
  };
}

export class OtherRecords {
  /** By path: `/cars/17`. */
  readonly #rows = new Map<string, { collection: string; row: Row }>();
  readonly #nextId: MakeId;
  readonly #now: () => Date;
  #stamps = 0;

  constructor(nextId: MakeId, now: () => Date) {
    this.#nextId = nextId;
    this.#now = now;
  }

  now(): string {
    return this.#now().toISOString();
  }

  /** Later than the one before. */
  stamp(): string {
    this.#stamps += 1;
    return new Date(this.#now().getTime() + this.#stamps).toISOString();
  }

  newSessionId(): Id {
    return this.#nextId('/sessions');
  }

  add(collection: string, given: Row): Row {
    const stamp = this.stamp();
    const row = {
      id: this.#nextId(collection),
      teamId: 'team-1',
      ...given,
      createdAt: stamp,
      updatedAt: given.updatedAt ?? stamp,
    };
    this.#rows.set(`${collection}/${row.id}`, { collection, row });
    return row;
  }

  change(collection: string, id: Id, changes: Row): Row {
    const found = this.#rows.get(`${collection}/${id}`);
    if (!found) throw new Error(`no ${collection}/${id}`);
    found.row = { ...found.row, ...changes, updatedAt: this.stamp() };
    return found.row;
  }

  delete(collection: string, id: Id): void {
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

  /** The lists of the same kind: those of `/cars/17/photos` and `/cars/18/photos`. */
  alike(collection: string): string[] {
    const all = new Set(Array.from(this.#rows.values(), (one) => one.collection));
    return [...all].filter(
      (one) => one.replace(parentIn, '*') === collection.replace(parentIn, '*'),
    );
  }

  snapshot(): ReadonlyMap<string, Row> {
    return new Map(Array.from(this.#rows, ([path, { row }]) => [path, row]));
  }

  /** The paths of the records that were added, changed or deleted. */
  changedSince(before: ReadonlyMap<string, Row>): string[] {
    const after = this.snapshot();
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => before.get(path) !== after.get(path))
      .sort();
  }
}

/** The id in `/cars/17/photos`. */
const parentIn = /(?<=^(\/[^/]+){1,2}\/)[^/]+(?=\/[^/]+$)/;
