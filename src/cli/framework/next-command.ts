/** Commands that are to be typed next. */

import type { Setting } from '../config/setting-list.ts';
import type { Settings } from '../config/settings.ts';
import { quote } from '../terminal/text.ts';

/** A line to be copied: `cs`, the words and the flags, quoted where a shell needs it. */
export const nextCommand = (words: readonly string[], flags: readonly string[] = []): string =>
  ['cs', ...words, ...flags].map(quote).join(' ');

/** The global flags that the next command needs as well. What the environment says holds for it anyway. */
export function globalFlagsOf({ settings }: { readonly settings: Settings }): string[] {
  const { profileName, baseUrl, caFile, allowInsecureHttp } = settings;
  const given = (flag: string, setting: Setting<string | true> | undefined) => {
    if (!setting?.origin.startsWith('flag')) return [];
    return setting.value === true ? [flag] : [flag, setting.value];
  };
  return [
    ...given('--profile', profileName),
    ...given('--base-url', baseUrl),
    ...given('--ca-file', caFile),
    ...given('--allow-insecure-http', allowInsecureHttp),
  ];
}
