/** YAML 1.2 that a reader of 1.1 understands the same way. A list is one document, written item by item. */
import { Document, Scalar, visit } from 'yaml';
import type { RecordFormat } from './format.ts';
import { escapeUnsafe } from './unsafe.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const special = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

export function yamlFormat(): RecordFormat {
  let begun = false;
  return {
    records(rows) {
      if (rows.length === 0) return '';
      begun = true;
      return toYaml(rows);
    },
    end: () => (begun ? '' : '[]\n'),
    one: toYaml,
  };
}

function toYaml(value: unknown): string {
  // As JSON has it: no `undefined`, dates as text. No anchors: what is the same twice is written twice.
  const document = new Document(JSON.parse(JSON.stringify(value) ?? 'null'), {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
  } as const);
  visit(document, {
    Scalar(_, node) {
      // Only between double quotes can a character be escaped.
      if (typeof node.value === 'string' && special.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapeUnsafe(document.toString({ lineWidth: 0 }));
}
