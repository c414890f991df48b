/** Records on disk, one a line, in the order of their ids, so that what changed can be put among them while both are read once. */
import { stat } from 'node:fs/promises';
import { CliError } from '../../errors/exit.ts';
import { isObject } from '../../input/plain-object.ts';
import { toJsonLine } from '../../output/json.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { inPieces, readLines } from './lines.ts';

export interface Entry {
  readonly id: string;
  /** The record as JSON, with its line feed. */
  readonly line: string;
}

export const entryOf = (record: Row): Entry => ({ id: String(record.id), line: toJsonLine(record) });

/** The records of a file that this program wrote; none where there is no file. Exit 7 when it has been changed since. */
export async function* readSorted(path: string): AsyncGenerator<Entry, void> {
  if (!(await isThere(path))) return;
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
    code: 'file_changed',
    message: `${path} is not as it was written: line ${line} is no record, or not in its place.`,
    hint: 'remove the file, and it is written anew',
  });

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** How many records are put in order in memory before they go to a file of their own. */
const mostInMemory = 10_000;

/**
 * Records in any order, each once, in the order of their ids. What does not fit in memory goes to files that begin with `scratch`;
 * whoever calls removes them.
 */
export async function sortedById(records: AsyncIterable<Row>, scratch: string, most = mostInMemory): Promise<AsyncGenerator<Entry, void>> {
  const runs: string[] = [];
  let held: Entry[] = [];
  for await (const record of records) {
    held.push(entryOf(record));
    if (held.length < most) continue;
    const path = `${scratch}${runs.length}`;
    await saveFile(path, inPieces(held.sort(byId).map(({ line }) => line)), { overwrite: true });
    runs.push(path);
    held = [];
  }
  return merged([...runs.map(readSorted), fromMemory(held.sort(byId))]);
}

async function* fromMemory(entries: readonly Entry[]): AsyncGenerator<Entry, void> {
  yield* entries;
}

const byId = (a: Entry, b: Entry): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

async function* merged(sources: readonly AsyncGenerator<Entry, void>[]): AsyncGenerator<Entry, void> {
  try {
    let heads = await Promise.all(sources.map(async (source) => ({ source, next: await source.next() })));
    for (;;) {
      heads = heads.filter(({ next }) => !next.done);
      let [first] = heads;
      if (!first) return;
      for (const head of heads) if (byId(head.next.value as Entry, first.next.value as Entry) < 0) first = head;
      yield first.next.value as Entry;
      first.next = await first.source.next();
    }
  } finally {
    // A file that is not read to its end is closed.
    for (const source of sources) await source.return();
  }
}

export interface Difference {
  added: number;
  changed: number;
  removed: number;
  /** How many there are in the end. */
  records: number;
}

/**
 * The lines of what was there and what came, and on the way counts what became of it.
 * `whole`: what came is all there is, so what is not among it goes.
 */
export async function* combined(
  { before, now, whole }: { before: AsyncGenerator<Entry, void>; now: AsyncGenerator<Entry, void>; whole: boolean },
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
