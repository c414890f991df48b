import type { OutputFormat } from '../format.ts';
import { openSeparated } from './csv.ts';

export const tsv = {
  name: 'tsv',
  about: 'the same with tabs, without the apostrophes',
  columns: 'field',
  open: (options) => openSeparated('tsv', options),
} as const satisfies OutputFormat;
