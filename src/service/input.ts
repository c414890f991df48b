/** What a request gives, checked against its operation: 422 names every fault at once. */
import type { z } from 'zod';
import { check } from '../contract/check.ts';
import { memoize } from '../contract/memoize.ts';
import type { Operation } from '../contract/operations.ts';
import { isRepeatable, storedFields } from '../contract/schemas.ts';
import { ApiProblem, invalid } from './problem.ts';
import type { Row } from './records.ts';

export const checkQuery = (operation: Operation, query: unknown): Row =>
  validate(operation.queryText(), requireSingleParameters(operation, query));

export function checkBody(operation: Operation, body: Uint8Array): Row {
  if (!operation.body) throw new Error(`${operation.id} takes no body`);
  return validate(operation.body(), parseJson(body), readOnlyOf(operation));
}

/** A JSON body by a schema of its own. */
export const readBody = <T extends z.ZodObject>(schema: T, body: Uint8Array): z.output<T> =>
  validate(schema, parseJson(body)) as z.output<T>;

/** Existing fields that the body can't set. */
const readOnlyOf = memoize((operation: Operation): ReadonlySet<string> => {
  const fields = [...Object.keys(storedFields), ...Object.keys(operation.resource.fields)];
  const shape = operation.body?.().shape ?? {};
  return new Set(fields.filter((name) => !(name in shape)));
});

/** A repeated parameter is ambiguous, unless it takes several values. */
function requireSingleParameters({ parameters }: Operation, query: unknown): unknown {
  const mayRepeat = (name: string) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return parameter !== undefined && isRepeatable(parameter.schema);
  };
  const twice = Object.entries(query ?? {}).filter(
    ([name, value]) => Array.isArray(value) && !mayRepeat(name),
  );
  if (twice.length > 0)
    throw invalid(
      twice.map(([path]) => ({ path, rule: 'repeated', message: 'is given more than once' })),
    );
  return query ?? {};
}

function validate(
  schema: Parameters<typeof check>[0],
  value: unknown,
  readOnly?: ReadonlySet<string>,
): Row {
  const result = check(schema, value, readOnly);
  if ('issues' in result) throw invalid(result.issues);
  return result.value as Row;
}

/** Strict UTF-8: an invalid byte must not be stored as a replacement character. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) throw new ApiProblem('invalid_json', 'A JSON body is required');
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ApiProblem('invalid_json', "The body isn't valid JSON");
  }
}
