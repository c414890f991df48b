/** The result of a command as a JSON Schema, and as a page on the terminal. */
import { type Json, jsonSchema } from '../../../openapi/schema.ts';
import { recordKey } from '../../resources/record-schema.ts';
import { breakWords } from '../../terminal/text.ts';
import type { ResultInfo } from './results.ts';
import { entries, type Page, sections, typeOf } from './text.ts';

export async function describeResult({ name, about, load }: ResultInfo): Promise<Json> {
  const schema = jsonSchema(await load(), 'output');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    description: about,
    ...schema,
  };
}

export function resultText(schema: Json, page: Page): string {
  const { styles, width } = page;
  const title = `${styles.title(String(schema.title))}\n${styles.dim(`cs ${schema.title} -o json`)}`;
  return sections([
    `${title}\n\n${breakWords(String(schema.description), width)}`,
    entries(
      'FIELDS',
      fieldsOf(schema, '', new Map()).map(({ path, about, facts }) => [path, about, facts]),
      page,
    ),
  ]);
}

interface ResultField {
  /** `spots[].car` */
  readonly path: string;
  readonly about: string;
  readonly facts: string;
}

/**
 * The fields of an object, or of each object in a list or a choice. The fields of records are those of `cs schema`.
 * `listed`: the path of each object whose fields are listed, by its description as text.
 */
function fieldsOf(schema: Json, path: string, listed: Map<string, string>): ResultField[] {
  if (schema.items) return fieldsOf(schema.items as Json, `${path}[]`, listed);
  if (Array.isArray(schema.anyOf)) {
    const fields = (schema.anyOf as Json[]).flatMap((one) => fieldsOf(one, path, listed));
    return [
      ...new Map(fields.toReversed().map((field) => [field.path, field])).values(),
    ].toReversed();
  }
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const before = path === '' ? '' : `${path}.`;
  const own =
    recordKey in schema
      ? Object.entries(properties).filter(([, property]) => property.description)
      : Object.entries(properties);
  const record =
    recordKey in schema && before !== ''
      ? [{ path: `${before}*`, about: '', facts: `fields of ${schema[recordKey]}` }]
      : [];
  return [
    ...record,
    ...own.flatMap(([name, property]) => {
      const here = `${before}${name}`;
      const same = sameObject(property, here, listed);
      const facts = [
        shortType(property),
        same && `like ${same}`,
        !required.includes(name) && 'optional',
      ]
        .filter(Boolean)
        .join(', ');
      const inner = same || isRecord(property) ? [] : fieldsOf(property, here, listed);
      return [{ path: here, about: String(property.description ?? ''), facts }, ...inner];
    }),
  ];
}

/** The path of an object with the same fields, listed before. */
function sameObject(schema: Json, path: string, listed: Map<string, string>): string | undefined {
  if (schema.items) return sameObject(schema.items as Json, `${path}[]`, listed);
  if (!schema.properties || isRecord(schema)) return undefined;
  const fields = JSON.stringify(schema.properties);
  const same = listed.get(fields);
  if (!same) listed.set(fields, path);
  return same;
}

/** A record without fields of the command. */
const isRecord = (schema: Json): boolean =>
  recordKey in schema &&
  !Object.values((schema.properties ?? {}) as Record<string, Json>).some(
    ({ description }) => description,
  );

/** Without the fields, which have lines of their own. */
function shortType(schema: Json): string {
  if (isRecord(schema)) return `record, see \`cs schema ${schema[recordKey]}\``;
  if (Array.isArray(schema.anyOf))
    return [...new Set((schema.anyOf as Json[]).map(shortType))].join(' or ');
  if (schema.items)
    return `list of ${shortType(schema.items as Json)}${[schema.type].flat().includes('null') ? ', or null' : ''}`;
  const { properties, ...plain } = schema;
  if (schema.type === 'null') return 'null';
  return typeOf(plain);
}
