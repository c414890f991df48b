/** Builds an object from fields of `cs api`: `make=Audi`, `config[size]=3`, `tags[]=vip`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { decodeText } from '../../input/decode.ts';
import { type Reading, readPiped } from '../../input/input.ts';

export interface GivenField {
  /** `key=value`. */
  readonly text: string;
  /** Whether true, false, null, numbers and @file are converted. */
  readonly typed: boolean;
}

type Node = Record<string, unknown>;

/** In the given order. Exit 2 for a key that is given twice, or as a value and an object. `input`: the value of --input. */
export async function readFields(
  context: Reading,
  given: readonly GivenField[],
  input: unknown,
): Promise<Node> {
  const fromStdin = given.filter(({ text, typed }) => typed && text.endsWith('=@-')).length;
  if (fromStdin + (input === '-' ? 1 : 0) > 1)
    throw usage('Only one of the fields and --input can read stdin.', 'leave the others out');
  const root = newNode();
  for (const field of given) {
    const { keys, value } = split(field);
    setField(root, keys, field.typed ? await typedValue(context, field, value) : value, field);
  }
  return root;
}

export function toQuery(fields: Readonly<Node>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if ([value].flat().some((one) => one === null || typeof one === 'object'))
        throw usage(
          `The field ${name} can't be part of a query.`,
          'use text, numbers, or lists of them',
        );
      return [name, Array.isArray(value) ? value.map(String) : String(value)];
    }),
  );
}

// Without a prototype: `__proto__` is a key like any other.
const newNode = (): Node => Object.create(null);

function split(field: GivenField): { keys: string[]; value: string } {
  const [, name, inner = '', value = ''] =
    /^([^[\]=]+)((?:\[[^[\]=]*\])*)=(.*)$/s.exec(field.text) ?? [];
  if (name === undefined)
    throw fieldError(
      field,
      "isn't key=value.",
      "write it like -f make=Audi, -f 'address[city]=Kiel' or -f 'tags[]=vip'",
    );
  return {
    keys: [
      name,
      ...inner
        .slice(1, -1)
        .split('][')
        .slice(inner === '' ? 1 : 0),
    ],
    value,
  };
}

async function typedValue(context: Reading, field: GivenField, text: string): Promise<unknown> {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)))
      return value;
    throw fieldError(
      field,
      "is a number that JSON can't represent exactly.",
      'send it as text with -f',
    );
  }
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
  return decodeText(bytes, { name: `The file ${path}` });
}

/** `[]` at the end appends to a list. */
function setField(root: Node, keys: readonly string[], value: unknown, field: GivenField): void {
  const isList = keys.at(-1) === '';
  const path = isList ? keys.slice(0, -1) : keys;
  if (path.includes(''))
    throw fieldError(field, 'is a list of objects or lists.', 'give it as JSON with --input');
  const last = path.at(-1) as string;
  let at: unknown = root;
  for (const key of path.slice(0, -1)) {
    const node = at as Node;
    node[key] ??= newNode();
    at = node[key];
    if (typeof at !== 'object' || at === null || Array.isArray(at)) throw repeated(field);
  }
  const node = at as Node;
  if (isList) {
    node[last] ??= [];
    if (!Array.isArray(node[last])) throw repeated(field);
    node[last].push(value);
  } else if (node[last] === undefined) node[last] = value;
  else throw repeated(field);
}

const repeated = (field: GivenField) =>
  fieldError(
    field,
    'is given twice.',
    'give it once, as a value, an object or a list; a list is written with [] after its name',
  );

const fieldError = ({ text, typed }: GivenField, what: string, hint: string) =>
  usage(`${typed ? '--field' : '--raw-field'} ${text.split('=', 1)[0]} ${what}`, hint);
