/** A resource or one of its verbs as a page on the terminal. */
import type { ScopeRule } from '../../../contract/scopes.ts';
import type { Json } from '../../../openapi/schema.ts';
import type { Styles } from '../../terminal/style.ts';
import { breakWords, type Entry as ColumnEntry, kebab, twoColumns } from '../../terminal/text.ts';
import type { describeVerb, FieldInfo, ParameterInfo, ResourceInfo, VerbInfo } from './describe.ts';

/** Keeps the dot on the line of the word before it. */
const noBreakSpace = '\u00a0';
const dot = `${noBreakSpace}· `;

interface Page {
  readonly styles: Styles;
  /** Terminal columns. */
  readonly width: number;
}

export function resourceText(
  { name, path, about, fields, filters, verbs }: ResourceInfo,
  page: Page,
): string {
  const { styles, width } = page;
  return sections([
    `${styles.title(kebab(name))}\n${styles.dim(`/api/v1${path}`)}\n\n${breakWords(about, width)}`,
    styles.dim(
      breakWords(
        'S: from the specification. D: a decision of this project; other servers may differ.',
        width,
      ),
    ),
    entries(
      'FIELDS',
      fields.map((field) => [field.name, field.about, fieldFacts(field)]),
      page,
    ),
    entries(
      'FILTERS',
      filters.map((filter) => [filter.flag, filter.about, parameterFacts(filter)]),
      page,
    ),
    entries(
      'VERBS',
      verbs.map((verb) => [verb.verb, verb.about, verbFacts(verb)]),
      page,
    ),
  ]);
}

export function verbText(verb: ReturnType<typeof describeVerb>, page: Page): string {
  const { styles, width } = page;
  const { properties = {}, required = [] } = (verb.body ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const body = Object.entries(properties).map(
    ([name, schema]): Entry => [
      name,
      '',
      [typeOf(schema), required.includes(name) ? 'required' : 'optional'].join(dot),
    ],
  );
  return sections([
    `${styles.title(`${kebab(verb.resource)} ${verb.verb}`)}\n${styles.dim(`${verb.method} /api/v1${verb.path}`)}\n\n${breakWords(verb.about, width)}`,
    breakWords(`${scopeText(verb.scope)} ${sourceText(verb.source)}`, width),
    verb.bodyScope
      ? breakWords(
          `${verb.bodyScope.fields.join(' or ')} also needs ${verb.bodyScope.scope}.`,
          width,
        )
      : '',
    entries(
      'QUERY',
      verb.query.map((one) => [one.name, one.about, parameterFacts(one)]),
      page,
    ),
    entries('BODY', body, page),
    `${styles.title('ANSWERS')}\n  ${verb.answer.status}: ${answerTexts[verb.answer.holds]}`,
    `${styles.title('CODES')}\n${indented(breakWords(verb.codes.join(' '), width - 2), 2)}\n  cs explain CODE`,
  ]);
}

const answerTexts = {
  record: 'the record',
  list: 'a page of records',
  deleted: 'the id of the deleted record',
  bytes: 'the bytes',
} as const;

type Entry = readonly [name: string, about: string, facts: string];

/** Names on the left; descriptions and facts on the right. */
function entries(title: string, list: readonly Entry[], { styles, width }: Page): string {
  if (list.length === 0) return '';
  const lines = list.map(([name, about, facts]): ColumnEntry => {
    const description = (room: number) => (about === '' ? [] : breakWords(about, room).split('\n'));
    const details = (room: number) =>
      breakWords(facts, room).replaceAll(noBreakSpace, ' ').split('\n').map(styles.dim);
    return [name, (room) => [...description(room), ...details(room)]];
  });
  return [styles.title(title), ...twoColumns(lines, width)].join('\n');
}

function fieldFacts({
  schema,
  given = schema,
  source,
  create,
  update,
  read,
  initial,
  references,
  transitions = {},
}: FieldInfo): string {
  const writable = [
    create === 'never' ? 'not on create' : create,
    update ? 'can be changed' : 'never changes',
  ];
  const facts = [
    typeOf(given),
    ...(create === 'never' && !update ? ['set by the service'] : writable),
    ...(read ? [] : ['write-only']),
    ...(typeof initial === 'object' || initial === undefined
      ? []
      : [`default: ${JSON.stringify(initial)}`]),
    ...(references ? [`id of one of ${kebab(references)}`] : []),
  ];
  const steps = Object.entries(transitions).map(
    ([from, to]) => `${from} → ${to.length > 0 ? to.join(', ') : 'final'}`,
  );
  return [withSource(facts, source), ...steps].join('\n');
}

const parameterFacts = ({ schema, source, required, initial }: ParameterInfo): string =>
  withSource(
    [
      typeOf(schema),
      ...(required ? ['required'] : []),
      ...(initial === undefined ? [] : [`default: ${JSON.stringify(initial)}`]),
    ],
    source,
  );

const verbFacts = ({ method, path, scope, source }: VerbInfo): string =>
  withSource([`${method} ${path}`, scopeWords(scope)], source);

/** Adds the letter of the source, kept on the line of the word before it. */
const withSource = (facts: readonly string[], source: string): string =>
  `${facts.join(dot)}${noBreakSpace}·${noBreakSpace}${source === 'specification' ? 'S' : 'D'}`;
const sourceText = (source: string): string =>
  source === 'specification' ? 'From the specification.' : 'A decision of this project.';
const scopeWords = (scope: ScopeRule): string =>
  'all' in scope ? scope.all.join(' and ') : 'any' in scope ? scope.any.join(' or ') : 'any key';
const scopeText = (scope: ScopeRule): string =>
  'none' in scope ? 'Any valid key is accepted.' : `Needs ${scopeWords(scope)}.`;

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};
const formats: Readonly<Record<string, string>> = {
  uuid: 'id',
  'date-time': 'time',
  date: 'date',
  email: 'e-mail address',
  uri: 'address',
};

/** A JSON Schema in a few words: `text, up to 255 characters, or null`. */
function typeOf(schema: Json): string {
  const { type, format, minimum, maximum, maxLength, maxItems, items, properties } = schema;
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(String).join(', ')}`;
  const types = [type].flat().filter((one): one is string => typeof one === 'string');
  const [first = 'any JSON'] = types.filter((one) => one !== 'null');
  const kind =
    first === 'array'
      ? `list of ${typeOf((items ?? {}) as Json)}`
      : (formats[String(format)] ?? kinds[first] ?? first);
  const bounds = [
    ...range(minimum, maximum),
    ...(typeof maxLength === 'number' && format === undefined
      ? [`up to ${maxLength} characters`]
      : []),
    ...(typeof maxItems === 'number' ? [`up to ${maxItems}`] : []),
    ...(first === 'object' && properties
      ? [`{ ${Object.keys(properties as Json).join(', ')} }`]
      : []),
  ];
  return [kind, ...bounds].join(', ') + (types.includes('null') ? ', or null' : '');
}

function range(minimum: unknown, maximum: unknown): string[] {
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return [`${minimum} to ${maximum}`];
  return typeof minimum === 'number'
    ? [`at least ${minimum}`]
    : typeof maximum === 'number'
      ? [`at most ${maximum}`]
      : [];
}

const sections = (parts: readonly string[]): string => `${parts.filter(Boolean).join('\n\n')}\n`;
const indented = (text: string, by: number): string => text.replace(/^/gm, ' '.repeat(by));
