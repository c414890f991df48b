/** A line for one field of a record, checked by the contract while it can still be corrected. */
import type { z } from 'zod';
import { check } from '../../contract/check.ts';
import { kindOf } from '../../contract/schemas.ts';
import type { Context } from '../context.ts';
import { askLine } from '../prompts/prompts.ts';

interface FieldQuestion {
  readonly schema: z.ZodType;
  readonly label: string;
  /** (default: it may be left empty) */
  readonly required?: boolean;
  readonly hint?: string | undefined;
  /** The answer to correct. */
  readonly earlier?: unknown;
  /** What is wrong with a value that the schema takes. */
  readonly refuse?:
    | ((value: unknown) => string | undefined | Promise<string | undefined>)
    | undefined;
}

/** The value of the field; undefined for an empty line. */
export async function askField(context: Context, question: FieldQuestion): Promise<unknown> {
  const {
    schema,
    label,
    required = false,
    hint = required ? undefined : 'optional, Enter to skip',
    earlier,
    refuse,
  } = question;
  const isNumber = kindOf(schema) === 'integer';
  const read = (text: string) =>
    text === '' ? undefined : isNumber && /^\d+$/.test(text) ? Number(text) : text;
  const problem = (text: string) => {
    const value = read(text);
    if (value === undefined) return required ? `${label} is required.` : refuse?.(value);
    const checked = check(schema, value);
    return 'issues' in checked ? `${label} ${checked.issues[0]?.message}.` : refuse?.(value);
  };
  const initial = earlier === undefined ? undefined : String(earlier);
  return read(await askLine(context, { label, hint, initial, check: problem }));
}
