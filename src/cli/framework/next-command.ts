/** Command lines for hints. */

import type { Setting } from '../config/setting-list.ts';
import type { Settings } from '../config/settings.ts';
import { quote } from '../terminal/text.ts';

/** A line to copy, quoted for a shell. */
export const nextCommand = (words: readonly string[], flags: readonly string[] = []): string =>
  ['cs', ...words, ...flags].map(quote).join(' ');

/**
 * The typed flags that the next command needs for the same connection. Environment variables apply
 * to it anyway.
 */
export function connectionFlags({ settings }: { readonly settings: Settings }): string[] {
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
