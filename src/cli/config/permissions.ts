/** Whether other users of this machine can open files with keys and their folders. */
import { chmodSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../terminal/io.ts';
import { quote } from '../terminal/text.ts';
import { configFile, configFolder } from './config.ts';

/** The permissions of group and others; undefined where the file doesn't exist. */
export function nonOwnerMode({ platform }: Io, path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  // On Windows the mode doesn't show permissions.
  return found && (platform === 'win32' ? 0 : found.mode & 0o077);
}

/**
 * Restricts the configuration to its owner and returns warnings, also for a key file. A folder
 * named by CS_CONFIG_DIR may hold other files, so it only gets a warning. Never fails.
 */
export function restrictPermissions(io: Io): string[] {
  try {
    const [file, folder, keyFile] = [configFile(io), configFolder(io), io.env.CS_KEY_FILE];
    const warnings: (string | undefined)[] = [];
    if (statSync(file, { throwIfNoEntry: false })?.isFile())
      warnings.push(
        restrict(io, file, 0o600),
        io.env.CS_CONFIG_DIR ? folderWarning(io, folder) : restrict(io, folder, 0o700),
      );
    else warnings.push(writableFolderWarning(io, folder));
    if (keyFile) warnings.push(keyFileWarning(io, keyFile));
    return warnings.filter((text) => text !== undefined);
  } catch {
    // Reported by the code that reads these files.
    return [];
  }
}

export function keyFileWarning(io: Io, file: string): string | undefined {
  const path = resolve(io.cwd, file);
  return nonOwnerMode(io, path)
    ? `The key file ${path} is readable by other users of this machine; restrict it with \`chmod 600 ${quote(path)}\`.`
    : undefined;
}

const folderWarning = (io: Io, folder: string): string | undefined =>
  nonOwnerMode(io, folder)
    ? `The configuration folder ${folder} is open to other users of this machine; restrict it with \`chmod 700 ${quote(folder)}\`.`
    : undefined;

/** Other users could put their own configuration into this folder. */
export const writableFolderWarning = (io: Io, folder: string): string | undefined =>
  (nonOwnerMode(io, folder) ?? 0) & 0o022
    ? `Other users of this machine can put a configuration into ${folder}; restrict it with \`chmod 700 ${quote(folder)}\`.`
    : undefined;

function restrict(io: Io, path: string, mode: number): string | undefined {
  if (!nonOwnerMode(io, path)) return undefined;
  try {
    chmodSync(path, mode);
    return `${path} was open to other users of this machine; access is now restricted. Replace its keys if someone may have read them.`;
  } catch {
    return `${path} is open to other users of this machine, and access couldn't be restricted: another user owns it.`;
  }
}
