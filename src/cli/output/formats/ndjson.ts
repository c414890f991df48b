import type { OutputFormat } from '../format.ts';
import { ndjsonFormat } from '../json.ts';
import { selectFields } from '../pick.ts';

export const ndjson = {
  name: 'ndjson',
  about: 'one record per line, written as they arrive, for any number of records',
  json: true,
  open: ({ fields, jq, failures }) =>
    selectFields(fields, jq ? jq.perRecord() : ndjsonFormat(), failures),
} as const satisfies OutputFormat;
