/** The contract equals the hand-written table. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '../../src/contract/contract.ts';
import { type Operation, operationsOf } from '../../src/contract/operations.ts';
import type { Field, Resource } from '../../src/contract/resource.ts';
import { givenSchema } from '../../src/contract/schemas.ts';
import type { ScopeRule } from '../../src/contract/scopes.ts';
import { bodyScopes, interfaceTable } from '../helpers/interface-table.ts';

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
describe.each(resources)('%s', (name, resource) => {
  const stated = interfaceTable[name];
  // createdAt and updatedAt are declared only where the specification defines them.
  const fields = Object.entries(resource.fields).filter(
    ([field]) => resource.computed || !['createdAt', 'updatedAt'].includes(field),
  );
  const fieldsThat = (matches: (field: Resource['fields'][string]) => boolean) =>
    sorted(fields.filter(([, field]) => matches(field)).map(([field]) => field));

  test('operations: method, path, scopes and status', () => {
    expect(sorted([...operationsOf(resource)].map(lineOf))).toEqual(sorted(stated?.operations));
  });

  test('read-only, create-only and update-only fields', () => {
    expect({
      readOnly: fieldsThat(({ create, update }) => create === 'never' && !update),
      createOnly: fieldsThat(({ create, update }) => create !== 'never' && !update),
      updateOnly: fieldsThat(({ create, update }) => create === 'never' && update),
    }).toEqual({
      readOnly: sorted(stated?.readOnly),
      createOnly: sorted(stated?.createOnly),
      updateOnly: sorted(stated?.updateOnly),
    });
  });

  test('the values of its fields, and of the filters that compare them', () => {
    const found: Record<string, string[]> = {};
    for (const [field, declared] of fields) {
      const values = valuesOf(givenSchema(declared));
      // Ids, switches and times take what all of their kind take, and bytes what their resource says.
      if (['uuid', 'boolean', 'timestamp', ''].includes(values)) continue;
      if (['base64', 'scopes'].includes(field)) continue;
      found[values] = [...(found[values] ?? []), field];
    }
    expect(
      Object.fromEntries(Object.entries(found).map(([values, all]) => [values, all.join(' ')])),
    ).toEqual(stated?.values ?? {});
    for (const [filter, rule] of Object.entries(resource.filters ?? {})) {
      const values = valuesOf(rule.schema);
      if (rule.by === 'search') expect(values).toBe('0..200 chars');
      else if (rule.by === 'equals')
        expect({ filter, values }).toEqual({
          filter,
          values: valuesOf(givenSchema(resource.fields[filter] as Field)),
        });
    }
  });

  test('references', () => {
    const declared = fields.flatMap(([field, { references, innerReferences = {} }]) => [
      ...(references ? [[field, references]] : []),
      ...Object.entries(innerReferences).map(([inner, target]) => [`${field}.${inner}`, target]),
    ]);
    expect(Object.fromEntries(declared)).toEqual(stated?.references ?? {});
  });

  test('defaults, unique values and what q searches', () => {
    const shown = fields.filter(([, { create, read }]) => read && create !== 'required');
    const filters = Object.entries(resource.filters ?? {});
    expect({
      initial: Object.fromEntries(
        shown.flatMap(([field, { initial = null }]) =>
          initial === null ? [] : [[field, initial]],
        ),
      ),
      unique: (resource.unique ?? []).map(({ field, within, ignoreCase, unless }) =>
        [
          field,
          within && `in ${within}`,
          ignoreCase && 'in any case',
          unless && `unless ${unless.is}`,
        ]
          .filter(Boolean)
          .join(' '),
      ),
      search: filters.flatMap(([, filter]) => (filter.by === 'search' ? filter.fields : [])),
    }).toEqual({
      initial: stated?.initial ?? {},
      unique: stated?.unique ?? [],
      search: stated?.search ?? [],
    });
  });

  test('filters', () => {
    const declared = Object.entries(resource.filters ?? {}).flatMap(([filter, rule]) => {
      if (rule.by === 'search') return [];
      if (rule.by === 'rule') return `${filter}: rule`;
      // A filter with the name of a field compares that field.
      const compares = rule.by === 'equals' && rule.field === filter;
      return [
        compares ? filter : `${filter}: ${rule.by} ${rule.field}`,
        rule.by === 'equals' && rule.lettersOnly ? ' by its letters' : '',
        rule.required ? ' required' : '',
      ].join('');
    });
    expect(declared.sort()).toEqual(
      sorted(stated?.filters?.map((line) => line.replace(/(: rule) .*/, '$1'))),
    );
  });

  test('transitions', () => {
    const { field, first, to } = resource.transitions ?? {};
    expect(field ?? 'status').toBe('status');
    expect({ first, to }).toEqual({ first: stated?.status?.first, to: stated?.status?.to });
  });
});

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
