/** Which format is which. Each is loaded when it is asked for. */

import type { Format, Setting } from '../config/setting-list.ts';
import type { Paint } from '../terminal/style.ts';
import type { RecordFormat } from './format.ts';
import { idFormat } from './id.ts';
import type { Jq } from './jq.ts';
import { jsonFormat, ndjsonFormat } from './json.ts';
import { isFailure, namesIn, picked } from './pick.ts';
import type { CellContext, Column, Row, View } from './view.ts';

export interface FormatOptions {
  readonly format: Format;
  readonly view: View;
  /** Fields that JSON is to have, checked already where they can be. */
  readonly fields: Setting<readonly string[]> | undefined;
  readonly columns: Setting<readonly string[]> | undefined;
  /** Some of the records may be failures instead. */
  readonly failures?: true;
  readonly jq: Jq | undefined;
  readonly paint: Paint;
  /** Cells of the terminal's line; `undefined` when stdout is none. */
  readonly width: number | undefined;
  readonly context: (rows: readonly Row[], columns: readonly Column[]) => Promise<CellContext>;
  readonly note: (text: string) => void;
}

export async function openFormat(options: FormatOptions): Promise<RecordFormat> {
  const { format, jq, fields, failures } = options;
  const safe = options.width !== undefined;
  switch (format) {
    case 'json':
      return only(fields, jq ? jq.document() : jsonFormat(), failures);
    case 'ndjson':
      return only(fields, jq ? jq.perRecord() : ndjsonFormat(), failures);
    case 'id':
      return idFormat();
    case 'yaml': {
      const { yamlFormat } = await import('./yaml.ts');
      return yamlFormat({ safe });
    }
    case 'csv':
    case 'tsv': {
      const [{ csvFormat }, { columnsNamed, fieldColumn, withFailures }] = await Promise.all([import('./csv.ts'), import('./columns.ts')]);
      const named = options.columns && columnsNamed(options.columns, options.view, 'field');
      const columns = failures ? withFailures(named ?? options.view.fields?.map(fieldColumn)) : named;
      return csvFormat({ dialect: format, columns, fields: options.view.fields, fieldColumn, context: options.context, safe });
    }
    case 'table':
      return tableFormat(options);
  }
}

/** With the fields that were picked and no others. */
function only(fields: Setting<readonly string[]> | undefined, format: RecordFormat, failures?: true): RecordFormat {
  if (!fields) return format;
  const pick = (row: Row) => (failures && isFailure(row) ? row : picked(row, fields.value));
  const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null;
  return {
    ...format,
    records: (rows) => format.records(rows.map(pick)),
    one: (value) =>
      format.one(Array.isArray(value) ? value.map((item) => (isRecord(item) ? pick(item) : item)) : isRecord(value) ? pick(value) : value),
  };
}

/** Gathers, since a column is as wide as its widest cell. */
async function tableFormat({ view, columns: named, paint, width, context, note }: FormatOptions): Promise<RecordFormat> {
  const [{ renderTable }, { columnsNamed, fieldColumn }] = await Promise.all([import('./table.ts'), import('./columns.ts')]);
  const asked = named && columnsNamed(named, view, 'column');
  const all: Row[] = [];
  const leftOut = (headers: readonly string[]) => note(`Too narrow for: ${headers.join(', ')}; -o csv has every column.`);
  return {
    records(rows) {
      for (const row of rows) all.push(row);
      return '';
    },
    async end() {
      if (all.length === 0) return '';
      const columns = asked ?? (view.columns.length > 0 ? view.columns : namesIn(all).map(fieldColumn));
      const cells = await context(all, columns);
      return renderTable({ columns, rows: all, context: cells, paint, width, asked: asked !== undefined, leftOut });
    },
    // What is not a list stands on a terminal in words of its own.
    one: () => '',
  };
}
