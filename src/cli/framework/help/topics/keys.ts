import { lines, type Part, page, rows, section } from './page.ts';

export const keys = (): Part[] =>
  page(
    'An API key identifies the team and grants scopes. `cs` never takes it as an argument, because other users of the machine can see command lines.',
    section(
      'WHERE CS LOOKS FOR A KEY, IN THIS ORDER',
      rows([
        ['CS_API_KEY', 'the key itself'],
        ['CS_KEY_FILE', 'a file with the key on its first line'],
        ['CS_KEY_COMMAND', 'a command that prints the key, such as one of a password manager'],
        ['profile', 'the key or the command stored by `cs auth login`'],
      ]),
      'The key of a profile is only sent to the server of that profile.',
    ),
    section(
      'SIGN IN',
      lines(
        'cs auth login',
        'cs auth login --base-url https://cars.example.com --profile work',
        'cs auth login --with-key < key.txt',
      ),
      '`cs auth login` checks the key, then stores it in a file that only you can read. `cs auth status` shows server, team, scopes and expiry, and the origin of each value. `cs auth logout` deletes the key from this machine; it stays valid until it is revoked.',
    ),
    section(
      'IN A SCRIPT',
      'Set server and key in the environment. No configuration file is read then.',
      lines('CS_BASE_URL=https://cars.example.com CS_KEY_FILE=/run/secrets/cars cs cars list'),
    ),
    section(
      'SCOPES',
      'A key has scopes, such as read:cars and write:cars. Write access does not include read access. The scopes of a key never change: create a new key to add some. `cs schema RESOURCE` shows the scope of each verb.',
      'The operator of the service creates and revokes keys:',
      lines(
        'cs admin key create --team garage-nord --name nightly --scope read:cars --expires 90d',
        'cs admin key revoke nightly --team garage-nord',
      ),
    ),
    section(
      'PROFILES',
      'A profile is a saved server with its key. Writes with a production profile need a confirmation; a read-only profile refuses them.',
      lines('cs profiles list', 'cs profiles use work', 'cs cars list --profile work'),
    ),
  );
