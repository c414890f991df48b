/**
 * Reads the key from its source. Files and commands are read once a run, and the key is never
 * stored elsewhere.
 */
import { resolve } from 'node:path';
import { CliError } from '../errors/exit.ts';
import { describeFsError } from '../errors/file-system.ts';
import type { Io } from '../terminal/io.ts';
import type { KeySource } from './connection.ts';
import { parseKey } from './secrets.ts';
import type { Setting } from './setting-list.ts';

/** Fails with `not_signed_in` or `not_signed_in`, both exit 4. */
export function findKey(
  io: Io,
  { value: source, origin }: Setting<KeySource>,
  commandTimeoutMs: number,
): Promise<string> {
  if ('key' in source) return Promise.resolve(source.key);
  const name = JSON.stringify(source);
  const key =
    io.run.keys.get(name) ??
    ('file' in source
      ? readKeyFile(io, source.file, origin)
      : import('./key-command.ts').then(({ runKeyCommand }) =>
          runKeyCommand(io, { command: source.command, origin, timeoutMs: commandTimeoutMs }),
        ));
  io.run.keys.set(name, key);
  return key;
}

async function readKeyFile(io: Io, file: string, origin: string): Promise<string> {
  const path = resolve(io.cwd, file);
  const unreadable = (why: string, hint: string) =>
    new CliError({
      code: 'not_signed_in',
      message: `The key file ${path} (${origin}) ${why}.`,
      hint,
    });
  const [{ readFile }, { decodeText }] = await Promise.all([
    import('node:fs/promises'),
    import('../input/decode.ts'),
  ]);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(
      `couldn't be read: ${describeFsError(error)}`,
      'check the path and its permissions',
    );
  });
  const key = parseKey(await decodeText(bytes, { name: `The key file ${path}` }));
  if (key === '') throw unreadable('is empty', 'put the key on its first line');
  return key;
}
