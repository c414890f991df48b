/** Notices a server that knows less than the mirror: one that was restored from a backup, or another one at the same address. */
import type { Client, SyncName } from '../../../client/client.ts';
import { methodsOf } from '../../crud/methods.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import { resourceOf } from '../bulk/resources.ts';

/** When the records that changed last did so, by id. */
export type Newest = Readonly<Record<string, string>>;

/** As many as one request can name, and some more. */
const most = 50;

export class NewestRecords {
  readonly #before: Newest;
  readonly #came = new Map<string, string>();
  readonly #missing: Set<string>;

  constructor(before: Newest) {
    this.#before = before;
    this.#missing = new Set(Object.keys(before));
  }

  /** Takes in the changes of a run, the newest first. */
  add({ id, updatedAt }: Row): void {
    this.#missing.delete(String(id));
    if (this.#came.size < most && typeof updatedAt === 'string') this.#came.set(String(id), updatedAt);
  }

  after(): Newest {
    const all = Object.entries({ ...this.#before, ...Object.fromEntries(this.#came) });
    return Object.fromEntries(all.sort(([, a], [, b]) => Date.parse(b) - Date.parse(a)).slice(0, most));
  }

  /**
   * Why the server must be in an older state, or nothing. A run that begins at `since` brings every record that changed last, unless it
   * was deleted. A record with an earlier change than before, or one missing although it can't be deleted, is the proof.
   */
  async contradiction(client: Client, name: SyncName, since: string): Promise<string | undefined> {
    const missing = Object.entries(this.#before).filter(([id, at]) => this.#missing.has(id) && Date.parse(at) >= Date.parse(since));
    if (missing.length === 0) return undefined;
    const ids = missing.map(([id]) => id);
    const { data } = await methodsOf(client, name).list({ ids: ids.join(','), limit: 200 });
    const found = new Map<string, unknown>(data.map((row: Row) => [String(row.id), row.updatedAt]));
    // A server that ignores `ids` tells nothing.
    if ([...found.keys()].some((id) => !ids.includes(id))) return undefined;
    for (const [id, before] of missing) {
      const now = found.get(id);
      if (typeof now === 'string' && Date.parse(now) < Date.parse(before))
        return `${id} changed at ${before}, and the server knows no change of it after ${now}`;
      if (!found.has(id) && !resourceOf(name).operations.delete) return `${id} isn't there, and it can't be deleted`;
    }
    return undefined;
  }
}

export const isNewest = (value: unknown): value is Newest =>
  isObject(value) && Object.values(value).every((at) => typeof at === 'string' && !Number.isNaN(Date.parse(at)));
