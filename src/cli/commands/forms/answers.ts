/** Answers to a form, from flags, converted to the type of the question. */

import type { Question } from '../../../contract/forms.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { collect } from '../../framework/flags.ts';
import { parseDay } from '../../input/day.ts';
import type { MoreFlags } from '../../resources/definition.ts';
import { sanitize } from '../../terminal/text.ts';
import { questionsOf } from './questions.ts';

export const answerFlags: MoreFlags = {
  add(command) {
    command.option('--answer <key=value>', 'an answer; repeatable', collect);
    command.nameFlags({ data: '--answer' });
  },
  async read(context, { options, parents: [formId = ''], body }) {
    const given = options.answer as readonly string[] | undefined;
    if (given === undefined && body.data !== undefined) return {};
    if (given === undefined)
      throw usage(
        'Missing required flag: --answer.',
        'add one for each question, such as --answer rating=5; `cs forms get FORM` shows them',
      );
    const client = await context.client();
    const questions = questionsOf(await client.forms.get(formId));
    const answers = readAnswers(context, questions, given);
    return { data: { ...(body.data as object | undefined), ...answers } };
  },
};

type Answers = Record<string, unknown>;

/** Repeated keys are one answer with several choices. */
function readAnswers(
  context: Context,
  questions: readonly Question[] | undefined,
  given: readonly string[],
): Answers {
  const texts = new Map<string, string[]>();
  for (const pair of given) {
    const at = pair.indexOf('=');
    if (at < 1)
      throw usage(`--answer ${sanitize(pair)} has no key.`, 'write it like --answer rating=5');
    const key = pair.slice(0, at).trim();
    texts.set(key, [...(texts.get(key) ?? []), pair.slice(at + 1)]);
  }
  const found: Answers = {};
  for (const [key, values] of texts) {
    if (!questions) {
      found[key] = values.length > 1 ? values : values[0];
      continue;
    }
    const question = questions.find((one) => one.key === key);
    if (!question) throw unknownQuestion(key, questions);
    if (values.length > 1 && question.type !== 'multiselect')
      throw usage(`--answer ${key} is given ${values.length} times.`, 'give it once');
    found[key] = readAnswer(context, question, values);
  }
  return found;
}

function unknownQuestion(key: string, questions: readonly Question[]): CliError {
  const known = questions.map((question) => question.key).join(', ');
  return new CliError({
    code: 'usage',
    message: `The form has no question "${sanitize(key)}". Nothing was sent.`,
    hint: known === '' ? 'it has no questions yet' : `choose from ${sanitize(known)}`,
    details: {
      issues: [{ path: `data.${key}`, rule: 'unknown', message: "isn't a question of the form" }],
    },
  });
}

/** Unreadable values stay text, other than days; the service reports what is wrong. */
function readAnswer(
  context: Context,
  { key, type, options }: Question,
  values: readonly string[],
): unknown {
  const [text = ''] = values;
  if (text.trim() === '' && values.length === 1) return null;
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === 'checkbox')
    return yes.has(text.toLowerCase()) ? true : no.has(text.toLowerCase()) ? false : text;
  if (type === 'date') return parseDay(text, context.io.now(), `--answer ${key}`).date;
  // An option may contain a comma.
  if (type === 'multiselect')
    return values.flatMap((value) =>
      options.includes(value) ? [value] : value.split(',').map((part) => part.trim()),
    );
  return text;
}

const yes: ReadonlySet<string> = new Set(['yes', 'true', '1', 'on']);
const no: ReadonlySet<string> = new Set(['no', 'false', '0', 'off']);
