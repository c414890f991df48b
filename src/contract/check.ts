import type { z } from 'zod';
import type { Issue } from './problems.ts';

export type Checked<T> = { readonly value: T } | { readonly issues: Issue[] };

/**
 * Checks a value against a schema and returns every issue at once.
 * `readOnly` names fields that exist but can't be set here, so that they aren't reported as unknown.
 */
export function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  readOnly: ReadonlySet<string> = new Set(),
): Checked<z.output<T>> {
  const result = schema.safeParse(value, { reportInput: true });
  const issues = result.success
    ? []
    : result.error.issues.flatMap((issue) => issuesOf(issue, readOnly));
  const reported = new Set(issues.map(({ path }) => path));
  issues.push(...prototypesIn(value).filter(({ path }) => !reported.has(path)));
  return result.success && issues.length === 0 ? { value: result.data } : { issues };
}

/** Keys named __proto__ at any depth. Schemas for any key drop them silently, and sent data must not get lost. */
function prototypesIn(value: unknown): Issue[] {
  const issues: Issue[] = [];
  // A work list instead of recursion: a body can be nested deeper than the call stack.
  const open: [path: string, value: unknown][] = [['', value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, inner] = next;
    if (typeof inner !== 'object' || inner === null) continue;
    for (const key of Object.keys(inner)) {
      const at = path ? `${path}.${key}` : key;
      if (key === '__proto__') issues.push({ path: at, rule: 'unknown', message: 'is unknown' });
      else open.push([at, (inner as Record<string, unknown>)[key]]);
    }
  }
  return issues;
}

function issuesOf(issue: z.core.$ZodIssue, readOnly: ReadonlySet<string>): Issue[] {
  const at = (key?: string) =>
    [...issue.path, ...(key === undefined ? [] : [key])].map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      readOnly.has(key) && issue.path.length === 0
        ? { path: at(key), rule: 'read_only', message: 'is read-only' }
        : { path: at(key), rule: 'unknown', message: 'is unknown' },
    );
  }
  const missing =
    (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined;
  if (missing) return [{ path: at(), rule: 'required', message: 'is required' }];
  return [{ path: at(), rule: issue.code, message: messageOf(issue) }];
}

/** The rule in words that follow the field's name. */
function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // The schema's own message.
      if (issue.message.startsWith('must be ')) return issue.message;
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    default:
      return ('format' in issue && formats[issue.format]) || issue.message;
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

export const notUuid = 'must be a uuid';

/** Messages for formats whose own message doesn't show a valid value. */
const formats: Record<string, string> = {
  guid: notUuid,
  date: 'must be a date such as 2026-11-20',
  email: 'must be an e-mail address',
  url: 'must be an address such as https://example.com/photo.jpg',
};

function bound(origin: string, how: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${how} ${limit} characters`;
  if (origin === 'array') return `have ${how} ${limit} entries`;
  return `be ${how} ${limit}`;
}
