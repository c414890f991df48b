/** What an output format is; `formats.ts` lists them. */
import { isObject as isPlainObject } from '../input/plain-object.ts';
import type { Styles } from '../terminal/style.ts';
import type { CellContext, Column, Row, View } from './view.ts';

export interface OutputFormat {
  /** The value of -o. */
  readonly name: string;
  /** The description in `cs help formatting`. */
  readonly about: string;
  /** Commands print text for a person in it, such as a sentence or a map, instead of a record. */
  readonly forPeople?: true;
  /** Takes --json and --jq. */
  readonly json?: true;
  /** Takes --columns. A name that is both a column of the table and a field means this one. */
  readonly columns?: 'column' | 'field';
  open(options: FormatOptions): RecordFormat | Promise<RecordFormat>;
}

/** The program of --jq. */
export interface Jq {
  /**
   * The program over one document: the record, or the array of every record that the command reads.
   */
  document(): RecordFormat;
  /** The program once for each record, as they come. */
  perRecord(): RecordFormat;
  close(): Promise<void>;
}

/** Names given to --json or --columns. */
export interface Names {
  readonly value: readonly string[];
  /** The flag or variable, for messages. */
  readonly origin: string;
}

export interface FormatOptions {
  readonly view: View;
  /** The fields picked with --json. */
  readonly fields: Names | undefined;
  readonly columns: Names | undefined;
  /** Some of the records may be failures. */
  readonly failures?: true;
  readonly jq: Jq | undefined;
  /** Formulas in csv stay as they are. */
  readonly csvRaw: boolean;
  readonly styles: Styles;
  /** Columns of the terminal; `undefined` without one. */
  readonly width: number | undefined;
  /** Control characters would reach a terminal. */
  readonly toTerminal: boolean;
  readonly context: (rows: readonly Row[], columns: readonly Column[]) => Promise<CellContext>;
  readonly note: (text: string) => void;
}

/**
 * Prints one result: a list, with any number of `records` calls and then `end`, or `one`. Each
 * returns the text to print.
 */
export interface RecordFormat {
  /**
   * Records of a list in order, at least one, as they arrive, so that a long list isn't kept in
   * memory.
   */
  records(rows: readonly Row[]): string | Promise<string>;
  /** The end of a list, also of an empty one. */
  end(): string | Promise<string>;
  /** A single record, or any other result. */
  one(value: unknown): string | Promise<string>;
}

/** A value as records: the items of an array, or the value itself. */
export const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : [value];

/** Treats a plain object as a record. */
export const isObject = (value: unknown): value is Row => isPlainObject(value);
