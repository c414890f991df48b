/** The write protection of a profile, and its removal. */
import { type Profile, readConfig, writeConfig } from '../../config/config.ts';
import { requireProfile } from '../../config/connection.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { quote } from '../../terminal/text.ts';

type WriteProtection = Pick<Profile, 'production' | 'readOnly'>;

export function addProtectionFlags(command: Command): Command {
  const given = new Set<string>();
  for (const flag of ['production', 'no-production', 'read-only', 'no-read-only'])
    command.on(`option:${flag}`, () => given.add(flag));
  return command
    .hook('preAction', () => {
      for (const flag of given)
        if (given.has(`no-${flag}`))
          throw usage(
            `--${flag} and --no-${flag} can't be used together.`,
            'leave one of them out',
          );
    })
    .option('--production', 'ask before every write')
    .option('--no-production', 'stop asking before writes')
    .option('--read-only', 'refuse every write')
    .option('--no-read-only', 'allow writes again');
}

/** Flags win over the profile. */
export function applyProtectionFlags(
  options: Record<string, unknown>,
  known: WriteProtection = {},
): WriteProtection {
  const production = (options.production as boolean | undefined) ?? known.production;
  const readOnly = (options.readOnly as boolean | undefined) ?? known.readOnly;
  return { ...(production ? { production } : {}), ...(readOnly ? { readOnly } : {}) };
}

/** `production`, `read-only`, both, or nothing. */
export const describeProtection = ({ production, readOnly }: WriteProtection): string =>
  [production ? 'production' : '', readOnly ? 'read-only' : ''].filter(Boolean).join(', ');

/** Asks first: the profile may have the only copy of the key. Exit 2 for an unknown profile. */
export async function removeProfile(context: Context, name: string): Promise<Profile> {
  const { io } = context;
  const profile = requireProfile(readConfig(io), name);
  await confirm(context, `Remove the profile ${name} (${profile.baseUrl}) and its key?`, {
    local: true,
  });
  // Read again: another command may have written while the prompt was open.
  const { currentProfile, profiles } = readConfig(io);
  const { [name]: _, ...rest } = profiles;
  await writeConfig(io, {
    currentProfile: currentProfile === name ? undefined : currentProfile,
    profiles: rest,
  });
  const [other] = Object.keys(rest);
  if (currentProfile === name && other !== undefined)
    context.note(
      `No profile is selected now. Select one with \`cs profiles use ${quote(other)}\`.`,
    );
  return profile;
}
