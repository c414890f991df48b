/** Which changes have been seen already, of those that come again because the next run begins a little before the last one. */
import { createHash } from 'node:crypto';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';

/** By id, what tells one version of a record from another. */
export type Versions = Readonly<Record<string, string>>;

export class Recent {
  readonly #before: ReadonlyMap<string, string>;
  readonly #seen = new Map<string, { at: number; version: string }>();
  readonly #most: number;

  /** `most`: how many are remembered, the first ones that come, which are the newest. What is forgotten is taken for new. */
  constructor(before: Versions = {}, most = Number.POSITIVE_INFINITY) {
    this.#before = new Map(Object.entries(before));
    this.#most = most;
  }

  /** Whether this version of the record has not been seen by the runs before; from now on it has. */
  isNew(record: Row): boolean {
    const version = versionOf(record);
    if (this.#seen.size < this.#most) this.#seen.set(String(record.id), { at: Date.parse(record.updatedAt), version });
    return this.#before.get(String(record.id)) !== version;
  }

  /** Those that will come again in a run from `next` on. */
  after(next: string | undefined): Versions {
    const from = next === undefined ? Number.NEGATIVE_INFINITY : Date.parse(next);
    // A server that tells no times is one whose records are all compared.
    return Object.fromEntries([...this.#seen].filter(([, { at }]) => !(at < from)).map(([id, { version }]) => [id, version]));
  }
}

/** Of what it holds and not of its stamp alone: a server may stamp two changes with the same second. */
const versionOf = (record: Row): string => createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16);

export const isVersions = (value: unknown): value is Versions =>
  isObject(value) && Object.values(value).every((version) => typeof version === 'string');
