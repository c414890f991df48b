import type { z } from 'zod';
import type { Issue } from './problems.ts';

export type Checked<T> = { readonly value: T } | { readonly issues: Issue[] };

/**
 * Checks a value against a schema and tells everything that is wrong at once.
 * `readOnly` names fields that exist but cannot be given here, so that they are not called unknown.
 */
export function check<T extends z.ZodType>(schema: T, value: unknown, readOnly: ReadonlySet<string> = new Set()): Checked<z.output<T>> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { value: result.data };
  return {
    issues: result.error.issues.flatMap((issue) => issuesOf(issue, readOnly)),
  };
}

function issuesOf(issue: z.core.$ZodIssue, readOnly: ReadonlySet<string>): Issue[] {
  const at = (key?: string) => [...issue.path, ...(key === undefined ? [] : [key])].map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      readOnly.has(key) && issue.path.length === 0
        ? { path: at(key), rule: 'read_only', message: 'is read-only' }
        : { path: at(key), rule: 'unknown', message: 'is not known here' },
    );
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  if (missing) return [{ path: at(), rule: 'required', message: 'is required' }];
  return [{ path: at(), rule: issue.code, message: lowerFirst(issue.message) }];
}

const lowerFirst = (message: string) => message.charAt(0).toLowerCase() + message.slice(1);
