/** A small JSON file that remembers where a command stopped, for which server and team. Replaced atomically. */
import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { toJson } from '../../output/json.ts';
import { saveFile } from '../../output/save-file.ts';
import { differenceOf, type Origin } from '../connection/origin.ts';
import { followLinks } from '../files/links.ts';

/** Whether a damaged file is moved aside; `hint` tells what the next run does without it. */
interface Damaged {
  readonly setAside: boolean;
  readonly hint: string;
}

/** Undefined without a file. Exit 7 for a file with other content, and for a damaged one. */
export async function readState<T>(
  path: string,
  isState: (value: unknown) => value is T,
  damaged?: Damaged,
): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, describeFsError(error));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (damaged && looksLikeState(text)) throw await damagedState(path, damaged);
  }
  if (isState(value)) return value;
  throw unusable(path, 'it is damaged, or was written by another command or version');
}

/** JSON that was cut off or overwritten. Any other text is a file of somebody else, which stays where it is. */
const looksLikeState = (text: string): boolean => /^[\s\0]*(\{|$)/.test(text);

async function damagedState(path: string, { setAside, hint }: Damaged): Promise<CliError> {
  const movedTo = setAside ? await moveAside(path) : undefined;
  const moved = movedTo === undefined ? '' : ` It was moved to ${movedTo}.`;
  return new CliError({
    code: 'state_unusable',
    message: `${path} is damaged: it isn't valid JSON.${moved}`,
    hint,
    ...(movedTo !== undefined && { details: { movedTo } }),
  });
}

/** Renames a damaged file, and those that belong to it by their endings. Returns its new path. */
export async function moveAside(path: string, endings: readonly string[] = []): Promise<string> {
  let aside = `${path}.damaged`;
  for (let count = 2; existsSync(aside); count++) aside = `${path}.damaged-${count}`;
  for (const ending of ['', ...endings])
    if (existsSync(path + ending)) await rename(path + ending, aside + ending);
  return aside;
}

const unusable = (path: string, why: string): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `Couldn't use ${path}: ${why}.`,
    hint: 'delete it to start over, or choose another path',
  });

export async function writeState(path: string, state: object): Promise<void> {
  const file = await followLinks(path);
  await saveFile(file, one(Buffer.from(toJson(state))), { overwrite: true });
  await syncFolder(dirname(file));
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
    if (
      !['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      )
    )
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
    new CliError({
      code: 'other_origin',
      message,
      hint,
      details: { before: originOnly(before), now: originOnly(now) },
    });
  const elsewhere = 'choose another path';
  const difference = differenceOf(before, now);
  if (difference === 'server')
    throw otherOrigin(
      `${path} belongs to ${before.server}, not to ${now.server}.`,
      `${elsewhere}; if the server only has a new address, ${change('server')}`,
    );
  if (difference === 'team')
    throw otherOrigin(
      `${path} belongs to the team ${before.team?.name}, and this key to ${now.team?.name}.`,
      `${elsewhere}, or use a key of that team`,
    );
  if (difference === 'key')
    throw otherOrigin(
      `${path} was written with the key ${before.key}, not with ${now.key}; the server doesn't report whether both belong to one team.`,
      `${elsewhere}; if both belong to one team, ${change('key')}`,
    );
}

/** Without the other fields of a state file. */
const originOnly = ({ server, team, key }: Origin): Origin => ({ server, team, key });
