/**
 * YAML 1.2 that a reader of 1.1 understands the same way. A list is one document, written item by
 * item.
 */
import { Document, Scalar, visit } from 'yaml';
import type { RecordFormat } from './format.ts';
import { escapeUnsafe } from './json.ts';

const special =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;
const specialOrLine = new RegExp(`${special.source}|\\n`, 'u');

/** `safe`: what is written goes to a terminal, where a line break in a text is shown as `\\n`. */
export function yamlFormat({ safe }: { safe: boolean }): RecordFormat {
  const toYaml = (value: unknown) => yamlText(yamlDocument(value, safe ? specialOrLine : special));
  let begun = false;
  return {
    records(rows) {
      begun = true;
      return toYaml(rows);
    },
    end: () => (begun ? '' : '[]\n'),
    one: toYaml,
  };
}

/** Characters that `escaped` finds are written as escapes. */
export function yamlDocument(value: unknown, escaped: RegExp = special): Document {
  // As JSON has it: no `undefined`, dates as text. No anchors: what is the same twice is written
  // twice.
  const document = new Document(JSON.parse(JSON.stringify(value) ?? 'null'), {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
  } as const);
  visit(document, {
    Scalar(_, node) {
      // Only between double quotes can a character be escaped.
      if (typeof node.value === 'string' && escaped.test(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document;
}

export const yamlText = (document: Document): string =>
  escapeUnsafe(
    document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }),
  );
