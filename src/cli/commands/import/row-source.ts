/** The file that an import reads, several times if need be: stdin is put into one first. */
import { access, constants, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { expectPiped, type Reading } from '../../input/input.ts';
import type { Io } from '../../terminal/io.ts';

export interface Source {
  readonly path: string;
  /** As messages call it. */
  readonly name: string;
  close(): Promise<void>;
}

export async function openSource(context: Reading, given: string): Promise<Source> {
  const { io } = context;
  if (given === '-') {
    expectPiped(context, 'FILE -');
    return spool(io);
  }
  const path = resolve(io.cwd, given);
  const refuse = (why: string) => usage(`${path} cannot be read: ${why}.`, 'check the path, or give - to read stdin');
  const stats = await stat(path).catch((error) => Promise.reject(refuse(describeFsError(error))));
  // It is read more than once, which a pipe cannot be.
  if (!stats.isFile()) throw refuse('it is not a file');
  await access(path, constants.R_OK).catch((error) => Promise.reject(refuse(describeFsError(error))));
  return { path, name: given, close: async () => {} };
}

async function spool(io: Io): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), 'cs-import-'));
  const path = join(folder, 'stdin');
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(path, io.stdin, { mode: 0o600, signal: io.signal });
  } catch (error) {
    await close();
    io.signal.throwIfAborted();
    throw error;
  }
  return { path, name: 'stdin', close };
}
