/** A small JSON file that says where a command was, replaced in one step. */
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { toJson } from '../../output/json.ts';
import { saveFile } from '../../output/save-file.ts';

/** What a state file holds; nothing where there is none. Exit 7 when it holds something else. */
export async function readState<T>(path: string, isState: (value: unknown) => value is T): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, `it cannot be read: ${describeFsError(error)}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isState(value)) return value;
  } catch {
    // Told below, like JSON that holds something else.
  }
  throw unusable(path, 'this command did not write it, or another version did');
}

const unusable = (path: string, why: string): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `${path} cannot be used: ${why}.`,
    hint: 'delete it to start over, or choose another place',
    exitCode: 7,
  });

export async function writeState(path: string, state: object): Promise<void> {
  await saveFile(path, one(Buffer.from(toJson(state))), { overwrite: true });
  await keepNames(dirname(path));
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Makes what was renamed in a folder last, also when the machine stops. */
export async function keepNames(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    // Some systems do not open folders; there is nothing more to be done then.
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
