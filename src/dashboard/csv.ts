/** Tables as files for a spreadsheet. */

export type CsvRow = readonly (string | number)[];

/** A cell that a spreadsheet would take for a formula stays text. */
const cell = (value: string | number) =>
  typeof value === 'number'
    ? String(value)
    : `"${value.replace(/^([=+\-@\t\r])/, "'$1").replaceAll('"', '""')}"`;

/** Rows with their heads. */
export function downloadCsv(filename: string, rows: readonly CsvRow[]): void {
  const url = URL.createObjectURL(
    new Blob([rows.map((row) => `${row.map(cell).join()}\r\n`).join('')], { type: 'text/csv' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
