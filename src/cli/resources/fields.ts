/** Fields of the contract as flags, and flags as values for the server. */

import { z } from 'zod';
import { check, notUuid } from '../../contract/check.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import { notSlug } from '../../contract/fields.ts';
import type { Operation } from '../../contract/operations.ts';
import type { Issue } from '../../contract/problems.ts';
import type { Meanings, OnCreate, Source } from '../../contract/resource.ts';
import { choicesOf, type Kind, kindOf } from '../../contract/schemas.ts';
import type { Context } from '../context.ts';
import { CliError, usage } from '../errors/exit.ts';
import { type Command, Option, suggestRecords } from '../framework/command.ts';
import { collect } from '../framework/flags.ts';
import { listIn } from '../input/list.ts';
import { parseWhen } from '../input/when.ts';
import { flagOf, inFlags, kebab } from '../terminal/text.ts';
import { resolveId } from './lookup.ts';
import { type LookupScope, lookupInScope, resolveInScope } from './scope.ts';

/** A field or parameter with a flag of its own. */
export interface FlagField {
  readonly name: string;
  /** `--customer` for customerId, since a name will do as well as an id; else the field's name. */
  readonly flag: string;
  readonly schema: z.ZodType;
  readonly source?: Source;
  readonly about: string;
  readonly meanings?: Meanings;
  readonly required?: boolean;
  /** The default in words. */
  readonly initialText?: string;
  readonly initial?: unknown;
  readonly kind: Kind;
  /** Comma-separated values; `schema` is the schema of the list. */
  readonly list?: true;
  /** The resource that the value names, or each value of a list. */
  readonly references?: ResourceName;
}

interface Described {
  readonly schema: z.ZodType;
  readonly source?: Source;
  readonly about: string;
  readonly meanings?: Meanings;
  readonly create?: OnCreate;
  readonly required?: boolean;
  readonly initial?: unknown;
  readonly initialText?: string;
  readonly references?: string;
}

/** The fields that can be flags: single values, or lists of single values. */
export function flagFields(fields: Readonly<Record<string, Described>>): FlagField[] {
  return Object.entries(fields)
    .map(
      ([
        name,
        { references, create, required = create === 'required', ...described },
      ]): FlagField => {
        const { schema } = described;
        const known =
          references !== undefined && references in contract
            ? (references as ResourceName)
            : undefined;
        const item = itemOf(schema);
        const noun = known ? nounOf(name) : name;
        const flag = flagOf(noun in fields ? name : noun);
        return {
          ...described,
          name,
          flag,
          required,
          kind: kindOf(item ?? schema),
          list: item ? true : undefined,
          references: known,
        };
      },
    )
    .filter(({ kind }) => kind !== 'json');
}

/** `customer` for customerId, `spot` for parkingSpotId, `assets` for assetIds. */
const nounOf = (field: string): string =>
  field
    .replace(/Id$/, '')
    .replace(/Ids$/, 's')
    .replace(/^parking(?=[A-Z])/, '')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase());

/** The field behind a typed name: `customer` and `customer-id` mean `customerId`. */
export const fieldNamed = (fields: readonly FlagField[], text: string): string =>
  fields.find(({ name, flag }) => [flag, flagOf(name)].includes(`--${text}`) || name === text)
    ?.name ?? text;

/** The item schema of a list. */
function itemOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return itemOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
}

/** `marks`: whether the help marks required values and defaults, which an update doesn't have. */
export function addFieldFlags(
  command: Command,
  fields: readonly FlagField[],
  { marks }: { marks: boolean },
): void {
  const inHelp = (sentence: string) => lowerFirst(describeForHelp(sentence, fields));
  for (const field of fields) {
    const { flag, meanings } = field;
    const about = inHelp(field.about);
    if (field.kind === 'boolean') {
      const mark = (value: boolean) => (marks && field.initial === value ? ' (default)' : '');
      command.addOption(
        new Option(flag, meanings ? `${inHelp(meanings.true)}${mark(true)}` : about),
      );
      // Without meanings, leaving the flag out means the same.
      if (meanings)
        command.addOption(
          new Option(
            `--no-${kebab(field.name)}`,
            `${inHelp(meanings.false)}${mark(false)}`,
          ).default(undefined),
        );
    } else {
      const values = choicesOf(field.schema);
      const described = values ? withValues(about, values) : about;
      const option = new Option(
        `${flag} <${placeholder(field)}>`,
        marks ? `${described}${markOf(field)}` : described,
      );
      // For completion. The check comes later, so that one error names every invalid value.
      option.argChoices = values;
      option.isField = true;
      if (field.list) option.argParser(collect);
      if (field.references) suggestRecords(option, field.references);
      command.addOption(option);
      command.nameFlags({ [field.name]: flag });
    }
  }
}

/** A colon continues one plain sentence only. */
const withValues = (about: string, values: readonly string[]): string =>
  `${about}${/[.:;]/.test(about) ? '. Values: ' : ': '}${values.join(', ')}`;

function markOf({ required, initial, initialText }: FlagField): string {
  if (required) return ' (required)';
  if (initialText !== undefined) return ` (default: ${initialText})`;
  const hasDefault =
    initial !== undefined && initial !== null && initial !== '' && typeof initial !== 'object';
  return hasDefault ? ` (default: ${initial})` : '';
}

/** The typed value of a field. */
export const typedFor = (
  { flag }: FlagField,
  options: Readonly<Record<string, unknown>>,
): unknown => options[new Option(flag).attributeName()];

function placeholder({ kind, list, references, schema }: FlagField): string {
  if (list) return references ? 'id|name,…' : 'a,b,…';
  if (references) return 'id|name';
  if (kind === 'integer') return 'number';
  if (kind === 'timestamp') return 'when';
  return choicesOf(schema) ? 'value' : 'text';
}

/**
 * Turns a typed value into the interface's value; names become ids. Exit 2 for text that isn't a
 * number or a time; the check refuses other values.
 */
export async function readValue(
  context: Context,
  field: FlagField,
  typed: unknown,
  scope: LookupScope = {},
): Promise<unknown> {
  if (Array.isArray(typed)) {
    const each = { ...field, list: undefined };
    return Promise.all(listIn(typed).map((text) => readValue(context, each, text, scope)));
  }
  if (typeof typed !== 'string') return typed;
  if (field.references) return resolveId(context, lookupInScope(field.references, typed, scope));
  if (field.kind === 'integer' && /^-?\d{1,15}$/.test(typed)) return Number(typed);
  if (field.kind === 'integer' && typed !== '')
    throw usage(`${field.flag}: "${typed}" isn't a whole number.`, 'write it like 12');
  // What changed after a Friday changed after the last one.
  if (field.kind === 'timestamp')
    return parseWhen(
      typed,
      context.io.now(),
      field.flag,
      field.name === 'updatedAfter' ? 'past' : 'ahead',
    );
  return typed;
}

export async function readValues(
  context: Context,
  fields: readonly FlagField[],
  options: Readonly<Record<string, unknown>>,
  scope: LookupScope = {},
): Promise<Record<string, unknown>> {
  const typed = fields.flatMap((info) => {
    const value = typedFor(info, options);
    return value === undefined
      ? []
      : [{ field: info.name, references: info.references, value, info }];
  });
  const locationFlag = fields.find(({ name }) => name === 'locationId')?.flag;
  return resolveInScope(typed, { ...scope, locationFlag }, ({ info, value }, near) =>
    readValue(context, info, value, near),
  );
}

/**
 * Checks values, and reports every invalid one in one error. Exit 2 for values of flags, exit 3
 * where others are invalid too.
 */
export function checkValues(
  fields: readonly FlagField[],
  values: Readonly<Record<string, unknown>>,
  typed?: ReadonlySet<string>,
): void {
  refuse(issuesOf(fields, values), typed);
}

export function issuesOf(
  fields: readonly FlagField[],
  values: Readonly<Record<string, unknown>>,
): Issue[] {
  return fields.flatMap((field) => {
    if (values[field.name] === undefined) return [];
    const checked = check(field.schema, values[field.name]);
    return 'issues' in checked
      ? checked.issues
          .map((issue) => ({ ...issue, path: [field.name, issue.path].filter(Boolean).join('.') }))
          .filter((issue) => !isLeftToServer(issue, field.source))
      : [];
  });
}

interface BodyCheck {
  readonly readOnly?: ReadonlySet<string>;
  /** The fields that came from flags (default: all). */
  readonly typed?: ReadonlySet<string>;
}

/** Checks a body as far as every server does. The exit codes are those of `checkValues`. */
export function checkBody(
  operation: Pick<Operation, 'body' | 'resource'>,
  body: unknown,
  { readOnly = new Set(), typed }: BodyCheck = {},
): void {
  refuse(bodyIssues(operation, body, readOnly), typed);
}

/** The names of the fields whose flags are given. */
export const typedFields = (
  fields: readonly FlagField[],
  options: Readonly<Record<string, unknown>>,
): ReadonlySet<string> =>
  new Set(fields.filter((field) => typedFor(field, options) !== undefined).map(({ name }) => name));

export function bodyIssues(
  { body: schema, resource }: Pick<Operation, 'body' | 'resource'>,
  body: unknown,
  readOnly: ReadonlySet<string>,
): Issue[] {
  const checked = schema && check(schema(), body, readOnly);
  if (!checked || !('issues' in checked)) return [];
  return checked.issues.filter(
    (issue) =>
      !isLeftToServer(issue, resource.fields[issue.path.split('.', 1)[0] as string]?.source),
  );
}

/**
 * Another server may have values of its own where the specification lists none, event types such as
 * `drop-off`, and ids that aren't UUIDs.
 */
const isLeftToServer = ({ rule, message }: Issue, source: Source | undefined): boolean =>
  (rule === 'invalid_value' && source === 'decision') ||
  (rule === 'invalid_format' && (message === notUuid || message === notSlug));

function refuse(issues: readonly Issue[], typed: ReadonlySet<string> | undefined): void {
  if (issues.length === 0) return;
  const isTyped = ({ path }: Issue) =>
    typed === undefined || typed.has(path.split('.', 1)[0] as string);
  throw new CliError({
    code: issues.every(isTyped) ? 'usage' : 'validation_failed',
    message:
      issues.length === 1
        ? 'Invalid value; nothing was sent.'
        : `${issues.length} invalid values; nothing was sent.`,
    hint: 'fix it and run the command again',
    details: { issues },
  });
}

const lowerFirst = (text: string): string =>
  /^[A-Z][A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/**
 * The contract's sentence in the words of the command: flags instead of field names, `empty`
 * instead of null.
 */
export function describeForHelp(
  about: string,
  fields: readonly Pick<FlagField, 'name' | 'flag'>[],
): string {
  const flags = new Map(fields.map(({ name, flag }) => [name, flag]));
  return inFlags(about, (name) => flags.get(name))
    .replace(/\.$/, '')
    .replace(/\bnull\b/g, 'empty');
}
