/** The configuration file: saved servers with their keys, and the profile in use. */
import { isUtf8 } from 'node:buffer';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../errors/exit.ts';
import { unusableFile } from '../errors/file-system.ts';
import { makeFolder } from '../input/make-folder.ts';
import { isObject } from '../input/plain-object.ts';
import type { Io } from '../terminal/io.ts';
import { recordWrite } from '../terminal/ledger.ts';
import { quote } from '../terminal/text.ts';
import { platformFolder } from './platform-folders.ts';
import { checkAddress } from './setting-list.ts';

export interface Profile {
  readonly baseUrl: string;
  /** A profile has either this or `keyCommand`. */
  readonly key?: string;
  /** Run by the platform's shell when a key is needed. The first line of its output is the key. */
  readonly keyCommand?: string;
  /** Writes need a confirmation. */
  readonly production?: boolean;
  /** Writes are refused. */
  readonly readOnly?: boolean;
  /** Values by setting name. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * What the server announced of itself (`abilities.ts`). A cache, so nothing refuses another form
   * of it.
   */
  readonly abilities?: unknown;
}

export interface Config {
  readonly currentProfile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** (default: the platform's folder for configuration) */
export function configFolder(io: Io): string {
  return io.env.CS_CONFIG_DIR || platformFolder(io, 'config').path;
}

export const configFile = (io: Io): string => join(configFolder(io), 'config.json');

/**
 * An empty configuration where no file exists. Fails with `file_unusable`, exit 2. Reads the file
 * without conf: conf loads a schema validator, which takes as much CPU time as starting Node.js.
 */
export function readConfig(io: Io): Config {
  const file = configFile(io);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { profiles: {} };
    throw unreadable(file, error as NodeJS.ErrnoException);
  }
  if (!isUtf8(bytes)) throw invalid(file, "it isn't UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw invalid(file, `it isn't JSON (${(error as Error).message})`);
  }
  const problem = findProblem(value);
  if (problem) throw invalid(file, problem);
  const { currentProfile, profiles } = value as Config;
  return { currentProfile, profiles: profiles ?? {} };
}

/** Replaces the file atomically. Only its owner can read it. */
export async function writeConfig(io: Io, config: Config): Promise<void> {
  // Never overwrite an unreadable file: it may hold the only copy of a key.
  readConfig(io);
  const folder = configFolder(io);
  try {
    makeFolder(folder, 0o700);
    makePrivate(io, folder);
    const { default: Conf } = await import('conf');
    const store = new Conf<Record<string, unknown>>({
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
    });
    store.store =
      config.currentProfile === undefined ? { profiles: config.profiles } : { ...config };
    recordWrite(io, { did: `configuration ${configFile(io)} changed` });
  } catch (error) {
    throw unusableFile(`Couldn't write the configuration ${join(folder, 'config.json')}`, error, {
      hint: 'set CS_CONFIG_DIR to a writable folder',
    });
  }
}

/**
 * An existing folder may be open to other users. A folder named by CS_CONFIG_DIR may hold other
 * files, so its mode isn't changed.
 */
function makePrivate(io: Io, folder: string): void {
  if (io.env.CS_CONFIG_DIR || io.platform === 'win32') return;
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function findProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it isn't an object";
  const { currentProfile, profiles } = value;
  if (currentProfile !== undefined && typeof currentProfile !== 'string')
    return "`currentProfile` isn't a string";
  if (profiles === undefined) return undefined;
  if (!isObject(profiles)) return "`profiles` isn't an object";
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isObject(profile)) return `the profile \`${name}\` isn't an object`;
    if (typeof profile.baseUrl !== 'string' || checkAddress(profile.baseUrl))
      return `the profile \`${name}\` has no valid \`baseUrl\``;
    if (typeof profile.key !== 'string' && typeof profile.keyCommand !== 'string')
      return `the profile \`${name}\` has no \`key\``;
    // Taken as false, an invalid value would disable the protection.
    for (const mark of ['production', 'readOnly'] as const)
      if (profile[mark] !== undefined && typeof profile[mark] !== 'boolean')
        return `\`${mark}\` of the profile \`${name}\` isn't true or false`;
    const { settings = {} } = profile;
    if (!isObject(settings) || Object.values(settings).some((value) => typeof value !== 'string'))
      return `the \`settings\` of the profile \`${name}\` aren't strings by name`;
  }
  return undefined;
}

function invalid(file: string, why: string): CliError {
  return new CliError({
    code: 'file_unusable',
    exitCode: 2,
    message: `Invalid configuration ${file}: ${why}.`,
    hint: `fix it, or move it away with \`mv ${quote(file)} ${quote(`${file}.broken`)}\` and sign in again with \`cs auth login\``,
  });
}

const unreadable = (file: string, error: NodeJS.ErrnoException): CliError =>
  unusableFile(`Couldn't read the configuration ${file}`, error, {
    hint: 'make it a file that you can read (`chmod 600`), or set CS_CONFIG_DIR to another folder',
  });
