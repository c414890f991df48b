/**
 * What commands are about to do: their requests, and how far each came. Written before the first
 * request is sent, so that the same work is finished and not repeated. Work belongs to a facility:
 * the team of a key, whatever the address and the key are called.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { normalizeName } from '../input/matching.ts';
import type { Io } from '../terminal/io.ts';
import { readState, writeState } from './state.ts';

export type CommandName = 'dropoff' | 'pickup' | 'move' | 'undo' | 'photos' | 'mcp';

/** `waiting`: certainly not stored. `sent`: nothing tells. */
export type StepState = 'waiting' | 'sent' | 'done';

export interface Step {
  readonly name: string;
  readonly state: StepState;
  /** Since when it has had no answer, in milliseconds since 1970, by this machine. */
  readonly sentAt: number | null;
  /** What was sent of a photo. */
  readonly content: unknown;
  /** Once it is `done`. */
  readonly answer: unknown;
}

/** Why it went no further. */
export interface Trouble {
  /** Refused work waits for a person; the rest is tried again by the next command. */
  readonly kind: 'refused' | 'failed' | 'unreachable' | 'signed_out' | 'stopped';
  /** A sentence: the server's own where it refused. */
  readonly message: string;
}

export interface Work {
  /** Eight hexadecimal digits, for people. */
  readonly id: string;
  readonly command: CommandName;
  /** In a sentence: `drop-off of HH-RS 73`. */
  readonly what: string;
  /** The id of the team; a hash of server and key where the server doesn't tell one. */
  readonly facility: string;
  /** The same command line has the same. Null where that means other work by now. */
  readonly line: string | null;
  readonly server: string;
  /** The key that sends it: its prefix, or where it comes from. */
  readonly key: string;
  readonly startedAt: number;
  /** When it happened, ISO 8601: queued work is sent in this order. */
  readonly happenedAt: string;
  /** The id of its car, or the name that was typed. Null for a car that isn't stored yet. */
  readonly car: string | null;
  /** The Idempotency-Key of a step is this and the step's name. */
  readonly keyBase: string;
  /** The answers as flags, of work that was queued without the server. */
  readonly flags: Readonly<Record<string, unknown>> | null;
  /** Null while queued work isn't looked up. */
  readonly requests: unknown;
  /** What is printed once it is done. */
  readonly shown: unknown;
  readonly trouble: Trouble | null;
  readonly doneAt: number | null;
}

export type NewWork = Omit<Work, 'id' | 'keyBase' | 'startedAt' | 'trouble' | 'doneAt'>;

const columns = [
  'id',
  'command',
  'what',
  'facility',
  'line',
  'server',
  'key',
  'startedAt',
  'happenedAt',
  'car',
  'keyBase',
  'flags',
  'requests',
  'shown',
  'trouble',
  'doneAt',
] as const satisfies readonly (keyof Work)[];
const asJson: ReadonlySet<string> = new Set(['flags', 'requests', 'shown', 'trouble']);
type Value = string | number | null;

const stored = (name: string, value: unknown): Value =>
  value === undefined || value === null
    ? null
    : asJson.has(name)
      ? JSON.stringify(value)
      : (value as Value);

/**
 * Of another process, or of this one earlier: the same line, which is open. Undefined where the new
 * work was written.
 */
export function beginWork(io: Io, given: NewWork): { work: Work } | { open: Work } {
  const keyBase = randomUUID();
  const work: Work = {
    ...given,
    id: keyBase.slice(0, 8),
    keyBase,
    startedAt: io.now().getTime(),
    trouble: null,
    doneAt: null,
  };
  return writeState(io, (db) => {
    const open = select(db, 'where "facility" = ? and "line" = ? and "doneAt" is null', [
      work.facility,
      work.line,
    ])[0];
    if (open) return { open };
    db.prepare(
      `insert into "work" (${columns.map((name) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    ).run(...columns.map((name) => stored(name, work[name])));
    return { work };
  });
}

/** `newKeys`: other requests than before need other idempotency keys. */
export function changeWork(
  io: Io,
  id: string,
  changes: Partial<Pick<Work, 'key' | 'line' | 'requests' | 'shown' | 'trouble' | 'what' | 'car'>>,
  { newKeys = false } = {},
): void {
  const values = { ...changes, ...(newKeys && { keyBase: randomUUID() }) };
  const names = Object.keys(values);
  writeState(io, (db) =>
    db
      .prepare(
        `update "work" set ${names.map((name) => `"${name}" = ?`).join(', ')} where "id" = ?`,
      )
      .run(...Object.entries(values).map(([name, value]) => stored(name, value)), id),
  );
}

/** Notes how far a step came. */
export function noteStep(
  io: Io,
  work: string,
  { name, state, content, answer }: Pick<Step, 'name' | 'state'> & Partial<Step>,
): void {
  const sentAt = state === 'sent' ? io.now().getTime() : null;
  writeState(io, (db) =>
    db
      .prepare(
        `insert into "step" ("work", "name", "state", "sentAt", "content", "answer") values (?, ?, ?, ?, ?, ?)
         on conflict do update set "state" = excluded."state", "answer" = excluded."answer",
           "sentAt" = case "state" when 'sent' then "sentAt" else excluded."sentAt" end, "content" = coalesce(excluded."content", "content")`,
      )
      .run(work, name, state, sentAt, jsonOrNull(content), jsonOrNull(answer)),
  );
}

const jsonOrNull = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

export const readSteps = (io: Io, work: string): Step[] =>
  (
    readState(io, (db) =>
      db
        .prepare(
          'select "name", "state", "sentAt", "content", "answer" from "step" where "work" = ?',
        )
        .all(work),
    ) ?? []
  ).map((row) => ({
    name: String(row.name),
    state: row.state as StepState,
    sentAt: row.sentAt as number | null,
    content: row.content === null ? undefined : JSON.parse(String(row.content)),
    answer: row.answer === null ? undefined : JSON.parse(String(row.answer)),
  }));

/** Work that isn't done, of one facility or of all, in the order in which it happened. */
export const openWork = (io: Io, facility?: string): Work[] =>
  readState(io, (db) =>
    facility === undefined
      ? select(db, 'where "doneAt" is null')
      : select(db, 'where "doneAt" is null and "facility" = ?', [facility]),
  ) ?? [];

/** Whether two works are about one car. Names that were typed are compared as they are read. */
export const isSameCar = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && normalizeName(one) === normalizeName(other);

/** Work on the car that isn't done. */
export const openWorkOn = (
  io: Io,
  facility: string,
  { id, licensePlate, nickname, vin }: NamedCar,
): Work | undefined =>
  openWork(io, facility).find(
    ({ command, car }) =>
      command !== 'photos' &&
      [id, licensePlate, nickname, vin].some((name = null) => isSameCar(car, name)),
  );

/** A car by all that people call it. */
type NamedCar = { readonly id: string } & {
  readonly [name in 'licensePlate' | 'nickname' | 'vin']?: string | null | undefined;
};

/** Undefined where it isn't open any more. */
export const findWork = (io: Io, id: string): Work | undefined =>
  readState(io, (db) => select(db, 'where "doneAt" is null and "id" = ?', [id.toLowerCase()]))?.[0];

/** The last work of this machine that was done, for the command that takes it back. */
export const lastDone = (io: Io, facility: string): Work | undefined =>
  readState(io, (db) =>
    select(db, 'where "doneAt" is not null and "facility" = ?', [facility]),
  )?.at(-1);

/**
 * Its result is printed. It stays until the next work of the facility is done; photos alone and
 * what an assistant stored leave what can be taken back.
 */
export function endWork(
  io: Io,
  { id, facility, command }: Pick<Work, 'id' | 'facility' | 'command'>,
): void {
  if (command === 'photos' || command === 'mcp') {
    removeWork(io, id);
    return;
  }
  writeState(io, (db) => {
    db.prepare('delete from "work" where "facility" = ? and "doneAt" is not null').run(facility);
    db.prepare('update "work" set "doneAt" = ? where "id" = ?').run(io.now().getTime(), id);
  });
}

export const removeWork = (io: Io, id: string): void =>
  void writeState(io, (db) => db.prepare('delete from "work" where "id" = ?').run(id));

/**
 * Work that was begun before the team of a key was known belongs to the team. Another row may have
 * the same line.
 */
export function moveWorkToTeam(io: Io, from: string, to: string): void {
  if (openWork(io, from).length === 0) return;
  writeState(io, (db) => {
    db.prepare(
      `update "work" set "line" = null where "facility" = ? and "line" in
         (select "line" from "work" where "facility" = ? and "doneAt" is null)`,
    ).run(from, to);
    db.prepare('update "work" set "facility" = ? where "facility" = ?').run(to, from);
  });
}

function select(db: DatabaseSync, where: string, values: readonly Value[] = []): Work[] {
  return db
    .prepare(`select * from "work" ${where} order by "happenedAt", "startedAt", rowid`)
    .all(...values)
    .map(
      (row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            asJson.has(name) && typeof value === 'string' ? JSON.parse(value) : value,
          ]),
        ) as unknown as Work,
    );
}
