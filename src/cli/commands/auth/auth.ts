import { readConfig } from '../../config/config.ts';
import { CliError } from '../../errors/exit.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { resultView } from '../../output/view.ts';
import { addMarkFlags, forgetProfile } from '../connection/profile.ts';
import { login, loginView } from './login.ts';
import { status } from './status.ts';

export const auth: CommandBuilder = (command) => {
  const loginCommand = command
    .command('login')
    .summary('Sign in to a server')
    .description(
      'Sign in to a server: the key is checked, then stored in a profile. It is asked for, or read from stdin or a file; a key never stands on a command line.\nWith --key-command the profile stores a command in place of the key. It is run whenever a key is needed; the first line that it prints is the key.',
    )
    .option('--with-key', 'read the key from stdin')
    .option('--key-file <file>', 'read the key from a file')
    .option('--key-command <command>', 'store this command, which prints the key');
  addMarkFlags(loginCommand.expectSecrets()).declareOutput(loginView).handle(login);
  loginCommand.examples([
    'cs auth login',
    'cs auth login --base-url https://cars.example.com --profile work --production',
    'cs auth login --with-key < key.txt',
    "cs auth login --profile work --key-command 'pass show cars'",
  ]);

  const logoutCommand = command
    .command('logout')
    .summary('Sign out of a server')
    .description(
      'Sign out of a server: the profile in use, or the one that --profile names, is forgotten with its key. The key itself stays good until it is revoked.',
    )
    .handle(logout);
  logoutCommand.declareOutput(resultView('sign-out', ['profile', 'baseUrl', 'signedOut']));
  logoutCommand.examples(['cs auth logout', 'cs auth logout --profile work --yes']);

  const statusCommand = command
    .command('status')
    .summary('See who you are, and where that is set')
    .description(
      'See the server, the team, when the key expires and what it may do, and where each value comes from. Exit 4 when the key is refused.\nA server that does not tell what a key may do is asked for one record of each kind, to find out what can be read.',
    )
    .handle(status);
  statusCommand.examples(['cs auth status', 'cs auth status --profile work --json']);
  command.examples(['cs auth login', 'cs auth status']);
};

async function logout(context: Context): Promise<void> {
  const { io, settings, output, warn } = context;
  const config = readConfig(io);
  const name = settings.profileName?.value ?? config.currentProfile;
  if (name === undefined)
    throw new CliError({
      code: 'not_signed_in',
      message: 'You are not signed in.',
      hint: '`cs profiles list` shows the profiles; --profile names one',
    });
  const { baseUrl } = await forgetProfile(context, name);
  await output.value({ profile: name, baseUrl, signedOut: true }, `Signed out of ${baseUrl} (profile ${name}).`);
  const still = ['CS_API_KEY', 'CS_KEY_FILE', 'CS_KEY_COMMAND'].find((variable) => io.env[variable]);
  if (still) warn(`${still} is still set, so its key is used.`);
}
