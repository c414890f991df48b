/** What a profile says of writes: the flags that set it, and how it is shown. */
import { type Profile, readConfig, writeConfig } from '../../config/config.ts';
import { requireProfile } from '../../config/connection.ts';
import { usage } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { confirm } from '../../prompts/confirm.ts';
import { quote } from '../../terminal/text.ts';

type Marks = Pick<Profile, 'production' | 'readOnly'>;

export function addMarkFlags(command: Command): Command {
  const given = new Set<string>();
  for (const flag of ['production', 'no-production', 'read-only', 'no-read-only']) command.on(`option:${flag}`, () => given.add(flag));
  return command
    .hook('preAction', () => {
      for (const flag of given)
        if (given.has(`no-${flag}`)) throw usage(`--${flag} and --no-${flag} exclude each other.`, 'leave one of them out');
    })
    .option('--production', 'mark it production: every write asks before')
    .option('--no-production', 'take that mark away')
    .option('--read-only', 'refuse every write')
    .option('--no-read-only', 'allow writes again');
}

/** The marks as they are after the flags; those that no flag names stay. */
export function markedBy(options: Record<string, unknown>, known: Marks = {}): Marks {
  const production = (options.production as boolean | undefined) ?? known.production;
  const readOnly = (options.readOnly as boolean | undefined) ?? known.readOnly;
  return { ...(production ? { production } : {}), ...(readOnly ? { readOnly } : {}) };
}

/** `production`, `read-only`, both, or nothing. */
export const marksText = ({ production, readOnly }: Marks): string =>
  [production ? 'production' : '', readOnly ? 'read-only' : ''].filter(Boolean).join(', ');

/** Takes a profile with its key out of the configuration, after a yes: perhaps nobody has the key any more. Exit 2 when there is none. */
export async function forgetProfile(context: Context, name: string): Promise<Profile> {
  const { io } = context;
  const profile = requireProfile(readConfig(io), name);
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
