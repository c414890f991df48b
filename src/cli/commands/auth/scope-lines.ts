/** Scopes as a person reads them. */
import { scopes } from '../../../contract/scopes.ts';

/** What a key may do, a line for each subject: `cars  read, write`. */
export function scopeLines(held: readonly string[]): string[] {
  if (held.length === 0) return ['nothing'];
  if (scopes.every((scope) => held.includes(scope))) return ['everything'];
  const rights = new Map<string, string[]>();
  for (const scope of held) {
    const [right = '', subject = scope] = scope.split(':');
    rights.set(subject, [...(rights.get(subject) ?? []), right]);
  }
  const widest = Math.max(...Array.from(rights.keys(), (subject) => subject.length));
  return Array.from(rights, ([subject, list]) => `${subject.padEnd(widest)}  ${list.join(', ')}`);
}
