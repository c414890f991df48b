/** The command that creates a record, as a line to copy. */
import { isDeepStrictEqual } from 'node:util';
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { connectionFlags, nextCommand } from '../framework/next-command.ts';
import { listIn } from '../input/list.ts';
import { flagOf } from '../terminal/text.ts';
import { flagFields } from './fields.ts';

interface CreateLine {
  /** `parking`, `spots`, `create` */
  readonly words: readonly string[];
  readonly resource: ResourceName;
  readonly body: Readonly<Record<string, unknown>>;
}

export function createLine(context: Context, { words, resource, body }: CreateLine): string {
  const fields = flagFields((contract[resource] as Resource).fields);
  const flags = new Map(fields.map(({ name, flag }) => [name, flag]));
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  // Fields without a flag, and lists that a flag would read as others.
  const others = Object.fromEntries(
    given.filter(
      ([name, value]) =>
        !flags.has(name) ||
        value === null ||
        (Array.isArray(value) && !isDeepStrictEqual(listIn(value.map(String)), value)),
    ),
  );
  const input = Object.keys(others).length > 0 ? ['--input', JSON.stringify(others)] : [];
  const typed = given.flatMap(([name, value]) =>
    name in others ? [] : wordsOf(flags.get(name) as string, value),
  );
  return nextCommand([...words, ...typed, ...input], connectionFlags(context));
}

/** The words of a flag by its attribute name. */
export function flagWords(name: string, value: unknown): string[] {
  // Photos are resized unless --no-resize is given.
  return name === 'resize' && value === true ? [] : wordsOf(flagOf(name), value);
}

function wordsOf(flag: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => wordsOf(flag, one));
  if (value === false) return [`--no-${flag.slice(2)}`];
  return value === true ? [flag] : [flag, String(value)];
}
