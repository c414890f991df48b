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
  return [{ path: at(), rule: issue.code, message: messageOf(issue) }];
}

/** What would be right, in words that stand after the field's name. */
function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_format':
      return formats[issue.format] ?? issue.message;
    default:
      return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
  }
}

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The formats whose own message would not say what to write. A pattern's message comes with the pattern. */
const formats: Record<string, string> = {
  guid: 'must be a uuid',
  datetime: 'must be an ISO 8601 time with an offset, such as 2026-11-20T09:00:00+01:00',
  email: 'must be an e-mail address',
  url: 'must be an address such as https://example.com/photo.jpg',
};

function bound(origin: string, how: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${how} ${limit} characters`;
  if (origin === 'array') return `have ${how} ${limit} entries`;
  return `be ${how} ${limit}`;
}
