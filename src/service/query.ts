import { invalid } from './refusal.ts';

/**
 * The parameters of an address; a list where one is given more than once. Strict, unlike the parsers of frameworks:
 * escapes that are no characters are refused, since what stands in their place was never asked for.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  const found = new Map<string, string[]>();
  for (const part of query.split('&').filter(Boolean)) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const key = decode(name, name);
    found.set(key, [...(found.get(key) ?? []), decode(value, key)]);
  }
  // Its own keys whatever they are called: fromEntries defines them, where an assignment to __proto__ would set something else.
  return Object.fromEntries(Array.from(found, ([key, values]) => [key, values.length > 1 ? values : (values[0] as string)]));
}

function decode(text: string, path: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid([{ path, rule: 'invalid_format', message: 'must be percent-encoded UTF-8: %25 for a %' }]);
  }
}
