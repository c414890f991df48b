/** Values of the service's variables that may be secret: also from a file, so that they are in no environment and no process list. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import type { Io } from '../../terminal/io.ts';

/** The variable itself, the file that NAME_FILE names, or the file NAME among the credentials of systemd. Undefined if unset or empty. */
export function readVariable(io: Pick<Io, 'env' | 'cwd'>, name: string): string | undefined {
  const { [name]: value, [`${name}_FILE`]: given, CREDENTIALS_DIRECTORY: folder } = io.env;
  if (value && given)
    throw usage(`${name} and ${name}_FILE can't be used together.`, 'unset one of them');
  if (value) return value;
  // A folder that systemd loads gives its files one beginning.
  const credentials = folder ? [join(folder, name), join(folder, `CS_${name}`)] : [];
  const file = given ? resolve(io.cwd, given) : credentials.find((path) => existsSync(path));
  if (!file) return undefined;
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text) return text;
  } catch (error) {
    throw usage(
      `Couldn't read ${file}, the file of ${name}: ${describeFsError(error)}.`,
      'give the path of a readable file with the value alone',
    );
  }
  throw usage(`${file}, the file of ${name}, is empty.`, 'write the value into it');
}
