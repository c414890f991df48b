import type { FormatOptions, OutputFormat, RecordFormat } from '../format.ts';

export const csv = {
  name: 'csv',
  about: 'one column per field, for spreadsheets; text that a spreadsheet would compute gets an apostrophe',
  columns: 'field',
  open: (options) => openSeparated('csv', options),
} as const satisfies OutputFormat;

export async function openSeparated(
  dialect: 'csv' | 'tsv',
  { columns: asked, view, failures, context, csvRaw, width }: FormatOptions,
): Promise<RecordFormat> {
  const [{ csvFormat }, { columnsNamed, fieldColumn, withFailures }] = await Promise.all([import('../csv.ts'), import('../columns.ts')]);
  const named = asked && columnsNamed(asked, view, 'field');
  const columns = failures ? withFailures(named ?? view.fields?.map(fieldColumn)) : named;
  return csvFormat({
    dialect,
    columns,
    fields: view.fields,
    fieldColumn,
    context,
    guard: dialect === 'csv' && !csvRaw,
    safe: width !== undefined,
  });
}
