/** The arguments of a command line: the same command has the same. */
import { isAbsolute } from 'node:path';
import { settingList } from '../../config/setting-list.ts';
import type { Context } from '../../context.ts';

/** Flags that choose how a command answers and whom it asks, not what it does. */
export const settingNames: ReadonlySet<string> = new Set(
  settingList.map(({ flag = '' }) =>
    flag.replace(/^--(no-)?/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ),
);

/** As one text. Relative paths of files mean the same in the same folder alone. */
export function wordsOf(
  context: Context,
  { dryRun: _, offline: __, ...given }: Readonly<Record<string, unknown>>,
  files?: readonly string[],
): string {
  const isRelative = files?.some((file) => !isAbsolute(file) && !file.startsWith('~'));
  const cwd = isRelative ? { cwd: context.io.cwd } : {};
  const words = Object.entries({ ...given, ...cwd }).filter(
    ([name, value]) => value !== undefined && !settingNames.has(name),
  );
  return JSON.stringify(words.sort(([one], [other]) => (one < other ? -1 : 1)));
}
