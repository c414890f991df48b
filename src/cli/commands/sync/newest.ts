/** Detects a server in an older state than the mirror: restored from a backup, or replaced by another one. */
import type { Client, SyncName } from '../../../client/client.ts';
import { gather, methodsOf } from '../../crud/methods.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import { resourceOf } from '../bulk/resources.ts';

/** Time of change by id, for the records that changed last. */
export type Newest = Readonly<Record<string, string>>;

/** How many of the newest records tell whether the server was restored: as many as fit in one request. */
export const maxNewest = 50;

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
    if (this.#came.size < maxNewest && typeof updatedAt === 'string') this.#came.set(String(id), updatedAt);
  }

  after(): Newest {
    const all = Object.entries({ ...this.#before, ...Object.fromEntries(this.#came) });
    return Object.fromEntries(all.sort(([, a], [, b]) => Date.parse(b) - Date.parse(a)).slice(0, maxNewest));
  }

  /**
   * Why the server must be in an older state, or undefined. A run from `since` returns all these records, unless they were deleted.
   * Proof is a record with an earlier change than before, or a missing one that can't be deleted.
   */
  async findRollback(client: Client, name: SyncName, since: string): Promise<string | undefined> {
    const missing = Object.entries(this.#before).filter(([id, at]) => this.#missing.has(id) && Date.parse(at) >= Date.parse(since));
    if (missing.length === 0) return undefined;
    const ids = missing.map(([id]) => id);
    const rows = await gather(methodsOf(client, name).all({ ids }));
    const found = new Map<string, unknown>(rows.map((row: Row) => [String(row.id), row.updatedAt]));
    for (const [id, before] of missing) {
      const now = found.get(id);
      if (typeof now === 'string' && Date.parse(now) < Date.parse(before))
        return `${id} changed at ${before}, but its last change on the server is at ${now}`;
      if (!found.has(id) && !resourceOf(name).operations.delete) return `${id} is missing, although it can't be deleted`;
    }
    return undefined;
  }
}

export const isNewest = (value: unknown): value is Newest =>
  isObject(value) && Object.values(value).every((at) => typeof at === 'string' && !Number.isNaN(Date.parse(at)));
