import { lines, page, rows, section } from './page.ts';

export const keys = (): string =>
  page(
    'A key lets `cs` in, and says for which team and what it may do. It never stands on a command line, where others could read it.',
    section(
      'WHERE IT IS LOOKED FOR, IN THIS ORDER',
      rows([
        ['CS_API_KEY', 'the key itself'],
        ['CS_KEY_FILE', 'a file whose first line it is'],
        ['CS_KEY_COMMAND', 'a command that writes it, such as one of a password manager'],
        ['profile', 'what `cs auth login` has stored: the key, or such a command'],
      ]),
      'A key of a profile is sent to the server of that profile and to no other.',
    ),
    section(
      'SIGN IN',
      lines('cs auth login', 'cs auth login --base-url https://cars.example.com --profile work', 'cs auth login --with-key < key.txt'),
      'The key is tried before it is stored, in a file that only you can read. `cs auth status` shows server, team, scopes and expiry, and where each value comes from. `cs auth logout` forgets the key; it stays good until it is revoked.',
    ),
    section(
      'IN A SCRIPT',
      'Give address and key by the environment; then no file is read at all.',
      lines('CS_BASE_URL=https://cars.example.com CS_KEY_FILE=/run/secrets/cars cs cars list'),
    ),
    section(
      'WHAT A KEY MAY DO',
      'A key has scopes, such as read:cars and write:cars. A right to write is none to read. Scopes never grow: a key that may do more is a new one. `cs schema RESOURCE` shows which scope each verb needs.',
      'Whoever runs the service makes keys and takes them back:',
      lines(
        'cs admin key create --team garage-nord --name nightly --scope read:cars --expires 90d',
        'cs admin key revoke nightly --team garage-nord',
      ),
    ),
    section(
      'PROFILES',
      'A profile is a server with its key. One that is marked production asks before it writes; one that is read-only does not write.',
      lines('cs profiles list', 'cs profiles use work', 'cs cars list --profile work'),
    ),
  );
