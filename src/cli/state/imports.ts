/** What imports of this machine did with each row. */
import type { Io } from '../terminal/io.ts';
import { openState, writeTo } from './state.ts';

/** `sent`: nothing tells whether it is stored. */
export const rowStates = ['sent', 'created', 'updated', 'skipped', 'failed'] as const;

export interface ImportedRow {
  /** Its number in the file. */
  readonly row: number;
  /** Its Idempotency-Key, which begins with `contentOf`. */
  readonly key: string;
  readonly did: (typeof rowStates)[number];
  readonly id?: string | undefined;
  readonly error?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
}

export interface ImportedRows {
  /** The last that was noted of a row with this content. */
  get(content: string): ImportedRow | undefined;
  /** All or none. `flush`: on the disk when it returns; otherwise with the next flush, or `close`. */
  write(rows: readonly ImportedRow[], flush: boolean): void;
  close(): void;
}

/**
 * The part of a key that is the same in each import of the row: `cs-import-` and 32 hexadecimal
 * digits.
 */
export const contentOf = (key: string): string => key.slice(0, 42);

const keptMs = 30 * 24 * 3_600_000;

export function openImports(io: Io): ImportedRows {
  const db = openState(io);
  writeTo(io, db, () =>
    db
      .prepare('delete from "imported" where "at" < ?')
      .run(new Date(io.now().getTime() - keptMs).toISOString()),
  );
  let flushes: boolean | undefined;
  const find = db.prepare('select * from "imported" where "content" = ?');
  const insert = db.prepare('insert or replace into "imported" values (?, ?, ?, ?, ?, ?, ?)');
  return {
    get(content) {
      const found = find.get(content);
      return (
        found && {
          ...(found as unknown as ImportedRow),
          id: (found.id as string | null) ?? undefined,
        }
      );
    },
    write(rows, flush) {
      if (flush !== flushes) db.exec(`pragma synchronous = ${flush ? 'full' : 'normal'}`);
      flushes = flush;
      writeTo(io, db, () => {
        for (const { row, key, did, id = null, error = null, at } of rows)
          insert.run(contentOf(key), row, key, did, id, error, at);
      });
    },
    close: () => db.close(),
  };
}
