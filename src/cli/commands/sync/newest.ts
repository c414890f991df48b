/** Detects a server in an older state than the mirror: restored from a backup, or replaced by another one. */
import type { Client, SyncName } from '../../../client/client.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import { gather, methodsOf } from '../../resources/methods.ts';

/** Time of change by id, for the records that changed last. */
export type Newest = Readonly<Record<string, string>>;

/** How many of the newest records tell whether the server was restored: as many as fit in one request. */
export const maxNewest = 50;

/** What the server says of these records, where a run didn't return all of them. */
export interface Comparison {
  /** Why the server must be in an older state. */
  readonly older?: string;
  /** Whether the server lacks one. A server may delete what the specification lets nobody delete, so this proves no older state. */
  readonly lacksSome: boolean;
}

export class NewestRecords {
  readonly #before: Newest;
  readonly #came = new Map<string, string>();
  readonly #missing: Set<string>;

  constructor(before: Newest) {
    this.#before = before;
    this.#missing = new Set(Object.keys(before));
  }

  /** Adds a change of this run; the newest come first. */
  add({ id, updatedAt }: Row): void {
    this.#missing.delete(String(id));
    if (this.#came.size < maxNewest && typeof updatedAt === 'string')
      this.#came.set(String(id), updatedAt);
  }

  after(): Newest {
    const all = Object.entries({ ...this.#before, ...Object.fromEntries(this.#came) });
    return Object.fromEntries(
      all.sort(([, a], [, b]) => Date.parse(b) - Date.parse(a)).slice(0, maxNewest),
    );
  }

  /** A run from `since` returns all these records, unless they were deleted. Proof of an older state is an earlier change than before. */
  async compare(client: Client, name: SyncName, since: string): Promise<Comparison> {
    const missing = Object.entries(this.#before).filter(
      ([id, at]) => this.#missing.has(id) && Date.parse(at) >= Date.parse(since),
    );
    if (missing.length === 0) return { lacksSome: false };
    const ids = missing.map(([id]) => id);
    const rows = await gather(methodsOf(client, name).all({ ids }));
    const found = new Map<string, unknown>(rows.map((row: Row) => [String(row.id), row.updatedAt]));
    for (const [id, before] of missing) {
      const now = found.get(id);
      if (typeof now === 'string' && Date.parse(now) < Date.parse(before))
        return {
          older: `${id} changed at ${before}, but its last change on the server is at ${now}`,
          lacksSome: false,
        };
    }
    return { lacksSome: ids.some((id) => !found.has(id)) };
  }
}

export const isNewest = (value: unknown): value is Newest =>
  isObject(value) &&
  Object.values(value).every((at) => typeof at === 'string' && !Number.isNaN(Date.parse(at)));
