import { settingList } from '../../../config/setting-list.ts';
import { flagVariables } from '../../flag-variables.ts';
import { page, rows, section } from './page.ts';

type Variable = readonly [name: string, about: string];

/** Variables that aren't settings. */
const keyAndFolders: readonly Variable[] = [
  ['CS_KEY_FILE', 'file with the API key on its first line (instead of CS_API_KEY)'],
  ['CS_KEY_COMMAND', 'command that prints the API key, such as one of a password manager'],
  ['CS_CONFIG_DIR', 'folder of the configuration file (default: car-storage in XDG_CONFIG_HOME)'],
  ['CS_CACHE_DIR', 'folder for compiled code (default: car-storage in XDG_CACHE_HOME)'],
  [
    'CS_STATE_DIR',
    'folder for unfinished commands, the rows of imports and what cs remembers (default: car-storage in XDG_STATE_HOME)',
  ],
];

const service: readonly Variable[] = [
  ['CS_DATA', 'data folder of cs serve and cs admin (default: car-storage in XDG_DATA_HOME)'],
  [
    'CS_DATABASE',
    'URL of a PostgreSQL database for the records (default: SQLite in the data folder)',
  ],
  ['CS_DATABASE_POOLER', 'pooler in front of PostgreSQL: auto or transaction (default: auto)'],
  [
    'CS_TRUST_PROXY',
    'reverse proxies in front of cs serve: addresses and ranges, separated by commas',
  ],
  ['CS_PUBLIC_URL', 'where people reach the service, for the dashboard and its links'],
  ['CS_DASHBOARD', 'off serves no team dashboard'],
  ['CS_ALLOW_INSECURE_DASHBOARD', '1 serves the dashboard over http to other machines too'],
  ['CS_SMTP_URL', 'mail server for outgoing e-mail'],
  ['CS_SMTP_FROM', 'sender of outgoing e-mail'],
];

const shared: readonly Variable[] = [
  ['NO_COLOR', 'turns colour off unless empty'],
  ['FORCE_COLOR', 'turns colour on without a terminal, too, unless 0'],
  ['TERM', 'dumb turns colour off'],
  [
    'LC_ALL, LC_CTYPE, LANG',
    'cs board, cs today and prompts use ASCII unless the first of these that is set names UTF-8',
  ],
  ['PAGER', 'program that shows long results, unless CS_PAGER is set (default: less)'],
  ['PATH', 'folders to search for less'],
  ['XDG_CONFIG_HOME', 'parent of configuration folders'],
  ['XDG_CACHE_HOME', 'parent of cache folders'],
  ['XDG_DATA_HOME', 'parent of data folders'],
  ['APPDATA', 'parent of configuration folders on Windows'],
  ['LOCALAPPDATA', 'parent of cache and data folders on Windows'],
  [
    'SSH_CONNECTION, WSL_DISTRO_NAME',
    "if set, --phone says that a phone can't reach this machine; with the first, cs open starts no browser",
  ],
  ['DISPLAY, WAYLAND_DISPLAY', 'if neither is set, cs open starts no browser on Linux'],
  ['HTTPS_PROXY, HTTP_PROXY', 'proxy for requests'],
  ['NO_PROXY', 'hosts to reach without a proxy'],
];

export const environment = (): string =>
  page(
    'Every setting has a variable. Order: flag, variable, profile, default. `cs config list --origin` shows where each value comes from.',
    section(
      'SETTINGS',
      rows(
        settingList.map(
          ({ variable, flag, about }): Variable => [
            variable,
            flag ? `${about}, see ${flag}` : about,
          ],
        ),
      ),
      'Switches: 1, true and yes turn them on; 0, false, no and an empty value turn them off.',
    ),
    section(
      'FLAGS OF SOME COMMANDS',
      rows(
        flagVariables.map(
          ({ variable, flag, about }): Variable => [variable, `${about}, see ${flag}`],
        ),
      ),
      'They apply to every command with that flag. A conflicting flag on the command line wins: --page over CS_ALL.',
    ),
    section('KEY AND FOLDERS', rows(keyAndFolders)),
    section('SERVICE', rows(service)),
    section('SHARED WITH OTHER PROGRAMS', rows(shared)),
  );
