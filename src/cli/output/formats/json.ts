import type { OutputFormat } from '../format.ts';
import { jsonFormat } from '../json.ts';
import { selectFields } from '../pick.ts';

export const json = {
  name: 'json',
  about: 'one document: an array for a list, an object for one record',
  json: true,
  open: ({ fields, jq, failures }) =>
    selectFields(fields, jq ? jq.document() : jsonFormat(), failures),
} as const satisfies OutputFormat;
