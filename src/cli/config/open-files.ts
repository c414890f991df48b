/** Files that hold keys, and their folders: whether other users of this machine can open them. */
import { chmodSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../terminal/io.ts';
import { quote } from '../terminal/text.ts';
import { configFile, configFolder } from './config.ts';

/** What groups and others may do; nothing where there is no such file. */
export function othersMode({ platform }: Io, path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  // Windows keeps rights in another way, and gives a mode that says nothing.
  return found && (platform === 'win32' ? 0 : found.mode & 0o077);
}

/**
 * Closes the configuration where it is open, and answers what to tell of it and of an open key file. A folder that CS_CONFIG_DIR names
 * may hold more than the configuration, so it is only told of. Never fails.
 */
export function closeOpenFiles(io: Io): string[] {
  try {
    const [file, folder, keyFile] = [configFile(io), configFolder(io), io.env.CS_KEY_FILE];
    const told: (string | undefined)[] = [];
    if (statSync(file, { throwIfNoEntry: false })?.isFile())
      told.push(close(io, file, 0o600), io.env.CS_CONFIG_DIR ? openFolder(io, folder) : close(io, folder, 0o700));
    else told.push(plantableFolder(io, folder));
    if (keyFile) told.push(openKeyFile(io, keyFile));
    return told.filter((text) => text !== undefined);
  } catch {
    // What cannot be looked at is told by whoever needs it.
    return [];
  }
}

/** What to tell of a file that holds a key and belongs to the person; nothing where it is closed. */
export function openKeyFile(io: Io, file: string): string | undefined {
  const path = resolve(io.cwd, file);
  return othersMode(io, path)
    ? `The key file ${path} is open to other users of this machine: \`chmod 600 ${quote(path)}\` closes it.`
    : undefined;
}

const openFolder = (io: Io, folder: string): string | undefined =>
  othersMode(io, folder)
    ? `The configuration folder ${folder} is open to other users of this machine: \`chmod 700 ${quote(folder)}\` closes it.`
    : undefined;

/** What to tell of a folder without a configuration, into which others could put theirs; nothing where they can't. */
export const plantableFolder = (io: Io, folder: string): string | undefined =>
  (othersMode(io, folder) ?? 0) & 0o022
    ? `Other users of this machine can put a configuration into ${folder}: \`chmod 700 ${quote(folder)}\` closes it.`
    : undefined;

function close(io: Io, path: string, mode: number): string | undefined {
  if (!othersMode(io, path)) return undefined;
  try {
    chmodSync(path, mode);
    return `${path} was open to other users of this machine, and is closed now. Replace its keys if somebody may have read them.`;
  } catch {
    return `${path} is open to other users of this machine, and cannot be closed: it belongs to somebody else.`;
  }
}
