/** How to finish an entry at the server and with the key that it was begun with. */
import { parseAddress } from '../../../client/address.ts';
import { readConfig } from '../../config/config.ts';
import { profileKeySource } from '../../config/connection.ts';
import { describeKey } from '../../config/describe-key.ts';
import type { Context } from '../../context.ts';
import { nextCommand } from '../../framework/next-command.ts';
import type { Entry } from './entry.ts';

/** The commands to type, in backquotes: with a profile that has both, else with the key at hand, else after a sign-in. */
export function resumeThere(
  context: Pick<Context, 'io' | 'settings'>,
  { id, server, key }: Entry,
): string {
  const { settings } = context;
  const atHand = settings.connection().key;
  // The environment wins over a profile.
  const isFromEnvironment = atHand.origin.startsWith('environment');
  const takesProfile = !isFromEnvironment && !settings.baseUrl?.origin.startsWith('environment');
  const profile = takesProfile ? profileOf(context, { server, key }) : undefined;
  const resume = (flags: readonly string[]) =>
    `\`${nextCommand(['pending', 'resume', id], flags)}\``;
  if (profile !== undefined) return resume(['--profile', profile]);
  // The key of a profile is sent to its own server only.
  if (!isFromEnvironment || !atHand.value)
    return `\`${nextCommand(['auth', 'login'], ['--base-url', server])}\`, then ${resume([])}`;
  return resume([
    '--base-url',
    server,
    ...(describeKey(atHand.value) === key ? [] : ['--same-team']),
  ]);
}

function profileOf(
  { io }: Pick<Context, 'io'>,
  { server, key }: Pick<Entry, 'server' | 'key'>,
): string | undefined {
  const found = Object.entries(readConfig(io).profiles).find(
    ([, profile]) =>
      parseAddress(profile.baseUrl).baseUrl === server &&
      describeKey(profileKeySource(profile)) === key,
  );
  return found?.[0];
}
