import { type Profile, readConfig, writeConfig } from '../../config/config.ts';
import { namedProfile } from '../../config/connection.ts';
import type { Context } from '../../framework/context.ts';
import { confirm } from '../../prompts/confirm.ts';
import { quote } from '../../terminal/text.ts';

/** Takes a profile with its key out of the configuration, after a yes: perhaps nobody has the key any more. Exit 2 when there is none. */
export async function forgetProfile(context: Context, name: string): Promise<Profile> {
  const { io } = context;
  const profile = namedProfile(readConfig(io), name);
  await confirm(context, `Forget the profile ${name} (${profile.baseUrl}) with its key?`, { local: true });
  // Read anew: while the question waited, another command may have written.
  const { currentProfile, profiles } = readConfig(io);
  const { [name]: _, ...rest } = profiles;
  await writeConfig(io, { currentProfile: currentProfile === name ? undefined : currentProfile, profiles: rest });
  const [other] = Object.keys(rest);
  if (currentProfile === name && other !== undefined)
    context.note(`No profile is in use now: \`cs profiles use ${quote(other)}\` chooses one.`);
  return profile;
}
