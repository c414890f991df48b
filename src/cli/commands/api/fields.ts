/** Fields that `cs api` is given one by one, as the object that a body holds: `make=Audi`, `config[size]=3`, `tags[]=vip`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { type Reading, readPiped } from '../../input/input.ts';

export interface GivenField {
  /** `key=value` as it was typed. */
  readonly text: string;
  /** Whether true, false, null, numbers and @file are more than their letters. */
  readonly typed: boolean;
}

type Node = Record<string, unknown>;

/** All fields in one object, in the order given. A key that is given twice, or is a value and an object at once, is exit 2. */
export async function readFields(context: Reading, given: readonly GivenField[]): Promise<Record<string, unknown>> {
  const root = newNode();
  for (const field of given) {
    const { keys, value } = split(field);
    put(root, keys, field.typed ? await typedValue(context, field, value) : value, field);
  }
  return root;
}

/** Whether one of the fields reads stdin, which can be read once. */
export const readsStdin = ({ text, typed }: GivenField): boolean => typed && text.endsWith('=@-');

// Without a prototype, so that a key called __proto__ is a key like any other.
const newNode = (): Node => Object.create(null);

function split(field: GivenField): { keys: string[]; value: string } {
  const { text } = field;
  const equals = text.indexOf('=');
  const key = text.slice(0, equals);
  const shape = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
  if (equals < 1 || !shape)
    throw refused(field, 'is not key=value.', "write it like -f make=Audi, -f 'address[city]=Kiel' or -f 'tags[]=vip'");
  const inner = Array.from((shape[2] as string).matchAll(/\[([^\]]*)\]/g), (match) => match[1] as string);
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
    throw refused(field, `names a file that cannot be read: ${describeFsError(error)}.`, 'check the path after @');
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(
      field,
      'names a file that is not text.',
      'photos and assets have commands of their own: `cs cars photos add`, `cs assets upload`',
    );
  }
}

function numberOf(field: GivenField, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value;
  throw refused(field, 'is a number that cannot be kept exactly.', 'send it as text with -f');
}

/** `[]` adds to a list; `[][key]` goes on with the last entry until it has that key, and then begins another. */
function put(root: Node, keys: readonly string[], value: unknown, field: GivenField): void {
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
      if (there !== undefined) throw refused(field, 'is given twice.', 'give it once; a list is written with [] after its name');
      at[key] = value;
    } else {
      if (there === undefined) at[key] = next === '' ? [] : newNode();
      else if (typeof there !== 'object' || there === null || Array.isArray(there) !== (next === ''))
        throw refused(field, 'is of another shape than it was before.', 'a field is a value, a list or an object, and only one of them');
      at = at[key] as Node | unknown[];
    }
  }
}

function entryFor(list: unknown[], key: string, field: GivenField): Node | unknown[] {
  if (key === '') throw refused(field, 'is a list in a list.', 'give it as JSON with --input');
  const last = list.at(-1);
  if (typeof last === 'object' && last !== null && !Array.isArray(last) && !Object.hasOwn(last, key)) return last as Node;
  const entry = newNode();
  list.push(entry);
  return entry;
}

const refused = ({ text, typed }: GivenField, what: string, hint: string) => {
  const key = text.includes('=') ? text.slice(0, text.indexOf('=')) : text;
  return usage(`${typed ? '--field' : '--raw-field'} ${key} ${what}`, hint);
};
