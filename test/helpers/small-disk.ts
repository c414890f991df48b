/** A disk of 1 MB, which only the processes started there see; where the system lets this user make one. */
import { execa } from 'execa';
import { ownEnvironment } from './own-home.ts';

/** Runs commands of a shell on the disk, which is empty before each call. */
export const onSmallDisk = (folder: string, command: string, env: Record<string, string> = {}) =>
  execa(
    'unshare',
    ['-rm', 'sh', '-c', `mount -t tmpfs -o size=1m none "$0" && cd "$0" && ${command}`, folder],
    { env: { ...ownEnvironment(), ...env }, extendEnv: false, reject: false },
  );

export const hasSmallDisk = async (folder: string): Promise<boolean> =>
  (await onSmallDisk(folder, 'true')).exitCode === 0;
