/**
 * Derives every operation of the contract with its method, path, scope and schemas.
 * Service, client, command and interface description use its results and don't know each other.
 */
import type { z } from 'zod';
import { memoize } from './memoize.ts';
import type { ProblemCode } from './problems.ts';
import type { OperationRule, Resource, Source, Verb } from './resource.ts';
import { createSchema, listParameters, querySchema, updateSchema } from './schemas.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** The content of a successful answer: `{ data: record }`, a page, `{ data: { id, deleted } }`, or bytes. */
export type Answer = 'record' | 'list' | 'deleted' | 'bytes';

export interface Operation extends OperationRule {
  /** For example `cars.create`. */
  readonly id: string;
  readonly resource: Resource;
  readonly verb: Verb;
  readonly method: Method;
  /** The path below `/api/v1`, with parameters in braces. */
  readonly path: string;
  /** The path's parameters, outermost first. */
  readonly params: readonly string[];
  readonly answer: Answer;
  readonly success: 200 | 201;
  /** The body's schema, if the operation has a body. */
  readonly body?: () => z.ZodObject;
  /** The query parameters. */
  readonly parameters: Readonly<Record<string, QueryParameter>>;
  /** The schema of the query as text. Built on first use, then cached. */
  readonly queryText: () => z.ZodObject;
  /** The reference fields of the body. */
  readonly references: readonly Reference[];
}

export interface QueryParameter {
  readonly source: Source;
  readonly schema: z.ZodType;
  readonly about: string;
  /** The field that a filter compares. */
  readonly field?: string;
  /** Required: 422 without it. */
  readonly required?: true;
  /** The default. */
  readonly initial?: unknown;
}

export interface Reference {
  /** `outer.inner` for a property of an object. */
  readonly field: string;
  /** The referenced resource. */
  readonly resource: string;
}

const shapes: Record<
  Verb,
  {
    method: Method;
    on: 'collection' | 'item';
    suffix?: string;
    answer: Answer;
    success: 200 | 201;
  }
> = {
  list: { method: 'GET', on: 'collection', answer: 'list', success: 200 },
  get: { method: 'GET', on: 'item', answer: 'record', success: 200 },
  create: { method: 'POST', on: 'collection', answer: 'record', success: 201 },
  update: { method: 'PATCH', on: 'item', answer: 'record', success: 200 },
  delete: { method: 'DELETE', on: 'item', answer: 'deleted', success: 200 },
  content: {
    method: 'GET',
    on: 'item',
    suffix: '/content',
    answer: 'bytes',
    success: 200,
  },
};

/** Error codes of every operation of a kind, besides its own. */
const common: readonly ProblemCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'api_key_expired',
  'api_key_revoked',
  'missing_scope',
  'api_disabled',
  'validation_failed',
];

/** Every operation of a resource. */
export const operationsOf = memoize((resource: Resource): readonly Operation[] =>
  (Object.entries(resource.operations) as [Verb, OperationRule][]).map(([verb, rule]) =>
    operationOf(resource, verb, rule),
  ),
);

/** Every operation of a contract, resource by resource. */
export function* walk(contract: Readonly<Record<string, Resource>>): Generator<Operation> {
  for (const resource of Object.values(contract)) yield* operationsOf(resource);
}

function operationOf(resource: Resource, verb: Verb, rule: OperationRule): Operation {
  const shape = shapes[verb];
  const item = shape.on === 'item' && !resource.singleton ? `/{${resource.param}}` : '';
  const path = `${resource.path}${item}${shape.suffix ?? ''}`;
  const params = Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] as string);
  // Built on use: a command with one request needs neither, a service needs them for each request.
  const references = lazy(() => referencesOf(resource, verb));
  const parameters = lazy(() =>
    verb === 'list' ? { ...listParameters, ...resource.filters } : (rule.query ?? {}),
  );
  const queryText = lazy(() => querySchema(parameters()));
  const problems = lazy((): readonly ProblemCode[] => [
    ...common,
    ...(params.length > 0 || references().length > 0 ? (['not_found'] as const) : []),
    ...(body ? (['invalid_json'] as const) : []),
    ...(rule.problems ?? []),
  ]);
  const body =
    verb === 'create'
      ? () => createSchema(resource)
      : verb === 'update'
        ? () => updateSchema(resource)
        : undefined;
  return {
    ...rule,
    id: `${resource.name}.${verb}`,
    resource,
    verb,
    method: shape.method,
    path,
    params,
    answer: shape.answer,
    success: shape.success,
    body,
    get parameters() {
      return parameters();
    },
    queryText,
    get references() {
      return references();
    },
    get problems() {
      return problems();
    },
  };
}

const lazy = <T>(make: () => T): (() => T) => memoize<void, T>(make);

function referencesOf(resource: Resource, verb: Verb): Reference[] {
  if (verb !== 'create' && verb !== 'update') return [];
  return Object.entries(resource.fields)
    .filter(([, field]) => (verb === 'create' ? field.create !== 'never' : field.update))
    .flatMap(([name, { references, innerReferences = {} }]) => [
      ...(references ? [{ field: name, resource: references }] : []),
      ...Object.entries(innerReferences).map(([inner, target]) => ({
        field: `${name}.${inner}`,
        resource: target,
      })),
    ]);
}

/** Whether a path fits the path of an operation: `/cars/1` fits `/cars/{id}`. Both without `/api/v1`. */
export function matchesPath(declared: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = declared.split('/');
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part.startsWith('{') || part === parts[index])
  );
}
