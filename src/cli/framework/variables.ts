/**
 * Every environment variable of `cs`. A name that isn't here is most likely a typing error, and
 * would be ignored without a word.
 */

import { readdirSync } from 'node:fs';
import {
  flagVariables,
  keyAndFolderVariables,
  photosVariables,
  serviceVariables,
  settingList,
} from '../config/setting-list.ts';
import { leavesOnEscape } from '../terminal/io.ts';
import { nearest } from '../terminal/text.ts';

/**
 * Set for processes that `cs` starts: those of `cs watch --exec`, of the live screens, and of a
 * newer Node.js.
 */
const ofProcesses = /^CS_(RESTARTED|CHANGE_\w+)$/;
/** Those of install.sh, which a person may have exported. */
const ofInstallation = /^CS_(RELEASES|BIN)$/;
/** Among credentials: the key and address of an S3 store, with the beginning that systemd gives a folder. */
const ofStores =
  /^CS_(AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|REGION|DEFAULT_REGION|ENDPOINT_URL(_S3)?))$/;
/** Those of the tests of `cs`. */
const ofTests = /^CS_(TEST_\w+|SEED|LONG|CHROMIUM)$/;

/**
 * Kubernetes sets these in every container of a namespace for a Service called `cs` or `cs-…`; the
 * name with PORT alone only its value tells.
 */
const ofKubernetes = /^CS_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)\w*)$/;
export const kubernetesAddress = /^(tcp|udp|sctp):\/\//;

/**
 * A sentence for each name in the environment, and among the credentials of systemd, that `cs`
 * doesn't know, with the nearest one. An empty value counts as not set.
 */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = [
    ...settingList,
    ...flagVariables,
    ...keyAndFolderVariables,
    ...serviceVariables,
  ].map(({ variable }) => variable);
  const isKnown = (name: string) =>
    [...known, leavesOnEscape].includes(name) ||
    [ofProcesses, ofInstallation, ofTests, ofKubernetes, photosVariables].some((names) =>
      names.test(name),
    ) ||
    kubernetesAddress.test(env[name] ?? '');
  const variables = Object.keys(env)
    .filter((name) => name.startsWith('CS_') && env[name] !== '' && !isKnown(name))
    .map((name) => {
      const close = known.findLast((one) => name.startsWith(`${one}_`)) ?? nearest(name, known)[0];
      return `The variable ${name} isn't known to cs${close ? `. Did you mean ${close}?` : '.'}`;
    });
  // A file is read where a variable has a second one for its file. The backup copy of an editor has other signs in its name.
  const credentials = credentialsIn(env)
    .filter((name) => /^CS_\w+$/.test(name))
    .filter((name) => !known.includes(`${name}_FILE`) && !ofStores.test(name))
    .map((name) => {
      const advice = known.includes(name) ? ': set it in the environment.' : '.';
      return `The credential ${name} isn't one that cs reads${advice}`;
    });
  return [...variables, ...credentials];
}

function credentialsIn({
  CREDENTIALS_DIRECTORY: folder,
}: Readonly<Record<string, string | undefined>>): string[] {
  try {
    return folder ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
