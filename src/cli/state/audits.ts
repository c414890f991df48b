/** What a stock-taking found, spot by spot, so that a break loses nothing. */
import type { Io } from '../terminal/io.ts';
import { readState, writeState } from './state.ts';

export interface Noted {
  /** The id of the car; null for an empty spot, and for a car that isn't stored here. */
  readonly found: string | null;
  /** What was typed for a car that isn't stored here. */
  readonly plate?: string | undefined;
  /** The car that was recorded on the spot, and where the found one was recorded: another counter may change both later. */
  readonly expected: string | null;
  readonly from: string | null;
}

/** `at`: when it was noted, in ISO 8601. */
type Stored = Noted & { readonly at: string };

/** `scope`: the zone or location that is checked. */
export interface AuditKey {
  readonly facility: string;
  readonly scope: string;
}

/** By the id of the spot. */
export const readNotes = (io: Io, { facility, scope }: AuditKey): Map<string, Stored> =>
  new Map(
    readState(io, (db) =>
      db
        .prepare('select "spot", "noted" from "audits" where "facility" = ? and "scope" = ?')
        .all(facility, scope),
    )?.map(({ spot, noted }) => [String(spot), JSON.parse(String(noted))]),
  );

export const noteSpot = (io: Io, { facility, scope }: AuditKey, spot: string, noted: Noted): void =>
  void writeState(io, (db) =>
    db
      .prepare('insert or replace into "audits" values (?, ?, ?, ?)')
      .run(
        facility,
        scope,
        spot,
        JSON.stringify({ ...noted, at: io.now().toISOString() } satisfies Stored),
      ),
  );

/** Of one spot, or of all. */
export const forgetNotes = (io: Io, { facility, scope }: AuditKey, spot: string | null): void =>
  void writeState(io, (db) =>
    db
      .prepare(
        'delete from "audits" where "facility" = ? and "scope" = ? and "spot" = ifnull(?, "spot")',
      )
      .run(facility, scope, spot),
  );
