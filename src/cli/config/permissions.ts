/** Whether other users of this machine can open files with keys and their folders. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../terminal/io.ts';
import { quote } from '../terminal/text.ts';

/** The permissions of group and others; undefined where the file doesn't exist. */
export function nonOwnerMode({ platform }: Io, path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  // On Windows the mode doesn't show permissions.
  return found && (platform === 'win32' ? 0 : found.mode & 0o077);
}

export function keyFileWarning(io: Io, file: string): string | undefined {
  const path = resolve(io.cwd, file);
  return nonOwnerMode(io, path)
    ? `The key file ${path} is readable by other users of this machine; restrict it with \`chmod 600 ${quote(path)}\`.`
    : undefined;
}

/** Other users could put their own configuration into this folder. */
export const writableFolderWarning = (io: Io, folder: string): string | undefined =>
  (nonOwnerMode(io, folder) ?? 0) & 0o022
    ? `Other users of this machine can put a configuration into ${folder}; restrict it with \`chmod 700 ${quote(folder)}\`.`
    : undefined;
