/** Every environment variable of `cs`. A name that isn't here is most likely a typing error, and would be ignored without a word. */

import { settingList } from '../config/setting-list.ts';
import { leavesOnEscape } from '../terminal/io.ts';
import { nearest } from '../terminal/text.ts';
import { flagVariables } from './flag-variables.ts';

export interface Variable {
  readonly variable: string;
  readonly about: string;
}

/** Variables that aren't settings. */
export const keyAndFolderVariables: readonly Variable[] = [
  {
    variable: 'CS_KEY_FILE',
    about: 'file with the API key on its first line (instead of CS_API_KEY)',
  },
  {
    variable: 'CS_KEY_COMMAND',
    about: 'command that prints the API key, such as one of a password manager',
  },
  {
    variable: 'CS_CONFIG_DIR',
    about: 'folder of the configuration file (default: car-storage in XDG_CONFIG_HOME)',
  },
  {
    variable: 'CS_CACHE_DIR',
    about: 'folder for compiled code (default: car-storage in XDG_CACHE_HOME)',
  },
  {
    variable: 'CS_STATE_DIR',
    about:
      'folder for unfinished commands, the rows of imports and what cs remembers (default: car-storage in XDG_STATE_HOME)',
  },
];

export const serviceVariables: readonly Variable[] = [
  {
    variable: 'CS_DATA',
    about: 'data folder of cs serve and cs admin (default: car-storage in XDG_DATA_HOME)',
  },
  {
    variable: 'CS_DATABASE',
    about: 'URL of a PostgreSQL database for the records (default: SQLite in the data folder)',
  },
  {
    variable: 'CS_DATABASE_POOLER',
    about: 'pooler in front of PostgreSQL: auto or transaction (default: auto)',
  },
  {
    variable: 'CS_TRUST_PROXY',
    about: 'reverse proxies in front of cs serve: addresses and ranges, separated by commas',
  },
  {
    variable: 'CS_TEAM_QUOTA',
    about: 'what the photos and assets of each team of cs serve may take, such as 50GB',
  },
  {
    variable: 'CS_PUBLIC_URL',
    about: 'where people reach the service, for the dashboard and its links',
  },
  { variable: 'CS_DASHBOARD', about: 'off serves no team dashboard' },
  {
    variable: 'CS_ALLOW_INSECURE_DASHBOARD',
    about: '1 serves the dashboard over http to other machines too',
  },
  { variable: 'CS_SMTP_URL', about: 'mail server for outgoing e-mail' },
  { variable: 'CS_SMTP_FROM', about: 'sender of outgoing e-mail' },
];

/** Set for processes that `cs` starts: those of `cs watch --exec`, of the live screens, and of a newer Node.js. */
const ofProcesses = /^CS_(RESTARTED|CHANGE_\w+)$/;
/** Those of the tests of `cs`. */
const ofTests = /^CS_(TEST_\w+|SEED|LONG|CHROMIUM)$/;

/** Kubernetes sets these in every container of a namespace for a Service called `cs` or `cs-…`; the name with PORT alone only its value tells. */
const ofKubernetes = /^CS_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)\w*)$/;
const kubernetesAddress = /^(tcp|udp|sctp):\/\//;

/** A sentence for each name in the environment that `cs` doesn't know, with the nearest one. An empty value counts as not set. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = [
    ...settingList,
    ...flagVariables,
    ...keyAndFolderVariables,
    ...serviceVariables,
  ].map(({ variable }) => variable);
  const isKnown = (name: string) =>
    [...known, leavesOnEscape].includes(name) ||
    [ofProcesses, ofTests, ofKubernetes].some((names) => names.test(name)) ||
    kubernetesAddress.test(env[name] ?? '');
  return Object.keys(env)
    .filter((name) => name.startsWith('CS_') && env[name] !== '' && !isKnown(name))
    .map((name) => {
      const close = known.findLast((one) => name.startsWith(`${one}_`)) ?? nearest(name, known)[0];
      return `The variable ${name} isn't known to cs${close ? `. Did you mean ${close}?` : '.'}`;
    });
}
