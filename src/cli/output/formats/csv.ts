import type { FormatOptions, OutputFormat, RecordFormat } from '../format.ts';

export const csv = {
  name: 'csv',
  about:
    'one column per field, for spreadsheets; text that a spreadsheet would run gets an apostrophe',
  columns: 'field',
  open: (options) => openSeparated('csv', options),
} as const satisfies OutputFormat;

export async function openSeparated(
  dialect: 'csv' | 'tsv',
  { columns: asked, view, failures, context, csvRaw, toTerminal }: FormatOptions,
): Promise<RecordFormat> {
  const [{ csvFormat }, { columnsNamed, fieldColumn, withFailures, withNamedFailures }] =
    await Promise.all([import('../csv.ts'), import('../columns.ts')]);
  const named = asked && columnsNamed(asked, view, 'field');
  const all = failures && view.fields && withFailures(view.fields.map(fieldColumn));
  const columns = named ? (failures ? withNamedFailures(named) : named) : all;
  return csvFormat({
    dialect,
    columns,
    fields: view.fields,
    fieldColumn,
    context,
    guard: dialect === 'csv' && !csvRaw,
    safe: toTerminal,
  });
}
