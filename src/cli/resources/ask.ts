/** Asks for values that a command cannot do without. */
import type { Context } from '../command.ts';
import { CliError } from '../exit.ts';
import type { Beside } from '../names/beside.ts';
import { askChoice, askText, missing } from '../question.ts';
import { listed, stateWords, words } from '../text.ts';
import { choicesOf } from './choices.ts';
import { type FlagField, issuesOf, readValue } from './fields.ts';

interface Asked {
  /** Names of the fields that have no value yet. */
  readonly needed: readonly string[];
  readonly fields: readonly FlagField[];
  /** Where the answers go. */
  readonly into: Record<string, unknown>;
  /** Ids of the parents, outermost first. */
  readonly parents: readonly string[];
}

/** Without a terminal every missing flag is named: exit 2. What no flag can give comes with --input. */
export async function askRequired(context: Context, { needed, fields, into, parents }: Asked): Promise<void> {
  const askable = fields.filter(({ name }) => needed.includes(name));
  const flags = needed.map((name) => askable.find((field) => field.name === name)?.flag ?? `--input with ${name}`);
  if (needed.length > 0 && (!context.interactive || askable.length < needed.length)) throw missing(flags);
  for (const field of askable) {
    const beside = { parents, locationId: into.locationId };
    into[field.name] = await readValue(context, field, await askValue(context, field, beside), beside);
  }
}

/** The same where one of several fields is enough: which one, a person says. */
export async function askOneOf(context: Context, { needed, fields, into, parents }: Asked): Promise<void> {
  if (needed.length === 0 || needed.some((name) => into[name] !== undefined && into[name] !== null)) return;
  const askable = fields.filter(({ name }) => needed.includes(name));
  if (!context.interactive)
    throw missing([
      listed(
        askable.map(({ flag }) => flag),
        'or',
      ),
    ]);
  const known = await askChoice(
    context,
    'What is known?',
    askable.map(({ name }) => ({ name: labelOf(name), value: name })),
  );
  await askRequired(context, { needed: [known], fields, into, parents });
}

async function askValue(context: Context, field: FlagField, beside: Beside): Promise<string> {
  const message = labelOf(field.name);
  const choices = choicesOf(field.schema);
  if (choices)
    return askChoice(
      context,
      message,
      choices.map((value) => ({ name: stateWords(value), value })),
    );
  return askText(context, { flag: field.flag, message, check: (text) => whyNot(context, field, text, beside) });
}

const labelOf = (field: string): string => words(field).replace(/ ID$/, '');

/** What is wrong with an answer, told while it can still be mended. */
async function whyNot(context: Context, field: FlagField, text: string, beside: Beside): Promise<string | undefined> {
  try {
    // Of several records of that name one is chosen afterwards: a question cannot be asked within another.
    const value = await readValue({ ...context, interactive: false }, field, text, beside);
    const [issue] = issuesOf([field], { [field.name]: value });
    return issue && `It ${issue.message}.`;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.exitCode === 14 ? undefined : [error.message, error.hint && `${error.hint}.`].filter(Boolean).join(' ');
  }
}
