/** A small JSON file that says where a command was, replaced in one step. */
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

/** What a state file holds; nothing where there is none. Exit 7 when it holds something else. */
export async function readState<T>(path: string, isState: (value: unknown) => value is T): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, `it cannot be read: ${describeFsError(error)}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isState(value)) return value;
  } catch {
    // Told below, like JSON that holds something else.
  }
  throw unusable(path, 'this command did not write it, or another version did');
}

const unusable = (path: string, why: string): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `${path} cannot be used: ${why}.`,
    hint: 'delete it to start over, or choose another place',
  });

export async function writeState(path: string, state: object): Promise<void> {
  await saveFile(path, one(Buffer.from(toJson(state))), { overwrite: true });
  await keepNames(dirname(path));
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Makes what was renamed in a folder last, also when the machine stops. */
export async function keepNames(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    // Some systems do not open folders; there is nothing more to be done then.
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Where records come from, so that those of two teams are never put together. */

export interface Origin {
  readonly server: string;
  /** Nothing where the server does not tell whose key it is. */
  readonly team: { readonly id: string; readonly name: string } | null;
  /** What may be shown of the key: its prefix, or where it comes from. */
  readonly key: string;
}

export async function originOf(context: Context): Promise<Origin> {
  const client = await context.client();
  const { value } = context.settings.connection().key;
  return { server: client.transport.baseUrl, team: await teamOf(client), key: value ? describeKey(value) : '' };
}

/** The specification does not mention `/me`. */
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

/** Fails with exit 7 when what is at `place` comes from elsewhere. Where the server does not name the team, the key stands for it. */
export function refuseOther(place: string, before: Origin, now: Origin): void {
  const refuse = (message: string, hint: string) =>
    new CliError({ code: 'other_origin', message, hint, details: { before: shown(before), now: shown(now) } });
  const elsewhere = 'choose another place for it';
  if (before.server !== now.server)
    throw refuse(
      `${place} comes from ${before.server}, and this is ${now.server}.`,
      `${elsewhere}; if the server has only moved, write its new address there as "server"`,
    );
  const known = before.team !== null && now.team !== null;
  if (known && before.team?.id !== now.team?.id)
    throw refuse(
      `${place} is of the team ${before.team?.name}, and this key is of ${now.team?.name}.`,
      `${elsewhere}, or use a key of that team`,
    );
  if (!known && before.key !== now.key)
    throw refuse(
      `${place} was made with the key ${before.key}, and this is ${now.key}; the server does not tell whether they are of one team.`,
      `${elsewhere}; if they are of one team, write the new one there as "key"`,
    );
}

/** What holds an origin may hold more. */
const shown = ({ server, team, key }: Origin): Origin => ({ server, team, key });

export const isOrigin = (value: unknown): value is Origin =>
  isObject(value) &&
  typeof value.server === 'string' &&
  typeof value.key === 'string' &&
  (value.team === null || (isObject(value.team) && typeof value.team.id === 'string'));
