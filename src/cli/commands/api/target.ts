/** Where a request of `cs api` goes: a path of the interface, whatever of it people write. */

import { contract, type ResourceName } from '../../../contract/contract.ts';
import { matchesPath, type Operation, walk } from '../../../contract/operations.ts';
import { idsOf } from '../../crud/operation.ts';
import { usage } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';

export interface Target {
  /** Below `/api/v1`, such as `/cars`. */
  readonly path: string;
  /** As it was typed. */
  readonly search: string;
  /** The operation of the contract that the path and method are; a newer server may know more. */
  readonly operation: Operation | undefined;
}

/**
 * `/cars`, `cars`, `/api/v1/cars?status=stored`, an address of the same server, and `/cars/{WN AB 123}`, where braces hold what people
 * call the record. Another server is exit 2: the key stays with its own.
 */
export async function readTarget(context: Context, method: string, text: string): Promise<Target> {
  if (/^\/*$/.test(text)) throw usage('The path is empty.', 'write it like /cars; `cs schema` shows the paths');
  const names: string[] = [];
  // Put aside first: a name may hold a slash or a question mark.
  const plain = below(context, text).replace(/\{([^{}]*)\}/g, (_, name: string) => `{${names.push(name) - 1}}`);
  const [path = '', search = ''] = splitOnce(plain, '?');
  const parts = path.split('/');
  const found = [...walk(contract)].filter((operation) => matchesPath(operation.path, path));
  const operation = found.find((one) => one.method === method);
  const typed = search.replace(/\{(\d+)\}/g, (_, index) => `{${names[Number(index)]}}`).replace(/[#\t\r\n]/g, encodeURIComponent);
  if (names.length === 0) return { path, search: typed, operation };

  const named = operation ?? found[0];
  const template = named?.path.split('/') ?? [];
  const held = parts.map((part, index) => ({ part, parameter: template[index]?.startsWith('{') === true }));
  if (!named) throw usage(`"${text}" is no path of the interface.`, '`cs schema` shows the paths');
  if (held.some(({ part, parameter }) => part.includes('{') && (!parameter || !/^\{\d+\}$/.test(part))))
    throw usage(
      `In "${text}", braces do not stand where an id does.`,
      'write it like "/cars/{WN AB 123}/events"; `cs schema` shows the paths',
    );
  const texts = held
    .filter(({ parameter }) => parameter)
    .map(({ part }) => (part.startsWith('{') ? names[Number(part.slice(1, -1))] : decode(part)));
  const ids = await idsOf(context, named.resource.name as ResourceName, texts as string[]);
  return {
    path: held.map(({ part, parameter }) => (parameter ? encodeURIComponent(ids.shift() as string) : part)).join('/'),
    search: typed,
    operation,
  };
}

/** Without the address and the `/api/v1` that people copy along. */
function below({ settings }: Context, text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return `/${text.replace(/^\/+/, '')}`.replace(/^\/api\/v1(?=\/)/, '');
  const base = `${settings
    .connection()
    .baseUrl.value.replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')}/api/v1`;
  if (text.startsWith(`${base}/`)) return text.slice(base.length);
  throw usage(
    'The path is an address of another server, and the key is not sent there.',
    'give the path alone, such as /cars; --profile or --base-url choose the server',
  );
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
