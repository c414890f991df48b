import {
  flagVariables,
  keyAndFolderVariables,
  serviceVariables,
  settingList,
  type Variable,
} from '../../../config/setting-list.ts';
import { type Part, page, rows, section } from './page.ts';

type Row = readonly [name: string, about: string];

const rowOf = ({ variable, about }: Variable): Row => [variable, about];

const shared: readonly Row[] = [
  ['NO_COLOR', 'turns colour off unless empty'],
  ['FORCE_COLOR', 'turns colour on without a terminal, too, unless 0'],
  ['TERM', 'dumb turns colour off'],
  [
    'LC_ALL, LC_CTYPE, LANG',
    'cs board, cs today and prompts use ASCII unless the first of these that is set names UTF-8',
  ],
  ['PAGER', 'program that shows long results, unless CS_PAGER is set (default: less)'],
  ['PATH', 'folders to search for less'],
  ['CHROME_PATH', 'the Chromium that prints PDF files'],
  ['CI', 'if set, no note of a newer version'],
  ['SHELL', 'shell of cs completion install'],
  ['ZDOTDIR', 'folder of .zshrc'],
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
  [
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY',
    'key of the S3 store of cs serve --files; also AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL_S3. Each with _FILE names a file',
  ],
  [
    'CREDENTIALS_DIRECTORY',
    'folder of systemd with a file for each variable of the service that may be secret',
  ],
  ['HTTPS_PROXY, HTTP_PROXY', 'proxy for requests'],
  ['NO_PROXY', 'hosts to reach without a proxy'],
];

export const environment = (): Part[] =>
  page(
    'Every setting has a variable. Order: flag, variable, profile, default. `cs config list --origin` shows where each value comes from. A name that starts with CS_ and is not listed here is refused by `cs serve` and the commands of `cs admin` that open data, and noted by other commands.',
    section(
      'SETTINGS',
      rows(
        settingList.map(
          ({ variable, flag, about }): Row => [variable, flag ? `${about}, see ${flag}` : about],
        ),
      ),
      'Switches: 1, true and yes turn them on; 0, false, no and an empty value turn them off.',
    ),
    section(
      'FLAGS OF SOME COMMANDS',
      rows(
        flagVariables.map(({ variable, flag, about }): Row => [variable, `${about}, see ${flag}`]),
      ),
      'They apply to every command with that flag. A conflicting flag on the command line wins: --page over CS_ALL.',
    ),
    section('KEY AND FOLDERS', rows(keyAndFolderVariables.map(rowOf))),
    section('SERVICE', rows(serviceVariables.map(rowOf))),
    section('SHARED WITH OTHER PROGRAMS', rows(shared)),
  );
