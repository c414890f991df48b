/** Where records come from, so that those of two teams are never put together. */

import type { Client } from '../../../client/client.ts';
import { ApiError, ProtocolError } from '../../../client/errors.ts';
import { shownKey } from '../../config/connection.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { isObject } from '../../input/plain-object.ts';

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
  return { server: client.transport.baseUrl, team: await teamOf(client), key: value ? shownKey(value) : '' };
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
    new CliError({ code: 'other_origin', message, hint, details: { before: shown(before), now: shown(now) }, exitCode: 7 });
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
