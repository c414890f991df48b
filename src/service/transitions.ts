import { withArticle } from '../contract/article.ts';
import type { Resource } from '../contract/resource.ts';
import type { Row } from './records.ts';
import { Refusal } from './refusal.ts';

/** Refuses a body that sets a state which cannot be set now, naming those that can. The same state again is none. */
export function requireTransition({ transitions, singular }: Resource, body: Row, record?: Row): void {
  if (!transitions) return;
  const to = body[transitions.field];
  if (typeof to !== 'string') return;
  const from = record ? String(record[transitions.field]) : null;
  const allowed = from === null ? transitions.first : transitions.to[from];
  if (to === from || !allowed || allowed.includes(to)) return;
  const how = from === null ? `made with the ${transitions.field} ${to}` : `set to ${to} while it is ${from}`;
  throw new Refusal('invalid_transition', `${begin(withArticle(singular))} cannot be ${how}`, { from, to, allowed });
}

const begin = (sentence: string) => sentence.replace(/^./, (letter) => letter.toUpperCase());
