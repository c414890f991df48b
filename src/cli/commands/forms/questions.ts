import type { Question } from '../../../contract/forms.ts';
import { isObject } from '../../input/plain-object.ts';

/** The questions of a form. Undefined where the server doesn't tell them, or in another form: the specification doesn't show them. */
export function questionsOf({
  fields,
}: {
  readonly fields?: unknown;
}): readonly Question[] | undefined {
  const isQuestion = (one: unknown) => isObject(one) && typeof one.key === 'string';
  if (!Array.isArray(fields) || !fields.every(isQuestion)) return undefined;
  return fields.map((one) => ({
    ...one,
    label: one.label ?? one.key,
    options: Array.isArray(one.options) ? one.options : [],
  }));
}
