import { readConfig } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import { resultView } from '../../output/view.ts';
import { addProtectionFlags, removeProfile } from '../connection/profile.ts';
import { login, loginView } from './login.ts';
import { status } from './status.ts';

export const auth: CommandBuilder = (command) => {
  const loginCommand = command
    .command('login')
    .summary('Sign in to a server')
    .description(
      'Sign in to a server: checks the key and stores it in a profile. Prompts for the key, or reads it from stdin or a file; it is never a command-line argument.\nWith --key-command the profile stores a command instead of the key. cs runs it whenever it needs the key and reads the first line of its output.',
    )
    .option('--with-key', 'read the key from stdin')
    .option('--key-file <file>', 'read the key from a file')
    .option('--key-command <command>', 'store a command that prints the key')
    .onlyOneOf('withKey', 'keyFile', 'keyCommand');
  addProtectionFlags(loginCommand.expectSecrets()).declareOutput(loginView).handle(login);
  loginCommand.needs({
    part: 'me.get',
    otherwise: "team and scopes of the key aren't shown",
  });
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
      'Sign out of a server: removes the current profile, or the one named with --profile, and its key. The key stays valid until it is revoked.',
    )
    .handle(logout);
  logoutCommand.declareOutput(resultView('sign-out', ['profile', 'baseUrl', 'signedOut']));
  logoutCommand.examples(['cs auth logout', 'cs auth logout --profile work --yes']);

  const statusCommand = command
    .command('status')
    .summary('Show the current server, team and key')
    .description(
      'Show the server, the team, the expiry and scopes of the key, and the origin of each value. Exit 4 if the key is refused.',
    )
    .handle(status);
  statusCommand.needs({
    part: 'me.get',
    otherwise: "team, expiry and scopes of the key aren't shown",
  });
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
      hint: 'list the profiles with `cs profiles list`, and name one with --profile',
    });
  const { baseUrl } = await removeProfile(context, name);
  await output.value(
    { profile: name, baseUrl, signedOut: true },
    `Signed out of ${baseUrl} (profile ${name}).`,
  );
  const remaining = ['CS_API_KEY', 'CS_KEY_FILE', 'CS_KEY_COMMAND'].find(
    (variable) => io.env[variable],
  );
  if (remaining) warn(`${remaining} is still set, so cs keeps using its key.`);
}
