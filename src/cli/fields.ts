/** Fields of the contract as flags, and flags as values for the server. */
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { check } from '../contract/check.ts';
import { contract, type ResourceName } from '../contract/contract.ts';
import type { Operation } from '../contract/operations.ts';
import type { Issue } from '../contract/problems.ts';
import { type Kind, kindOf } from '../contract/schemas.ts';
import type { Context } from './command.ts';
import { CliError } from './exit.ts';
import { resolveId } from './names.ts';
import { flagOf, kebab } from './text.ts';
import { parseWhen } from './when.ts';

/** A field or parameter that a flag gives. */
export interface FlagField {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly about: string;
  readonly kind: Kind;
  /** The resource that the value names. */
  readonly references?: ResourceName;
}

interface Described {
  readonly schema: z.ZodType;
  readonly about: string;
  readonly references?: string;
}

/** The fields that can be flags: those that hold one value. */
export function flagFields(fields: Readonly<Record<string, Described>>): FlagField[] {
  return Object.entries(fields)
    .map(([name, { schema, about, references }]) => {
      const known = references !== undefined && references in contract ? (references as ResourceName) : undefined;
      return { name, schema, about, kind: kindOf(schema), references: known };
    })
    .filter(({ kind }) => kind !== 'json');
}

export function addFieldFlags(command: Command, fields: readonly FlagField[]): void {
  for (const field of fields) {
    const flag = flagOf(field.name);
    const about = lowerFirst(field.about.replace(/\.$/, ''));
    if (field.kind === 'boolean') {
      command.addOption(new Option(flag, about)).addOption(new Option(`--no-${kebab(field.name)}`, 'the opposite').default(undefined));
    } else {
      const values = choicesOf(field.schema);
      const option = new Option(`${flag} <${placeholder(field)}>`, values ? `${about}: ${values.join(', ')}` : about);
      // For completion. Checked with everything else, so that all that is wrong is told at once.
      option.argChoices = values;
      command.addOption(option);
    }
  }
}

/** The values of a choice, through whatever wraps it. */
export function choicesOf(schema: z.ZodType): string[] | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return choicesOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
}

function placeholder({ kind, references, schema }: FlagField): string {
  if (references) return 'id|name';
  if (kind === 'integer') return 'number';
  if (kind === 'timestamp') return 'when';
  return choicesOf(schema) ? 'value' : 'text';
}

/** What a person typed as the value that the interface takes; names become ids. What cannot be read stays as it is, for the check. */
export async function readValue(context: Context, field: FlagField, typed: unknown): Promise<unknown> {
  if (typeof typed !== 'string') return typed;
  if (field.references) return resolveId(context, { resource: field.references, text: typed });
  if (field.kind === 'integer' && /^-?\d{1,15}$/.test(typed)) return Number(typed);
  if (field.kind === 'timestamp') return parseWhen(typed, context.io.now(), flagOf(field.name));
  return typed;
}

export async function readValues(
  context: Context,
  fields: readonly FlagField[],
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    if (options[field.name] !== undefined) values[field.name] = await readValue(context, field, options[field.name]);
  }
  return values;
}

/** Checks values that a flag each gives, and tells everything that is wrong at once. Exit 3. */
export function checkValues(fields: readonly FlagField[], values: Readonly<Record<string, unknown>>): void {
  const issues = fields.flatMap((field) => {
    if (values[field.name] === undefined) return [];
    const checked = check(field.schema, values[field.name]);
    return 'issues' in checked
      ? checked.issues.map((issue) => ({ ...issue, path: [field.name, issue.path].filter(Boolean).join('.') }))
      : [];
  });
  refuse(issues);
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
