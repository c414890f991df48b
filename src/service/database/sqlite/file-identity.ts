import { statSync } from 'node:fs';
import { DatabaseReplaced } from '../failures.ts';

/** How long reads rely on the last look at the files, in milliseconds. */
const trustMs = 1_000;

export interface FileIdentity {
  /** Throws `DatabaseReplaced`. Before a write is acknowledged: it takes a few microseconds. */
  require(): void;
  /** The same, at most once a second. */
  requireRecently(): void;
}

/**
 * Whether an open database and its log are still the files of their names. Without a name, they vanish with the process, together with
 * every write that they took. SQLite keeps the log for as long as the database is open.
 */
export function identityOf(file: string): FileIdentity {
  const opened = [file, `${file}-wal`].map((path) => ({ path, id: idOf(path) }));
  let lookedAt = Date.now();
  const require = () => {
    const changed = opened.find(({ path, id }) => idOf(path) !== id);
    if (changed) throw new DatabaseReplaced(changed.path);
    lookedAt = Date.now();
  };
  return {
    require,
    requireRecently() {
      if (Date.now() - lookedAt >= trustMs) require();
    },
  };
}

function idOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
