/** How the pages of figures write their numbers. */
import { cpus, totalmem } from 'node:os';

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const mega = (bytes: number): string => `${whole(bytes / 1024 / 1024)} MB`;

export function machine(): string {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model.trim()}, ${whole(totalmem() / 1024 ** 3)} GB of memory, Node ${process.versions.node}`;
}

/** In Markdown, with columns that line up on a terminal; the first row is the head. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const written = rows.map(
    (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  );
  return [
    written[0],
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...written.slice(1),
  ].join('\n');
}
