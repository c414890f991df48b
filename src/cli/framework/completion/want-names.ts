/** Has names read again where they are old. */
import type { GlobalOptions } from '../../config/setting-list.ts';
import type { Settings } from '../../config/settings.ts';
import { type NameList, openNames } from '../../state/names.ts';
import type { Io } from '../../terminal/io.ts';

interface Wanted {
  readonly lists: readonly NameList[];
  /** The flags that choose the server. */
  readonly options: Pick<GlobalOptions, 'profile' | 'baseUrl'>;
}

/**
 * Resolves once another process has read them, or when one is at it already. A key command may ask
 * for a passphrase, so it never runs for names: the next command that has its key reads them.
 */
export async function wantNames(
  io: Io,
  settings: Settings,
  { lists, options }: Wanted,
): Promise<void> {
  const names = openNames(io, settings);
  const { value: key } = settings.connection().key;
  if (!names?.want(lists) || (key && 'command' in key)) return;
  if (io.background && names.reserve())
    await io.background(['__complete-names', JSON.stringify(options)]);
}
