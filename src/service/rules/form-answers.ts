/** Validates the questions of a form, and answers to them. */
import { z } from 'zod';
import { check } from '../../contract/check.ts';
import type { RecordFor } from '../../contract/contract.ts';
import * as fields from '../../contract/fields.ts';
import { choiceTypes, type Question } from '../../contract/forms.ts';
import type { Issue } from '../../contract/problems.ts';
import { invalid } from '../problem.ts';

type Data = Record<string, unknown>;

/** Refuses ambiguous or unanswerable questions, all at once. */
export function requireValidQuestions({
  status,
  fields: questions,
}: Pick<RecordFor<'forms'>, 'status' | 'fields'>): void {
  const issues = questions.flatMap(({ key, type, options }, at): Issue[] => {
    const found: Issue[] = [];
    const issue = (path: string, rule: string, message: string) =>
      found.push({ path: `fields.${at}.${path}`, rule, message });
    if (questions.findIndex((other) => other.key === key) < at)
      issue('key', 'duplicate', `must be unique; another field has the key ${key}`);
    if (choiceTypes.has(type) && options.length === 0)
      issue('options', 'required', `is required for ${type}`);
    if (!choiceTypes.has(type) && options.length > 0)
      issue('options', 'not_allowed', `must be empty for ${type}`);
    if (new Set(options).size < options.length)
      issue('options', 'duplicate', 'must differ from each other');
    return found;
  });
  if (status === 'published' && questions.length === 0)
    issues.push({
      path: 'fields',
      rule: 'too_small',
      message: 'must have at least 1 entry while the form is published',
    });
  if (issues.length > 0) throw invalid(issues);
}

/**
 * The answers to store, one per question; null for unanswered ones. Web forms send an empty text for no answer. Refuses missing,
 * invalid and unknown answers, all at once.
 */
export function checkAnswers(questions: readonly Question[], data: Data): Data {
  const shape = questions.map(
    (question) =>
      [question.key, question.required ? answer(question) : answer(question).optional()] as const,
  );
  const keys = new Set(questions.map(({ key }) => key));
  const given = Object.entries(data).filter(
    ([key, value]) => !keys.has(key) || (value !== null && value !== ''),
  );
  // Without a prototype, so that a missing answer to a question called `constructor` is noticed.
  const answers = Object.assign(Object.create(null), Object.fromEntries(given));
  const checked = check(z.strictObject(Object.fromEntries(shape)), answers);
  if ('issues' in checked)
    throw invalid(checked.issues.map((issue) => ({ ...issue, path: `data.${issue.path}` })));
  return Object.fromEntries(
    questions.map(({ key }) => [
      key,
      Object.hasOwn(checked.value, key) ? checked.value[key] : null,
    ]),
  );
}

/** The schema of an answer. A required checkbox must be true; a required list needs a choice. */
function answer({ type, required, options }: Question): z.ZodType {
  switch (type) {
    case 'text':
      return fields.line(1_000);
    case 'textarea':
      return fields.notes;
    case 'email':
      return fields.email;
    case 'phone':
      return fields.phone;
    case 'number':
      return z.number();
    case 'date':
      return z.iso.date();
    case 'select':
      return z.enum(options);
    case 'multiselect':
      return z
        .array(z.enum(options))
        .min(required ? 1 : 0)
        .max(options.length);
    case 'checkbox':
      return required ? z.literal(true) : z.boolean();
  }
}
