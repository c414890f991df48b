/** Files with one record per line, sorted by id, so that changes can be merged in one pass. */
import { stat } from 'node:fs/promises';
import { CliError } from '../../errors/exit.ts';
import { isObject } from '../../input/plain-object.ts';
import { toJsonLine } from '../../output/json.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { encodeChunks, readLines } from './lines.ts';

export interface Entry {
  readonly id: string;
  /** The record as JSON with a line feed. */
  readonly line: string;
}

export const entryOf = (record: Row): Entry => ({
  id: String(record.id),
  line: toJsonLine(record),
});

/** The records of a file that cs wrote; empty without a file. Exit 7 if the file was changed. */
export async function* readSorted(path: string): AsyncGenerator<Entry, void> {
  if (!(await fileExists(path))) return;
  let number = 0;
  let last = '';
  for await (const line of readLines(path)) {
    number += 1;
    const id = idIn(line);
    if (id === undefined || id <= last) throw changed(path, number);
    last = id;
    yield { id, line: `${line}\n` };
  }
}

function idIn(line: string): string | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isObject(record) && typeof record.id === 'string' ? record.id : undefined;
  } catch {
    return undefined;
  }
}

const changed = (path: string, line: number): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `${path} was changed: line ${line} isn't a record, or isn't in order.`,
    hint: 'delete the file; the next run writes it again',
  });

export const fileExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Records that are sorted in memory before they go to a temporary file. */
const maxInMemory = 10_000;

/**
 * Sorts unique records by id. Those that don't fit in memory go to files with the prefix `scratch`; the caller deletes them.
 */
export async function sortedById(
  records: AsyncIterable<Row>,
  scratch: string,
  limit = maxInMemory,
): Promise<AsyncGenerator<Entry, void>> {
  const runs: string[] = [];
  let held: Entry[] = [];
  for await (const record of records) {
    held.push(entryOf(record));
    if (held.length < limit) continue;
    const path = `${scratch}${runs.length}`;
    await saveFile(path, encodeChunks(held.sort(byId).map(({ line }) => line)), {
      overwrite: true,
    });
    runs.push(path);
    held = [];
  }
  return merged([...runs.map(readSorted), fromMemory(held.sort(byId))]);
}

async function* fromMemory(entries: readonly Entry[]): AsyncGenerator<Entry, void> {
  yield* entries;
}

const byId = (a: Entry, b: Entry): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

async function* merged(
  sources: readonly AsyncGenerator<Entry, void>[],
): AsyncGenerator<Entry, void> {
  try {
    let heads = await Promise.all(
      sources.map(async (source) => ({ source, next: await source.next() })),
    );
    for (;;) {
      heads = heads.filter(({ next }) => !next.done);
      let [first] = heads;
      if (!first) return;
      for (const head of heads)
        if (byId(head.next.value as Entry, first.next.value as Entry) < 0) first = head;
      yield first.next.value as Entry;
      first.next = await first.source.next();
    }
  } finally {
    // Closes files that weren't read to the end.
    for (const source of sources) await source.return();
  }
}

export interface Difference {
  added: number;
  changed: number;
  removed: number;
  /** The number of records after the merge. */
  records: number;
}

/**
 * Merges the old lines with new records and counts the differences.
 * `whole`: the new records are complete, so missing ones are removed.
 */
export async function* mergeSorted(
  {
    before,
    now,
    whole,
  }: { before: AsyncGenerator<Entry, void>; now: AsyncGenerator<Entry, void>; whole: boolean },
  difference: Difference,
): AsyncGenerator<string, void> {
  try {
    let [old, fresh] = [await before.next(), await now.next()];
    while (!old.done || !fresh.done) {
      const order = old.done ? 1 : fresh.done ? -1 : byId(old.value, fresh.value);
      if (order < 0) {
        const { line } = old.value as Entry;
        old = await before.next();
        if (whole) difference.removed += 1;
        else {
          difference.records += 1;
          yield line;
        }
        continue;
      }
      const { line } = fresh.value as Entry;
      if (order > 0) difference.added += 1;
      else if (line !== (old.value as Entry).line) difference.changed += 1;
      difference.records += 1;
      yield line;
      fresh = await now.next();
      if (order === 0) old = await before.next();
    }
  } finally {
    await before.return();
    await now.return();
  }
}
