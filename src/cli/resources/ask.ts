/** Prompts for required values. */
import { choicesOf } from '../../contract/schemas.ts';
import type { Context } from '../context.ts';
import { timeExamples } from '../input/when.ts';
import type { Option } from '../prompts/options.ts';
import { askLine, askOption, missingInput, validationMessage } from '../prompts/prompts.ts';
import { joinList, stateWords, words } from '../terminal/text.ts';
import { type FlagField, issuesOf, readValue } from './fields.ts';
import type { LookupScope } from './scope.ts';

interface Asked {
  /** Names of the fields without a value. */
  readonly needed: readonly string[];
  readonly fields: readonly FlagField[];
  /** Receives the answers. */
  readonly into: Record<string, unknown>;
  /** Ids of the parents, outermost first. */
  readonly parents: readonly string[];
}

/** Without a terminal: exit 2 with every missing flag, or --input for fields without a flag. */
export async function askRequired(
  context: Context,
  { needed, fields, into, parents }: Asked,
): Promise<void> {
  const askable = fields.filter(({ name }) => needed.includes(name));
  const flags = needed.map(
    (name) => askable.find((field) => field.name === name)?.flag ?? `--input with ${name}`,
  );
  if (needed.length > 0 && (!context.interactive || askable.length < needed.length))
    throw missingInput(flags);
  for (const field of askable) {
    const scope = { parents, locationId: into.locationId };
    into[field.name] = await readValue(
      context,
      field,
      await askValue(context, field, scope),
      scope,
    );
  }
}

/** The same where one of several fields is enough: the person chooses which. */
export async function askOneOf(
  context: Context,
  { needed, fields, into, parents }: Asked,
): Promise<void> {
  if (needed.length === 0 || needed.some((name) => into[name] !== undefined && into[name] !== null))
    return;
  const askable = fields.filter(({ name }) => needed.includes(name));
  if (!context.interactive)
    throw missingInput([
      joinList(
        askable.map(({ flag }) => flag),
        'or',
      ),
    ]);
  const known = await askOption(context, {
    label: 'Identify by',
    options: askable.map(({ name }) => ({ name: labelOf(name), value: name })),
  });
  await askRequired(context, { needed: [known], fields, into, parents });
}

async function askValue(context: Context, field: FlagField, scope: LookupScope): Promise<string> {
  const label = labelOf(field.name);
  const choices = choicesOf(field.schema);
  if (choices) {
    const chosen = await askOption<string | undefined>(context, {
      label,
      options: optionsOf(choices, field),
    });
    if (chosen !== undefined) return chosen;
  }
  // No second prompt while an answer is checked.
  const quiet: Context = { ...context, interactive: false };
  const check = async (text: string) => {
    let value: unknown;
    const problem = await validationMessage(async () => {
      value = await readValue(quiet, field, text, scope);
    });
    const [issue] = issuesOf([field], { [field.name]: value });
    return problem ?? (issue && `It ${issue.message}.`);
  };
  const hint = field.kind === 'timestamp' ? timeExamples : undefined;
  return askLine(context, { label, hint, required: true, check });
}

/** The specification leaves most values open, so another server may have values of its own. */
function optionsOf(
  choices: readonly string[],
  { source }: FlagField,
): Option<string | undefined>[] {
  const known = choices.map((value) => ({ name: stateWords(value), value }));
  return source === 'decision'
    ? [...known, { name: 'Another value', value: undefined, about: 'If this server has others' }]
    : known;
}

const labelOf = (field: string): string => words(field).replace(/ ID$/, '');
