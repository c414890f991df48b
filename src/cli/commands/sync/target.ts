/** Where a mirror is: an SQLite file, or a PostgreSQL database, whose password is never printed. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SyncName } from '../../../client/client.ts';
import { type CliError, usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { nextCommand } from '../../framework/next-command.ts';
import type { Io } from '../../terminal/io.ts';
import { shortPath } from '../../terminal/text.ts';
import { formatOfName } from '../bulk/formats.ts';
import { kebabName } from '../bulk/resources.ts';
import { unusableFolder } from '../files/folders.ts';

export interface Target {
  /** For messages. */
  readonly name: string;
  /** What a hint repeats; without the password. */
  readonly given: string | undefined;
  /** An absolute path, or an address with its password. */
  readonly file?: string;
  readonly address?: string;
}

const isAddress = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);
const isFile = (text: string): boolean => formatOfName(text) === 'sqlite';

export const isTarget = (text: string): boolean => isAddress(text) || isFile(text);

/** Without `given`, the address in the file of CS_MIRROR_URL_FILE. Exit 2 for anything else than a database. */
export function targetOf(
  io: Io,
  given: string | undefined,
  names: readonly SyncName[] = ['cars'],
): Target {
  const text = given ?? addressInFile(io);
  if (isAddress(text)) return addressOf(text, given !== undefined);
  if (given === undefined)
    throw usage(
      'The file of CS_MIRROR_URL_FILE has no address of a PostgreSQL database.',
      'write one line like postgres://user:password@host/database into it',
    );
  if (!isFile(given)) throw notADatabase(given, names.map(kebabName));
  const file = resolve(io.cwd, given);
  if (isFolder(file))
    throw usage(`${given} is a folder.`, 'give the name of a file, which is created if missing');
  return { name: shortPath(io.cwd, file), given, file };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw unusableFolder(dirname(path), error);
  }
}

function addressInFile({ env, cwd }: Io): string {
  const file = env.CS_MIRROR_URL_FILE;
  if (!file)
    throw usage(
      'No mirror was named.',
      'name a database (file.db|postgres://…), or set CS_MIRROR_URL_FILE to a file with its address',
    );
  try {
    return readFileSync(resolve(cwd, file), 'utf8').trim();
  } catch (error) {
    throw usage(
      `Couldn't read ${file}, the file of CS_MIRROR_URL_FILE: ${describeFsError(error)}.`,
      'give the path of a readable file with the address of a database',
    );
  }
}

function addressOf(address: string, isGiven: boolean): Target {
  const url = URL.parse(address);
  if (!url?.host || url.pathname.length < 2)
    throw usage(
      "The address of the database isn't valid.",
      'write it like postgres://user@host/database, with special characters of the password as %XX',
    );
  const user = url.username && `${url.username}@`;
  const name = `postgres://${user}${url.host}${url.pathname}`;
  return { name, given: isGiven ? name : undefined, address };
}

function notADatabase(given: string, names: readonly string[]): CliError {
  const message = 'A mirror is an SQLite file (.db, .sqlite, .sqlite3) or a postgres:// address';
  if (given === '-')
    return usage(
      `${message}. Singer messages aren't written any more.`,
      `pipe changes as lines of JSON: \`${nextCommand(['watch', ...names, '--once', '--state', 'NAME', '-o', 'ndjson'])}\``,
    );
  // The name of one file becomes that of a folder.
  const format = formatOfName(given);
  const target = format ? [given.replace(/\.\w+$/, ''), '-o', format] : [given];
  const words = ['export', ...names, '--to', ...target];
  return usage(
    `${message}, not "${given}".`,
    `to write files into a folder: \`${nextCommand(words)}\``,
  );
}
