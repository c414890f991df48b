/** The view of a resource: its nouns, and its important columns. */
import { sanitize } from '../terminal/text.ts';

// biome-ignore lint/suspicious/noExplicitAny: a server may leave out or add any field; a view must survive that
export type Row = Record<string, any>;

/** The context of a cell besides its record. */
export interface CellContext {
  /** The label of an id (default: the id). */
  label(resource: string, id: unknown): string;
  /** A time in the person's time zone. */
  time(iso: unknown): string;
  /** How far a time is away, for one that is near: `2 hours ago`. */
  relativeTime(iso: unknown): string;
}

export interface Column {
  readonly header: string;
  readonly cell: (row: Row, context: CellContext) => unknown;
  readonly align?: 'right';
  /**
   * The time that the cell shows. A table says beside it how far it is away, where that takes no
   * other column's room.
   */
  readonly moment?: (row: Row) => unknown;
  /** Dropped in a narrow terminal; the last such column first. */
  readonly droppable?: true;
  /** A sentence: in a terminal it has lines of its own, below its row. */
  readonly below?: true;
  /** Never cut: half an id can't be copied. */
  readonly neverCut?: true;
  /** The cells to keep in a narrow terminal, since they identify the record: a plate. */
  readonly minCells?: number;
  /** Reference fields whose labels the cell shows. */
  readonly names?: Readonly<Record<string, string>>;
}

export interface View {
  /** `car`, `parking spot`. */
  readonly one: string;
  readonly many: string;
  readonly columns: readonly Column[];
  /** What a person calls the record, shown after a write. */
  readonly title: (row: Row, context: CellContext) => string;
  /**
   * Every readable field of the resource, in the contract's order (default: the fields of the
   * records).
   */
  readonly fields?: readonly string[];
  /**
   * The columns of a list depend on its records, so names in --columns are checked only with them.
   */
  readonly varies?: true;
  /** What to do when a list is empty. */
  readonly emptyHint?: string;
}

/** The most cells of a plate, from any country. */
export const plateCells = 16;

export const idColumn: Column = {
  header: 'id',
  cell: (row) => row.id,
  droppable: true,
  neverCut: true,
};
/** The same for records without another name. */
export const onlyIdColumn: Column = { ...idColumn, droppable: undefined };

/** A point in time: a field, or what a function finds. */
export function timeColumn(header: string, field: string | ((row: Row) => unknown)): Column {
  const moment = typeof field === 'string' ? (row: Row) => row[field] : field;
  return {
    header,
    moment,
    cell: (row, { time }) => time(moment(row)),
    droppable: true,
    neverCut: true,
  };
}

/**
 * The view of a result that isn't a record, such as that of a pick-up, with its fields in order.
 */
export const resultView = (one: string, fields: readonly string[], many = `${one}s`): View => ({
  one,
  many,
  fields,
  columns: [],
  title: () => '',
});

/** `places left` is also `places-left` and `Places Left`. */
export const dashed = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
/** As --columns takes it. */
export const columnName = ({ header }: Column): string => dashed(header);

/** A value as one line of text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  if (typeof value === 'object') return sanitize(JSON.stringify(value));
  // A line break in a cell would break the row.
  return sanitize(
    String(value)
      .replace(/\s*[\r\n]+\s*/g, ' ')
      .trim(),
  );
}
