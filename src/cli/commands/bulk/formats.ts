/** The formats of files with records, by the endings of their names. */

export const fileFormats = ['ndjson', 'json', 'csv', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

const byEnding: Readonly<Record<string, FileFormat | 'sqlite'>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  csv: 'csv',
  tsv: 'csv',
  xlsx: 'xlsx',
  db: 'sqlite',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
};

/** Of the name of a file; undefined for another ending, or none. */
export const formatOfName = (name: string): FileFormat | 'sqlite' | undefined =>
  byEnding[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
