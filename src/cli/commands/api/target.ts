/** The path of a request of `cs api`, in any form that people write. */

import { contract, type ResourceName } from '../../../contract/contract.ts';
import { matchesPath, type Operation, walk } from '../../../contract/operations.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { idsOf } from '../../resources/operation.ts';

export interface Target {
  /** Relative to `/api/v1`, such as `/cars`. */
  readonly path: string;
  /** As given. */
  readonly search: string;
  /** The operation with this path and method; undefined for one that only a newer server knows. */
  readonly operation: Operation | undefined;
}

/**
 * Accepts `/cars`, `cars`, `/api/v1/cars?status=stored`, a URL of the same server, and `/cars/{WN AB 123}` with the name of a record.
 * Exit 2 for another server: it must not get the key.
 */
export async function readTarget(context: Context, method: string, text: string): Promise<Target> {
  if (/^\/*$/.test(text))
    throw usage('The path is empty.', 'write it like /cars; list the paths with `cs schema`');
  const names: string[] = [];
  // Replace names by numbers first: a name may contain a slash or a question mark.
  const plain = toRelativePath(context, text).replace(
    /\{([^{}]*)\}/g,
    (_, name: string) => `{${names.push(name) - 1}}`,
  );
  const [path = '', search = ''] = splitOnce(plain, '?');
  const parts = path.split('/');
  const found = [...walk(contract)].filter((operation) => matchesPath(operation.path, path));
  const operation = found.find((one) => one.method === method);
  const typed = search
    .replace(/\{(\d+)\}/g, (_, index) => `{${names[Number(index)]}}`)
    .replace(/[#\t\r\n]/g, encodeURIComponent);
  if (names.length === 0) return { path, search: typed, operation };

  const named = operation ?? found[0];
  const template = named?.path.split('/') ?? [];
  const held = parts.map((part, index) => ({
    part,
    parameter: template[index]?.startsWith('{') === true,
  }));
  if (!named) throw usage(`"${text}" isn't a path of the API.`, 'list the paths with `cs schema`');
  if (
    held.some(
      ({ part, parameter }) => part.includes('{') && (!parameter || !/^\{\d+\}$/.test(part)),
    )
  )
    throw usage(
      `In "${text}", braces aren't in the place of an id.`,
      'write it like "/cars/{WN AB 123}/events"; list the paths with `cs schema`',
    );
  const texts = held
    .filter(({ parameter }) => parameter)
    .map(({ part }) => (part.startsWith('{') ? names[Number(part.slice(1, -1))] : decode(part)));
  const ids = await idsOf(context, named.resource.name as ResourceName, texts as string[]);
  return {
    path: held
      .map(({ part, parameter }) => (parameter ? encodeURIComponent(ids.shift() as string) : part))
      .join('/'),
    search: typed,
    operation,
  };
}

/** Without the server's URL and `/api/v1`. */
function toRelativePath({ settings }: Context, text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return `/${text.replace(/^\/+/, '')}`.replace(/^\/api\/v1(?=\/)/, '');
  const base = `${settings
    .connection()
    .baseUrl.value.replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')}/api/v1`;
  if (text.startsWith(`${base}/`)) return text.slice(base.length);
  throw usage(
    "The URL belongs to another server, and the key isn't sent there.",
    'give only the path, such as /cars, and choose the server with --profile or --base-url',
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
