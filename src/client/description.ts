/**
 * Whether a server's interface description documents repeating a POST.
 * The specification doesn't mention the Idempotency-Key, so another server with the same interface may not know it.
 */

/** Whether a POST on a path (below `/api/v1`) is documented to take an Idempotency-Key header. */
export function documentsIdempotencyKey(description: unknown, path: string): boolean {
  return Object.entries(objectAt(description, 'paths')).some(([template, item]) => {
    const post = property(item, 'post');
    if (!matches(template, path) || typeof post !== 'object' || post === null) return false;
    return [...listAt(item, 'parameters'), ...listAt(post, 'parameters')]
      .map((parameter) => resolve(description, parameter))
      .some(
        (parameter) =>
          property(parameter, 'in') === 'header' && isIdempotencyKey(property(parameter, 'name')),
      );
  });
}

const isIdempotencyKey = (name: unknown) =>
  typeof name === 'string' && name.toLowerCase() === 'idempotency-key';

/** Paths in a description may include `/api/v1`, or have it in the server's address. */
function matches(template: string, path: string): boolean {
  const expected = template.replace(/^\/api\/v1(?=\/)/, '').split('/');
  const given = path.split('/');
  return (
    expected.length === given.length &&
    expected.every((part, index) => part === given[index] || /^\{.+\}$/.test(part))
  );
}

function resolve(description: unknown, value: unknown): unknown {
  const reference = property(value, '$ref');
  if (typeof reference !== 'string') return value;
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (at, key) => property(at, key.replaceAll('~1', '/').replaceAll('~0', '~')),
      description,
    );
}

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

function objectAt(value: unknown, key: string): Record<string, unknown> {
  const found = property(value, key);
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
}

function listAt(value: unknown, key: string): unknown[] {
  const found = property(value, key);
  return Array.isArray(found) ? found : [];
}
