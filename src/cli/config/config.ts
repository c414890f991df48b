/** The configuration file: the servers that were signed in to, their keys, and which of them is used. */
import { isUtf8 } from 'node:buffer';
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull } from '../errors/file-system.ts';
import { recordWrite } from '../framework/ledger.ts';
import { isObject } from '../input/plain-object.ts';
import type { Io } from '../terminal/io.ts';
import { quote } from '../terminal/text.ts';
import { platformFolder } from './platform-folders.ts';

export interface Profile {
  readonly baseUrl: string;
  /** One of the two is there. */
  readonly key?: string;
  /** Run by the platform's shell whenever a key is needed; the first line that it prints is the key. */
  readonly keyCommand?: string;
  /** Every write asks before. */
  readonly production?: boolean;
  /** Every write is refused. */
  readonly readOnly?: boolean;
  /** Values of settings by their name in `cs config`. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Config {
  readonly currentProfile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** CS_CONFIG_DIR, or the place where the platform keeps such things. */
export function configFolder(io: Io): string {
  return io.env.CS_CONFIG_DIR || platformFolder(io, 'config').path;
}

export const configFile = (io: Io): string => join(configFolder(io), 'config.json');

/**
 * What the file says; no file is an empty configuration. Fails with `config_unreadable` or `config_invalid`, exit 2.
 * Read without `conf`: that brings a schema validator, and every command would wait for it.
 */
export function readConfig(io: Io): Config {
  const file = configFile(io);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { profiles: {} };
    throw unreadable(io, file, error as NodeJS.ErrnoException);
  }
  if (!isUtf8(bytes)) throw invalid(file, "it isn't UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw invalid(file, `it is not JSON (${(error as Error).message})`);
  }
  const wrong = whatIsWrong(value);
  if (wrong) throw invalid(file, wrong);
  const { currentProfile, profiles } = value as Config;
  return { currentProfile, profiles: profiles ?? {} };
}

/** Replaces the file in one step; only its owner can read it. */
export async function writeConfig(io: Io, config: Config): Promise<void> {
  // What cannot be read must not be overwritten: it may hold the only copy of a key.
  readConfig(io);
  const folder = configFolder(io);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeFolder(io, folder);
    const { default: Conf } = await import('conf');
    const store = new Conf<Record<string, unknown>>({
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
    });
    store.store = config.currentProfile === undefined ? { profiles: config.profiles } : { ...config };
    recordWrite(io, { did: `configuration ${configFile(io)} changed` });
  } catch (error) {
    throw new CliError({
      code: 'config_not_written',
      message: `The configuration ${join(folder, 'config.json')} cannot be written: ${describeFsError(error)}.`,
      hint: `${isFull(error) ? 'make room, or ' : ''}set CS_CONFIG_DIR to a folder that you can write to`,
      exitCode: exitCodeOfFsError(error, 2),
      cause: error,
    });
  }
}

/** What was there before may be open to others. A folder that somebody chose may hold more than this, so it stays as it is. */
function closeFolder(io: Io, folder: string): void {
  if (io.env.CS_CONFIG_DIR || io.platform === 'win32') return;
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function whatIsWrong(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is not an object';
  const { currentProfile, profiles } = value;
  if (currentProfile !== undefined && typeof currentProfile !== 'string') return '`currentProfile` is not a text';
  if (profiles === undefined) return undefined;
  if (!isObject(profiles)) return '`profiles` is not an object';
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isObject(profile)) return `the profile \`${name}\` is not an object`;
    if (typeof profile.baseUrl !== 'string' || !URL.canParse(profile.baseUrl))
      return `the profile \`${name}\` has no \`baseUrl\` that is an address`;
    if (typeof profile.key !== 'string' && typeof profile.keyCommand !== 'string') return `the profile \`${name}\` has no \`key\``;
    // Taken for false, a mark that was written wrongly would protect nothing.
    for (const mark of ['production', 'readOnly'] as const)
      if (profile[mark] !== undefined && typeof profile[mark] !== 'boolean')
        return `\`${mark}\` of the profile \`${name}\` is not true or false`;
    const { settings = {} } = profile;
    if (!isObject(settings) || Object.values(settings).some((value) => typeof value !== 'string'))
      return `the \`settings\` of the profile \`${name}\` are not texts by name`;
  }
  return undefined;
}

function invalid(file: string, why: string): CliError {
  return new CliError({
    code: 'config_invalid',
    message: `The configuration ${file} cannot be used: ${why}.`,
    hint: `mend it, or put it aside with \`mv ${quote(file)} ${quote(`${file}.broken`)}\` and sign in again with \`cs auth login\``,
    exitCode: 2,
  });
}

function unreadable(io: Io, file: string, error: NodeJS.ErrnoException): CliError {
  const elsewhere = 'set CS_CONFIG_DIR to another folder';
  const denied = ['permission is denied', `make it yours with \`chmod 600 ${quote(file)}\`, or ${elsewhere}`] as const;
  const reasons: Readonly<Record<string, readonly [string, string]>> = {
    EACCES: denied,
    EPERM: denied,
    EISDIR: ['it is a folder', `put it aside with \`mv ${quote(file)} ${quote(`${file}.folder`)}\`, or ${elsewhere}`],
    ENOTDIR: [`${configFolder(io)} is not a folder`, 'set CS_CONFIG_DIR to a folder'],
  };
  const [why, hint] = reasons[error.code ?? ''] ?? [describeFsError(error), elsewhere];
  return new CliError({
    code: 'config_unreadable',
    message: `The configuration ${file} cannot be read: ${why}.`,
    hint,
    exitCode: 2,
    cause: error,
  });
}
