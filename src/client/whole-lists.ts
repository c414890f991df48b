/**
 * Lists for a caller that must not miss a record. Another server may search in its own way: capitals as they are typed, each field by
 * itself, days in place of moments. What it finds meets the filter, and what it leaves out shows nowhere. So such a filter isn't sent,
 * and a time is asked for a day wider, unless the server promises that its lists hold everything that meets the parameters.
 */
import type { Query, QueryValue } from './address.ts';
import { isEmpty } from './compare.ts';
import type { Condition } from './filters.ts';
import { isIdField, isSameId } from './ids.ts';

type Row = Record<string, unknown>;

/** A query that finds every record that meets the conditions, and others. */
export interface WiderQuery {
  readonly query: Query;
  /** Whether many calls share it, since it leaves out what they look for. */
  readonly isShared: boolean;
}

const dayMs = 86_400_000;

/** Undefined where the query itself can be trusted: it has nothing but ids. */
export function widerQuery(conditions: readonly Condition[], query: Query): WiderQuery | undefined {
  const doubtful = conditions.filter(isDoubtful);
  if (doubtful.length === 0) return undefined;
  const { page: _, limit: __, ...others } = query;
  const wider: Record<string, QueryValue> = others;
  let isShared = true;
  for (const { name, value, filter } of doubtful) {
    const time =
      filter?.by === 'from' || filter?.by === 'to' ? Date.parse(String(value)) : Number.NaN;
    if (Number.isNaN(time)) delete wider[name];
    else {
      wider[name] = new Date(filter?.by === 'from' ? time - dayMs : time + dayMs).toISOString();
      isShared = false;
    }
  }
  return { query: wider, isShared };
}

/** The specification has `ids` and `updatedAfter`, an id is one text everywhere, and a required filter can't be left out. */
const isDoubtful = ({ filter }: Condition): boolean =>
  filter !== undefined && !filter.required && !(filter.by === 'equals' && isIdField(filter.field));

/** Whether some record has a value in this field. True for an empty list. */
export const isShown = (field: string | undefined, rows: readonly Row[]): boolean =>
  field === undefined || rows.length === 0 || rows.some((row) => !isEmpty(row[field]));

/** Lists that were read whole, as they are after the writes of this client. */
export class Copies {
  readonly #lists = new Map<string, { readonly path: string; readonly rows: Promise<Row[]> }>();

  /** Reads the list the first time. */
  get(path: string, query: Query, read: () => Promise<Row[]>): Promise<Row[]> {
    const key = JSON.stringify([path, query]);
    const known = this.#lists.get(key);
    if (known) return known.rows;
    const rows = read();
    this.#lists.set(key, { path, rows });
    rows.catch(() => this.#lists.delete(key));
    return rows;
  }

  /** A record as it is now. It is added to each copy of its list: who asks for less filters again. */
  stored(path: string, record: Row): void {
    this.#change(path, (rows) => {
      const at = rows.findIndex(({ id }) => isSameId(id, record.id));
      if (at < 0) rows.push(record);
      else rows[at] = { ...rows[at], ...record };
    });
  }

  deleted(path: string, deletedId: string): void {
    this.#change(path, (rows) => {
      const at = rows.findIndex(({ id }) => isSameId(id, deletedId));
      if (at >= 0) rows.splice(at, 1);
    });
  }

  /** After a failed write, since it may have been carried out. */
  forget(): void {
    this.#lists.clear();
  }

  #change(path: string, change: (rows: Row[]) => void): void {
    for (const list of this.#lists.values()) {
      // A list that can't be read is told to those who asked for it.
      if (list.path === path) list.rows.then(change, () => {});
    }
  }
}
