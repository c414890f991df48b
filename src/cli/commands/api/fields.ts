/** Builds an object from fields of `cs api`: `make=Audi`, `config[size]=3`, `tags[]=vip`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { type Reading, readPiped } from '../../input/input.ts';

export interface GivenField {
  /** `key=value`. */
  readonly text: string;
  /** Whether true, false, null, numbers and @file are converted. */
  readonly typed: boolean;
}

type Node = Record<string, unknown>;

/** In the given order. Exit 2 for a key that is given twice, or as a value and an object. */
export async function readFields(
  context: Reading,
  given: readonly GivenField[],
): Promise<Record<string, unknown>> {
  const root = newNode();
  for (const field of given) {
    const { keys, value } = split(field);
    setField(root, keys, field.typed ? await typedValue(context, field, value) : value, field);
  }
  return root;
}

/** Stdin can be read only once. */
export const readsStdin = ({ text, typed }: GivenField): boolean => typed && text.endsWith('=@-');

// Without a prototype: `__proto__` is a key like any other.
const newNode = (): Node => Object.create(null);

function split(field: GivenField): { keys: string[]; value: string } {
  const { text } = field;
  const equals = text.indexOf('=');
  const key = text.slice(0, equals);
  const shape = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
  if (equals < 1 || !shape)
    throw fieldError(
      field,
      "isn't key=value.",
      "write it like -f make=Audi, -f 'address[city]=Kiel' or -f 'tags[]=vip'",
    );
  const inner = Array.from(
    (shape[2] as string).matchAll(/\[([^\]]*)\]/g),
    (match) => match[1] as string,
  );
  return { keys: [shape[1] as string, ...inner], value: text.slice(equals + 1) };
}

async function typedValue(context: Reading, field: GivenField, text: string): Promise<unknown> {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return numberOf(field, text);
  if (!text.startsWith('@')) return text;
  if (text === '@-') return readPiped(context, '@-');
  const path = resolve(context.io.cwd, text.slice(1));
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fieldError(
      field,
      `names a file that couldn't be read: ${describeFsError(error)}.`,
      'check the path after @',
    );
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fieldError(
      field,
      "names a file that isn't text.",
      'upload photos with `cs cars photos add`, and assets with `cs assets upload`',
    );
  }
}

function numberOf(field: GivenField, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)))
    return value;
  throw fieldError(
    field,
    "is a number that JSON can't represent exactly.",
    'send it as text with -f',
  );
}

/** `[]` appends to a list. `[][key]` extends the last entry, or appends another if the entry has that key. */
function setField(root: Node, keys: readonly string[], value: unknown, field: GivenField): void {
  let at: Node | unknown[] = root;
  for (const [index, key] of keys.entries()) {
    const next = keys[index + 1];
    const last = next === undefined;
    if (Array.isArray(at)) {
      if (last) at.push(value);
      else at = entryFor(at, next, field);
      continue;
    }
    const there: unknown = at[key];
    if (last) {
      if (there !== undefined)
        throw fieldError(
          field,
          'is given twice.',
          'give it once; a list is written with [] after its name',
        );
      at[key] = value;
    } else {
      if (there === undefined) at[key] = next === '' ? [] : newNode();
      else if (
        typeof there !== 'object' ||
        there === null ||
        Array.isArray(there) !== (next === '')
      )
        throw fieldError(
          field,
          'has another type than before.',
          'use it as a value, a list or an object, not as several of them',
        );
      at = at[key] as Node | unknown[];
    }
  }
}

function entryFor(list: unknown[], key: string, field: GivenField): Node | unknown[] {
  if (key === '') throw fieldError(field, 'is a list in a list.', 'give it as JSON with --input');
  const last = list.at(-1);
  if (
    typeof last === 'object' &&
    last !== null &&
    !Array.isArray(last) &&
    !Object.hasOwn(last, key)
  )
    return last as Node;
  const entry = newNode();
  list.push(entry);
  return entry;
}

const fieldError = ({ text, typed }: GivenField, what: string, hint: string) => {
  const key = text.includes('=') ? text.slice(0, text.indexOf('=')) : text;
  return usage(`${typed ? '--field' : '--raw-field'} ${key} ${what}`, hint);
};
