/** The contract equals the hand-written table. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '../../src/contract/contract.ts';
import { type Operation, operationsOf } from '../../src/contract/operations.ts';
import type { Field, Resource } from '../../src/contract/resource.ts';
import { givenSchema } from '../../src/contract/schemas.ts';
import type { ScopeRule } from '../../src/contract/scopes.ts';
import { bodyScopes, interfaceTable, type StatedResource } from '../helpers/interface-table.ts';

const resources: [string, Resource][] = Object.entries(contract);
const scopeText = (rule: ScopeRule) =>
  'all' in rule ? rule.all.join('+') : 'any' in rule ? rule.any.join('|') : '-';
const lineOf = ({ method, path, scope, success, existing }: Operation) =>
  `${method} ${path} ${scopeText(scope)} ${success}${existing ? '|200' : ''}`;
const sorted = (texts: readonly string[] = []) => [...texts].sort();

test('the same resources', () => {
  expect(sorted(resources.map(([name]) => name))).toEqual(sorted(Object.keys(interfaceTable)));
});

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The values of a field as the table states them. */
const valuesOf = (schema: z.ZodType): string =>
  inWords(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

function inWords(schema: JsonSchema): string {
  const { type, format, minimum, maximum, minLength = 0, maxLength } = schema;
  const unlimited = [undefined, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const range = (least?: number, most?: number) =>
    [least, most].map((limit) => (unlimited.includes(limit) ? '' : limit)).join('..');
  if (schema.anyOf)
    return schema.anyOf
      .flatMap((one) => ((one as JsonSchema).type === 'null' ? [] : inWords(one as JsonSchema)))
      .join(' or ');
  if (Array.isArray(type)) return inWords({ ...schema, type: 'string' });
  if (schema.enum) return schema.enum.join('|');
  if (type === 'array')
    return `${range(schema.minItems ?? 0, schema.maxItems)} of ${inWords(schema.items as JsonSchema)}`;
  if (type === 'object')
    return Object.entries(schema.properties ?? {})
      .map(([inner, one]) => `${inner} ${inWords(one as JsonSchema)}`)
      .join(', ');
  if (type === 'string') {
    const patterns = [schema, ...((schema.allOf as JsonSchema[]) ?? [])].flatMap(
      (one) => one.pattern ?? [],
    );
    if (patterns.some((one) => one.includes('T(?:'))) return 'timestamp';
    // Every text has the pattern that refuses U+0000.
    const form = format ?? patterns.filter((one) => !one.includes('Surrogate')).join(' ');
    return form
      ? `${form}${maxLength === undefined ? '' : ` ..${maxLength}`}`
      : `${range(minLength, maxLength)} chars`;
  }
  return type === 'integer' || type === 'number' ? range(minimum, maximum) : String(type);
}

type Declared = Resource & { readonly declared: [string, Field][] };

/** A failure shows those that differ, with both. */
function agree(
  what: string,
  found: (resource: Declared) => unknown,
  stated: (row: StatedResource) => unknown,
): void {
  test(what, () => {
    const both = resources.map(([name, resource]) => {
      // createdAt and updatedAt are declared only where the specification defines them.
      const declared = Object.entries(resource.fields).filter(
        ([field]) => resource.computed || !['createdAt', 'updatedAt'].includes(field),
      );
      const row = interfaceTable[name] ?? { operations: [] };
      return { name, found: found({ ...resource, declared }), stated: stated(row) };
    });
    expect(both.filter((one) => !isDeepStrictEqual(one.found, one.stated))).toEqual([]);
  });
}

agree(
  'operations: method, path, scopes and status',
  (resource) => sorted([...operationsOf(resource)].map(lineOf)),
  ({ operations }) => sorted(operations),
);

agree(
  'read-only, create-only and update-only fields',
  ({ declared }) =>
    [
      ({ create, update }: Field) => create === 'never' && !update,
      ({ create, update }: Field) => create !== 'never' && !update,
      ({ create, update }: Field) => create === 'never' && update,
    ].map((is) => sorted(declared.flatMap(([name, field]) => (is(field) ? name : [])))),
  ({ readOnly, createOnly, updateOnly }) => [readOnly, createOnly, updateOnly].map(sorted),
);

agree(
  'the values of its fields',
  ({ declared }) => {
    const found: Record<string, string> = {};
    for (const [field, one] of declared) {
      const values = valuesOf(givenSchema(one));
      // Ids, switches and times take what all of their kind take, and bytes what their resource says.
      if (['uuid', 'boolean', 'timestamp', ''].includes(values)) continue;
      if (['base64', 'scopes'].includes(field)) continue;
      found[values] = found[values] ? `${found[values]} ${field}` : field;
    }
    return found;
  },
  ({ values = {} }) => values,
);

test('a filter takes the values of the field that it compares', () => {
  const others = resources.flatMap(([name, { fields, filters = {} }]) =>
    Object.entries(filters).flatMap(([filter, { by, schema }]) => {
      if (by !== 'search' && by !== 'equals') return [];
      const stated =
        by === 'search' ? '0..200 chars' : valuesOf(givenSchema(fields[filter] as Field));
      const values = valuesOf(schema);
      return values === stated ? [] : `${name} ${filter}: ${values}`;
    }),
  );
  expect(others).toEqual([]);
});

agree(
  'references',
  ({ declared }) =>
    Object.fromEntries(
      declared.flatMap(([field, { references, innerReferences = {} }]) => [
        ...(references ? [[field, references]] : []),
        ...Object.entries(innerReferences).map(([inner, target]) => [`${field}.${inner}`, target]),
      ]),
    ),
  ({ references = {} }) => references,
);

agree(
  'defaults, unique values and what q searches',
  ({ declared, unique = [], filters = {} }) => ({
    initial: Object.fromEntries(
      declared.flatMap(([field, { create, read, initial = null }]) =>
        read && create !== 'required' && initial !== null ? [[field, initial]] : [],
      ),
    ),
    unique: unique.map(({ field, within, ignoreCase, unless }) =>
      [
        field,
        within && `in ${within}`,
        ignoreCase && 'in any case',
        unless && `unless ${unless.is}`,
      ]
        .filter(Boolean)
        .join(' '),
    ),
    search: Object.values(filters).flatMap((filter) =>
      filter.by === 'search' ? filter.fields : [],
    ),
  }),
  ({ initial = {}, unique = [], search = [] }) => ({ initial, unique, search }),
);

agree(
  'filters',
  ({ filters = {} }) =>
    sorted(
      Object.entries(filters).flatMap(([filter, rule]) => {
        if (rule.by === 'search') return [];
        if (rule.by === 'rule') return `${filter}: rule`;
        // A filter with the name of a field compares that field.
        const compares = rule.by === 'equals' && rule.field === filter;
        return [
          compares ? filter : `${filter}: ${rule.by} ${rule.field}`,
          rule.by === 'equals' && rule.lettersOnly ? ' by its letters' : '',
          rule.required ? ' required' : '',
        ].join('');
      }),
    ),
  ({ filters }) => sorted(filters?.map((line) => line.replace(/(: rule) .*/, '$1'))),
);

agree(
  'transitions',
  ({ transitions: { field = 'status', first, to } = {} }) => ({ field, first, to }),
  ({ status: { first, to } = {} }) => ({ field: 'status', first, to }),
);

test('scopes that depend on the body', () => {
  const declared = resources
    .flatMap(([, resource]) => [...operationsOf(resource)])
    .filter(({ bodyScope }) => bodyScope);
  expect(
    declared.map(({ method, path, bodyScope }) => ({
      operation: `${method} ${path}`,
      ...bodyScope,
    })),
  ).toEqual(
    bodyScopes.map(({ operation, fields, needs }) => ({ operation, fields, scope: needs })),
  );
});
