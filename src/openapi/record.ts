/** The schemas of a resource: its record, and the bodies of create and update. */
import type { z } from 'zod';
import { withArticle } from '../contract/article.ts';
import {
  aboutWithDefault,
  decision,
  type Field,
  type Resource,
  type Source,
  spec,
} from '../contract/resource.ts';
import { createSchema, storedFieldsOf, updateSchema } from '../contract/schemas.ts';
import { type Json, jsonSchema } from './schema.ts';

interface Described extends Partial<Field> {
  readonly source: Source;
  readonly schema: z.ZodType;
  readonly about: string;
}

/** All schemas of a resource, by name. */
export function describeSchemas(resource: Resource): [string, Json][] {
  const title = titleOf(resource);
  const schemas: [string, Json][] = [[title, describeRecord(resource)]];
  if (resource.operations.create) schemas.push([`${title}Create`, describeCreate(resource)]);
  if (resource.operations.update) schemas.push([`${title}Update`, describeUpdate(resource)]);
  return schemas;
}

/** `carEvents` → `CarEvent`. */
export const titleOf = ({ singular }: Resource): string =>
  singular.replace(/(^|[^A-Za-z])([a-z])/gi, (_all, _gap, letter: string) => letter.toUpperCase());

function describeRecord(resource: Resource): Json {
  const shown = Object.entries(resource.fields).filter(([, field]) => field.read);
  const all: Record<string, Described> = {
    ...storedFieldsOf(resource),
    ...Object.fromEntries(shown),
  };
  const properties = Object.entries(all).map(([name, field]) => [
    name,
    { ...jsonSchema(field.schema, 'output'), ...describeField(resource, name, field) },
  ]);
  return {
    type: 'object',
    description: resource.about,
    'x-source': sourceOfAll(Object.values(all)),
    properties: Object.fromEntries(properties),
    required: Object.keys(all),
  };
}

function describeCreate(resource: Resource): Json {
  const described = describeBody(resource, createSchema(resource));
  for (const [name, property] of Object.entries(described.properties)) {
    const { about, initial, initialText } = resource.fields[name] as Field;
    property.description = aboutWithDefault({
      about,
      initialText: initial === undefined ? initialText : inWords(initial),
    });
    // The specification has no defaults of fields. Not `default`, as in schema.ts.
    if (initial !== undefined)
      Object.assign(property, { 'x-default': initial, 'x-default-source': decision });
  }
  return {
    ...described,
    description: `What makes ${withArticle(resource.singular)}.`,
    'x-source': bodySource(resource, 'create'),
  };
}

const inWords = (value: unknown) =>
  `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

function describeUpdate(resource: Resource): Json {
  const description = `What changes ${withArticle(resource.singular)}: a field that is left out stays, null clears.`;
  return {
    ...describeBody(resource, updateSchema(resource)),
    description,
    'x-source': bodySource(resource, 'update'),
  };
}

/** A schema with a decision in one part is a decision. */
const sourceOfAll = (parts: readonly { readonly source: Source }[]): Source =>
  parts.every(({ source }) => source === spec) ? spec : decision;

function bodySource({ fields, operations }: Resource, verb: 'create' | 'update'): Source {
  const given = Object.values(fields).filter((field) =>
    verb === 'create' ? field.create !== 'never' : field.update,
  );
  return sourceOfAll([...given, operations[verb] ?? { source: decision }]);
}

function describeBody(
  resource: Resource,
  schema: z.ZodObject,
): Json & { properties: Record<string, Json> } {
  const described = jsonSchema(schema, 'input') as { properties: Record<string, Json> };
  for (const [name, property] of Object.entries(described.properties)) {
    const field = resource.fields[name];
    if (field) Object.assign(property, describeField(resource, name, field));
  }
  return described;
}

/** The description of a field besides its type. */
function describeField(
  { transitions }: Resource,
  name: string,
  { about, source, references }: Described,
): Json {
  return {
    description: about,
    'x-source': source,
    ...(references ? { 'x-references': references } : {}),
    ...(transitions?.field === name
      ? { 'x-transitions': transitions.to, 'x-transitions-source': transitions.source }
      : {}),
  };
}
