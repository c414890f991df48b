import { flagVariables } from '../../../config/flag-variables.ts';
import { settingList } from '../../../config/setting-list.ts';
import { page, rows, section } from './page.ts';

interface Variable {
  readonly name: string;
  readonly about: string;
}

/** Every variable that `cs` reads and that is no setting: those stand in the list of settings. */
const others: readonly Variable[] = [
  { name: 'CS_KEY_FILE', about: 'file whose first line is the API key, in place of CS_API_KEY' },
  { name: 'CS_KEY_COMMAND', about: 'command that writes the API key, such as one of a password manager' },
  { name: 'CS_CONFIG_DIR', about: 'folder of the configuration file; car-storage in XDG_CONFIG_HOME unless given' },
  { name: 'CS_CACHE_DIR', about: 'folder of names for completion, and of compiled code; car-storage in XDG_CACHE_HOME unless given' },
];

const service: readonly Variable[] = [
  { name: 'CS_DATA', about: 'folder of the data, for cs serve and cs admin; car-storage in XDG_DATA_HOME unless given' },
  { name: 'CS_DATABASE', about: 'address of a PostgreSQL that holds the records' },
  { name: 'CS_DATABASE_POOLER', about: 'pooler in front of the PostgreSQL: auto (the default) or transaction' },
  { name: 'CS_TRUST_PROXY', about: 'reverse proxies in front of cs serve: addresses and ranges, with commas between them' },
  { name: 'CS_SMTP_URL', about: 'mail server that e-mail is handed to' },
  { name: 'CS_SMTP_FROM', about: 'who writes e-mail' },
];

const shared: readonly Variable[] = [
  { name: 'NO_COLOR', about: 'no colour, when it is not empty' },
  { name: 'FORCE_COLOR', about: 'colour without a terminal, too, unless it is 0' },
  { name: 'TERM', about: 'no colour when it is dumb' },
  {
    name: 'LC_ALL, LC_CTYPE, LANG',
    about: 'cs board, cs today and questions are drawn in ASCII, where the first that is set names no UTF-8',
  },
  { name: 'PAGER', about: 'the program that shows long results, where CS_PAGER names none' },
  { name: 'PATH', about: 'where less is looked for, which shows them otherwise' },
  { name: 'XDG_CONFIG_HOME', about: 'where folders of configuration are' },
  { name: 'XDG_CACHE_HOME', about: 'where folders are of what may be lost' },
  { name: 'XDG_DATA_HOME', about: 'where folders of data are' },
  { name: 'APPDATA', about: 'the first of them on Windows' },
  { name: 'LOCALAPPDATA', about: 'the other two on Windows' },
  { name: 'HTTPS_PROXY, HTTP_PROXY', about: 'proxies that requests go through' },
  { name: 'NO_PROXY', about: 'hosts that are asked without one' },
];

const asRow = ({ name, about }: Variable) => [name, about] as const;

export const environment = (): string =>
  page(
    'Every setting has a variable. A flag wins over it, and it wins over the profile. `cs config list --origin` shows which one did.',
    section(
      'SETTINGS',
      rows(settingList.map(({ variable, flag, about }): [string, string] => [variable, flag ? `${about}, as ${flag}` : about])),
      'Yes or no: 1, true and yes are yes; 0, false, no and nothing are no.',
    ),
    section(
      'FLAGS OF SOME COMMANDS',
      rows(flagVariables.map(({ variable, flag, about }): [string, string] => [variable, `${about}, as ${flag}`])),
      'They hold for every command that has the flag, and give way to what is typed beside it: CS_ALL to --page.',
    ),
    section('KEY AND FOLDERS', rows(others.map(asRow))),
    section('SERVICE', rows(service.map(asRow))),
    section('OF ALL PROGRAMS', rows(shared.map(asRow))),
  );
