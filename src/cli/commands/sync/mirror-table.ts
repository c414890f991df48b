/** The table of a resource in the database of a mirror. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Resource } from '../../../contract/resource.ts';
import type { Kind } from '../../../contract/schemas.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import { kebab } from '../../terminal/text.ts';
import { maxNewest, type Newest } from './newest.ts';
import { recordSplitter, type TypedField, typedFields } from './typed-record.ts';

/** `parkingSpots` as `parking_spots`: SQL ignores case, so the names of JSON would lose theirs. */
export const sqlName = (name: string): string => kebab(name).replaceAll('-', '_');

export class MirrorTable {
  readonly name: string;
  readonly #db: DatabaseSync;
  readonly #fields: readonly TypedField[];
  readonly #split: ReturnType<typeof recordSplitter>;
  #insert: StatementSync | undefined;
  #replace: StatementSync | undefined;

  constructor(db: DatabaseSync, resource: Resource) {
    this.#db = db;
    this.name = sqlName(resource.name);
    this.#fields = typedFields(resource);
    this.#split = recordSplitter(this.#fields);
  }

  /** `undefined` without the table. */
  isCurrent(): boolean | undefined {
    const columns = this.#db.prepare('select name, type from pragma_table_info(?)').all(this.name);
    if (columns.length === 0) return undefined;
    const has = new Set(columns.map(({ name, type }) => `${name} ${String(type).toLowerCase()}`));
    return (
      this.#columns().every((column) => has.has(column)) && has.size === this.#columns().length
    );
  }

  /** Replaces a table with other columns. */
  create(): void {
    const [id, ...others] = this.#columns();
    this.#db.exec(`drop table if exists "${this.name}"`);
    this.#db.exec(
      `create table "${this.name}" (${[`${id} primary key not null`, ...others].join(', ')}) strict`,
    );
    // For the newest records, and for queries of what changed since a time.
    this.#db.exec(`create index "${this.name}_updated_at" on "${this.name}" (updated_at)`);
  }

  #columns(): string[] {
    return [
      ...this.#fields.map(
        ({ name, kind }) =>
          `${sqlName(name)} ${kind === 'integer' || kind === 'boolean' ? 'integer' : 'text'}`,
      ),
      'extra text',
    ];
  }

  count(): number {
    return Number(this.#db.prepare(`select count(*) as count from "${this.name}"`).get()?.count);
  }

  newest(): Newest {
    const rows = this.#db.prepare(
      `select id, updated_at from "${this.name}" where updated_at is not null order by updated_at desc limit ?`,
    );
    return Object.fromEntries(
      rows.all(maxNewest).map(({ id, updated_at }) => [String(id), String(updated_at)]),
    );
  }

  /** By the names of their fields. Without nested values and `extra`; booleans are 0 and 1. */
  *records(): Generator<Row, void> {
    const fields = this.#fields
      .filter(({ kind }) => kind !== 'json')
      .map(({ name }) => `"${sqlName(name)}" as "${name}"`);
    yield* this.#db.prepare(`select ${fields.join(', ')} from "${this.name}"`).iterate();
  }

  /** With all their values, also from a table that an earlier version made: what it had no column for is in `extra`. */
  *whole(): Generator<Row, void> {
    for (const { extra, ...cells } of this.#db.prepare(`select * from "${this.name}"`).iterate()) {
      const values = this.#fields.map(({ name, kind }) => [
        name,
        valueIn(kind, cells[sqlName(name)]),
      ]);
      yield { ...Object.fromEntries(values), ...extraOf(extra) };
    }
  }

  /** Stores a record, and returns what that changed. */
  save(record: Row): 'added' | 'changed' | 'unchanged' {
    const { values, extra } = this.#split(record);
    const cells = values.map(cellOf);
    cells.push(extra && JSON.stringify(extra));
    this.#insert ??= this.#db.prepare(this.#insertInto('do nothing'));
    if (this.#insert.run(...cells).changes === 1) return 'added';
    this.#replace ??= this.#db.prepare(this.#insertInto(this.#replaceOthers()));
    return this.#replace.run(...cells).changes === 1 ? 'changed' : 'unchanged';
  }

  /** Removes the records whose ids aren't in cs_seen, and empties that. Returns how many. */
  removeUnseen(resource: string): number {
    const unseen = this.#db.prepare(
      `delete from "${this.name}" where id not in (select id from cs_seen where resource = ?)`,
    );
    const { changes } = unseen.run(resource);
    this.forgetSeen(resource);
    return Number(changes);
  }

  forgetSeen(resource: string): void {
    this.#db.prepare('delete from cs_seen where resource = ?').run(resource);
  }

  #insertInto(onConflict: string): string {
    const names = this.#names();
    return `insert into "${this.name}" (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) on conflict (id) ${onConflict}`;
  }

  #replaceOthers(): string {
    const others = this.#names().slice(1);
    const [now, before] = [
      others.map((name) => `excluded.${name}`),
      others.map((name) => `"${this.name}".${name}`),
    ];
    return `do update set (${others.join(', ')}) = (${now.join(', ')}) where (${before.join(', ')}) is not (${now.join(', ')})`;
  }

  #names(): string[] {
    return [...this.#fields.map(({ name }) => `"${sqlName(name)}"`), 'extra'];
  }
}

function cellOf(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value)
    : (value as SQLInputValue);
}

/** What `cellOf` stored; a cell that another program wrote stays as it is. */
function valueIn(kind: Kind, cell: unknown): unknown {
  if (kind === 'boolean' && (cell === 0 || cell === 1)) return cell === 1;
  return kind === 'json' && typeof cell === 'string' ? parsed(cell) : cell;
}

function extraOf(cell: unknown): object {
  const extra = typeof cell === 'string' ? parsed(cell) : cell;
  return isObject(extra) ? extra : { extra };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
