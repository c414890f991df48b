/** Every output format, in the order of `--help`. */
import type { OutputFormat } from './format.ts';
import { csv } from './formats/csv.ts';
import { id } from './formats/id.ts';
import { json } from './formats/json.ts';
import { ndjson } from './formats/ndjson.ts';
import { table } from './formats/table.ts';
import { tsv } from './formats/tsv.ts';
import { yaml } from './formats/yaml.ts';

const all = [table, json, ndjson, csv, tsv, yaml, id] as const;

export type Format = (typeof all)[number]['name'];
export const formats: readonly (OutputFormat & { readonly name: Format })[] = all;

export const formatOf = (name: Format): OutputFormat =>
  formats.find((format) => format.name === name) as OutputFormat;
export const formatNames: readonly Format[] = formats.map(({ name }) => name);
export const isForPeople = (name: Format): boolean => formatOf(name).forPeople ?? false;
export const isJsonFormat = (name: Format): boolean => formatOf(name).json ?? false;
/** Formats that show a record as cells, by column of the table or by field. */
export const hasColumns = (name: Format): boolean => formatOf(name).columns !== undefined;
export const hasFieldColumns = (name: Format): boolean => formatOf(name).columns === 'field';
/** Those that take --columns. */
export const columnFormats: readonly Format[] = formats
  .filter(({ columns }) => columns)
  .map(({ name }) => name);
