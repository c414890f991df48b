/** Recognises changes that a run has already seen: each run starts a little before the end of the last one. */
import { createHash } from 'node:crypto';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';

/** A fingerprint of the record's version by id. */
export type Versions = Readonly<Record<string, string>>;

export class SeenVersions {
  readonly #before: ReadonlyMap<string, string>;
  readonly #seen = new Map<string, { at: number; version: string }>();
  readonly #limit: number;

  /** `limit`: how many to remember. Records come newest first; forgotten ones count as new. */
  constructor(before: Versions = {}, limit = Number.POSITIVE_INFINITY) {
    this.#before = new Map(Object.entries(before));
    this.#limit = limit;
  }

  /** Whether earlier runs haven't seen this version. Remembers it. */
  isNew(record: Row): boolean {
    const version = versionOf(record);
    if (this.#seen.size < this.#limit)
      this.#seen.set(String(record.id), { at: Date.parse(record.updatedAt), version });
    return this.#before.get(String(record.id)) !== version;
  }

  /** The versions that a run starting at `next` will see again. */
  after(next: string | undefined): Versions {
    const from = next === undefined ? Number.NEGATIVE_INFINITY : Date.parse(next);
    // Without times, all records are compared.
    return Object.fromEntries(
      [...this.#seen]
        .filter(([, { at }]) => !(at < from))
        .map(([id, { version }]) => [id, version]),
    );
  }
}

/** A hash of the content, since two changes can have the same time stamp. */
export const versionOf = (record: Row | readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16);

export const isVersionMap = (value: unknown): value is Versions =>
  isObject(value) && Object.values(value).every((version) => typeof version === 'string');
