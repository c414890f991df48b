/** A small JSON file that remembers where a command stopped, for which server and team. Replaced atomically. */
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { ApiError, ProtocolError } from '../../../client/errors.ts';
import { describeKey } from '../../config/connection.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import type { Context } from '../../framework/context.ts';
import { isObject } from '../../input/plain-object.ts';
import { toJson } from '../../output/json.ts';
import { saveFile } from '../../output/save-file.ts';

/** Undefined without a file. Exit 7 for a file with other content. */
export async function readState<T>(path: string, isState: (value: unknown) => value is T): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, describeFsError(error));
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isState(value)) return value;
  } catch {
    // Reported below, like JSON with other content.
  }
  throw unusable(path, 'it was written by another command or version');
}

const unusable = (path: string, why: string): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `Couldn't use ${path}: ${why}.`,
    hint: 'delete it to start over, or choose another path',
  });

export async function writeState(path: string, state: object): Promise<void> {
  await saveFile(path, one(Buffer.from(toJson(state))), { overwrite: true });
  await syncFolder(dirname(path));
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Makes renames in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    // Some systems can't sync folders.
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** The source of records, so that records of two teams are never mixed. */
export interface Origin {
  readonly server: string;
  /** Null if the server doesn't report the team. */
  readonly team: { readonly id: string; readonly name: string } | null;
  /** Its prefix, or its key command. */
  readonly key: string;
}

export async function readOrigin(context: Context): Promise<Origin> {
  const client = await context.client();
  const { value } = context.settings.connection().key;
  return { server: client.transport.baseUrl, team: await teamOf(client), key: value ? describeKey(value) : '' };
}

/** The specification doesn't have `/me`. */
async function teamOf(client: Client): Promise<Origin['team']> {
  try {
    const { body } = await client.transport.request({ method: 'GET', path: '/me' });
    const team = isObject(body) && isObject(body.data) ? body.data.team : undefined;
    return isObject(team) && typeof team.id === 'string' ? { id: team.id, name: String(team.name ?? team.id) } : null;
  } catch (error) {
    if ((error instanceof ApiError || error instanceof ProtocolError) && [404, 405, 501].includes(error.status)) return null;
    throw error;
  }
}

/** Exit 7 if `path` belongs to another server or team. Without the team, the key identifies it. */
export function requireSameOrigin(
  path: string,
  before: Origin,
  now: Origin,
  change = (field: 'server' | 'key') => `change "${field}" in the file`,
): void {
  const otherOrigin = (message: string, hint: string) =>
    new CliError({ code: 'other_origin', message, hint, details: { before: originOnly(before), now: originOnly(now) } });
  const elsewhere = 'choose another path';
  if (before.server !== now.server)
    throw otherOrigin(
      `${path} belongs to ${before.server}, not to ${now.server}.`,
      `${elsewhere}; if the server only has a new address, ${change('server')}`,
    );
  const known = before.team !== null && now.team !== null;
  if (known && before.team?.id !== now.team?.id)
    throw otherOrigin(
      `${path} belongs to the team ${before.team?.name}, and this key to ${now.team?.name}.`,
      `${elsewhere}, or use a key of that team`,
    );
  if (!known && before.key !== now.key)
    throw otherOrigin(
      `${path} was written with the key ${before.key}, not with ${now.key}; the server doesn't report whether both belong to one team.`,
      `${elsewhere}; if both belong to one team, ${change('key')}`,
    );
}

/** Without the other fields of a state file. */
const originOnly = ({ server, team, key }: Origin): Origin => ({ server, team, key });

export const isOrigin = (value: unknown): value is Origin =>
  isObject(value) &&
  typeof value.server === 'string' &&
  typeof value.key === 'string' &&
  (value.team === null || (isObject(value.team) && typeof value.team.id === 'string'));
