/** The service's data on this machine: where it is, and what can stand in its way. */
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { CliError, type ExitCode } from './exit.ts';
import type { Io } from './io.ts';
import { quote } from './text.ts';

/** `--data`, then CS_DATA, then the place where the system keeps such things for this user. */
export function dataFolder({ env, cwd, home, platform }: Pick<Io, 'env' | 'cwd' | 'home' | 'platform'>, flag: string | undefined): string {
  const chosen = flag ?? env.CS_DATA;
  if (chosen) return resolve(cwd, chosen);
  const app = 'car-storage';
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', app);
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), app);
  return join(env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(home, '.local', 'share'), app);
}

export const dataFlag = ['--data <folder>', "where the service's data is (CS_DATA)"] as const;

/** Runs something that opens the service's data, and tells what went wrong in the command's words. Fails with exit 6 where there is none. */
export function onData<T>(folder: string, task: () => Promise<T>): Promise<T> {
  return explained(folder, () => {
    if (!hasData(folder))
      throw new CliError({
        code: 'no_data',
        message: `There is no data in ${folder}.`,
        hint: `give the right folder with --data, or begin there with \`cs admin team create NAME --data ${quote(folder)}\``,
        exitCode: 6,
      });
    return task();
  });
}

/** As `onData`, and begins with empty data where there is none. */
export function onNewData<T>(folder: string, task: () => Promise<T>): Promise<T> {
  return explained(folder, () => {
    if (!hasData(folder)) requireRoom(folder);
    return task();
  });
}

const hasData = (folder: string): boolean => existsSync(join(folder, 'cs.sqlite'));

/** Where nothing can be made, as in /proc, Node would go on making the folders above for ever. */
function requireRoom(folder: string): void {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  rmdirSync(mkdtempSync(join(there, '.car-storage-')));
}

async function explained<T>(folder: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw await explain(folder, error);
  }
}

const refusals: Readonly<Record<string, ExitCode>> = { not_found: 6, duplicate: 7 };

async function explain(folder: string, error: unknown): Promise<unknown> {
  const [{ AmbiguousKey }, { Refusal }, { FolderInUse }, { NewerDatabase }, { StorageUnavailable }] = await Promise.all([
    import('../service/admin.ts'),
    import('../service/refusal.ts'),
    import('../service/folder-lock.ts'),
    import('../service/database/open.ts'),
    import('../service/files/store.ts'),
  ]);
  if (error instanceof Refusal) {
    const { code, message, details } = error;
    return new CliError({ code, message: `${message}.`, details, exitCode: refusals[code] ?? 3, hint: hints[code] });
  }
  if (error instanceof AmbiguousKey) {
    const { message, candidates } = error;
    return new CliError({
      code: 'ambiguous_name',
      message: `${message}.`,
      hint: 'name one by its first part',
      details: { candidates },
      exitCode: 14,
    });
  }
  if (error instanceof FolderInUse) {
    const hint = error.holder?.url
      ? `talk to it with \`--base-url ${error.holder.url}\`, or choose another folder with --data`
      : 'choose another folder with --data';
    return new CliError({ code: 'data_in_use', message: `${error.message}.`, hint, details: error.holder, exitCode: 7 });
  }
  if (error instanceof NewerDatabase) return new CliError({ code: 'data_newer', message: error.message, exitCode: 7, cause: error });
  const cause = error instanceof StorageUnavailable ? error.cause : error;
  return systemError(folder, cause) ?? error;
}

const hints: Readonly<Record<string, string>> = {
  not_found: '`cs admin team list` shows the teams, `cs admin key list --team T` the keys of one',
};

/** Faults of the machine that a person can mend. */
function systemError(folder: string, cause: unknown): CliError | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code = '' } = cause as NodeJS.ErrnoException;
  const sqlite = code === 'ERR_SQLITE_ERROR';
  const known: Record<string, string> = {
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    ENOENT: 'nothing can be kept there',
    ENOTDIR: 'a part of the path is a file, not a folder',
    EEXIST: 'there is a file of that name',
  };
  const why = known[code] ?? (sqlite ? cause.message : undefined);
  if (!why) return undefined;
  return new CliError({
    code: 'data_unusable',
    message: `The data folder ${folder} cannot be used: ${why}.`,
    hint: 'choose another folder with --data',
    exitCode: 2,
    cause,
  });
}
