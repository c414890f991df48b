/** Fields of the contract as flags, and flags as values for the server. */

import { z } from 'zod';
import { check } from '../../contract/check.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operations.ts';
import type { Issue } from '../../contract/problems.ts';
import { type Kind, kindOf } from '../../contract/schemas.ts';
import { CliError } from '../errors/exit.ts';
import { type Command, Option, suggestRecords } from '../framework/command.ts';
import type { Context } from '../framework/context.ts';
import { collect } from '../framework/flags.ts';
import { parseWhen } from '../input/when.ts';
import { resolveId } from '../lookup/lookup.ts';
import { type LookupScope, resolveInScope, wantedInScope } from '../lookup/scope.ts';
import { flagOf, kebab } from '../terminal/text.ts';
import { describeForHelp, yesNoDescriptions } from './about.ts';
import { choicesOf } from './choices.ts';

/** A field or parameter that a flag gives. */
export interface FlagField {
  readonly name: string;
  /** `--customer` for customerId, since the value need not be an id; elsewhere as the field is called. */
  readonly flag: string;
  readonly schema: z.ZodType;
  readonly about: string;
  readonly kind: Kind;
  /** Several values, separated by commas; `schema` is that of the list. */
  readonly list?: true;
  /** The resource that the value names, or each of several. */
  readonly references?: ResourceName;
}

interface Described {
  readonly schema: z.ZodType;
  readonly about: string;
  readonly references?: string;
}

/** The fields that can be flags: those that hold one value, or a list of such. */
export function flagFields(fields: Readonly<Record<string, Described>>): FlagField[] {
  return Object.entries(fields)
    .map(([name, { schema, about, references }]): FlagField => {
      const known = references !== undefined && references in contract ? (references as ResourceName) : undefined;
      const item = itemOf(schema);
      const noun = known ? name.replace(/Id$/, '').replace(/Ids$/, 's') : name;
      const flag = flagOf(noun in fields ? name : noun);
      return { name, flag, schema, about, kind: kindOf(item ?? schema), list: item ? true : undefined, references: known };
    })
    .filter(({ kind }) => kind !== 'json');
}

/** The field that a person means: `customer` and `customer-id` as `customerId`. */
export const fieldNamed = (fields: readonly FlagField[], text: string): string =>
  fields.find(({ name, flag }) => [flag, flagOf(name)].includes(`--${text}`) || name === text)?.name ?? text;

/** What a list holds, when it is one. */
function itemOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return itemOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
}

/** `oneWay`: there is no `--no-…`, since leaving the flag out says the same. */
export function addFieldFlags(command: Command, fields: readonly FlagField[], { oneWay = false }: { oneWay?: boolean } = {}): void {
  for (const field of fields) {
    const { flag } = field;
    const about = lowerFirst(describeForHelp(field.about, fields));
    if (field.kind === 'boolean') {
      const [yes, no] = yesNoDescriptions(about, field);
      command.addOption(new Option(flag, oneWay ? about : yes));
      if (!oneWay) command.addOption(new Option(`--no-${kebab(field.name)}`, no).default(undefined));
    } else {
      const values = choicesOf(field.schema);
      const option = new Option(`${flag} <${placeholder(field)}>`, values ? `${about}: ${values.join(', ')}` : about);
      // For completion. Checked with everything else, so that all that is wrong is told at once.
      option.argChoices = values;
      if (field.list) option.argParser(collect);
      if (field.references) suggestRecords(option, field.references);
      command.addOption(option);
      if (flag === flagOf(field.name)) continue;
      command.nameFlags({ [field.name]: flag });
      // Who knows the interface types the field's name.
      const alias = new Option(`${flagOf(field.name)} <id>`, about).hideHelp();
      if (field.list) alias.argParser(collect);
      command.addOption(alias);
    }
  }
}

/** What was typed for a field. */
export const typedFor = ({ name, flag }: FlagField, options: Readonly<Record<string, unknown>>): unknown =>
  options[new Option(flag).attributeName()] ?? options[name];

function placeholder({ kind, list, references, schema }: FlagField): string {
  if (list) return references ? 'id|name,…' : 'a,b,…';
  if (references) return 'id|name';
  if (kind === 'integer') return 'number';
  if (kind === 'timestamp') return 'when';
  return choicesOf(schema) ? 'value' : 'text';
}

/** What a person typed as the value that the interface takes; names become ids. What cannot be read stays as it is, for the check. */
export async function readValue(context: Context, field: FlagField, typed: unknown, beside: LookupScope = {}): Promise<unknown> {
  if (Array.isArray(typed)) {
    const parts = typed.flatMap((text: string) => text.split(',')).map((text) => text.trim());
    return Promise.all(parts.filter(Boolean).map((text) => readValue(context, { ...field, list: undefined }, text, beside)));
  }
  if (typeof typed !== 'string') return typed;
  if (field.references) return resolveId(context, wantedInScope(field.references, typed, beside));
  if (field.kind === 'integer' && /^-?\d{1,15}$/.test(typed)) return Number(typed);
  if (field.kind === 'timestamp') return parseWhen(typed, context.io.now(), field.flag);
  return typed;
}

export async function readValues(
  context: Context,
  fields: readonly FlagField[],
  options: Readonly<Record<string, unknown>>,
  beside: LookupScope = {},
): Promise<Record<string, unknown>> {
  const typed = fields.flatMap((info) => {
    const value = typedFor(info, options);
    return value === undefined ? [] : [{ field: info.name, references: info.references, value, info }];
  });
  const locationFlag = fields.find(({ name }) => name === 'locationId')?.flag;
  return resolveInScope(typed, { ...beside, locationFlag }, ({ info, value }, near) => readValue(context, info, value, near));
}

/** Checks values that a flag each gives, and tells everything that is wrong at once. Exit 3. */
export function checkValues(fields: readonly FlagField[], values: Readonly<Record<string, unknown>>): void {
  refuse(issuesOf(fields, values));
}

/** What is wrong with them. */
export function issuesOf(fields: readonly FlagField[], values: Readonly<Record<string, unknown>>): Issue[] {
  return fields.flatMap((field) => {
    if (values[field.name] === undefined) return [];
    const checked = check(field.schema, values[field.name]);
    return 'issues' in checked
      ? checked.issues.map((issue) => ({ ...issue, path: [field.name, issue.path].filter(Boolean).join('.') }))
      : [];
  });
}

/** Checks a body as the server will. Exit 3. */
export function checkBody(operation: Pick<Operation, 'body'>, body: unknown, readOnly: ReadonlySet<string> = new Set()): void {
  const checked = operation.body && check(operation.body(), body, readOnly);
  if (checked && 'issues' in checked) refuse(checked.issues);
}

function refuse(issues: Issue[]): void {
  if (issues.length === 0) return;
  throw new CliError({
    code: 'validation_failed',
    message: issues.length === 1 ? 'A value is not right; nothing was sent.' : `${issues.length} values are not right; nothing was sent.`,
    hint: 'correct it and run the command again',
    details: { issues },
    exitCode: 3,
  });
}

const lowerFirst = (text: string): string => (/^[A-Z][A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1));
